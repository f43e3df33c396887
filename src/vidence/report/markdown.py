"""The report's numbers as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from vidence.report import describe, heat, numbers, tables
from vidence.report.cards import VERDICTS
from vidence.report.untrusted import fenced, markdown

Data = Mapping[str, Any]


def render(data: Data) -> str:
    """Return the same numbers as the page, as GitHub Markdown; cases are in their own file."""
    headline = data["headline"]
    parts = [
        f"# {markdown(data['title'])}",
        f"**{markdown(headline['sentence'], 1000)}**",
        _curve(data),
        "## By which check?",
        _table(tables.checks(data)),
        _heat(heat.overlap(data)),
        _table(tables.accuracy(data)),
        "## Where?",
        *([_heat(h) for h in heat.categories(data)] or ["The cases carry no categories."]),
        "## Which items?",
        _verdicts(data),
        "## Can I trust it?",
        f"Scored: {numbers.count(data['cases']['scored'])} of {numbers.count(data['cases']['n'])} "
        f"questions, about {numbers.plural(data['cases']['videos'], 'video')}.",
        _table(tables.cases(data)),
        _table(tables.statuses(data)),
        _table(tables.missing(data)),
        _table(tables.noise(data)),
        _table(tables.calibration(data)),
        markdown(describe.together(data), 1000),
        _table(tables.planted(data)),
        _table(tables.costs(data)),
        _rows("Versions and seed", ("What", "Value"), describe.versions(data), {0, 1}),
        _command("To repeat it", data["run"].get("command")),
        "## What now?",
        *(_command(step["title"], step["command"]) for step in data.get("commands") or ()),
        *(markdown(note, 1000) for note in data.get("notes") or ()),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _curve(data: Data) -> str:
    table = tables.curve(data)
    lines = [_table(table)]
    if table.rows and not any(numbers.interval(point["shortcut"]) for point in data["curve"]):
        why = numbers.why_no_interval(data["headline"]["shortcut"])
        lines.append(markdown(describe.sentence(why)))
    return "\n\n".join(lines)


def _table(table: tables.Table | None) -> str:
    if table is None:
        return ""
    if not table.rows:
        return f"{table.caption}: {markdown(table.empty)}"
    shown = _rows(table.caption, table.head, table.rows, table.words)
    return "\n\n".join([shown, *_how(table.methods, table.cautions)])


def _heat(given: heat.Heat | None) -> str:
    if given is None:
        return ""
    rows = [
        (name, *(f"{cell.text} ({cell.under}{', few' if cell.few else ''})" for cell in cells))
        for name, cells in given.rows
    ]
    shown = _rows(given.caption, (given.corner, *given.head), rows, {0})
    return "\n\n".join([shown, *_how(given.methods, ())])


def _verdicts(data: Data) -> str:
    verdicts = data["verdicts"]
    total = sum(verdicts.get(name, 0) for name in VERDICTS)
    rows = [
        (name.replace("_", " "), numbers.count(verdicts.get(name, 0)), f"of {total:,}")
        for name in VERDICTS
    ]
    return _rows("Verdicts", ("Verdict", "Cases", "n"), rows, {0})


def _rows(
    caption: str,
    head: Iterable[str],
    rows: Iterable[Iterable[str]],
    words: Iterable[int],
) -> str:
    names = [markdown(name) for name in head]
    left = set(words)
    rule = ["---" if i in left else "---:" for i in range(len(names))]
    lines = [f"**{markdown(caption)}**", ""]
    for cells in (names, rule, *([markdown(cell) for cell in row] for row in rows)):
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _how(methods: Iterable[str], cautions: Iterable[str]) -> list[str]:
    notes = [f"How: {markdown(method, 1000)}." for method in methods]
    notes += [f"Note: {markdown(caution, 1000)}." for caution in cautions]
    return ["  \n".join(notes)] if notes else []


def _command(title: str, command: Any) -> str:
    return f"**{markdown(title)}**\n\n{fenced(command)}" if command else ""
