"""MINERVA: five options a question, with the reasoning that solves it."""

from __future__ import annotations

from pathlib import Path

from vidence.annotation.build import Item, build
from vidence.annotation.files import find_files
from vidence.annotation.keys import by_index
from vidence.annotation.reading import read_rows
from vidence.annotation.row import Row
from vidence.annotation.times import spans_in_text
from vidence.benchmark import Benchmark, benchmark

TITLE = "MINERVA"


@benchmark("minerva", title=TITLE)
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read MINERVA (JSON): ranges of time in `reasoning` are evidence, its words stay unseen."""
    rows = read_rows(*find_files(path, "minerva.json", "*.json"))
    return build(TITLE, rows, videos, name="key", read=_item)


def _item(row: Row) -> Item:
    options = [row.text(f"answer_choice_{i}") for i in range(5)]
    return Item(
        video=row.name("video_id"),
        question=row.text("question"),
        options=options,
        gold=by_index(row.get("answer_id"), options),
        spans=spans_in_text(row.text("reasoning")),
        tags=row.tags("question_type", "split", "category"),
    )
