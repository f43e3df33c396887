"""The fourteen public files, read in place: counts, keys, times, and what a model may not see.

Counts are those of the table that was made before the loaders were written; right options are found
by `public.py`, which shares no code with them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.benchmarks.public import PUBLIC, Raw, moments
from vidence.benchmark import BENCHMARKS, Benchmark, find_benchmarks, load_benchmark
from vidence.view import View

pytestmark = pytest.mark.data
REJECTED = {
    "mmrv": {"202": "empty_question", "268": "answer_outside_options"}
    | {"887": "answer_outside_options"},
    "vcrbench": {"268": "answer_outside_options"},
}
every = pytest.mark.parametrize("name", sorted(PUBLIC))


@cache
def read(name: str, data: Path) -> Benchmark:
    return load_benchmark(name, data / "benchmarks" / PUBLIC[name].folder)


@cache
def raw(name: str, data: Path) -> dict[str, Raw]:
    return PUBLIC[name].rows(data / "benchmarks" / PUBLIC[name].folder)


def words(view: View) -> list[str]:
    """Return every text of a view that a model may be shown."""
    return [view.question, *(option.text for option in view.options), repr(view.parts)]


def test_the_folder_is_recognised_as_a_whole(data_dir: Path) -> None:
    found = {
        p.name: loader and loader.name for p, loader in find_benchmarks(data_dir / "benchmarks")
    }
    assert found == {public.folder: name for name, public in PUBLIC.items()}
    assert {name for name in BENCHMARKS if BENCHMARKS[name].title} == set(PUBLIC)


@every
def test_every_row_is_a_case_or_is_rejected_by_name(name: str, data_dir: Path) -> None:
    known, found = PUBLIC[name], read(name, data_dir)
    rejected = {r.where.split(" (")[0]: r.kind for r in found.rejected}
    assert rejected == REJECTED.get(name, {})
    assert not any(r.open_ended for r in found.rejected)
    assert len(found.multiple_choice) + len(rejected) == known.choices
    assert len(found.open_ended) == known.open_ended
    counted = found.cases if known.among == "all" else found.multiple_choice
    assert len({case.cluster for case in counted}) == known.videos
    assert all(case.cluster for case in found.cases)
    assert {case.id for case in found.cases} | set(rejected) == set(raw(name, data_dir))


@every
def test_the_key_is_the_right_option(name: str, data_dir: Path) -> None:
    rows = raw(name, data_dir)
    for case in read(name, data_dir).multiple_choice:
        assert [option.key for option in case.view.options] == list(range(len(case.view.options)))
        right = [o.text for o in case.view.options if o.key == case.gold]
        assert [text.strip() for text in right] == [PUBLIC[name].right(rows[case.id]).strip()]


@every
def test_no_explanation_reaches_a_view(name: str, data_dir: Path) -> None:
    """The author's row is kept whole beside it."""
    rows, seen = raw(name, data_dir), 0
    for case in read(name, data_dir).cases:
        assert rows[case.id].items() <= dict(case.row).items()
        for field in PUBLIC[name].hidden:
            text = rows[case.id].get(field)
            if text:
                seen += 1
                assert not any(text.strip() in shown for shown in words(case.view)), case.id
    assert (seen > 100) == bool(PUBLIC[name].hidden)


@every
def test_options_come_without_letters(name: str, data_dir: Path) -> None:
    """An option may begin like a letter by itself; that all of a row do, in order, may not be."""
    for case in read(name, data_dir).multiple_choice:
        starts = [re.match(r"\(?([A-M])[.)]\s", option.text) for option in case.view.options]
        assert not all(starts), case.id
        assert "Please provide a step-by-step" not in case.view.question


def test_brackets_in_options_are_whole(data_dir: Path) -> None:
    """24 options of MMR-V and 5 of LVBench hold a bracket of their own, behind the letter's."""
    printed = [o for row in raw("mmrv", data_dir).values() for o in row["options"] if o]
    lines = [o for r in raw("lvbench", data_dir).values() for o in r["question"].split("\n")[-4:]]
    for name, known, count in (("mmrv", printed, 24), ("lvbench", lines, 5)):
        texts = {text[4:].strip() for text in known if ")" in text[4:]}
        assert sum(")" in text[4:] for text in known) == count
        options = [o.text.strip() for case in read(name, data_dir).cases for o in case.view.options]
        lost = {text for text in texts if text not in options}
        rejected = {
            o[4:].strip() for r in REJECTED.get(name, ()) for o in raw(name, data_dir)[r]["options"]
        }
        assert lost <= rejected


