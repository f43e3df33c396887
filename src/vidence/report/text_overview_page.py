"""The overview of several text-only audits as one page, and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vidence.report import blocks, frame, numbers, text_figures, text_overview, vega
from vidence.report.numbers import number
from vidence.report.text_charts import ROW, rows_of, scale_of
from vidence.report.text_overview import Line, Overview
from vidence.report.untrusted import markdown, visible
from vidence.report.vega import Spec

SCRIPTS = ("charts.js", "sort.js")
STYLES = (*frame.STYLES, "text.css")
HEAD = (
    "Benchmark",
    "Questions",
    "Videos",
    "Chance",
    "Majority position",
    "Longest option",
    "Learned from text",
    "Over chance, points",
    "p",
)
MARKS = (
    ("learner", "learned from text", "var(--accent)", "circle"),
    ("longest", "longest option", "var(--accent-2)", "diamond"),
    ("majority", "majority position", "var(--m0)", "square"),
)
LABEL = 40


def render(overview: Overview, folder: Path) -> str:
    """Return the page; it links the reports that lie in folders beside it."""
    mine, together = text_overview.lines(overview), text_overview.together(overview)
    spec = dots([*mine, *together])
    rows = [{"link": link(folder, line), "cells": cells(line)} for line in mine]
    context = {
        "title": "Text-only audits",
        "kind": "overview",
        "version": _version(overview),
        "sentence": text_overview.sentence(overview),
        "spec": spec,
        "label": "Learned from text by benchmark. "
        + "; ".join(
            f"{visible(line.title, LABEL)}: {text_figures.short(line.learner)}, chance "
            f"{text_figures.value(line.chance)}"
            for line in (*mine, *together)
        ),
        "marks": MARKS,
        "head": HEAD,
        "rows": rows,
        "together": [cells(line) for line in together],
        "level": numbers.percent(_level(mine)),
        "notes": text_overview.notes(overview),
        "failed": text_overview.failed(overview),
        "unknown": text_overview.unknown(overview),
    }
    return frame.page("text_overview.html.j2", context, SCRIPTS, STYLES)


def render_markdown(overview: Overview) -> str:
    """Return the same table as GitHub Markdown."""
    mine, together = text_overview.lines(overview), text_overview.together(overview)
    rows = [[word for word, _ in cells(line)] for line in (*mine, *together)]
    failed, unknown = text_overview.failed(overview), text_overview.unknown(overview)
    parts = [
        "# Text-only audits",
        f"**{markdown(text_overview.sentence(overview), 1000)}**",
        blocks.grid("What text alone gives away", HEAD, rows, {0}) if rows else "",
        *(markdown(note, 1000) for note in text_overview.notes(overview)),
        blocks.grid("Not audited", ("Folder", "Why"), failed, {0, 1}) if failed else "",
        f"No known benchmark in: {', '.join(map(markdown, unknown))}" if unknown else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def cells(line: Line) -> list[tuple[str, float | None]]:
    """Return the words of a line's columns, each with the number that sorts it."""
    estimates = (line.chance, line.majority, line.longest, line.learner)
    p = number(line.p)
    return [
        (line.title, None),
        (numbers.count(line.n), number(line.n)),
        (numbers.count(line.videos), number(line.videos)),
        *((text_figures.short(one), _value(one)) for one in estimates),
        (text_figures.points(line.over_chance), _value(line.over_chance)),
        (numbers.NONE if p is None else text_figures.p_value(p).removeprefix("p = "), p),
    ]


def link(folder: Path, line: Line) -> str | None:
    """Return the address of a benchmark's own report, None where there is none beside the page."""
    plain = re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", line.name)
    if plain is None or not (folder / line.name / "report.html").is_file():
        return None
    return f"{line.name}/report.html"


def dots(lines: Sequence[Line]) -> Spec | None:
    """Draw a row a benchmark: the learner, two rules and chance on one axis."""
    import altair as alt

    rows: list[Spec] = []
    chances: list[Spec] = []
    order: list[str] = []
    for line in lines:
        name = visible(line.title, LABEL)
        order.append(name)
        for slot, (part, title, colour, shape) in enumerate(MARKS):
            estimate = getattr(line, part)
            if (value := _value(estimate)) is None:
                continue
            rows.append(
                {
                    "name": name,
                    "slot": slot,
                    "value": 100 * value,
                    "low": vega.hundred(estimate["low"]),
                    "high": vega.hundred(estimate["high"]),
                    "colour": colour,
                    "shape": shape,
                    "told": f"{name}, {title}: {text_figures.long(estimate)}",
                }
            )
        if (chance := _value(line.chance)) is not None:
            chances.append({"name": name, "at": 100 * chance})
    if not rows:
        return None
    scale = scale_of(rows, [one["at"] for one in chances])
    height = ROW + 13
    y = rows_of(alt, order)
    offset = alt.YOffset("slot:O", scale=alt.Scale(domain=[0, 1, 2], paddingOuter=0.5))
    base = alt.Chart(vega.values(rows)).encode(y=y, yOffset=offset)
    x = alt.X("value:Q", title="right answers", scale=scale, axis=vega.percent_axis())
    layers = [
        alt.Chart(vega.values(chances))
        .mark_tick(thickness=1.5, color="var(--ink-2)", bandSize=height)
        .encode(y=y, x=alt.X("at:Q", scale=scale)),
        base.mark_rule(strokeWidth=1.5).encode(
            x=alt.X("low:Q", scale=scale), x2=alt.X2("high:Q"), color=vega.raw(alt, "colour")
        ),
        base.mark_point(filled=True, size=60, opacity=1).encode(
            x=x,
            color=vega.raw(alt, "colour"),
            shape=vega.raw_shape(alt, "shape"),
            tooltip=alt.Tooltip("told:N"),
        ),
    ]
    return vega.finish(alt.layer(*layers), height=len(order) * height)


def _value(estimate: Any) -> float | None:
    return number((estimate or {}).get("value"))


def _level(lines: Sequence[Line]) -> float:
    levels = [line.learner.get("level") for line in lines if line.learner]
    return next((float(level) for level in levels if level), 0.95)


def _version(overview: Overview) -> str:
    runs = [data["run"]["vidence"] for data in overview["benchmarks"].values()]
    return str(next((run for run in runs if run), ""))
