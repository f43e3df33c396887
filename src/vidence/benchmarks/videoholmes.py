"""Video-Holmes: short suspense films, six options a question."""

from __future__ import annotations

from pathlib import Path

from vidence.annotation.build import Item, build
from vidence.annotation.files import find_files
from vidence.annotation.keys import by_letter
from vidence.annotation.reading import read_rows
from vidence.annotation.row import Row
from vidence.benchmark import Benchmark, benchmark

TITLE = "Video-Holmes"


@benchmark("videoholmes", title=TITLE)
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read Video-Holmes (JSON): `Explanation` gives the answer away and stays unseen."""
    rows = read_rows(*find_files(path, "test_Video-Holmes.json", "test*.json", "*.json"))
    return build(TITLE, rows, videos, name="Question ID", read=_item)


def _item(row: Row) -> Item:
    options = row.lettered("Options")
    return Item(
        video=row.name("video ID"),
        question=row.text("Question"),
        options=options,
        gold=by_letter(row.get("Answer"), options),
        tags=row.tags(question_type="Question Type"),
    )