def test_every_key_is_there_and_numbers_are_numbers(data_dir: Path) -> None:
    for name in PUBLIC:
        assert all(case.gold is not None for case in read(name, data_dir).cases), name
    rows = raw("vsibench", data_dir)
    for case in read("vsibench", data_dir).open_ended:
        assert isinstance(case.gold, float)
        assert case.gold == float(rows[case.id]["ground_truth"])
    rows = raw("vcrbench", data_dir)
    for case in read("vcrbench", data_dir).open_ended:
        is_number = re.fullmatch(r"\d+(\.\d+)?", rows[case.id]["answer"])
        assert case.gold == (float(is_number[0]) if is_number else rows[case.id]["answer"].strip())


def test_spans_are_seconds(data_dir: Path) -> None:
    rows = raw("lvbench", data_dir)
    for case in read("lvbench", data_dir).cases:
        for span in case.spans:
            assert list(span) == list(moments(rows[case.id]["time_reference"]))
    unclear = [r for r in read("lvbench", data_dir).remarks if r.kind == "unclear_time"]
    assert len(unclear) + sum(bool(c.spans) for c in read("lvbench", data_dir).cases) == 1549
    rows = raw("implicitqa", data_dir)
    for case in read("implicitqa", data_dir).cases:
        row = rows[case.id]
        assert case.spans == ((row["question_start_time"], row["question_stop_time"]),)
    for name, hidden in (("minerva", "reasoning"), ("vcrbench", "reasoning")):
        cases = read(name, data_dir).cases
        assert sum(bool(case.spans) for case in cases) > 300
        for case in cases:
            stamps = set(moments(case.row[hidden]))
            assert {t for span in case.spans for t in span} <= stamps, case.id


def test_clips_are_cut_where_the_file_says(data_dir: Path) -> None:
    for name in ("mvbench", "tvbench", "rtvbench"):
        rows, cut = raw(name, data_dir), 0
        for case in read(name, data_dir).cases:
            row, clip = rows[case.id], case.view.clip()
            start, end = ("start_time", "end_time") if name == "rtvbench" else ("start", "end")
            assert (clip.start, clip.end) == (row.get(start), row.get(end))
            exact = (row.get("accurate_start"), row.get("accurate_end"))
            assert case.spans == ((exact,) if exact[0] is not None else ())
            cut += clip.end is not None
        assert cut == {"mvbench": 1000, "tvbench": 597, "rtvbench": 4608}[name]


def test_frame_folders_have_their_rate(data_dir: Path) -> None:
    rates = {
        (case.tags["task"], case.view.clip().video.fps) for case in read("mvbench", data_dir).cases
    }
    assert {task for task, fps in rates if fps} == {"episodic_reasoning"}
    assert ("episodic_reasoning", 3) in rates


def test_frames_of_longvideobench_are_24_a_second(data_dir: Path) -> None:
    """What the rate rests on: the file names none, but no index passes 24 a second (one excepted),
    and the highest come within 1 % of it in every class of length. At 25 or 30 a second none of the
    753 videos would be asked about in its last part."""
    highest: dict[int, float] = {}
    beyond = 0
    for row in raw("longvideobench", data_dir).values():
        rate = max(row["position"]) / row["duration"]
        if rate > 24.1:
            beyond += 1
        else:
            group = row["duration_group"]
            highest[group] = max(highest.get(group, 0), rate)
    assert beyond == 1
    assert all(rate >= 23.5 for rate in highest.values()), highest
    (remark,) = read("longvideobench", data_dir).remarks
    assert remark.kind == "time_outside_video"
    for case in read("longvideobench", data_dir).cases:
        length = read("longvideobench", data_dir).seconds[case.cluster]
        frames = raw("longvideobench", data_dir)[case.id]["position"]
        for (start, end), frame in zip(case.spans, frames, strict=case.id != remark.case):
            assert end - start == pytest.approx(1 / 24)
            if case.id != remark.case:
                assert start == frame / 24 <= length + 1


def test_lengths_are_seconds_where_the_file_has_them(data_dir: Path) -> None:
    lengths = {name: read(name, data_dir).seconds for name in PUBLIC}
    counts = {name: len(found) for name, found in lengths.items() if found}
    assert counts == {"longvideobench": 753, "lvbench": 103, "mlvu": 349, "vcrbench": 859}
    assert all(1800 < seconds < 4 * 3600 for seconds in lengths["lvbench"].values())


def test_a_name_cut_short_is_named(data_dir: Path) -> None:
    remarks = read("implicitqa", data_dir).remarks
    assert {remark.kind for remark in remarks} == {"unreadable_video"}
    assert len(remarks) == 6
    assert all(len(case.cluster) == 11 for case in read("implicitqa", data_dir).cases)
