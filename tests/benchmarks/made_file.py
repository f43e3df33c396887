"""What an invented file of a benchmark is, and how it is written."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Raw = dict[str, Any]


@dataclass(frozen=True)
class Made:
    """An invented file of two or three rows.

    Args:
        file: its path below the benchmark's folder.
        rows: as they stand in it.
        ids: of the cases.
        clusters: names of the videos.
        right: text of the right option of each, the key itself for open questions.
        key: fields that hold the key, or give it away.
        question: field of the question.
    """

    file: str
    rows: list[Raw]
    ids: list[str]
    clusters: list[str]
    right: list[Any]
    key: list[str]
    question: str = "question"
    spans: list[tuple[Any, ...]] = field(default_factory=list)
    tags: list[dict[str, str]] = field(default_factory=list)


def write(folder: Path, made: Made, rows: list[Raw] | None = None, *, suffix: str = "") -> Path:
    """Write a made file, or other rows in its form; return its path."""
    path = folder / made.file
    path = path.with_suffix(suffix) if suffix else path
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = made.rows if rows is None else rows
    if path.suffix == ".parquet":
        import pyarrow
        from pyarrow import parquet

        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    elif path.suffix == ".jsonl":
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows), encoding="utf-8")
    else:
        import csv

        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), delimiter="\t")
            writer.writeheader()
            writer.writerows(rows)
    return path
