"""LVBench: questions on videos of an hour and more."""

from __future__ import annotations

from pathlib import Path

from vidence.annotation.build import Item, build
from vidence.annotation.faults import shown
from vidence.annotation.files import find_files
from vidence.annotation.keys import by_letter
from vidence.annotation.options import split_question
from vidence.annotation.reading import Rows, read_rows
from vidence.annotation.row import Row
from vidence.benchmark import Benchmark, Rejected, benchmark

TITLE = "LVBench"


@benchmark("lvbench", title=TITLE)
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read LVBench (JSONL, a video a line): options stand in the question, one a line."""
    lines = read_rows(*find_files(path, "video_info.meta.jsonl", "*.jsonl"))
    return build(TITLE, _questions(lines), videos, name="uid", read=_item)


def _questions(lines: Rows) -> Rows:
    """Return one row a question: its own fields and those of its video."""
    rows: list[Row] = []
    rejected = list(lines.rejected)
    for line in lines.rows:
        video = {name: value for name, value in line.values.items() if name != "qa"}
        questions = line.values.get("qa")
        if not isinstance(questions, list):
            reason = f"qa is {shown(questions)}, a list of questions is needed"
            rejected.append(Rejected(line.where, reason))
            continue
        for number, values in enumerate(questions, 1):
            place = f"question {number}"
            if isinstance(values, dict):
                rows.append(line.within({**video, **values}, place))
            else:
                reason = f"{shown(values)} came, an object is needed"
                rejected.append(Rejected(f"{line.where}, {place}", reason))
    return Rows(tuple(rows), tuple(rejected))


def _item(row: Row) -> Item:
    question, options = split_question(row.text("question"), "(A) ")
    item = Item(
        video=row.name("key"),
        question=question,
        options=options,
        gold=by_letter(row.get("answer"), options),
        tags=row.tags("question_type", "type"),
        seconds=_seconds(row),
    )
    item.add_evidence("time_reference", row.get("time_reference"))
    return item


def _seconds(row: Row) -> float | None:
    info = row.values.get("video_info")
    minutes = info.get("duration_minutes") if isinstance(info, dict) else None
    return 60 * minutes if isinstance(minutes, int | float) and minutes > 0 else None
