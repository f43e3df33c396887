"""What the generator writes, and that it repeats."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import blake2b
from pathlib import Path

import pytest

from tests.worlds.conftest import rows_of
from tests.worlds.oracle import decode
from vidence.benchmarks.jsonl import load
from vidence.errors import UnknownNameError, UsageError
from vidence.media.audio import extract
from vidence.media.clip import Sound, Video
from vidence.media.video import probe
from vidence.worlds import WORLDS
from vidence.worlds.generate import World, generate
from vidence.worlds.kinds import KINDS, SIX, counts_of

FEW = {"order": 3, "transcript": 1, "captions": 1, "question": 1}


def digests(folder: Path) -> dict[str, str]:
    """Return file -> hash of its bytes, for all files below a folder."""
    return {
        str(path.relative_to(folder)): blake2b(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> World:
    return generate(tmp_path_factory.mktemp("few"), seed="dev-7", cases=FEW)


def test_the_same_seed_gives_the_same_bytes_with_any_number_of_workers(
    few: World, tmp_path: Path
) -> None:
    again = generate(tmp_path, seed="dev-7", cases=FEW, workers=1)
    assert digests(again.folder) == digests(few.folder)
    assert sum(name.endswith(".mp4") for name in digests(few.folder)) == 2


def test_another_seed_gives_other_films_and_other_questions(few: World, tmp_path: Path) -> None:
    other = digests(generate(tmp_path, seed="dev-8", cases=FEW).folder)
    same = digests(few.folder)
    assert not [name for name in same.keys() & other.keys() if same[name] == other[name]]


def test_a_number_and_its_text_are_different_seeds(tmp_path: Path) -> None:
    one = generate(tmp_path / "a", seed=1000, cases={"question": 4})
    two = generate(tmp_path / "b", seed="1000", cases={"question": 4})
    assert one.cases.read_text() != two.cases.read_text()


def test_case_files_load_without_rejection_and_say_nothing_of_kinds(mixed_world: World) -> None:
    benchmark = load(mixed_world.cases, mixed_world.videos)
    assert len(benchmark.cases) == 64
    assert not benchmark.rejected
    fields = {"id", "video", "question", "options", "answer", "evidence", "tags"}
    for row in rows_of(mixed_world):
        assert row.keys() == fields
        assert row["tags"].keys() == {"topic"}
        assert len(row["options"]) == len(set(row["options"])) >= 4
        text = json.dumps(row)
        assert not [kind for kind in KINDS if kind in text and kind not in ("question", "order")]


def test_topics_are_of_films_and_do_not_follow_kinds(mixed_world: World) -> None:
    rows = rows_of(mixed_world)
    topics = {row["video"]: row["tags"]["topic"] for row in rows}
    assert all(topics[row["video"]] == row["tags"]["topic"] for row in rows)
    assert len(set(topics.values())) > 1


def test_films_hold_several_questions_of_several_kinds(mixed_world: World) -> None:
    truth = mixed_world.read_truth()
    kinds: dict[str, list[str]] = {}
    for row in rows_of(mixed_world):
        kinds.setdefault(row["video"], []).append(truth[row["id"]].kind)
    assert max(len(k) for k in kinds.values()) == 4
    assert sum(len(set(k)) > 1 for k in kinds.values()) > len(kinds) / 2


def test_films_are_h264_with_sound_and_srt(mixed_world: World) -> None:
    films = sorted(mixed_world.videos.glob("*.mp4"))
    assert {path.stem for path in films} == {p.stem for p in mixed_world.videos.glob("*.srt")}
    for path in films[:3]:
        info = probe(Video(path))
        assert info.codec == "h264"
        assert info.duration in (12.0, 13.0, 14.0)
        assert not info.notes
        sound = extract(Sound(Video(path)))
        assert abs(len(sound) / 16_000 - info.duration) < 0.2
        assert abs(sound).max() > 0.1
        srt = path.with_suffix(".srt").read_text(encoding="utf-8")
        assert srt.startswith("1\n00:00:00,000 --> 00:00:0")
        assert srt.count(" --> ") >= 3


def test_backgrounds_noise_and_lengths_vary(mixed_world: World) -> None:
    films = [decode(path) for path in sorted(mixed_world.videos.glob("*.mp4"))[:6]]
    assert len({film.duration for film in films}) > 1
    assert len({int(film.frames[0].mean()) for film in films}) > 3
    alive = [(film.frames[0] != film.frames[5]).mean() for film in films]
    assert min(alive) > 0.05, "frames without noise"


def test_keys_stand_anywhere(tmp_path: Path) -> None:
    """Of 240 four-option keys each position holds 60 but for chance (sd 6.7): 30 to 90."""
    world = generate(tmp_path, seed="dev-9", cases={"question": 240}, per_film=240)
    rows = [row for row in rows_of(world) if len(row["options"]) == 4]
    places = Counter(row["answer"] for row in rows)
    assert len(rows) == 240
    assert all(30 <= places[i] <= 90 for i in range(4))


def test_the_default_mix_holds_a_hundred_order_cases() -> None:
    counts = counts_of(280)
    assert sum(counts.values()) == 280
    assert counts["order"] >= 100
    assert min(counts.values()) > 0


@pytest.mark.parametrize("cases", [0, 1, 7, 99, 1000])
def test_a_total_is_shared_out_exactly(cases: int) -> None:
    assert sum(counts_of(cases).values()) == cases


def test_checks_and_sound_never_overlap(lone_world: World) -> None:
    for truth in lone_world.read_truth().values():
        assert not set(truth.checks) & set(truth.sound)
        assert set(truth.sound) <= set(SIX)
        assert (truth.kind == "order") == (truth.sound == SIX)


def test_what_each_kind_is_planted_for(lone_world: World) -> None:
    planted: dict[str, set[str]] = {}
    for truth in lone_world.read_truth().values():
        planted.setdefault(truth.kind, set()).update(truth.checks)
    assert planted == {
        "question": {"blind"},
        "option_length": {"blind"},
        "transcript": {"audio"},
        "captions": {"summary", "frame_shuffle"},
        "one_frame": {"center_frame", "frame_shuffle"},
        "unordered": {"frame_shuffle", "bag_of_frames"},
        "order": set(),
        "ambiguous": {"consistency"},
        "redundant": {"summary", "center_frame", "frame_shuffle", "bag_of_frames", "redundancy"},
        "mislabelled": set(),
    }


def test_without_leak_planted_kinds_are_order_only(tmp_path: Path) -> None:
    counts = {"transcript": 2, "captions": 2, "one_frame": 2, "question": 2, "order": 0}
    world = generate(tmp_path, seed="dev-8", cases=counts, leak={"captions": 0.5, "question": 0})
    leaks = Counter()
    for truth in world.read_truth().values():
        leaks[truth.kind, truth.leak] += 1
        if not truth.leak:
            assert truth.sound == SIX
            assert truth.form in ("sequence", "ends", "sizes", "route", "changes")
    assert leaks["captions", False] == leaks["captions", True] == 1
    assert leaks["question", False] == 2
    assert leaks["transcript", True] == 2


def test_weak_shortcuts_are_less_visible(tmp_path: Path, lone_world: World) -> None:
    def vivid(world: World) -> float:
        truth, found = world.read_truth(), []
        for row in rows_of(world):
            if truth[row["id"]].kind == "one_frame":
                film = decode(world.videos / row["video"])
                frame = film.frames[film.centre()].astype(int)
                found.append((frame.max(axis=2) - frame.min(axis=2)).max())
        return sum(found) / len(found)

    weak = generate(tmp_path, seed="dev-5", cases={"one_frame": 2}, strength=0.4, per_film=1)
    assert vivid(weak) < 0.7 * vivid(lone_world)


def test_weak_facts_are_obscure_and_weak_lengths_stand_out_less(tmp_path: Path) -> None:
    counts = {"question": 6, "option_length": 6}
    worlds = [generate(tmp_path / str(s), seed="dev-4", cases=counts, strength=s) for s in (0, 1)]
    known, excess = [], []
    for world in worlds:
        truth, rows = world.read_truth(), rows_of(world)
        asked = [row["question"] for row in rows if truth[row["id"]].kind == "question"]
        known.append(sum(is_common(q) for q in asked))
        long = [row for row in rows if truth[row["id"]].kind == "option_length"]
        excess.append(min(ratio(row["options"]) for row in long))
    assert known[0] < known[1]
    assert excess[0] < 1.5 < excess[1]


def is_common(question: str) -> bool:
    obscure = ("Bhutan", "Australia", "Norway", "octopus", "Mars", "crocodile", "polar bear")
    return not any(word in question for word in obscure)


def ratio(options: list[str]) -> float:
    *_, second, longest = sorted(len(text) for text in options)
    return longest / second


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"cases": {"odrer": 1}}, UnknownNameError, "Did you mean 'order'"),
        ({"cases": -1}, UsageError, "-1 cases came; 0 or more"),
        ({"leak": 1.5}, UsageError, "1.5 came for"),
        ({"leak": {"qestion": 1.0}}, UnknownNameError, "Did you mean 'question'"),
        ({"strength": -0.1}, UsageError, "a share from 0 to 1"),
        ({"per_film": 0}, UsageError, "per_film=0"),
    ],
)
def test_settings_out_of_range_say_what_is_allowed(
    tmp_path: Path, settings: dict[str, object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        generate(tmp_path, seed="dev-0", **settings)  # type: ignore[arg-type]


def test_the_world_is_registered_by_name() -> None:
    assert WORLDS["shapes"] is generate
    assert WORLDS.describe("shapes").startswith("Write short films")
