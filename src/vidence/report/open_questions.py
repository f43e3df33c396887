"""Open questions as tables: how right and how close, and the floor of one constant answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vidence.report import numbers
from vidence.report.numbers import NONE, count, short, short_difference
from vidence.report.tables import Table

Data = Mapping[str, Any]
_NO_TAG = "one number for all"


def tables(data: Data) -> dict[str, Table | None]:
    """Return both tables by name; None where there is nothing to show."""
    return {"open": table(data), "floors": floors(data)}


def table(data: Data) -> Table | None:
    """Tabulate the replies to open questions by kind of key, check and answerer."""
    found = data.get("open_questions")
    if not found:
        return None
    rows, used = [], []
    for row in found["rows"]:
        mine = [row[k] for k in ("exact", "relative", "relative_read", "over_floor")]
        used += mine
        rows.append(
            (
                row["check"],
                row["answerer"],
                row["kind"],
                short(row["exact"]),
                short(row["relative"]),
                short_difference(row["over_floor"]),
                short(row["relative_read"] or row["exact_read"]),
                count(row["missing"]),
                _unread(row),
                count(row["n"]),
            )
        )
    return Table(
        "open",
        "Open questions",
        (
            "Check",
            "Answerer",
            "Key",
            "Exact match",
            "Mean relative accuracy",
            "Over the best constant, points",
            "Among those read",
            "Missing",
            "Unread",
            "n",
        ),
        tuple(rows),
        frozenset({0, 1, 2}),
        numbers.methods(used),
        numbers.cautions(used),
        "No answerer was asked the open questions.",
    )


def floors(data: Data) -> Table | None:
    """Tabulate what one constant answer a category scores on videos that it was not chosen on."""
    found = data.get("open_questions")
    if not found or not found["floors"]:
        return None
    rows, used = [], []
    for floor in found["floors"]:
        name = floor["tag"] or _NO_TAG
        if floor["used"]:
            name += " (used)"
        used.append(floor["relative"])
        constant = NONE if floor["tag"] else f"{floor['values'][0]['constant']:.4g}"
        rows.append((name, NONE, constant, short(floor["relative"]), numbers.of(floor["relative"])))
        for value in floor["values"] if floor["tag"] else ():
            rows.append(
                (
                    floor["tag"],
                    value["value"] or "(none)",
                    f"{value['constant']:.4g}",
                    short(value["relative"]),
                    numbers.of({"n": value["n"]}),
                )
            )
    return Table(
        "floors",
        "Floor of mean relative accuracy: the best constant answer, on videos it was not chosen on",
        ("By", "Value", "Constant", "Mean relative accuracy", "n"),
        tuple(rows),
        frozenset({0, 1}),
        numbers.methods(used),
        numbers.cautions(used),
    )


def _unread(row: Data) -> str:
    refused = f" and {count(row['refused'])} declined" if row["refused"] else ""
    return f"{count(row['unread'])}{refused}"
