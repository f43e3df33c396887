"""The text-only report as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vidence.report import (
    describe,
    frame,
    numbers,
    tables,
    text_cards,
    text_charts,
    text_describe,
    text_figures,
    text_heat,
    text_tables,
)

Data = Mapping[str, Any]

SCRIPTS = ("charts.js", "list.js", "text_card.js", "text_cases.js")
STYLES = (*frame.STYLES, "text.css")
TABLES = ("guesses", "carriers", "families", "calibration", "overlap", "pruning", "cases")
CHARTS = ("calibration", "scores", "pruning")
DOTS = ("guesses", "families", "overlap")


def render(data: Data, chosen: Sequence[Data], tenth: Mapping[str, int]) -> str:
    """Return the page.

    Args:
        data: the report's input, finite.
        chosen: the cards to embed.
        tenth: tenth of P(key) of every card, by id.
    """
    context = _context(data, chosen, tenth)
    return frame.page("text_page.html.j2", context, SCRIPTS, STYLES)


def _context(data: Data, chosen: Sequence[Data], tenth: Mapping[str, int]) -> dict[str, Any]:
    learner = text_tables.measured(data)
    titles = {
        name: str(given["title"])
        for name, given in data["priors"].items()
        if name != text_tables.CHANCE
    }
    accuracy = (learner or {}).get("accuracy") or {}
    total = (data.get("case_files") or {}).get("total", data["cases"]["n"])
    heats = [text_heat.folded(heat) for heat in text_heat.categories(data)]
    rows = {name: getattr(text_charts, name)(data) for name in DOTS}
    return {
        "title": data["title"],
        "kind": "text-only audit",
        "version": data["run"]["vidence"],
        "data": data,
        "learner": learner,
        "specs": {name: getattr(text_charts, name)(data) for name in CHARTS}
        | {name: dots.spec() for name, dots in rows.items()},
        "narrow": {name: dots.spec(narrow=True) for name, dots in rows.items()},
        "labels": text_describe.labels(data),
        "tables": {name: getattr(text_tables, name)(data) for name in TABLES},
        "rejected": text_tables.rejected(data),
        "rejected_kinds": text_tables.rejected_kinds(data),
        "heats": heats[: text_heat.TAGS],
        "more_heats": heats[text_heat.TAGS :],
        "few": tables.FEW,
        "full": numbers.percent(text_heat.full(data)).removesuffix(" %"),
        "nothing": text_tables.nothing(data),
        "of": numbers.of(accuracy, "question"),
        "level": numbers.percent(accuracy.get("level") or 0.95),
        "why_no_interval": ""
        if not learner or numbers.interval(accuracy)
        else describe.sentence(numbers.why_no_interval(accuracy)),
        "tested": text_figures.permuted(
            (learner or {}).get("p"), (learner or {}).get("permutations")
        ),
        "trust": text_describe.trust(data),
        "sizes": text_describe.sizes(data),
        "coverage": text_describe.coverage(data),
        "settings": text_describe.settings(data),
        "versions": text_tables.versions(data),
        "cards": text_cards.page_cards(chosen, tenth, titles),
        "rule": text_cards.rule(len(chosen), total),
    }
