"""RTV-Bench: questions that are asked again while the video goes on."""

from __future__ import annotations

from pathlib import Path

from vidence.annotation.build import Item, build
from vidence.annotation.files import find_files
from vidence.annotation.keys import by_letter
from vidence.annotation.reading import read_rows
from vidence.annotation.row import Row
from vidence.annotation.times import seconds_of
from vidence.benchmark import Benchmark, benchmark

TITLE = "RTV-Bench"


@benchmark("rtvbench", title=TITLE)
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read RTV-Bench (JSON): the clip ends at the moment of asking, which is no evidence."""
    rows = read_rows(*find_files(path, "QA.json", "*.json"))
    return build(TITLE, rows, videos, name="questionID", read=_item)


def _item(row: Row) -> Item:
    options = row.lettered("options")
    return Item(
        video=row.name("video"),
        question=row.text("question"),
        options=options,
        gold=by_letter(row.get("answer"), options),
        start=seconds_of(row.get("start_time")),
        end=seconds_of(row.get("end_time")),
        tags=row.tags("type", "field"),
    )
