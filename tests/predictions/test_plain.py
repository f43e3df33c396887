"""Tables of replies, whole and broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.predictions.made import LETTERS, case_file, lines, records, rows, take_in
from vidence.errors import CaseError, UnknownNameError, UsageError
from vidence.prediction import PREDICTIONS, Log, Wanted


def read(path: Path, **columns: str) -> Log:
    return PREDICTIONS["plain"](path, Wanted(columns=columns))


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json", ".jsonl", ".parquet"])
def test_every_kind_of_table_says_the_same(tmp_path: Path, suffix: str) -> None:
    values = [
        {"id": "001", "reply": 'He said "B",\nthen left.', "score": "1"},
        {"id": "None", "reply": "nan", "score": "0"},
    ]
    path = tmp_path / f"log{suffix}"
    if suffix == ".parquet":
        import pyarrow
        from pyarrow import parquet

        parquet.write_table(pyarrow.Table.from_pylist(values), path)
    elif suffix in (".csv", ".tsv"):
        mark = "," if suffix == ".csv" else "\t"
        cells = [[str(v).replace('"', '""') for v in row.values()] for row in values]
        body = [mark.join(values[0]), *(mark.join(f'"{c}"' for c in row) for row in cells)]
        path.write_text("\r\n".join(body), newline="")
    else:
        text = json.dumps(values) if suffix == ".json" else "\n".join(map(json.dumps, values))
        path.write_text(text)
    log = read(path)
    assert [p.ids["id"] for p in log.predictions] == ["001", "None"]
    assert [p.reply.text for p in log.predictions] == ['He said "B",\nthen left.', "nan"]
    assert [p.score for p in log.predictions] == [1.0, 0.0]


def test_columns_are_named_or_refused(tmp_path: Path) -> None:
    path = lines(tmp_path / "l.jsonl", [{"qid": "a", "said": "B"}])
    with pytest.raises(CaseError, match="none is known to hold replies"):
        read(path)
    with pytest.raises(UnknownNameError, match="Did you mean 'said'"):
        read(path, reply="sad")
    with pytest.raises(UnknownNameError, match="Did you mean 'reply'"):
        read(path, repyl="said")
    assert read(path, reply="said").predictions[0].ids == {"id": "a"}
    with pytest.raises(UsageError, match="whose fields are known"):
        PREDICTIONS["lmms-eval"](path, Wanted(columns={"id": "qid"}))


def test_null_is_missing_and_an_empty_reply_is_a_reply(tmp_path: Path) -> None:
    log = lines(tmp_path / "l.jsonl", [{"id": "q00", "reply": None}, {"id": "q01", "reply": ""}])
    take_in(tmp_path / "run", case_file(tmp_path, rows()), log, form="plain")
    found = records(tmp_path / "run")
    assert found["q00"].status == "failed"
    assert found["q01"].status == "no_answer"
    assert found["q02"].reason == "not in the log"


def test_one_type_of_scores_or_an_error(tmp_path: Path) -> None:
    mixed = [
        {"id": str(i), "reply": "A", "score": s} for i, s in enumerate([True, 1, "1", 0, "False"])
    ]
    log = read(lines(tmp_path / "l.jsonl", mixed))
    assert [p.score for p in log.predictions] == [1, 1, 1, 0, 0]
    assert "of several types" in log.warnings[0]
    words = lines(tmp_path / "w.jsonl", [{"id": "a", "reply": "A", "score": "good"}])
    with pytest.raises(CaseError, match=r"w\.jsonl, line 1: the score 'good'"):
        read(words)


def test_scores_beyond_one_are_compared_with_nothing(tmp_path: Path) -> None:
    log = [{"id": f"q{i:02d}", "reply": LETTERS[i % 4], "score": 100} for i in range(12)]
    report = take_in(
        tmp_path / "run",
        case_file(tmp_path, rows()),
        lines(tmp_path / "l.jsonl", log),
        form="plain",
    )
    assert not report.comparisons
    assert any("12 scores of the log lie outside 0 to 1" in text for text in report.warnings)


def test_a_text_that_is_a_list_is_read_and_never_run(tmp_path: Path) -> None:
    trap = f"[__import__('os').system('touch {tmp_path}/trap') or 'x', 'y']"
    path = lines(
        tmp_path / "l.jsonl",
        [
            {"id": "a", "reply": "A", "options": "['the cat', \"it's a dog\"]"},
            {"id": "b", "reply": "A", "options": trap},
        ],
    )
    log = read(path)
    assert log.predictions[0].options == ("the cat", "it's a dog")
    assert [r.where for r in log.rejected] == ["l.jsonl, line 2"]
    assert not (tmp_path / "trap").exists()


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"", "l.csv"),
        (b"id,reply\n", "l.csv"),
        (b"[]", "l.json"),
        (b'{"id": "a", "rep', "l.json"),
        (b"PK\x03\x04 not a table", "l.parquet"),
        (b"\x00\xff\xfe", "l.jsonl"),
        (b"id,reply,reply\na,b,c\n", "l.csv"),
        (b"x", "l.docx"),
    ],
)
def test_what_is_no_log_is_an_error_with_the_files_name(
    tmp_path: Path, content: bytes, name: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CaseError, match=r"l\.[a-z]+ "):
        read(tmp_path / name)


def test_a_truncated_file_keeps_its_whole_lines_and_names_the_broken_one(tmp_path: Path) -> None:
    whole = "".join(json.dumps({"id": f"q{i:02d}", "reply": "A"}) + "\n" for i in range(5))
    (tmp_path / "l.jsonl").write_text(whole[:-12])
    log = read(tmp_path / "l.jsonl")
    assert len(log.predictions) == 4
    assert [r.where for r in log.rejected] == ["l.jsonl, line 5"]


def test_huge_cells_and_mixed_newlines(tmp_path: Path) -> None:
    long = "word " * 400_000 + "The answer is C."
    (tmp_path / "l.csv").write_bytes(
        b'id,reply\r\nq00,A\nq01,"two\r\nlines"\r\nq02,' + long.encode() + b"\n"
    )
    take_in(tmp_path / "run", case_file(tmp_path, rows()), tmp_path / "l.csv", form="plain")
    found = records(tmp_path / "run")
    assert (found["q00"].value, found["q02"].value) == (0, 2)
    assert found["q01"].status == "unparsed"


def test_several_replies_to_a_question_are_repeats(tmp_path: Path) -> None:
    log = [
        {"id": "q00", "reply": LETTERS[k], "repeat": k, "model": m}
        for k in range(3)
        for m in ("m", "n")
    ]
    path = lines(tmp_path / "l.jsonl", log)
    report = take_in(
        tmp_path / "run",
        case_file(tmp_path, rows()),
        path,
        form="plain",
        columns={"model": "model", "repeat": "repeat"},
    )
    assert report.statuses == {"ok": 3}
    assert report.sources[0].log.left_out == {"of the model 'n'": 3}
