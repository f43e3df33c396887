"""MLVU: the multiple-choice half of its test set."""

from __future__ import annotations

from pathlib import Path

from vidence.annotation.build import Item, build
from vidence.annotation.files import find_files
from vidence.annotation.keys import by_text
from vidence.annotation.reading import read_rows
from vidence.annotation.row import Row
from vidence.benchmark import Benchmark, benchmark

TITLE = "MLVU"


@benchmark("mlvu", title=TITLE, aliases=("mlvu_test",))
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read MLVU's test set (JSON): the key is an option's text; counts are numbers."""
    rows = read_rows(*find_files(path, "test_mcq_gt.json", "*mcq*.json", "*.json"))
    return build(TITLE, rows, videos, name="question_id", read=_item)


def _item(row: Row) -> Item:
    options = row.texts("candidates")
    return Item(
        video=row.name("video"),
        question=row.text("question"),
        options=options,
        gold=by_text(row.get("answer"), options),
        tags=row.tags("question_type"),
        seconds=row.number("duration"),
    )
