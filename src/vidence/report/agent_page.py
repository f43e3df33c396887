"""An agent's report as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vidence.report import (
    agent_charts,
    agent_page_cards,
    agent_policy_tables,
    agent_tables,
    agent_words,
    describe,
    frame,
    numbers,
    tables,
)

Data = Mapping[str, Any]

SCRIPTS = ("charts.js", "list.js", "agent_card.js", "agent_cases.js")
STYLES = (*frame.STYLES, "text.css", "agent.css")
OF_SCORES = (
    *("signs", "ladder", "noise", "resolving", "stopping", "budgets", "moved"),
    *("coverage", "association", "counts"),
)
OF_POLICIES = ("policies", "yields", "controls", "rivals", "selective")
TRUST_LOOKS = ("line", "m0-line", "second-line")
CHARTS = ("distribution", "routing", "trust")


def render(data: Data, chosen: Sequence[Data]) -> str:
    """Return the page.

    Args:
        data: the report's input, finite.
        chosen: the cards to embed.
    """
    return frame.page("agent_page.html.j2", _context(data, chosen), SCRIPTS, STYLES)


def _context(data: Data, chosen: Sequence[Data]) -> dict[str, Any]:
    cards = agent_page_cards.page_cards(chosen)
    several = len(data["agents"]) > 1
    deltas = agent_charts.deltas(data) if several else None
    return {
        "title": data["title"],
        "kind": "agent audit",
        "version": data["run"]["vidence"],
        "data": data,
        "several": several,
        "deltas": deltas and {"wide": deltas.spec(), "narrow": deltas.spec(narrow=True)},
        "deltas_label": agent_words.deltas(data),
        "agents_table": agent_tables.agents(data),
        "agreement": agent_tables.agreement(data),
        "transfer": agent_tables.transfer(data) if data["transfer"] else None,
        "agreement_words": agent_words.agreement(data),
        "agents": [
            _agent(number, name, block)
            for number, (name, block) in enumerate(data["agents"].items())
        ],
        "versions": describe.versions(data),
        "cards": cards,
        "rule": agent_page_cards.rule(len(chosen), data["case_files"]["total"]),
    }


def _agent(number: int, name: str, block: Data) -> dict[str, Any]:
    """Return what the page shows of one agent; names of charts and tables carry its number."""
    ladder = agent_charts.ladder(block)
    made = {part: getattr(agent_tables, part)(block) for part in OF_SCORES}
    made |= {part: getattr(agent_policy_tables, part)(block) for part in OF_POLICIES}
    made["costs"] = tables.costs(block)
    return {
        "number": number,
        "name": name,
        "block": block,
        "specs": {part: getattr(agent_charts, part)(block) for part in CHARTS}
        | {"ladder": ladder.spec()},
        "narrow": {"ladder": ladder.spec(narrow=True)},
        "tables": {part: tables.renamed(table, f"{part}-{number}") for part, table in made.items()},
        "heats": agent_words.heats(block, number),
        "labels": agent_words.labels(block),
        "words": agent_words.words(block),
        "whys": agent_tables.whys(block),
        "routed": "why" not in block["routing"],
        "trusts": [
            (look, agent_policy_tables.TRUSTS.get(name, name))
            for look, name in zip(TRUST_LOOKS, block["selective"].get("scores", ()), strict=False)
        ],
        "no_trust": block["selective"].get("why", "There is one answer only; nothing is ranked."),
        "level": numbers.percent(block["delta"].get("level") or 0.95),
    }
