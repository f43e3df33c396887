"""The report's numbers as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vidence.report import blocks, describe, heat, numbers, open_questions, tables
from vidence.report.agents_beside import agents_table
from vidence.report.cards import VERDICTS
from vidence.report.untrusted import markdown

Data = Mapping[str, Any]


def render(data: Data) -> str:
    """Return the same numbers as the page, as GitHub Markdown; cases are in their own file."""
    headline = data["headline"]
    coloured = [blocks.heat(one) for one in heat.categories(data)]
    parts = [
        f"# {markdown(data['title'])}",
        f"**{markdown(headline['sentence'], 1000)}**",
        _curve(data),
        "## By which check?",
        blocks.table(tables.checks(data)),
        blocks.heat(heat.overlap(data)),
        blocks.table(tables.accuracy(data)),
        *map(blocks.table, open_questions.tables(data).values()),
        "## Where?",
        *(coloured or ["The cases carry no categories."]),
        "## Which items?",
        _verdicts(data),
        *_agents(data),
        "## Can I trust it?",
        f"Scored: {numbers.count(data['cases']['scored'])} of {numbers.count(data['cases']['n'])} "
        f"questions, about {numbers.plural(data['cases']['videos'], 'video')}.",
        blocks.table(tables.cases(data)),
        blocks.table(tables.statuses(data)),
        blocks.table(tables.missing(data)),
        blocks.table(tables.noise(data)),
        blocks.table(tables.calibration(data)),
        markdown(describe.together(data), 1000),
        blocks.table(tables.planted(data)),
        blocks.table(tables.costs(data)),
        blocks.grid("Versions and seed", ("What", "Value"), describe.versions(data), {0, 1}),
        blocks.command("To repeat it", data["run"].get("command")),
        "## What now?",
        *(blocks.command(step["title"], step["command"]) for step in data.get("commands") or ()),
        *(markdown(note, 1000) for note in data.get("notes") or ()),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _agents(data: Data) -> tuple[str, ...]:
    if not data.get("agents"):
        return ()
    page = data.get("agents_page")
    return (
        "## Agents",
        blocks.table(agents_table(data)),
        f"Their report: `{page}`" if page else "",
    )


def _curve(data: Data) -> str:
    table = tables.curve(data)
    lines = [blocks.table(table)]
    if table.rows and not any(numbers.interval(point["shortcut"]) for point in data["curve"]):
        why = numbers.why_no_interval(data["headline"]["shortcut"])
        lines.append(markdown(describe.sentence(why)))
    return "\n\n".join(lines)


def _verdicts(data: Data) -> str:
    verdicts = data["verdicts"]
    total = sum(verdicts.get(name, 0) for name in VERDICTS)
    rows = [
        (name.replace("_", " "), numbers.count(verdicts.get(name, 0)), f"of {total:,}")
        for name in VERDICTS
    ]
    return blocks.grid("Verdicts", ("Verdict", "Cases", "n"), rows, {0})
