"""Rows as they stand: text stays text, broken lines are counted, hostile files are named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vidence.annotation.files import find_files
from vidence.annotation.reading import read_rows
from vidence.errors import CaseError

WORDS = ["None", "NA", "N/A", "nan", "NaN", "null", "NULL", "", " ", "True", "1", "01", "1e5", "é"]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write rows in the form that a path's suffix names."""
    if path.suffix in (".jsonl", ".ndjson"):
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    elif path.suffix == ".parquet":
        import pyarrow
        from pyarrow import parquet

        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    else:
        import csv

        with path.open("w", encoding="utf-8", newline="") as file:
            mark = "\t" if path.suffix == ".tsv" else ","
            writer = csv.DictWriter(file, list(rows[0]), delimiter=mark)
            writer.writeheader()
            writer.writerows(rows)
    return path


@pytest.mark.parametrize("suffix", [".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet"])
def test_text_stays_text_in_every_form(suffix: str, tmp_path: Path) -> None:
    """Rows b3: an option "None" or "NA" is an option."""
    rows = [{"id": str(i), "word": word} for i, word in enumerate(WORDS)]
    read = read_rows(write(tmp_path / f"rows{suffix}", rows))
    assert [dict(row.values) for row in read.rows] == rows
    assert read.rejected == ()


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r")), min_size=1
    ),
    st.sampled_from([".csv", ".tsv", ".jsonl", ".json", ".parquet"]),
)
def test_any_text_comes_back(texts: list[str], suffix: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        rows = [{"a": text, "b": f"x{text}"} for text in texts]
        read = read_rows(write(Path(folder) / f"rows{suffix}", rows))
    assert [dict(row.values) for row in read.rows] == rows


def test_a_byte_order_mark_blank_lines_and_quoted_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes('\ufeffid,q\r\n1,"two\r\nlines"\r\n\r\n2,x\r\n'.encode())
    read = read_rows(tmp_path / "a.csv")
    assert [dict(row.values) for row in read.rows] == [
        {"id": "1", "q": "two\r\nlines"},
        {"id": "2", "q": "x"},
    ]
    assert [row.place for row in read.rows] == ["line 2", "line 5"]
    (tmp_path / "b.jsonl").write_bytes(b'\xef\xbb\xbf{"id": 1}\n\n  \n{"id": 2}')
    assert [row.place for row in read_rows(tmp_path / "b.jsonl").rows] == ["line 1", "line 4"]
    (tmp_path / "c.json").write_bytes(b'\xef\xbb\xbf[{"id": 1}]')
    assert len(read_rows(tmp_path / "c.json").rows) == 1


def test_a_number_that_is_none_is_a_missing_value(tmp_path: Path) -> None:
    """Tables write NaN for nothing; the text "NaN" is text."""
    (tmp_path / "a.jsonl").write_text('{"gold": NaN, "option": "NaN"}', encoding="utf-8")
    assert read_rows(tmp_path / "a.jsonl").rows[0].values == {"gold": None, "option": "NaN"}


def test_a_line_separator_inside_a_text_ends_no_line(tmp_path: Path) -> None:
    """U+2028 is a line end for some readers and not for JSON."""
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"q": "a\u2028b\x85c"}, ensure_ascii=False), encoding="utf-8")
    assert read_rows(path).rows[0].values == {"q": "a\u2028b\x85c"}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"id": "torn', "no JSON"),
        ("[1]", "a list came, an object is needed"),
        ('"text"', "a text came"),
        ("null", "null came"),
        ("7", "a number came"),
        ('{"id": 1, "id": 2}', "the field 'id' stands twice"),
        ('{"qa": [{"a": 1, "a": 1}]}', "the field 'a' stands twice"),
        ('{"id": 1e999}', "not JSON compliant"),
        ('{"id": -Infinity}', "not JSON compliant"),
        ('{"id": "\\ud800"}', "its text is no UTF-8"),
        ("[" * 100_000, "no JSON"),
        ("9" * 5000, "no JSON"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_broken_line_is_rejected_by_number(line: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(f'{{"id": 0}}\n{line}\n{{"id": 3}}\n', encoding="utf-8")
    read = read_rows(path)
    assert [row.values["id"] for row in read.rows] == [0, 3]
    (rejected,) = read.rejected
    assert (rejected.where, rejected.kind) == ("rows.jsonl, line 2", "unreadable_row")
    assert reason in rejected.reason


@pytest.mark.parametrize("line", ["2,x,y", "2", "2,x,,"])
def test_a_row_with_other_cells_than_the_table_is_rejected(line: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(f"id,q\n1,x\n{line}\n3,x\n", encoding="utf-8")
    read = read_rows(path)
    assert [row.values["id"] for row in read.rows] == ["1", "3"]
    assert read.rejected[0].where == "rows.csv, line 3"


HOSTILE: dict[str, bytes] = {
    "empty.jsonl": b"",
    "empty.json": b"",
    "empty.csv": b"",
    "empty.parquet": b"",
    "blank.jsonl": b"\n \n\t\n",
    "head_only.csv": b"id,q\n",
    "torn.json": b'[{"id": 1}, {"id"',
    "object.json": b'{"version": 2, "name": "x"}',
    "two_lists.json": b'{"train": [{"id": 1}], "test": [{"id": 1}]}',
    "columns.json": b'{"id": {"0": 1}, "q": {"0": "x"}}',
    "text.json": b'"text"',
    "numbers.json": b"[1, 2, 3]",
    "none.json": b"[]",
    "deep.json": b"[" * 100_000,
    "html.jsonl": b"<!DOCTYPE html>\n<html>\n",
    "pointer.parquet": b"version https://git-lfs.github.com/spec/v1\n",
    "torn.parquet": b"PAR1" + bytes(40),
    "zeros.csv": bytes(5000),
    "twice.csv": b"id,id\n1,2\n",
    "picture.png": b"\x89PNG",
    "no_suffix": b"id",
    "utf16.json": '[{"id": 1}]'.encode("utf-16"),
    "latin.json": '["é"]'.encode("latin-1"),
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_a_hostile_file_is_named_with_what_to_do(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(HOSTILE[name])
    with pytest.raises(CaseError) as caught:
        read_rows(tmp_path / name)
    message = str(caught.value)
    assert name in message
    assert len(message) < 1000
    assert message.endswith(".")
    assert message.count(". ") >= 1


def test_a_parquet_file_cut_anywhere_is_named(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole.parquet", [{"id": str(i), "q": "x" * 50} for i in range(200)])
    blob = whole.read_bytes()
    for cut in range(1, len(blob), max(1, len(blob) // 60)):
        path = tmp_path / "cut.parquet"
        path.write_bytes(blob[:cut])
        with pytest.raises(CaseError, match=r"cut\.parquet is no Parquet file"):
            read_rows(path)


def test_bytes_changed_inside_a_parquet_file_give_rows_or_a_name(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole.parquet", [{"id": str(i), "q": f"q{i}"} for i in range(200)])
    blob = whole.read_bytes()
    path = tmp_path / "bent.parquet"
    messages = []
    for place in range(4, len(blob), 37):
        path.write_bytes(blob[:place] + bytes([blob[place] ^ 0x5A]) + blob[place + 1 :])
        try:
            read_rows(path)
        except CaseError as error:
            messages.append(str(error))
    assert messages
    assert all("bent.parquet" in message for message in messages)


def test_columns_of_other_kinds_come_as_json_has_them(tmp_path: Path) -> None:
    import datetime

    row = {
        "when": datetime.date(2024, 5, 1),
        "bytes": b"abc",
        "nothing": float("nan"),
        "nested": {"a": [1.5, float("inf")]},
    }
    (read,) = read_rows(write(tmp_path / "a.parquet", [row])).rows
    assert read.values == {
        "when": "2024-05-01",
        "bytes": "<3 bytes>",
        "nothing": None,
        "nested": {"a": [1.5, None]},
    }


def test_an_object_around_one_list_is_that_list(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"version": "1", "data": [{"id": 1}, {"id": 2}]}', encoding="utf-8")
    assert [row.values["id"] for row in read_rows(path).rows] == [1, 2]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".json"])
def test_a_line_of_100_mb_is_read_or_named(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"long{suffix}"
    path.write_bytes(b"x" * 100_000_000)
    with pytest.raises(CaseError, match="long") as caught:
        read_rows(path)
    assert len(str(caught.value)) < 1000


def test_a_folder_stands_for_the_file_in_it(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    (tmp_path / "._a.jsonl").touch()
    (tmp_path / "b.jsonl").touch()
    assert find_files(tmp_path, "a.jsonl", "*.jsonl") == [tmp_path / "b.jsonl"]
    (tmp_path / "a.jsonl").touch()
    assert find_files(tmp_path, "a.jsonl", "*.jsonl") == [tmp_path / "a.jsonl"]
    with pytest.raises(CaseError, match=r"holds a\.jsonl, b\.jsonl, and any of them may be meant"):
        find_files(tmp_path, "*.jsonl")
    with pytest.raises(
        CaseError, match="holds a.jsonl, b.jsonl, notes.txt; *.parquet".replace("*", r"\*")
    ):
        find_files(tmp_path, "*.parquet")
    with pytest.raises(CaseError, match="nowhere is no file and no folder"):
        find_files(tmp_path / "nowhere", "*.parquet")


def test_parts_of_one_table_belong_together_and_others_do_not(tmp_path: Path) -> None:
    for name in ("test-00000-of-00002", "test-00001-of-00002"):
        (tmp_path / f"{name}.parquet").touch()
    assert len(find_files(tmp_path, "*.parquet")) == 2
    (tmp_path / "train-00000-of-00001.parquet").touch()
    assert len(find_files(tmp_path, "test-*.parquet", "*.parquet")) == 2
    with pytest.raises(CaseError, match="any of them may be meant"):
        find_files(tmp_path, "*.parquet")
