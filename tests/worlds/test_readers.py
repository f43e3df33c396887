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
    hits = [hit for cell in cells for hit in marks[cell]]
    return sum(hits) / len(hits)


def test_replies_do_not_change_with_truth_key_id_or_file_name(
    mixed_world: World, cases: list[Case], media: FrameCache, tmp_path: Path
) -> None:
    """Shuffle the truth file and the keys, rename cases and films: every reply stays."""
    panel = [
        WorldReader(name="a"),
        WorldReader(name="c", shake=0.3, trust=0.5, refusal=0.2),
        BagOfFrames(name="bag", encoder=WorldEncoder(variant=1)),
    ]
    checks = ("frame_shuffle", "center_frame", "summary")
    before = replies(cases[:10], checks, panel, media)
    other = World(tmp_path)
    other.videos.mkdir()
    lines = mixed_world.truth.read_text(encoding="utf-8").splitlines()
    other.truth.write_text("\n".join(lines[::-1]), encoding="utf-8")
    rows = []
    for number, case in enumerate(cases[:10]):
        row = dict(case.row)
        name = f"other-{backwards(row['video'])}.mp4"
        shutil.copy(mixed_world.videos / row["video"], other.videos / name)
        key = (row["answer"] + 1) % len(row["options"])
        rows.append({**row, "id": f"z{number}", "video": name, "answer": key, "tags": {}})
    other.cases.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    moved = load(other.cases, other.videos).cases
    assert [case.gold for case in moved] != [case.gold for case in cases[:10]]
    after = replies(moved, checks, panel, FrameCache())
    assert {k: reply for k, (_, reply) in after.items()} == {
        k: reply for k, (_, reply) in before.items()
    }


def backwards(name: str) -> str:
    return name.removesuffix(".mp4")[::-1]


def test_readers_stand_on_pictures_and_words_alone(cases: list[Case], media: FrameCache) -> None:
    """The same pictures under a clip of no film, without times, give the same reply."""
    reader = WorldReader(name="a", shake=0.3)
    for number, case in enumerate(cases[:12]):
        prompt = reader.prepare(case.view)
        (full,) = reader.ask([Request(prompt, number)], media)
        bare: Any = SimpleNamespace(
            encoded=lambda clip, case=case: SimpleNamespace(
                images=media.encoded(case.view.clip()).images, notes=()
            )
        )
        pieces = tuple(NOWHERE if isinstance(p, Clip) else p for p in prompt.pieces)
        hidden = replace(prompt, pieces=pieces, question="", options=())
        (alone,) = reader.ask([Request(hidden, number)], bare)
        assert alone.text == full.text


def test_readers_are_good_where_the_answer_is_shown(
    marks: dict[tuple[str, str], list[bool]],
) -> None:
    assert share(marks, ("order", "intact")) > 0.75
    assert share(marks, ("question", "blind"), ("option_length", "blind")) > 0.85
    assert share(marks, ("transcript", "audio")) > 0.85
    assert share(marks, ("captions", "summary"), ("redundant", "summary")) > 0.85
    assert share(marks, ("one_frame", "center_frame"), ("redundant", "center_frame")) > 0.85
    assert share(marks, ("unordered", "frame_shuffle"), ("one_frame", "frame_shuffle")) > 0.85


def test_readers_guess_where_order_is_all_and_gone(
    marks: dict[tuple[str, str], list[bool]],
) -> None:
    """Chance is about 0.23; readings are dependent in a panel, hence the wide margin."""
    for check in ("blind", "audio", "summary", "center_frame", "frame_shuffle"):
        assert share(marks, ("order", check)) < 0.45
    assert share(marks, ("mislabelled", "intact")) < 0.2


@pytest.mark.parametrize(
    ("colours", "answer"),
    [(("red", "blue", "green"), 0), (("blue", "red", "green"), 1), (("green", "blue", "red"), 3)],
)
def test_a_reading_follows_the_frames_as_they_are_shown(
    colours: tuple[str, ...], answer: int
) -> None:
    reader = WorldReader(name="a", **STEADY)
    assert chosen(reader, ORDER, circles(*colours)).value == answer


def test_distrust_of_disorder_turns_a_reading_into_a_guess() -> None:
    mixed = circles("red", "blue", "red", "green", "blue", "green")
    for trust, choices in ((0.0, 1), (1.0, 4)):
        reader = WorldReader(name="a", trust=trust, **STEADY)
        found = {chosen(reader, ORDER, mixed, seed).value for seed in range(60)}
        assert len(found) == choices


