"""The captioner, the encoders and the default panel."""

from __future__ import annotations

import ast
import json
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from tests.worlds.test_readers import NOWHERE, ask, circles
from tests.worlds.test_words import picture
from vidence.answer import ANSWERERS, Answerer
from vidence.errors import UsageError
from vidence.view import View
from vidence.worlds.captioner import WorldCaptioner
from vidence.worlds.encoder import WorldEncoder
from vidence.worlds.generate import World
from vidence.worlds.panel import panel_toml
from vidence.worlds.vocabulary import COLOURS

WORLDS = Path(__file__).resolve().parents[2] / "src" / "vidence" / "worlds"
DESCRIBE = View("Describe this frame.", (), (("video", NOWHERE),))


def test_a_caption_names_size_colour_shape_place_and_background() -> None:
    maker = WorldCaptioner(name="scribe", error=0.0, miss=0.0)
    frame = picture(("green", "star", 58, 190, 120), tone="light", pattern="striped")
    for seed in range(10):
        text = ask(maker, DESCRIBE, [frame], seed).text
        assert "a large green star at the bottom right" in text.lower()
        assert "light striped background" in text
        assert text.endswith(".")


def test_a_caption_names_the_largest_things_only() -> None:
    maker = WorldCaptioner(name="scribe", error=0.0, miss=0.0, things=2)
    frame = picture(
        ("red", "circle", 50, 40, 40),
        ("blue", "square", 40, 180, 40),
        ("pink", "ring", 24, 110, 130),
    )
    text = ask(maker, DESCRIBE, [frame]).text
    assert ("red" in text, "blue" in text, "pink" in text) == (True, True, False)


def test_an_empty_frame_is_described_as_empty() -> None:
    maker = WorldCaptioner(name="scribe")
    empty = [picture(pattern="striped")]
    texts = {ask(maker, DESCRIBE, empty, seed).text for seed in range(20)}
    assert texts == {"Nothing but a dark striped background.", "An empty dark striped background."}


def test_errors_of_a_captioner_come_at_their_rate() -> None:
    """With error 0.4 a wrong colour comes in 0.4 * 7/8 = 0.35 of 200 captions (sd 0.034)."""
    maker = WorldCaptioner(name="scribe", error=0.4, miss=0.0)
    frame = circles("red", size=50)
    wrong = ["red" not in ask(maker, DESCRIBE, frame, seed).text for seed in range(200)]
    assert 0.22 < sum(wrong) / 200 < 0.48
    deaf = WorldCaptioner(name="scribe", miss=1.0)
    assert "circle" not in ask(deaf, DESCRIBE, frame).text


def test_a_captioner_without_a_frame_has_nothing() -> None:
    assert ask(WorldCaptioner(name="scribe"), View("Describe.", ())).status == "absent"


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("variant", [1, 2, 3])
def test_pictures_lie_nearest_to_their_own_words(variant: int) -> None:
    encoder = WorldEncoder(variant=variant)
    texts = [f"a {colour} circle" for colour in COLOURS]
    images = encoder.embed_images(circles(*COLOURS))
    assert images.dtype == np.float32
    assert images.shape == (8, 128)
    near = unit(images) @ unit(encoder.embed_texts(texts)).T
    assert near.argmax(axis=1).tolist() == list(range(8))


def test_a_colour_on_another_shape_is_farther() -> None:
    encoder = WorldEncoder(variant=1, noise=0.0)
    frame = picture(("red", "circle", 32, 60, 60), ("blue", "square", 32, 150, 100))
    right, wrong = encoder.embed_texts(["a red circle", "a blue circle"])
    (image,) = encoder.embed_images([frame])
    assert image @ right > image @ wrong + 0.1


def test_encoders_differ_and_repeat() -> None:
    frames = circles("red", "blue")
    one, again, two = (WorldEncoder(variant=v).embed_images(frames) for v in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.allclose(one, two, atol=0.1)
    noises = [WorldEncoder(variant=1, noise=n).embed_texts(["a red ring"]) for n in (0.0, 0.2)]
    assert 0.15 < np.linalg.norm(noises[0] - noises[1]) < 0.25


def test_order_of_words_is_noise_to_an_encoder() -> None:
    texts = ["red, then blue, then green", "green, then red, then blue"]
    plain = WorldEncoder(variant=1, noise=0.0).embed_texts(texts)
    assert np.allclose(plain[0], plain[1], atol=1e-6)
    noisy = WorldEncoder(variant=1).embed_texts(texts)
    assert not np.allclose(noisy[0], noisy[1], atol=0.01)


def test_words_of_no_meaning_have_a_direction_all_the_same() -> None:
    vectors = WorldEncoder(variant=1).embed_texts(["", "3", "4"])
    assert np.isfinite(vectors).all()
    assert np.linalg.norm(vectors, axis=1).min() > 0.1


def test_identities_are_json_and_name_the_variant() -> None:
    encoders = [WorldEncoder(variant=v).identity for v in (1, 2)]
    assert json.loads(json.dumps(encoders)) == encoders
    assert encoders[0] != encoders[1]


def test_the_default_panel_is_three_readers_three_encoders_and_their_makers(
    mixed_world: World,
) -> None:
    panel = tomllib.loads(panel_toml(mixed_world))
    kinds = Counter(table["kind"] for table in panel["answerers"].values())
    assert kinds == {
        "world_reader": 3,
        "bag_of_frames": 3,
        "world_captioner": 1,
        "transcript_files": 1,
    }
    assert panel["roles"] == {"captioner": "scribe", "transcriber": "subtitles"}
    folder = mixed_world.folder / panel["answerers"]["subtitles"]["folder"]
    assert sorted(Path(folder).glob("*.srt"))
    identities = []
    for name, table in panel["answerers"].items():
        settings = {k: v for k, v in table.items() if k != "kind"}
        if table["kind"] != "transcript_files":
            member = ANSWERERS[table["kind"]](name=name, **settings)
            assert isinstance(member, Answerer)
            identities.append(json.dumps(dict(member.identity), sort_keys=True))
    assert len(set(identities)) == len(identities)


def test_the_panel_can_be_made_noisier(mixed_world: World) -> None:
    tables = tomllib.loads(panel_toml(mixed_world, slip=0.25, noise=1.5))["answerers"]
    assert [t["slip"] for t in tables.values() if t["kind"] == "world_reader"] == [0.25] * 3
    assert {t["encoder"]["noise"] for t in tables.values() if "encoder" in t} == {1.5}
    with pytest.raises(UsageError, match=r"slip=1\.5"):
        panel_toml(mixed_world, slip=1.5)


def imports(module: str) -> set[str]:
    """Return the modules of the worlds package that a module imports."""
    tree = ast.parse((WORLDS / f"{module}.py").read_text(encoding="utf-8"))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "vidence.worlds":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("vidence.worlds."):
            found.add(str(node.module).split(".")[2])
    return found


@pytest.mark.parametrize("module", ["reader", "captioner", "encoder"])
def test_no_answerer_can_reach_what_makes_cases_or_knows_their_truth(module: str) -> None:
    reached, waiting = set(), {module}
    while waiting:
        name = waiting.pop()
        reached.add(name)
        waiting |= imports(name) - reached
    assert "eyes" in reached
    assert not reached & {"generate", "films", "kinds", "acts", "scene", "narrate", "panel"}
