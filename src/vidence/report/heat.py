"""Tables whose cells are coloured by a share: where the shortcuts are, and which checks agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from vidence.report import numbers
from vidence.report.numbers import Estimate, count
from vidence.report.tables import FEW

STEPS = 10


@dataclass(frozen=True)
class Cell:
    """One coloured cell.

    Args:
        text: the share, or a count.
        under: the small line below it: n, always.
        step: 0 (none) to `STEPS` (all), or None for no colour.
        few: n is too small to read much into the cell; hatched.
        title: the whole estimate in words.
        below: the colour tells how far it lies below, not above.
        sure: it stands out from luck, many cells looked at.
    """

    text: str
    under: str
    step: int | None
    few: bool = False
    title: str = ""
    below: bool = False
    sure: bool = False


@dataclass(frozen=True)
class Heat:
    """A table of coloured cells: `rows` are (name, cells)."""

    name: str
    caption: str
    corner: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    methods: tuple[str, ...] = ()


def categories(data: Mapping[str, Any]) -> tuple[Heat, ...]:
    """Return a table a tag: values as rows, any check and each check as columns."""
    labels = [row["check"] for row in data["checks"]]
    tags = dict.fromkeys(row["tag"] for row in data["categories"])
    tables = []
    for number, tag in enumerate(tags):
        mine = [row for row in data["categories"] if row["tag"] == tag]
        rows, used = [], []
        lucky = any(row.get("luck") for row in mine)
        for row in mine:
            estimates = [row["shortcut"], *(row["checks"].get(label) for label in labels)]
            used += estimates
            cells = [*map(_share, estimates)]
            if lucky:
                cells.insert(1, replace(_share(row.get("luck")), step=None, few=False))
            rows.append((row["value"] or "(no value)", tuple(cells)))
        tables.append(
            Heat(
                f"where-{number}",
                f"Flagged by {tag} and check",
                tag,
                ("any check", *(["luck alone"] if lucky else []), *labels),
                tuple(rows),
                numbers.methods(used),
            )
        )
    return tuple(tables)


def overlap(data: Mapping[str, Any]) -> Heat | None:
    """Return how many cases two checks flag together, shaded by the share of the row's flags."""
    given = data.get("overlap") or {}
    labels = given.get("checks") or []
    if len(labels) < 2:
        return None
    rows = []
    for i, label in enumerate(labels):
        own = given["both"][i][i]
        cells = []
        for j, other in enumerate(labels):
            both = given["both"][i][j]
            share = both / own if own else None
            cells.append(
                Cell(
                    count(both),
                    f"of {count(own)}",
                    None if i == j else _step(share),
                    False,
                    f"{count(both)} of the {count(own)} flagged by {label} are flagged by {other}",
                )
            )
        rows.append((label, tuple(cells)))
    return Heat(
        "overlap", "Cases that two checks flag together", "flagged by", tuple(labels), tuple(rows)
    )


def _share(estimate: Estimate | None) -> Cell:
    if not estimate or not estimate.get("n"):
        return Cell(numbers.NONE, "n = 0", None, True, "not measured")
    n = estimate["n"]
    step = _step(estimate["value"])
    return Cell(numbers.value(estimate), f"n = {count(n)}", step, n < FEW, numbers.long(estimate))


def _step(share: Any) -> int | None:
    value = numbers.number(share)
    return None if value is None else min(STEPS, max(0, round(STEPS * value)))
