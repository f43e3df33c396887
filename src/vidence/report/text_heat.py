"""Where text gives the key away: the learner over chance by category, n in every cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import ceil
from typing import Any

from vidence.report import numbers, text_figures
from vidence.report.heat import STEPS, Cell, Heat
from vidence.report.numbers import count
from vidence.report.tables import FEW

Data = Mapping[str, Any]

LEAST_FULL = 0.1
"""Points over chance, as a share, that earn the full colour at the least."""
TAGS, VALUES = 4, 12
"""Tags shown at once, and values of one; the others are a click away."""


def categories(data: Data) -> tuple[Heat, ...]:
    """Return a table a tag; values with most over chance first, those with few questions last."""
    tags = dict.fromkeys(row["tag"] for row in data["categories"])
    return tuple(_tag(data, number, tag) for number, tag in enumerate(tags))


def full(data: Data) -> float:
    """Return how far over chance a cell of the full colour is, as a share in steps of 10 points."""
    gains = [abs(_over(row) or 0.0) for row in data["categories"] if not _few(row)]
    return max(LEAST_FULL, ceil(10 * max(gains, default=0.0) - 1e-9) / 10)


def folded(given: Heat) -> tuple[Heat, Heat | None]:
    """Return the rows shown at once, and the others as a table of their own."""
    if len(given.rows) <= VALUES + 2:
        return given, None
    more = replace(
        given,
        name=f"{given.name}-more",
        caption=f"{given.caption}, continued",
        rows=given.rows[VALUES:],
        methods=(),
    )
    return replace(given, rows=given.rows[:VALUES]), more


def _tag(data: Data, number: int, tag: str) -> Heat:
    mine = [row for row in data["categories"] if row["tag"] == tag]
    mine.sort(key=lambda row: (_few(row), -(_over(row) or 0.0)))
    rows, used = [], []
    for row in mine:
        used += [row["learner"], row["over_chance"], row["longest_option"]]
        rows.append((row["value"] or "(no value)", tuple(_cells(row, full(data)))))
    head = ("over chance, points", "learned from text", "longest option", "chance")
    caption = f"Learned from text over chance, by {tag}"
    return Heat(f"where-{number}", caption, tag, head, tuple(rows), numbers.methods(used))


def _cells(row: Data, most: float) -> list[Cell]:
    under, few, over = f"n = {count(row['n'])}", _few(row), _over(row)
    step = None if over is None else min(STEPS, round(STEPS * abs(over) / most))
    told = numbers.short_difference(row["over_chance"], 1)
    first = Cell(
        text_figures.points(row["over_chance"]),
        under,
        step,
        few,
        f"{row['value']}: {told} points over chance, {under}",
        below=over is not None and over < 0,
        sure=bool(row.get("claimed")),
    )
    others = [
        Cell(text_figures.value(row[part]), under, None, few, text_figures.long(row[part]))
        for part in ("learner", "longest_option")
    ]
    return [first, *others, Cell(text_figures.share(row["chance"]), under, None, few)]


def _few(row: Data) -> bool:
    return bool(row["n"] < FEW)


def _over(row: Data) -> float | None:
    return numbers.number((row["over_chance"] or {}).get("value"))
