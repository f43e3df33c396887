"""Any table of questions: JSONL, JSON, CSV, TSV or Parquet, with its columns named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from vidence.annotation.addresses import youtube_id
from vidence.annotation.build import Item, build
from vidence.annotation.columns import ANSWERS, columns_for
from vidence.annotation.faults import RowError, shown
from vidence.annotation.files import find_files
from vidence.annotation.keys import by_any, by_index, by_letter, by_text
from vidence.annotation.options import without_letters
from vidence.annotation.reading import SUFFIXES, columns_of, read_rows
from vidence.annotation.row import Row, as_number, as_texts
from vidence.annotation.times import seconds_of
from vidence.benchmark import Benchmark, Load, benchmark

Columns = Mapping[str, tuple[str, ...]]

_KEYS = {
    "answer": by_any,
    "answer_letter": by_letter,
    "answer_index": by_index,
    "answer_text": by_text,
}


def mapped(mapping: Mapping[str, str]) -> Load:
    """Return a loader for tables with these columns; common names are found without a mapping.

    Args:
        mapping: field -> column (`vidence.annotation.columns.FIELDS`).
    """

    def read(path: Path, videos: Path | None = None) -> Benchmark:
        files = find_files(path, *(f"*{suffix}" for suffix in SUFFIXES), alone=True)
        rows = read_rows(*files)
        columns = columns_for(mapping, columns_of(rows), files[0].name)
        ids = columns.get("id")
        return build(
            path.stem,
            rows,
            videos,
            name=ids[0] if ids else lambda row: f"{row.stem}-{row.position}",
            read=lambda row: _item(row, columns),
            is_open=lambda row: "options" not in columns,
        )

    return read


@benchmark("table", mapped=mapped)
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read any table (JSONL, JSON, CSV, TSV, Parquet); --columns says which column is what."""
    return mapped({})(path, videos)


def _item(row: Row, columns: Columns) -> Item:
    options = _options(row, columns.get("options", ()))
    item = Item(
        video=_video(row, columns["video"][0]),
        question=row.text(columns["question"][0]),
        options=options,
        gold=_key(row, columns, options),
        start=_moment(row, columns, "start"),
        end=_moment(row, columns, "end"),
        tags=row.tags(*columns.get("tags", ())),
        seconds=_moment(row, columns, "seconds"),
        fps=_moment(row, columns, "fps"),
    )
    item.add_evidence("evidence", *_evidence(row, columns))
    return item


def _options(row: Row, names: Sequence[str]) -> list[str]:
    if not names:
        return []
    if len(names) == 1:
        value = row.get(names[0])
        options = [] if _blank(value) else as_texts(value, names[0])
    else:
        cells = [row.get(name) for name in names]
        while cells and _blank(cells[-1]):  # a row with fewer options than the widest one
            cells.pop()
        for name, cell in zip(names, cells, strict=False):
            if _blank(cell):
                raise RowError("unreadable_row", f"the option in {name!r} is empty, later ones not")
        options = as_texts(cells, "options")
    if not options:
        raise RowError("no_options", f"no options in {', '.join(names)}")
    return without_letters(options)


def _key(row: Row, columns: Columns, options: Sequence[str]) -> int | float | str | None:
    for field in ANSWERS:
        if field in columns:
            value = row.get(columns[field][0])
            if options:
                return _KEYS[field](value, options)
            return _open_key(value)
    return None


def _open_key(value: Any) -> float | str | None:
    """Return a number where the key is one, else its words."""
    if _blank(value):
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise RowError("unreadable_row", f"answer {shown(value)}; a text or a number is needed")
    number = as_number(value)
    return str(value) if number is None else number


def _video(row: Row, column: str) -> str:
    name = row.name(column)
    if "://" not in name:
        return name
    found = youtube_id(name)
    if found is None:
        raise RowError("unreadable_video", f"the address {shown(name)} holds no video id")
    return found


def _moment(row: Row, columns: Columns, field: str) -> float | None:
    value = _cell(row, columns, field)
    return None if _blank(value) else seconds_of(value)


def _evidence(row: Row, columns: Columns) -> list[Any]:
    """Return what stands for spans: start and end, one span, or a list of spans."""
    ends = [_cell(row, columns, f"evidence_{end}") for end in ("start", "end")]
    if not all(map(_blank, ends)):
        return [ends]
    value = _cell(row, columns, "evidence")
    if isinstance(value, list) and all(isinstance(part, list) for part in value):
        return value
    return [] if _blank(value) else [value]


def _cell(row: Row, columns: Columns, field: str) -> Any:
    return row.values.get(columns[field][0]) if field in columns else None


def _blank(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())
