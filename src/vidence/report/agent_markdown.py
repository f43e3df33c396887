"""An agent's report as Markdown: the same numbers as the page; cases are in their own file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from vidence.report import (
    agent_policy_tables,
    agent_tables,
    agent_words,
    blocks,
    describe,
    tables,
)
from vidence.report.untrusted import markdown

Data = Mapping[str, Any]


def render(data: Data) -> str:
    """Return the report as GitHub Markdown."""
    several = len(data["agents"]) > 1
    parts = [
        f"# {markdown(data['title'])}",
        f"**{markdown(data['headline']['sentence'], 1000)}**",
    ]
    if several:
        parts += [
            blocks.table(agent_tables.agents(data)),
            blocks.table(agent_tables.agreement(data)),
            markdown(agent_words.agreement(data), 1000),
            blocks.table(agent_tables.transfer(data)) if data["transfer"] else "",
        ]
    for number, (name, block) in enumerate(data["agents"].items()):
        parts += [f"# {markdown(name)}" if several else "", *_agent(block, number)]
    parts += [
        "## Can I trust it?",
        "\n".join(f"- {markdown(note, 1000)}" for note in data["notes"]),
        blocks.grid("Versions and seed", ("What", "Value"), describe.versions(data), {0, 1}),
        blocks.command("To repeat it", data["run"].get("command")),
        "## What now?",
        *(blocks.command(step["title"], step["command"]) for step in data["commands"]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _agent(block: Data, number: int) -> Iterator[str]:
    said = {name: markdown(words, 2000) for name, words in agent_words.words(block).items()}

    def of(*names: str) -> Iterator[str]:
        for name in names:
            yield blocks.table(getattr(agent_tables, name)(block))

    yield "## How far does Delta reach?"
    yield from of("signs")
    yield said["signs"]
    yield "## What changes answers?"
    yield from of("ladder", "noise")
    yield from (blocks.heat(one) for one in agent_words.heats(block, number))
    yield "## How sure is a score?"
    yield from of("resolving", "stopping")
    yield said["discoveries"]
    yield said["fit"]
    yield "\n".join(f"- {markdown(why, 1000)}" for why in agent_tables.whys(block))
    yield from of("budgets", "moved")
    yield "## Where did it look?"
    if block["coverage"]:
        yield said["coverage"]
        yield from of("coverage", "association")
    else:
        yield "No question has both an annotated span and a look whose place is known."
    yield "## Is it worth deferring?"
    yield said["routing"]
    if "why" not in block["routing"]:
        yield blocks.table(agent_policy_tables.policies(block))
        yield blocks.table(agent_policy_tables.yields(block))
        yield said["yield"]
        yield blocks.table(agent_policy_tables.controls(block))
        yield said["guarantees"]
        yield said["consistency"]
    if block["rivals"]:
        yield "### Would another run answer better?"
        yield blocks.table(agent_policy_tables.rivals(block))
    yield blocks.table(agent_policy_tables.selective(block))
    yield "## Who was asked?"
    yield from of("counts")
    yield blocks.table(tables.costs(block))
