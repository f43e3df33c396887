"""EgoSchema: one question a video, five options."""

from __future__ import annotations

from pathlib import Path

from vidence.annotation.build import Item, build
from vidence.annotation.files import find_files
from vidence.annotation.keys import by_index
from vidence.annotation.options import without_letters
from vidence.annotation.reading import read_rows
from vidence.annotation.row import Row
from vidence.benchmark import Benchmark, benchmark

TITLE = "EgoSchema"


@benchmark("egoschema", title=TITLE, aliases=("ego_schema",))
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read EgoSchema (Parquet): the key is the option's number from 0, written as text."""
    rows = read_rows(*find_files(path, "test-*.parquet", "*.parquet"))
    return build(TITLE, rows, videos, name="question_idx", read=_item)


def _item(row: Row) -> Item:
    options = without_letters(row.texts("option"))
    return Item(
        video=row.name("video_idx"),
        question=row.text("question"),
        options=options,
        gold=by_index(row.get("answer"), options),
    )
