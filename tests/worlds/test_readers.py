"""Readers read what is shown, and nothing else."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.worlds.harness import replies, right
from tests.worlds.test_words import picture
from vidence.answer import ANSWERERS, Answer, Answerer, Reply, Request
from vidence.answerers.bag_of_frames import BagOfFrames
from vidence.benchmarks.jsonl import load
from vidence.media.clip import Clip, Video
from vidence.media.pixels import FrameCache
from vidence.parse import parse
from vidence.view import Case, Option, Text, View
from vidence.worlds.encoder import WorldEncoder
from vidence.worlds.generate import World
from vidence.worlds.reader import WorldReader

NOWHERE = Clip(Video(Path("no such film.mp4")))
STEADY: dict[str, Any] = {"slip": 0.0, "gaps": 0.0, "habit": 0.0}
CHECKS = ("intact", "blind", "audio", "summary", "center_frame", "frame_shuffle")


class Shown:
    """Media that hold pictures alone: no times, no file, whatever clip is asked for."""

    def __init__(self, images: Sequence[np.ndarray]) -> None:
        self.images = [packed(image.tobytes(), image.shape) for image in images]

    def encoded(self, clip: Clip) -> Any:
        return SimpleNamespace(images=tuple(self.images), notes=())


@lru_cache(maxsize=256)
def packed(content: bytes, shape: tuple[int, ...]) -> bytes:
    out = BytesIO()
    image = np.frombuffer(content, np.uint8).reshape(shape)
    Image.fromarray(image).save(out, "JPEG", quality=90)
    return out.getvalue()


def ask(reader: Answerer, view: View, images: Sequence[np.ndarray] = (), seed: int = 1) -> Reply:
    media: Any = Shown(images)
    (reply,) = reader.ask([Request(reader.prepare(view), seed)], media)
    return reply


def chosen(
    reader: Answerer, view: View, images: Sequence[np.ndarray] = (), seed: int = 1
) -> Answer:
    return parse(ask(reader, view, images, seed), view)


def question(text: str, *options: str, frames: bool = True) -> View:
    parts = (("video", NOWHERE),) if frames else ()
    return View(text, tuple(Option(i, option) for i, option in enumerate(options)), parts)


def circles(*colours: str, size: int = 32) -> list[np.ndarray]:
    return [picture((colour, "circle", size, 60 + 20 * i, 60)) for i, colour in enumerate(colours)]


ORDER = question(
    "In which order do the circles appear?",
    "red, then blue, then green",
    "blue, then red, then green",
    "green, then red, then blue",
    "green, then blue, then red",
)


@pytest.fixture(scope="module")
def cases(mixed_world: World) -> list[Case]:
    return list(load(mixed_world.cases, mixed_world.videos).cases)


@pytest.fixture(scope="module")
def media() -> FrameCache:
    return FrameCache()


@pytest.fixture(scope="module")
def panel() -> list[WorldReader]:
    return [
        WorldReader(name="a", overlooks=0.3),
        WorldReader(name="b", confuses=("orange", "yellow"), confusion=0.2),
        WorldReader(name="c", shake=0.3, trust=0.5),
    ]


@pytest.fixture(scope="module")
def marks(
    mixed_world: World, cases: list[Case], panel: list[WorldReader], media: FrameCache
) -> dict[tuple[str, str], list[bool]]:
    """Return (kind, check) -> right or wrong, over readers and cases."""
    truth, found = mixed_world.read_truth(), {}
    for (number, check, _), shown in replies(cases, CHECKS, panel, media).items():
        kind = truth[cases[number].id].kind
        found.setdefault((kind, check), []).append(right(cases[number], shown))
    return found


def share(marks: dict[tuple[str, str], list[bool]], *cells: tuple[str, str]) -> float:
    frames = circles("red", "blue", "green")
    hits = [chosen(reader, ORDER, frames, seed).value == 0 for seed in range(200)]
    assert 0.5 < sum(hits) / 200 < 0.76


def test_refusals_are_read_as_refusals() -> None:
    reader = WorldReader(name="a", **STEADY, refusal=1.0)
    answers = {chosen(reader, replace(ORDER, parts=()), (), seed).status for seed in range(20)}
    assert answers == {"refused"}
    assert chosen(reader, ORDER, circles("red", "blue", "green")).status == "ok"


def test_every_style_of_reply_is_read_as_the_option_meant() -> None:
    reader = WorldReader(name="a", **STEADY)
    frames = circles("green", "red", "blue")
    texts = set()
    for seed in range(120):
        reply = ask(reader, ORDER, frames, seed)
        texts.add(reply.text)
        assert parse(reply, ORDER).value == 2, reply.text
    assert len(texts) == 8


def test_words_are_heard_before_frames_and_captions_stand_for_frames() -> None:
    reader = WorldReader(name="a", **STEADY)
    heard = ORDER.with_parts(
        ("transcript", Text("Good day. Now to the circles: blue, then red, then green."))
    )
    assert {chosen(reader, heard, (), seed).value for seed in range(20)} == {1}
    told = question("What colour is the ring?", "red", "blue", "green", "pink", frames=False)
    told = told.with_parts(
        *(
            ("captions", Text(f"A large {c} ring at the top left."))
            for c in ("blue", "pink", "blue")
        )
    )
    assert {chosen(reader, told, (), seed).value for seed in range(20)} == {1}


def test_an_open_question_gets_no_letter() -> None:
    view = View("What happens?", (), (("video", NOWHERE),))
    assert ask(WorldReader(name="a"), view, circles("red")).text == (
        "I cannot tell from what is shown."
    )


def test_replies_repeat_and_follow_mind_and_seed() -> None:
    view = replace(ORDER, parts=())
    mind = WorldReader(name="a", mind="m", **STEADY)
    same = WorldReader(name="b", mind="m", **STEADY)
    other = WorldReader(name="a", mind="n", **STEADY)
    texts = [[ask(r, view, (), seed).text for seed in range(30)] for r in (mind, same, other)]
    assert texts[0] == texts[1] != texts[2]
    assert len(set(texts[0])) > 4


def test_identity_holds_what_changes_replies_and_is_json() -> None:
    plain = WorldReader(name="a").identity
    assert json.loads(json.dumps(plain)) == plain
    assert WorldReader(name="a", concurrency=7).identity == plain
    assert WorldReader(name="b").identity != plain
    for change in ({"slip": 0.5}, {"trust": 0.1}, {"confuses": ("red", "pink")}):
        assert WorldReader(name="a", **change).identity != plain


def test_the_reader_is_an_answerer_by_kind() -> None:
    reader = ANSWERERS["world_reader"](name="x", shake=0.1)
    assert isinstance(reader, Answerer)
    assert (reader.panel, reader.name) == ("model", "x")
