"""The form that MVBench and TVBench share: one file a task, rows without names."""

from __future__ import annotations

from vidence.annotation.build import Item
from vidence.annotation.keys import by_text
from vidence.annotation.row import Row
from vidence.annotation.times import seconds_of

TASK_FILES = ("json/*.json", "./*.json")
"""Patterns: many files together, in the folder that the authors call json or in the one given."""


def task_id(row: Row) -> str:
    """Return task and row number from 0, `action_count-17`: the order of files does not count."""
    return f"{row.stem}-{row.position}"


def task_item(row: Row, folder: str | None = None) -> Item:
    """Read a row: `start` and `end` cut the clip, `accurate_start` and `accurate_end` are evidence.

    Args:
        row: with the task as its file's name.
        folder: where the task's videos lie below the folder of videos.
    """
    options = row.texts("candidates")
    start, end = (
        seconds_of(row.get(name)) if name in row.values else None for name in ("start", "end")
    )
    item = Item(
        video=row.name("video"),
        question=row.text("question"),
        options=options,
        gold=by_text(row.get("answer"), options),
        start=start,
        end=end,
        tags={"task": row.stem},
        folder=folder or "",
        fps=row.number("fps") if "fps" in row.values else None,
    )
    if "accurate_start" in row.values:
        exact = row.get("accurate_start"), row.get("accurate_end")
        item.add_evidence("accurate_start and accurate_end", exact)
    return item
