"""Video-MME: several questions a video, four options each."""

from __future__ import annotations

from pathlib import Path

from vidence.annotation.build import Item, build
from vidence.annotation.files import find_files
from vidence.annotation.keys import by_letter
from vidence.annotation.options import without_letters
from vidence.annotation.reading import read_rows
from vidence.annotation.row import Row
from vidence.benchmark import Benchmark, benchmark

TITLE = "Video-MME"


@benchmark("videomme", title=TITLE)
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read Video-MME (Parquet): the video is `videoID`; `duration` is a class, not a length."""
    rows = read_rows(*find_files(path, "test-*.parquet", "*.parquet"))
    return build(TITLE, rows, videos, name="question_id", read=_item)


def _item(row: Row) -> Item:
    options = without_letters(row.texts("options"))
    return Item(
        video=row.name("videoID"),
        question=row.text("question"),
        options=options,
        gold=by_letter(row.get("answer"), options),
        tags=row.tags("duration", "domain", "sub_category", "task_type"),
    )
