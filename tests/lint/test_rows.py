"""Annotation faults that others reported in public (rows b1 to b26), as files of a table."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.media.film import Film
from vidence.benchmark import load_benchmark
from vidence.errors import CaseError
from vidence.lint.findings import Fault, Linted, to_json
from vidence.lint.look import Source, lint_source

COLUMNS = "id=id,video=video,question=question,options=options,answer_text=answer"
ROW: dict[str, Any] = {
    "id": "q1",
    "video": "v.mp4",
    "question": "What is it?",
    "options": ["cat", "dog"],
    "answer": "cat",
}


def rows(tmp_path: Path, *changes: dict[str, Any], more: str = "", **source: Any) -> Linted:
    """Return what is found in a table of rows that differ from a sound one."""
    path = tmp_path / "rows.jsonl"
    lines = [{**ROW, "id": f"q{i}", "question": f"What is it in part {i}?"} | change
             for i, change in enumerate(changes, 1)]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return lint_source(Source("table", path, columns=COLUMNS + more, **source))


def brief(linted: Linted) -> list[tuple[str, str, str]]:
    return [(f.kind, f.severity, f.id) for f in linted.faults]


def only(linted: Linted) -> Fault:
    (fault,) = linted.faults
    return fault


def test_b1_a_key_that_is_no_option_is_named_left_out_and_counted(tmp_path: Path) -> None:
    alone = rows(tmp_path, {"answer": "bird"})
    assert brief(alone) == [("answer_outside_options", "error", "q1")]
    assert to_json(alone, tmp_path)["cases"] == 0
    linted = rows(tmp_path, {"answer": "bird"}, {})
    assert brief(linted) == [("answer_outside_options", "error", "q1")]
    data = to_json(linted, tmp_path)
    assert (data["rows"], data["cases"], data["rejected"]) == (2, 1, 1)
    assert not linted.passed


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
def test_b3_none_na_null_and_nan_are_texts(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"rows{suffix}"
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter="," if suffix == ".csv" else "\t")
        writer.writerow(["id", "video", "question", "A", "B", "C", "D", "answer"])
        writer.writerow(["q1", "v.mp4", "Which?", "None", "NA", "null", "nan", "NA"])
    linted = lint_source(Source("table", path))
    assert linted.faults == ()
    (case,) = linted.subject.cases
    assert [o.text for o in case.view.options] == ["None", "NA", "null", "nan"]
    assert case.gold == 1


def test_b4_no_options_two_and_eight(tmp_path: Path) -> None:
    eight = {"options": list("abcdefgh"), "answer": "h"}
    linted = rows(tmp_path, {"options": []}, {}, eight)
    assert brief(linted) == [("no_options", "error", "q1")]
    assert [len(c.view.options) for c in linted.subject.cases] == [2, 8]


def test_b5_a_letter_beyond_the_options_in_a_question(tmp_path: Path) -> None:
    text = "How much?\n(A) $168\n(B) $167"
    question = {"uid": "1", "question": text, "answer": "D", "time_reference": "00:01-00:02"}
    good = {**question, "uid": "2", "answer": "B", "question_type": ["x"]}
    line = {"key": "v", "type": "sport", "qa": [question, good]}
    (tmp_path / "video_info.meta.jsonl").write_text(json.dumps(line))
    linted = lint_source(Source("lvbench", tmp_path))
    assert brief(linted) == [("answer_outside_options", "error", "1")]
    (case,) = linted.subject.cases
    assert [o.text for o in case.view.options] == ["$168", "$167"]


def test_b6_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    for folder in ("clevrer", "perception"):
        (tmp_path / "videos" / folder).mkdir(parents=True)
        Film(frames=3).make(tmp_path / "videos" / folder / "v.mp4")
    linted = rows(tmp_path, {}, videos=tmp_path / "videos")
    assert brief(linted) == [("ambiguous_video", "error", "q1")]
    assert "clevrer/v.mp4, perception/v.mp4" in only(linted).detail


def test_b7_absent_videos_are_named_before_anything_else(tmp_path: Path) -> None:
    for i in range(8):
        Film(frames=3).make(tmp_path / f"v{i}.mp4")
    changes = [{"video": f"v{i}.mp4"} for i in range(10)]
    linted = rows(tmp_path, {**changes[0], "options": ["a", "a"], "answer": "b"}, *changes[1:],
                  videos=tmp_path)  # fmt: skip
    kinds = [f.kind for f in linted.faults]
    assert kinds == ["missing_video", "missing_video", "answer_outside_options"]
    assert [f.id for f in linted.faults[:2]] == ["v8.mp4", "v9.mp4"]
    assert "asked about in q9" in linted.faults[0].detail
    probed = {"videos": 9, "missing": 2, "unreadable": 0}
    assert to_json(linted, tmp_path)["probed"] == probed


def test_b9_a_moment_after_the_end_is_told_with_both_numbers(tmp_path: Path) -> None:
    fault = only(rows(tmp_path, {"at": "00:06:22", "long": 317}, more=",start=at,seconds=long"))
    assert (fault.kind, fault.severity, fault.id) == ("time_outside_video", "error", "q1")
    assert "382 s" in fault.detail
    assert "317 s" in fault.detail
    assert "unit?" not in fault.detail


def test_b11_a_unit_that_cannot_be_seconds_is_asked_for_and_not_converted(tmp_path: Path) -> None:
    linted = rows(tmp_path, {"at": 1026, "long": 26}, more=",start=at,seconds=long")
    assert only(linted).detail.endswith("; unit?")
    clip = linted.subject.cases[0].view.clip()
    assert clip.start == 1026


def test_b13_the_measured_length_counts_and_the_difference_is_told(tmp_path: Path) -> None:
    name = "x_660.0_662.0.mp4"
    change = {"video": name, "long": 1, "from": 1.2, "to": 1.5}
    more = ",seconds=long,evidence_start=from,evidence_end=to"
    assert brief(rows(tmp_path, change, more=more)) == [
        ("time_outside_video", "note", "q1"),
    ]
    long = {**change, "long": 0.5}
    assert [f.kind for f in rows(tmp_path, long, more=more).faults] == [
        "duration_disagrees",
        "time_outside_video",
    ]
    Film(frames=50).make(tmp_path / name)
    linted = rows(tmp_path, long, more=more, videos=tmp_path)
    assert brief(linted) == [("duration_disagrees", "warning", name)]
    assert only(linted).detail == "stated 0.5 s, measured 2.00 s"


def test_b14_no_key_at_all_and_for_some(tmp_path: Path) -> None:
    assert brief(rows(tmp_path, {"answer": None}, {"answer": None})) == [
        ("null_gold", "note", "q1"),
        ("null_gold", "note", "q2"),
    ]
    assert brief(rows(tmp_path, {"answer": None}, {})) == [("null_gold", "warning", "q1")]


def test_b15_a_key_that_is_the_text_of_two_options(tmp_path: Path) -> None:
    options = ["hat", "red cup", "shoe", "red cup"]
    linted = rows(tmp_path, {"options": options, "answer": "red cup"}, {"options": options,
                  "answer": "hat"})  # fmt: skip
    assert brief(linted) == [
        ("ambiguous_answer", "error", "q1"),
        ("duplicated_options", "warning", "q2"),
    ]
    assert "2 options" in linted.faults[0].detail


def test_b19_a_list_in_one_cell_is_read_as_data_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    cells = ["['A. it is red', \"B. it's blue\"]", "__import__('os').getcwd()"]
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "video", "question", "options", "answer"])
        for i, cell in enumerate(cells):
            writer.writerow([f"q{i}", "v.mp4", f"What {i}?", cell, "B"])
    linted = lint_source(Source("table", path))
    (case,) = linted.subject.cases
    assert [o.text for o in case.view.options] == ["it is red", "it's blue"]
    assert brief(linted) == [("unreadable_row", "error", "q1")]


def test_b20_a_file_without_what_is_looked_for_is_an_error_that_says_what_is_there(
    tmp_path: Path,
) -> None:
    (tmp_path / "rows.jsonl").write_text(json.dumps({"subset": "training", "clip": "v"}))
    with pytest.raises(CaseError, match="'subset', 'clip'"):
        load_benchmark("table", tmp_path / "rows.jsonl")


@pytest.mark.parametrize(
    ("written", "span"),
    [
        ("01:02-01:10", (62, 70)),
        ("[0:06:00 - 0:07:00]", (360, 420)),
        ("62.0-70", (62, 70)),
        ("0:1:0.006", None),
    ],
)
def test_b22_times_in_several_forms(
    tmp_path: Path, written: str, span: tuple[float, float] | None
) -> None:
    linted = rows(tmp_path, {"seen": written}, {}, more=",evidence=seen")
    expected = [] if span else [("unclear_time", "warning", "q1")]
    assert brief(linted) == expected
    assert linted.subject.cases[0].spans == ((span,) if span else ())


def test_b22_a_clip_whose_time_is_unclear_is_refused(tmp_path: Path) -> None:
    linted = rows(tmp_path, {"at": "0:1:0.006"}, {}, more=",start=at")
    assert brief(linted) == [("unclear_time", "error", "q1")]


def test_b26_an_address_without_an_id_is_no_missing_file(tmp_path: Path) -> None:
    change = {"video": "https://www.youtube.com/watch?vABC"}
    linted = rows(tmp_path, change, {}, videos=None)
    assert brief(linted) == [("unreadable_video", "error", "q1")]
    assert "vABC" in only(linted).detail
