"""Blocks of a Markdown report: tables of words, coloured tables, commands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vidence.report.heat import Heat
from vidence.report.tables import Table
from vidence.report.untrusted import fenced, markdown


def table(given: Table | None) -> str:
    """Return a table and how its numbers were made; empty where there is none."""
    if given is None:
        return ""
    if not given.rows:
        return f"{given.caption}: {markdown(given.empty)}"
    shown = grid(given.caption, given.head, given.rows, given.words)
    return "\n\n".join([shown, *_how(given.methods, given.cautions)])


def heat(given: Heat | None) -> str:
    """Return a coloured table without its colours, n in every cell; empty where there is none."""
    if given is None:
        return ""
    rows = [
        (name, *(f"{cell.text} ({cell.under}{', few' if cell.few else ''})" for cell in cells))
        for name, cells in given.rows
    ]
    shown = grid(given.caption, (given.corner, *given.head), rows, {0})
    return "\n\n".join([shown, *_how(given.methods, ())])


def grid(
    caption: str,
    head: Iterable[str],
    rows: Iterable[Iterable[str]],
    words: Iterable[int],
) -> str:
    """Return a table under its caption; the columns `words` are aligned to the left."""
    names = [markdown(name) for name in head]
    left = set(words)
    rule = ["---" if i in left else "---:" for i in range(len(names))]
    lines = [f"**{markdown(caption)}**", ""]
    for cells in (names, rule, *([markdown(cell) for cell in row] for row in rows)):
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def command(title: str, words: Any) -> str:
    """Return a command under its title; empty where there is none."""
    return f"**{markdown(title)}**\n\n{fenced(words)}" if words else ""


def _how(methods: Iterable[str], cautions: Iterable[str]) -> list[str]:
    notes = [f"How: {markdown(method, 1000)}." for method in methods]
    notes += [f"Note: {markdown(caution, 1000)}." for caution in cautions]
    return ["  \n".join(notes)] if notes else []
