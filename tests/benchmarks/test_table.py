"""Any table: columns that are named, columns that are guessed, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.annotation.test_reading import write
from vidence.benchmark import Benchmark, load_benchmark, parse_columns
from vidence.errors import CaseError, UsageError

MAPPING = "question=q,options=a;b;c;d,answer=gold,id=qid,video=vid"
WIDE: list[dict[str, Any]] = [
    {"qid": "1", "vid": "v.mp4", "q": "Which?", "a": "None", "b": "NA", "c": "nan", "d": "null"}
    | {"gold": "C", "kind": "x", "from": "00:01", "to": "0:05", "seen": "00:02-00:03"},
    {"qid": "2", "vid": "w.mp4", "q": "Which?", "a": "red", "b": "blue", "c": "", "d": ""}
    | {"gold": "blue", "kind": "None", "from": "", "to": "", "seen": ""},
]


def table(folder: Path, rows: list[dict[str, Any]], columns: str | None, suffix: str) -> Benchmark:
    return load_benchmark("table", write(folder / f"t{suffix}", rows), None, columns)


def texts(read: Benchmark) -> list[list[str]]:
    return [[option.text for option in case.view.options] for case in read.cases]


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json", ".jsonl", ".parquet"])
def test_columns_are_named(suffix: str, tmp_path: Path) -> None:
    more = ",tags=kind,start=from,end=to,evidence=seen"
    read = table(tmp_path, WIDE, MAPPING + more, suffix)
    assert texts(read) == [["None", "NA", "nan", "null"], ["red", "blue"]]
    assert [(c.id, c.cluster, c.gold) for c in read.cases] == [("1", "v.mp4", 2), ("2", "w.mp4", 1)]
    assert [dict(case.tags) for case in read.cases] == [{"kind": "x"}, {"kind": "None"}]
    clips = [case.view.clip() for case in read.cases]
    assert [(clip.start, clip.end) for clip in clips] == [(1.0, 5.0), (None, None)]
    assert [case.spans for case in read.cases] == [((2.0, 3.0),), ()]
    assert [case.row for case in read.cases] == WIDE
    assert (read.name, read.rejected) == ("t", ())


@pytest.mark.parametrize(
    "options",
    [
        ["A. x", "B. y", "C. z"],
        {"A": "x", "B": "y", "C": "z"},
        '["x", "y", "z"]',
        "['x', 'y', 'z']",
        '{"A": "x", "B": "y", "C": "z"}',
    ],
    ids=str,
)
@pytest.mark.parametrize("answer", ["B", "(B)", 1, "1", "y"])
def test_options_and_keys_in_every_form(options: Any, answer: Any, tmp_path: Path) -> None:
    row = {"id": 7, "video": "v.mp4", "question": "Q?", "options": options, "answer": answer}
    read = table(tmp_path, [row], None, ".jsonl")
    assert texts(read) == [["x", "y", "z"]]
    assert read.cases[0].gold == 1


@pytest.mark.parametrize(
    "head",
    [
        ["question_id", "Video Path", "Question", "A", "B", "correct_answer"],
        ["ID", "video", "question_text", "option_1", "option_2", "gold"],
        ["uid", "video_id", "QUERY", "choice0", "choice1", "Label"],
        ["key", "vid", "question", "answer_choice_0", "answer_choice_1", "answer"],
    ],
)
def test_common_names_need_no_mapping(head: list[str], tmp_path: Path) -> None:
    read = table(
        tmp_path, [dict(zip(head, ["7", "v", "Q?", "x", "y", "B"], strict=True))], None, ".csv"
    )
    assert texts(read) == [["x", "y"]]
    assert [(c.id, c.gold, c.cluster) for c in read.cases] == [("7", 1, "v")]


def test_a_row_without_an_id_is_named_by_its_place(tmp_path: Path) -> None:
    rows = [{"video": "v", "question": "Q?", "options": ["x", "y"], "answer": "A"}] * 2
    assert [case.id for case in table(tmp_path, rows, None, ".jsonl").cases] == ["t-0", "t-1"]


@pytest.mark.parametrize(
    ("form", "gold", "place"),
    [("answer_text", "2", 0), ("answer_index", "2", 2), ("answer_letter", "B", 1)],
)
def test_the_form_of_a_key_can_be_said(form: str, gold: str, place: int, tmp_path: Path) -> None:
    """Where options are numbers, "2" is a text and a place; unsaid, it is refused."""
    row = {"id": 1, "video": "v", "question": "Q?", "options": ["2", "1", "3"], "key": gold}
    read = table(tmp_path, [row], f"{form}=key", ".jsonl")
    assert read.cases[0].gold == place
    if form != "answer_letter":
        with pytest.raises(CaseError, match="say which form the key has"):
            table(tmp_path, [row], "answer=key", ".jsonl")


def test_open_questions_have_words_or_numbers_as_keys(tmp_path: Path) -> None:
    rows = [
        {"id": i, "video": "v", "question": "Q?", "gold": gold}
        for i, gold in enumerate(("2.5", 3, "in the room", "NA", None, ""))
    ]
    read = table(tmp_path, rows, "options=-", ".jsonl")
    assert [case.gold for case in read.open_ended] == [2.5, 3.0, "in the room", "NA", None, None]
    with pytest.raises(CaseError, match="options=- where the questions are open"):
        table(tmp_path, rows, None, ".jsonl")


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({"gold": "bird"}, "answer_outside_options"),
        ({"gold": "D"}, "answer_outside_options"),
        ({"a": "red", "b": "red", "gold": "red"}, "ambiguous_answer"),
        ({"a": "", "b": "", "c": ""}, "no_options"),
        ({"b": ""}, "unreadable_row"),
        ({"q": " "}, "empty_question"),
        ({"vid": ""}, "unreadable_row"),
        ({"vid": "../x"}, "missing_video"),
        ({"vid": "https://www.youtube.com/watch?vABC"}, "unreadable_video"),
        ({"qid": "2"}, "repeated_id"),
        ({"from": "0:1:0.006"}, "unclear_time"),
        ({"from": "00:09", "to": "00:03"}, "unclear_time"),
    ],
)
def test_a_bad_row_is_rejected_by_name(change: dict[str, str], kind: str, tmp_path: Path) -> None:
    """Rows b1, b4, b15, b22, b26."""
    good = {"qid": "2", "vid": "v", "q": "Q?", "a": "x", "b": "y", "c": "z", "gold": "A"}
    good |= {"from": "", "to": ""}
    columns = "question=q,options=a;b;c,answer=gold,id=qid,video=vid,start=from,end=to"
    read = table(tmp_path, [good, {**good, "qid": "1", **change}], columns, ".csv")
    assert [case.id for case in read.cases] == ["2"]
    (rejected,) = read.rejected
    assert rejected.kind == kind
    assert "t.csv, line 3" in rejected.where


@pytest.mark.parametrize(
    ("evidence", "spans", "remarks"),
    [
        ("01:02-01:10", ((62, 70),), 0),
        ("[0:06:00 - 0:07:00]", ((360, 420),), 0),
        ([1, 2.5], ((1, 2.5),), 0),
        ([[1, 2], ["00:03", 4]], ((1, 2), (3, 4)), 0),
        ("0:1:0.006-0:2:0.006", (), 1),
        ([[1, 2], [4, 3]], ((1, 2),), 1),
        (None, (), 0),
        ("", (), 0),
    ],
    ids=str,
)
def test_evidence_that_is_unclear_leaves_the_case(
    evidence: Any, spans: tuple[Any, ...], remarks: int, tmp_path: Path
) -> None:
    row = {"id": 1, "video": "v", "question": "Q?", "options": ["x"], "answer": "A", "e": evidence}
    read = table(tmp_path, [row], "evidence=e", ".jsonl")
    assert read.cases[0].spans == spans
    assert [remark.kind for remark in read.remarks] == ["unclear_time"] * remarks


def test_addresses_of_videos_are_read_as_ids(tmp_path: Path) -> None:
    row = {"id": 1, "video": "https://youtu.be/aB3_-xYz012", "question": "Q?", "options": ["x"]}
    assert table(tmp_path, [row], None, ".jsonl").cases[0].cluster == "aB3_-xYz012"


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            "question=qq",
            r"no column 'qq' for the question\. Did you mean 'q'\? It has 'qid', 'vid'",
        ),
        ("options=a;b;e", r"no column 'e' for the options"),
        ("answer=", "pairs like question=q"),
        ("question", "pairs like question=q"),
        ("", "pairs like question=q"),
        ("question=q,question=vid", "a name stands twice"),
        ("questn=q", r"names 'questn'\. Did you mean 'question'\?"),
        ("answer=gold,answer_text=gold", "one of them says what the key is"),
        ('{"question": 1}', "pairs like question=q"),
        ('{"question"', "no JSON"),
        ("question=q,video=-", "no column that is known for the video"),
    ],
)
def test_a_wrong_mapping_says_what_is_there(columns: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=message):
        table(tmp_path, WIDE, columns, ".csv")


def test_names_with_commas_are_given_as_json(tmp_path: Path) -> None:
    rows = [{"id": "1", "video": "v", "the question, please": "Q?", "a=b": "x;y", "x;y": "z"}]
    mapping = json.dumps({"question": "the question, please", "options": "a=b;x;y"})
    with pytest.raises(CaseError, match="no column 'x'"):
        table(tmp_path, rows, mapping, ".csv")
    rows = [{"id": "1", "video": "v", "the question, please": "Q?", "x;y": '["z"]'}]
    read = table(tmp_path, rows, '{"question": "the question, please", "options": "x;y"}', ".csv")
    assert texts(read) == [["z"]]
    assert read.cases[0].view.question == "Q?"


def test_columns_are_for_tables_only(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"whose columns are known\. They are for: .*table"):
        load_benchmark("videomme", tmp_path, None, "question=q")


def test_a_folder_with_two_tables_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "a.csv", WIDE)
    write(tmp_path / "b.jsonl", WIDE)
    with pytest.raises(CaseError, match="any of them may be meant"):
        load_benchmark("table", tmp_path, None, MAPPING)
    (tmp_path / "b.jsonl").unlink()
    assert len(load_benchmark("table", tmp_path, None, MAPPING).cases) == 2


@given(st.dictionaries(st.text(min_size=1), st.text(min_size=1), min_size=1))
def test_a_mapping_as_json_reads_back(mapping: dict[str, str]) -> None:
    assert parse_columns(json.dumps(mapping)) == mapping


@pytest.mark.parametrize(
    "text",
    [
        "question=a,question=b",
        '{"question": "a", "question": "b"}',
        '{"question": ' + "[" * 100_000,
    ],
)
def test_a_mapping_that_nobody_can_read_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"stands twice|no JSON"):
        parse_columns(text)


@given(st.text())
def test_any_text_is_a_mapping_or_is_refused(text: str) -> None:
    try:
        found = parse_columns(text)
    except UsageError:
        return
    assert found
    assert all(field and column for field, column in found.items())


def test_the_command_line_hands_the_mapping_on(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from vidence.cli import app

    file = write(tmp_path / "t.csv", WIDE)
    (tmp_path / "panel.toml").write_text(
        '[answerers.one]\nkind = "recorded"\npath = "replies.jsonl"\n', encoding="utf-8"
    )
    (tmp_path / "replies.jsonl").write_text('{"question": "Which?", "text": "B"}\n')
    command = ["audit", str(file), "--format", "table", "--columns", MAPPING, "--checks", "blind"]
    command += ["--panel", str(tmp_path / "panel.toml"), "--out", str(tmp_path / "run"), "--json"]
    done = CliRunner().invoke(app, command, catch_exceptions=False)
    data = json.loads(done.stdout)
    assert data["cases"]["n"] == 2
    assert data["cases"]["options"] == {"2": 1, "4": 1}
