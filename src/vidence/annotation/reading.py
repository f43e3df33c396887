"""Read rows from JSON, JSONL, CSV, TSV and Parquet, as they stand.

Text stays text: "None", "NA", "nan" and "null" are never taken for a missing value. What is broken
is counted by its line or row; nothing is repaired.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vidence.annotation.faults import shown
from vidence.annotation.row import Row
from vidence.benchmark import Rejected
from vidence.errors import CaseError

_FIELD_LIMIT = 1 << 30


@dataclass(frozen=True)
class Rows:
    """What a file holds.

    Args:
        rows: in the file's order.
        rejected: lines that are no row.
    """

    rows: tuple[Row, ...]
    rejected: tuple[Rejected, ...] = ()


def read_rows(*files: Path) -> Rows:
    """Read files of rows, each by its suffix: .json .jsonl .ndjson .csv .tsv .parquet.

    A line, or an object in a JSON list, that cannot be read is rejected with its number. A JSON
    object that names a field twice is rejected too, since nobody can say which one is meant.

    Raises:
        CaseError: a file that cannot be opened, has another suffix or another shape, or is empty.
    """
    rows: list[Row] = []
    rejected: list[Rejected] = []
    for file in files:
        for position, (place, value) in enumerate(_read(file)):
            fault = row_fault(value)
            if fault:
                rejected.append(Rejected(f"{file.name}, {place}", fault))
            else:
                rows.append(Row(value, file.name, place, position))
    if not rows:
        first = f" First reason: {rejected[0].where}: {rejected[0].reason}." if rejected else ""
        names = ", ".join(file.name for file in files)
        raise CaseError(
            f"{names} holds no row ({len(rejected)} unreadable).{first} "
            "A table or a list of objects is needed. Check the file."
        )
    return Rows(tuple(rows), tuple(rejected))


def columns_of(rows: Rows) -> list[str]:
    """Return the names of all fields, in the order of their first appearance."""
    return list(dict.fromkeys(name for row in rows.rows for name in row.values))


Read = Iterator[tuple[str, Any]]
"""(place, value); the value is an `Exception` where nothing can be read there."""


def _read(file: Path) -> Read:
    reader = _READERS.get(file.suffix.lower())
    if not file.is_file():
        raise CaseError(f"{file} is no file. Check the path.")
    if reader is None:
        raise CaseError(
            f"{file.name} came; {' '.join(_READERS)} can be read. Convert it, or name another file."
        )
    try:
        yield from reader(file)
    except OSError as error:
        raise CaseError(
            f"{file.name} cannot be read: {error.strerror or shown(str(error))}. Check the file."
        ) from None
    except MemoryError:
        raise CaseError(
            f"{file.name} does not fit into memory. Split it into smaller files."
        ) from None


class _Twice:
    """An object that names a field twice."""

    def __init__(self, name: str) -> None:
        self.name = name


def _object(pairs: list[tuple[str, Any]]) -> Any:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        return _Twice(next(name for name in names if names.count(name) > 1))
    return value


def _constant(name: str) -> float | None:
    return None if name == "NaN" else float(name)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


def decode(text: str) -> Any:
    """Return the value of a JSON text; NaN is a missing value, as tables write it.

    An object that names a field twice comes as a value that `row_fault` tells.

    Raises:
        ValueError: no JSON.
        RecursionError: nested too deeply.
    """
    return _DECODER.decode(text.strip())


def _lines(file: Path) -> Read:
    with file.open(encoding="utf-8-sig", errors="surrogateescape", newline="\n") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    value = decode(line)
                except (ValueError, RecursionError) as error:
                    value = ValueError(f"no JSON: {error}")
                yield f"line {number}", value


def _json(file: Path) -> Read:
    text = file.read_text(encoding="utf-8-sig", errors="surrogateescape")
    try:
        value = decode(text)
    except (ValueError, RecursionError) as error:
        raise CaseError(
            f"{file.name} is no JSON: {error}. A list of objects is needed. Fetch it again."
        ) from None
    if isinstance(value, dict):
        value = _only_list(file, value)
    if not isinstance(value, list):
        raise CaseError(
            f"{file.name} holds {_kind(value)}; a list of objects is needed. Check the file."
        )
    for number, row in enumerate(value, 1):
        yield f"row {number}", row


def _only_list(file: Path, value: Mapping[str, Any]) -> list[Any]:
    lists = [name for name, rows in value.items() if isinstance(rows, list) and rows]
    if len(lists) != 1:
        raise CaseError(
            f"{file.name} holds an object with the fields {_names(value)}; a list of objects is "
            "needed, or an object with one list in it. Take the list out of it."
        )
    rows: list[Any] = value[lists[0]]
    return rows


def _delimited(delimiter: str) -> Callable[[Path], Read]:
    def read(file: Path) -> Read:
        before = csv.field_size_limit(_FIELD_LIMIT)
        try:
            with file.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as lines:
                yield from _table(file, csv.reader(lines, delimiter=delimiter))
        finally:
            csv.field_size_limit(before)

    return read


def _table(file: Path, reader: Any) -> Read:
    head: list[str] = next(reader, [])
    if len(set(head)) < len(head):
        twice = next(name for name in head if head.count(name) > 1)
        raise CaseError(
            f"{file.name} has two columns called {shown(twice)}; names are unique. Rename one."
        )
    last = reader.line_num
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            last = reader.line_num
            yield f"line {last}", ValueError(f"no row of a table: {error}")
            continue
        if cells is None:
            return
        place, last = f"line {last + 1}", reader.line_num
        if len(cells) == len(head):
            yield place, dict(zip(head, cells, strict=True))
        elif cells:
            fault = f"{len(cells)} cells came, the table has {len(head)} columns"
            yield place, ValueError(fault)


def _parquet(file: Path) -> Read:
    import pyarrow
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(file) as source:
            names = source.schema_arrow.names
            if len(set(names)) < len(names):
                twice = next(name for name in names if names.count(name) > 1)
                raise CaseError(
                    f"{file.name} has two columns called {shown(twice)}; names are unique. "
                    "Rename one."
                )
            number = 0
            for batch in source.iter_batches():
                for row in batch.to_pylist():
                    number += 1
                    yield f"row {number}", _plain(row)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        first = str(error).split("\n")[0]
        raise CaseError(
            f"{file.name} is no Parquet file that can be read: {shown(first, 200)}. Fetch it again."
        ) from None


_READERS: dict[str, Callable[[Path], Read]] = {
    ".json": _json,
    ".jsonl": _lines,
    ".ndjson": _lines,
    ".csv": _delimited(","),
    ".tsv": _delimited("\t"),
    ".parquet": _parquet,
}
SUFFIXES = tuple(_READERS)


def _plain(value: Any) -> Any:
    """Return a value of a table as JSON has it; a float that is no number is a missing value."""
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return f"<{len(value)} bytes>" if isinstance(value, bytes) else str(value)


def row_fault(value: Any) -> str:
    """Return why a value is no row, or an empty text."""
    if isinstance(value, Exception):
        return str(value)
    if isinstance(value, _Twice):
        return f"the field {shown(value.name)} stands twice"
    if not isinstance(value, dict):
        return f"{_kind(value)} came, an object is needed"
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_refuse)
        text.encode()
    except UnicodeEncodeError:
        return "its text is no UTF-8"
    except (ValueError, RecursionError) as error:
        return str(error)
    return ""


def _refuse(value: Any) -> Any:
    if isinstance(value, _Twice):
        raise ValueError(f"the field {shown(value.name)} stands twice")
    raise ValueError(f"{_kind(value)} came, which no JSON can hold")


def _kind(value: Any) -> str:
    names = {list: "a list", str: "a text", dict: "an object", bool: "true or false"}
    names |= {int: "a number", float: "a number", type(None): "null"}
    return names.get(type(value), type(value).__name__)


def _names(values: Mapping[str, Any]) -> str:
    names = [shown(name, 40) for name in list(values)[:12]]
    return ", ".join(names) or "none"
