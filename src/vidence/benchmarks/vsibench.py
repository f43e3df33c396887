"""VSI-Bench: rooms filmed once through; half of the answers are numbers."""

from __future__ import annotations

from pathlib import Path

from vidence.annotation.build import Item, build
from vidence.annotation.files import find_files
from vidence.annotation.keys import by_letter
from vidence.annotation.options import without_letters
from vidence.annotation.reading import read_rows
from vidence.annotation.row import Row
from vidence.benchmark import Benchmark, benchmark

TITLE = "VSI-Bench"


@benchmark("vsibench", title=TITLE)
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read VSI-Bench (JSONL): rows without options have a number as their key."""
    rows = read_rows(*find_files(path, "test.jsonl", "*.jsonl"))
    return build(TITLE, rows, videos, name="id", read=_item, is_open=_is_open)


def _is_open(row: Row) -> bool:
    return row.values.get("options") is None


def _item(row: Row) -> Item:
    scene, source = row.name("scene_name"), row.name("dataset")
    item = Item(
        video=scene,
        question=row.text("question"),
        tags=row.tags("question_type", "dataset"),
        cluster=f"{source}/{scene}",
        folder=source,
    )
    if not _is_open(row):
        item.options = without_letters(row.texts("options"))
        item.gold = by_letter(row.get("ground_truth"), item.options)
    elif row.get("ground_truth") is not None:
        item.gold = row.number("ground_truth")
    return item
