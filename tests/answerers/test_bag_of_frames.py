"""Bag of frames, worked by hand on vectors that are the frames' mean colours."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from PIL import Image

from vidence.answer import Reply, Request
from vidence.answerers.bag_of_frames import BagOfFrames, pool, unit
from vidence.errors import PanelError
from vidence.media.clip import Clip, Video
from vidence.view import Option, View

COLOURS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255), "white": (255,) * 3}


class ColourEncoder:
    """Embed an image as its mean colour and a text as the sum of the colours it names."""

    identity: ClassVar = {"kind": "colour"}

    def embed_images(self, images: Any) -> Any:
        return np.array([image.reshape(-1, 3).mean(axis=0) for image in images])

    def embed_texts(self, texts: Any) -> Any:
        rows = [[COLOURS[w] for w in text.split() if w in COLOURS] for text in texts]
        return np.array([np.sum(row, axis=0) if row else np.zeros(3) for row in rows])


def png(colour: str) -> bytes:
    out = BytesIO()
    Image.new("RGB", (8, 8), COLOURS[colour]).save(out, "PNG")
    return out.getvalue()


def ask(frames: list[str], question: str, options: list[str], **settings: Any) -> Reply:
    answerer = BagOfFrames(name="bag", encoder=ColourEncoder(), **settings)
    view = View(
        question,
        tuple(Option(i, text) for i, text in enumerate(options)),
        (("video", Clip(Video(Path("v.mp4")))),) if frames else (),
    )
    encoded = SimpleNamespace(images=tuple(map(png, frames)), notes=("noted",))
    media = SimpleNamespace(encoded=lambda clip: encoded)
    (reply,) = answerer.ask([Request(answerer.prepare(view), seed=1)], media)  # type: ignore[arg-type]
    return reply


def test_the_nearest_option_scores_highest() -> None:
    reply = ask(["red", "red", "green"], "which", ["green", "red", "blue"])
    assert reply.scores is not None
    # mean of the unit frames: (2, 1, 0) / 3, normalised (2, 1, 0) / sqrt(5)
    assert reply.scores == pytest.approx((1 / 5**0.5, 2 / 5**0.5, 0))
    assert reply.notes == ("noted",)


def test_only_the_k_frames_nearest_to_the_question_count() -> None:
    frames = ["red", "red", "blue", "red"]
    assert ask(frames, "is it blue", ["red", "blue"], k=1).scores == pytest.approx((0, 1))
    assert ask(frames, "is it blue", ["red", "blue"], k=9).scores == pytest.approx(
        (3 / 10**0.5, 1 / 10**0.5)
    )
    assert ask(frames, "is it blue", ["red", "blue"], k=2).usage["frames_kept"] == 2


def test_max_takes_the_best_single_frame() -> None:
    frames = ["red", "red", "red", "blue"]
    assert ask(frames, "x", ["red", "blue"], aggregate="max").scores == pytest.approx((1, 1))


def test_equal_options_tie_exactly() -> None:
    scores = ask(["red", "green", "white"], "x", ["blue", "nothing", "blue", "void"]).scores
    assert scores is not None
    assert scores[0] == scores[2]
    assert scores[1] == scores[3] == 0


def test_without_frames_nothing_is_claimed() -> None:
    reply = ask([], "x", ["red", "blue"])
    assert (reply.status, reply.scores) == ("absent", None)


def test_every_setting_is_in_the_identity() -> None:
    kinds = [
        BagOfFrames(name="b", encoder=ColourEncoder(), **settings).identity
        for settings in ({}, {"k": 1}, {"aggregate": "max"}, {"size": 64})
    ]
    assert len({repr(sorted(k.items())) for k in kinds}) == 4


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"aggregate": "median"}, "'mean' or 'max' is allowed"),
        ({"k": 0}, "at least 1 frame"),
    ],
)
def test_settings_that_make_no_sense(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(PanelError) as caught:
        BagOfFrames(name="b", encoder=ColourEncoder(), **settings)
    assert message in str(caught.value)


def test_an_encoder_without_a_kind_is_named() -> None:
    with pytest.raises(PanelError, match="has no kind"):
        BagOfFrames(name="b", encoder={"variant": 1})


def test_pooling_agrees_with_plain_loops() -> None:
    rng = np.random.default_rng(0)
    frames, options = unit(rng.normal(size=(7, 5))), unit(rng.normal(size=(4, 5)))
    mean = [sum(f[i] for f in frames) / 7 for i in range(5)]
    norm = sum(x * x for x in mean) ** 0.5
    by_mean = [sum(a * b / norm for a, b in zip(mean, o, strict=True)) for o in options]
    by_max = [max(sum(a * b for a, b in zip(f, o, strict=True)) for f in frames) for o in options]
    assert pool(frames, options, "mean") == pytest.approx(by_mean)
    assert pool(frames, options, "max") == pytest.approx(by_max)
