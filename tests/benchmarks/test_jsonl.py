"""The simple case form: what is read, what is rejected, what stops."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vidence.benchmark import BENCHMARKS, Benchmark
from vidence.benchmarks.jsonl import Row, position_of
from vidence.errors import CaseError

ROOT = Path(__file__).resolve().parents[2]
GOOD: dict[str, Any] = {
    "id": "q1",
    "video": "v.mp4",
    "question": "What?",
    "options": ["a cat", "a dog"],
    "answer": 1,
}


def load(tmp_path: Path, *rows: Any) -> Benchmark:
    path = tmp_path / "cases.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines), encoding="utf-8")
    return BENCHMARKS["jsonl"](path, None)


def test_a_row_becomes_a_case(tmp_path: Path) -> None:
    row = {
        **GOOD,
        "start": 1,
        "end": 2.5,
        "evidence": [[1, 2]],
        "tags": {"level": 3},
        "explanation": "It barks: a dog.",
    }
    (case,) = load(tmp_path, row).cases
    clip = case.view.clip()
    assert (case.id, case.gold, case.cluster, case.spans) == ("q1", 1, "v.mp4", ((1.0, 2.0),))
    assert (clip.video.path, clip.start, clip.end) == (tmp_path / "v.mp4", 1.0, 2.5)
    assert [o.text for o in case.view.options] == ["a cat", "a dog"]
    assert case.tags == {"level": "3"}
    assert case.row == row
    assert "barks" not in repr(case.view)


@pytest.mark.parametrize(
    ("answer", "options", "position"),
    [
        (1, ["x", "y"], 1),
        ("B", ["x", "y"], 1),
        ("y", ["x", "y"], 1),
        ("A", ["A", "B"], 0),
        ("Z", ["Z", "B"], 0),
        (None, ["x", "y"], None),
        ("None", ["None", "NA"], 0),
        ("nan", ["null", "nan"], 1),
        ("12", ["10", "11", "12"], 2),
        (0, ["12", "0"], 0),
    ],
)
def test_answers_in_every_form(answer: int | str | None, options: list[str], position: int) -> None:
    assert position_of(answer, options) == position


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"answer": 2}, "answer 2 is beyond the 2 options (0 to 1)"),
        ({"answer": -1}, "answer -1 is beyond"),
        ({"answer": "C"}, "neither a letter nor a text"),
        ({"answer": "bird"}, "neither a letter nor a text"),
        ({"answer": True}, "true and false are no answers"),
        ({"options": ["red", "red"], "answer": "red"}, "text of 2 options; use its number"),
        ({"options": "['a', 'b']"}, "options: Input should be a valid list"),
        ({"options": ["B", "A"], "answer": "B"}, "text of one option and the letter of another"),
        ({"video": "/etc/passwd"}, "leads out of the folder of videos"),
        ({"video": "a/../../private.mp4"}, "leads out of the folder of videos"),
        ({"question": ""}, "question: String should have at least 1 character"),
        ({"video": "nul\0.mp4"}, "video: Value error, no file can have this name"),
        ({"video": "v/" + "é" * 128}, "video: Value error, no file can have this name"),
        ({"start": 5, "end": 5}, "end 5.0 is not after start 5.0"),
        ({"start": -1}, "start: Input should be greater than or equal to 0"),
        ({"fps": float("inf")}, "float values are not JSON compliant"),
        ({"evidence": [[3, 1]]}, "evidence [3.0, 1.0] ends before it starts"),
        ({"options": [str(i) for i in range(27)]}, "at most 26"),
    ],
)
def test_a_bad_row_is_rejected_by_name_and_the_rest_is_kept(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    read = load(tmp_path, {**GOOD, "id": "bad", **change}, GOOD)
    assert [case.id for case in read.cases] == ["q1"]
    (rejected,) = read.rejected
    assert rejected.where == "line 1 (id 'bad')"
    assert reason in rejected.reason


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"answer": 2}, "answer_outside_options"),
        ({"answer": "bird"}, "answer_outside_options"),
        ({"options": ["red", "red"], "answer": "red"}, "ambiguous_answer"),
        ({"options": ["B", "A"], "answer": "B"}, "ambiguous_answer"),
        ({"question": ""}, "empty_question"),
        ({"end": 3, "start": 5}, "unclear_time"),
        ({"video": "../x"}, "missing_video"),
        ({"options": "red, blue"}, "unreadable_row"),
    ],
)
def test_a_rejected_row_has_the_kind_of_its_fault(
    tmp_path: Path, change: dict[str, Any], kind: str
) -> None:
    (rejected,) = load(tmp_path, {**GOOD, "id": "bad", **change}, GOOD).rejected
    assert rejected.kind == kind


def test_a_field_that_stands_twice_is_rejected(tmp_path: Path) -> None:
    twice = json.dumps({**GOOD, "id": "bad"}).replace('"answer": 1', '"answer": 1, "answer": 0')
    (rejected,) = load(tmp_path, twice, GOOD).rejected
    assert "the field 'answer' stands twice" in rejected.reason


@pytest.mark.parametrize("name", [True, False, "", " \n"])
def test_an_id_that_names_nothing_is_rejected(tmp_path: Path, name: Any) -> None:
    """True would be 1, and be mixed up with it."""
    read = load(tmp_path, {**GOOD, "id": name}, {**GOOD, "id": 1})
    assert [case.id for case in read.cases] == ["1"]
    assert "is no name; give a text or a number" in read.rejected[0].reason


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "torn',
        "[1, 2]",
        "null",
        '{"id": "\\ud800", "video": "v", "question": "q"}',
        "[" * 5000,
    ],
    ids=["torn", "list", "null", "surrogate", "deep"],
)
def test_a_line_that_is_no_object_is_rejected(tmp_path: Path, line: str) -> None:
    read = load(tmp_path, line, GOOD)
    assert len(read.cases) == 1
    assert read.rejected[0].where.startswith("line 1")


def test_bytes_that_are_no_utf8_are_rejected(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    bad = json.dumps({**GOOD, "id": "x", "question": "caf@"}).encode().replace(b"@", b"\xe9")
    path.write_bytes(bad + b"\n" + json.dumps(GOOD).encode())
    read = BENCHMARKS["jsonl"](path, None)
    assert [c.id for c in read.cases] == ["q1"]
    assert len(read.rejected) == 1


def test_a_byte_order_mark_and_blank_lines_are_no_fault(tmp_path: Path) -> None:
    read = load(tmp_path, "\ufeff" + json.dumps(GOOD), "", "  ")
    assert (len(read.cases), read.rejected) == (1, ())


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ((GOOD, {**GOOD, "question": "Other?"}), "the id 'q1' stands on lines 1 and 2"),
        (({**GOOD, "id": 1}, {**GOOD, "id": "1"}), "the id '1' stands on lines 1 and 2"),
        (("",), "holds no case (0 lines rejected)"),
        (({"id": 1},), "holds no case (1 lines rejected). First reason: line 1"),
    ],
)
def test_what_stops_the_command(tmp_path: Path, rows: tuple[Any, ...], message: str) -> None:
    with pytest.raises(CaseError) as caught:
        load(tmp_path, *rows)
    assert message in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match=r"nowhere\.jsonl is no file"):
        BENCHMARKS["jsonl"](tmp_path / "nowhere.jsonl", None)


def test_a_missing_folder_of_videos_is_named(tmp_path: Path) -> None:
    """Before a model is paid for the checks that show no video."""
    load(tmp_path, GOOD)
    with pytest.raises(CaseError, match=r"nowhere is no folder.*--videos"):
        BENCHMARKS["jsonl"](tmp_path / "cases.jsonl", tmp_path / "nowhere")


def test_the_published_schema_is_the_one_in_use() -> None:
    published = json.loads((ROOT / "docs" / "cases.schema.json").read_text(encoding="utf-8"))
    assert published == Row.model_json_schema()
    jsonschema.validate(GOOD, published)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**GOOD, "question": ""}, published)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=5))
def test_no_value_of_a_field_breaks_the_reader(value: Any) -> None:
    import tempfile

    for name in (*GOOD, "start", "evidence", "tags", "fps"):
        with tempfile.TemporaryDirectory() as folder:
            read = load(Path(folder), {**GOOD, "id": "odd", name: value}, {**GOOD, "id": "kept"})
        assert "kept" in [case.id for case in read.cases]
