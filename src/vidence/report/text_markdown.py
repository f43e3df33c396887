"""The text-only report's numbers as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vidence.report import blocks, numbers, text_describe, text_heat, text_tables
from vidence.report.untrusted import markdown

Data = Mapping[str, Any]


def render(data: Data) -> str:
    """Return the same numbers as the page, as GitHub Markdown; cases are in their own file."""
    coloured = [blocks.heat(one) for one in text_heat.categories(data)]
    cases = data["cases"]
    settings = text_describe.settings(data)
    parts = [
        f"# {markdown(data['title'])}",
        f"**{markdown(data['headline']['sentence'], 1000)}**",
        blocks.table(text_tables.guesses(data)),
        "## What carries it?",
        blocks.table(text_tables.carriers(data)),
        blocks.table(text_tables.families(data)),
        "## Where?",
        *(coloured or ["The questions carry no categories."]),
        "## How sure is the learner?",
        blocks.table(text_tables.calibration(data)),
        *_overlap(data),
        *_pruning(data),
        "## Can I trust it?",
        f"Scored: {numbers.count(cases['scored'])} of {numbers.count(cases['n'])} "
        f"questions, about {numbers.plural(cases['videos'], 'video')}.",
        *(markdown(told, 1000) for told in text_describe.trust(data)),
        "\n".join(f"- {markdown(note, 1000)}" for note in data.get("notes") or ()),
        blocks.table(text_tables.cases(data)),
        blocks.table(text_tables.rejected_kinds(data)),
        blocks.table(text_tables.rejected(data)),
        blocks.grid("Versions and seed", ("What", "Value"), text_tables.versions(data), {0, 1}),
        blocks.grid("Settings", ("What", "Value"), settings, {0, 1}) if settings else "",
        blocks.command("To repeat it", data["run"].get("command")),
        "## What now?",
        *(blocks.command(step["title"], step["command"]) for step in data.get("commands") or ()),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _overlap(data: Data) -> list[str]:
    if not data.get("overlap"):
        return []
    table = blocks.table(text_tables.overlap(data)) or "No question could be looked up."
    return ["## What is said in the video", markdown(text_describe.coverage(data), 1000), table]


def _pruning(data: Data) -> list[str]:
    table = text_tables.pruning(data)
    return [] if table is None else ["## What if the easiest go?", blocks.table(table)]
