"""The report as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vidence.report import (
    cards,
    charts,
    curve,
    describe,
    frame,
    heat,
    numbers,
    open_questions,
    tables,
)
from vidence.report.agents_beside import agents_table
from vidence.report.palette import palette_of
from vidence.report.untrusted import visible

SCRIPTS = ("charts.js", "list.js", "card.js", "cases.js")


def render(data: Mapping[str, Any], chosen: Sequence[Mapping[str, Any]]) -> str:
    """Return the page.

    Args:
        data: the report's input, finite.
        chosen: the cards to embed.
    """
    return frame.page("page.html.j2", _context(data, chosen), SCRIPTS)


def _context(data: Mapping[str, Any], chosen: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    palette = palette_of(data)
    labels = [row["check"] for row in data["checks"]]
    answering = {row["answerer"] for row in data["accuracy"]}
    page = cards.page_cards(chosen, labels, palette)
    page["threshold"] = data["headline"]["threshold"]
    for place, (member, (name, _)) in enumerate(
        zip(page["answerers"], palette.items(), strict=True)
    ):
        member |= {"place": place, "answers": name in answering}
    page["categories"] = cards.categories(page["cards"])
    page["sizes"] = {visible(row["check"]): len(row["members"]) for row in data["checks"]}
    rates = [
        {"name": label, "first": row["found_rate"], "second": row["flagged_rate"]}
        for label, row in (data.get("calibration") or {}).items()
    ]
    kinds = [
        {"name": row["kind"], "first": row["shortcut"], "second": row["excess"]}
        for row in data.get("planted") or ()
    ]
    share = data["headline"]["shortcut"]
    total = (data.get("case_files") or {}).get("total", data["cases"]["n"])
    return {
        "title": data["title"],
        "kind": "benchmark audit",
        "version": data["run"]["vidence"],
        "data": data,
        "looks": [(name, look) for name, look in palette.items() if name in answering],
        "specs": {
            "curve": curve.curve(data),
            "accuracy": charts.accuracy(data, palette),
            "flags": charts.flags(data),
            "calibration": charts.two_rates(rates),
            "planted": charts.two_rates(kinds),
        },
        "labels": describe.labels(data, rates, kinds),
        "tables": {
            name: getattr(tables, name)(data)
            for name in (
                "curve",
                "checks",
                "accuracy",
                "cases",
                "statuses",
                "missing",
                "noise",
                "calibration",
                "planted",
                "costs",
            )
        }
        | open_questions.tables(data)
        | {"agents": agents_table(data)},
        "heats": heat.categories(data),
        "overlap": heat.overlap(data),
        "few": tables.FEW,
        "no_cases": tables.no_cases(data),
        "headline_of": numbers.of(share, "question"),
        "level": numbers.percent(share.get("level") or 0.95),
        "banded": any(numbers.interval(point["shortcut"]) for point in data["curve"]),
        "bounded": describe.bounded(data),
        "independent": any(point.get("independent") is not None for point in data["curve"]),
        "why_no_interval": describe.sentence(numbers.why_no_interval(share)),
        "together": describe.together(data),
        "missing_total": sum(row["count"] for row in data["missing"]),
        "versions": describe.versions(data),
        "cards": page,
        "dropped": page["dropped"],
        "rule": cards.rule(len(chosen), total),
    }