def test_small_things_are_overlooked() -> None:
    view = question("What colour is the circle?", "red", "blue", "green", "pink")
    keen, weak = (WorldReader(name="a", overlooks=x, **STEADY) for x in (0.0, 1.0))
    small, large = circles("blue", size=20), circles("blue", size=40)
    assert all(chosen(keen, view, small, seed).value == 1 for seed in range(30))
    assert all(chosen(weak, view, large, seed).value == 1 for seed in range(30))
    assert len({chosen(weak, view, small, seed).value for seed in range(60)}) == 4


def test_pale_things_are_overlooked() -> None:
    view = question("What colour is the circle?", "red", "blue", "green", "pink")
    disc = picture(("blue", "circle", 40, 60, 60)).astype(float)
    pale = [(0.35 * disc + 0.65 * 40).astype(np.uint8)]
    keen, weak = (WorldReader(name="a", acuity=x, **STEADY) for x in (0.0, 150.0))
    assert all(chosen(keen, view, pale, seed).value == 1 for seed in range(30))
    assert len({chosen(weak, view, pale, seed).value for seed in range(60)}) == 4


def test_colours_are_confused_one_way_and_for_a_whole_question() -> None:
    view = question("What colour is the circle?", "orange", "yellow", "green", "pink")
    reader = WorldReader(name="a", confuses=("orange", "yellow"), confusion=0.5, **STEADY)
    oranges, yellows = circles("orange"), circles("yellow")
    orange = Counter(chosen(reader, view, oranges, seed).value for seed in range(100))
    yellow = Counter(chosen(reader, view, yellows, seed).value for seed in range(100))
    assert orange.keys() == {0, 1}
    assert 25 < orange[1] < 75
    assert yellow.keys() == {1}


def test_a_shaky_memory_mixes_up_order_and_nothing_else() -> None:
    reader = WorldReader(name="a", shake=3.0, trust=0.0, **STEADY)
    frames = circles("red", "blue", "green")
    assert len({chosen(reader, ORDER, frames, seed).value for seed in range(60)}) > 1
    view = question("Which of these circles is never seen?", *(f"a {c} circle" for c in COLOURS4))
    assert {chosen(reader, view, frames, seed).value for seed in range(20)} == {3}


COLOURS4 = ("red", "blue", "green", "pink")


def test_gaps_are_of_facts_not_of_moments() -> None:
    view = question(
        "The second scene was filmed in the capital of France. Which city is that?",
        *("Oslo", "Paris", "Lima", "Rome"),
        frames=False,
    )
    wise = WorldReader(name="a", **STEADY)
    assert {chosen(wise, view, (), seed).value for seed in range(40)} == {1}
    blank = WorldReader(name="a", **{**STEADY, "gaps": 1.0})
    assert {chosen(blank, view, (), seed).value for seed in range(60)} == {0, 1, 2, 3}
    minds = [WorldReader(name=f"m{i}", **{**STEADY, "gaps": 0.4}) for i in range(60)]
    known = [len({chosen(m, view, (), seed).value for seed in range(20)}) == 1 for m in minds]
    assert 0.35 < sum(known) / 60 < 0.85


def test_long_options_attract_by_degrees() -> None:
    view = question("Which is it, then?", "aaaa", "bbbb bbb bbbb bb", "cccc", "dddd", frames=False)
    text = replace(view, question="In which order do the rings appear?")
    drawn = WorldReader(name="a", length_ratio=2.0, length_excess=5, **STEADY)
    cool = WorldReader(name="a", length_ratio=9.0, **STEADY)
    assert {chosen(drawn, text, (), seed).value for seed in range(40)} == {1}
    assert len({chosen(cool, text, (), seed).value for seed in range(60)}) == 4


def test_habit_draws_guesses_to_one_letter() -> None:
    """300 guesses of four: 75 a letter without habit, 187 for the favourite at habit 0.5."""
    counts = {}
    for habit in (0.0, 0.5):
        reader = WorldReader(name="a", **{**STEADY, "habit": habit}, favourite=2)
        counts[habit] = Counter(
            chosen(reader, replace(ORDER, parts=()), (), seed).value for seed in range(300)
        )
    assert 40 < counts[0.0][2] < 110
    assert 150 < counts[0.5][2] < 225


def test_slips_are_guesses_on_plain_questions() -> None:
    reader = WorldReader(name="a", **{**STEADY, "slip": 0.5})
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
