"""The end of an audit in the terminal: the sentence, a short table, where the report is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vidence.report import describe, numbers
from vidence.report.tables import at
from vidence.report.untrusted import visible

if TYPE_CHECKING:
    from rich.console import Console

Data = Mapping[str, Any]

ROWS = 12
WIDTH = 110
"""Columns where there is no terminal to ask."""


def print_summary(data: Data, path: Path, console: Console | None = None) -> None:
    """Print the headline, at most 12 rows and the report's path.

    Where the truth is known the table has what each check found and wrongly flagged. Colour and
    weight are used on a terminal only; text of a dataset cannot move the cursor.

    Args:
        data: the report's input.
        path: of the page.
        console: where to; standard output by default.
    """
    from rich.table import Table
    from rich.text import Text

    console = console or console_for()

    def say(words: str, style: str = "") -> None:
        console.print(Text(plain(words, console.encoding), style=style), soft_wrap=True)

    say(data["headline"]["sentence"], "bold")
    head, rows = summary_rows(data)
    if rows:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        for i, name in enumerate(head):
            table.add_column(Text(name), justify="right" if i else "left", header_style="dim")
        for row in rows[:ROWS]:
            table.add_row(*(Text(plain(word, console.encoding)) for word in row))
        console.print(table)
    if len(rows) > ROWS:
        say(f"  and {len(rows) - ROWS} more checks in the report", "dim")
    if found := describe.together(data):
        say(found)
    say(f"Report: {path}")


def summary_rows(data: Data) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the column names, and a row a check in the order of the report."""
    known = data.get("calibration") or {}
    chosen = data["headline"]["threshold"]
    level = numbers.percent(data["headline"]["shortcut"].get("level") or 0.95)
    rows: list[tuple[str, ...]] = []
    for row in data["checks"]:
        flagged, luck, excess = (at(row[k], chosen, row) for k in ("flagged", "luck", "excess"))
        start = (visible(row["check"], 40), numbers.value(flagged), numbers.interval(flagged))
        if known:
            rows.append((*start, numbers.value(luck), *_found(known.get(row["check"]))))
        else:
            over = numbers.short_difference(excess)
            rows.append((*start, numbers.value(luck), over, numbers.of(flagged)))
    first = ("check", "flagged", f"{level} interval", "luck")
    if known:
        return (*first, "found of planted", "flagged of sound"), rows
    return (*first, "over luck, points", "n"), rows


def _found(row: Data | None) -> Sequence[str]:
    if row is None:
        return (numbers.NONE, numbers.NONE)
    return (
        f"{numbers.count(row['found'])} of {numbers.count(row['planted'])}, "
        f"{numbers.short(row['found_rate'])}",
        f"{numbers.count(row['flagged'])} of {numbers.count(row['sound'])}, "
        f"{numbers.short(row['flagged_rate'])}",
    )


def console_for() -> Console:
    """Return standard output: as wide as the terminal, or `WIDTH` where there is none."""
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, emoji=False, width=WIDTH)
    return console


def plain(words: str, encoding: str) -> str:
    """Return words that a terminal of this encoding can show, on one line."""
    line = " ".join(visible(words).split()).replace("–", "-").replace("−", "-")
    return line.encode(encoding, "replace").decode(encoding)
