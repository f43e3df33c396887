"""The overview of several text-only audits as one page, and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vidence.report import blocks, frame, numbers, text_charts, text_figures, text_overview
from vidence.report.numbers import number
from vidence.report.text_overview import Line, Overview
from vidence.report.untrusted import markdown, visible

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
LABEL = 40


def render(overview: Overview, folder: Path) -> str:
    """Return the page; it links the reports that lie in folders beside it."""
    mine, together = text_overview.lines(overview), text_overview.together(overview)
    dots = text_charts.overview([*mine, *together])
    rows = [{"link": link(folder, line), "cells": cells(line)} for line in mine]
    context = {
        "title": "Text-only audits",
        "kind": "overview",
        "version": _version(overview),
        "sentence": text_overview.sentence(overview),
        "spec": dots.spec(),
        "narrow": dots.spec(narrow=True),
        "label": "Learned from text by benchmark. "
        + "; ".join(
            f"{visible(line.title, LABEL)}: {text_figures.short(line.learner)}, chance "
            f"{text_figures.value(line.chance)}"
            for line in (*mine, *together)
        ),
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


def _value(estimate: Any) -> float | None:
    return number((estimate or {}).get("value"))


def _level(lines: Sequence[Line]) -> float:
    levels = [line.learner.get("level") for line in lines if line.learner]
    return next((float(level) for level in levels if level), 0.95)


def _version(overview: Overview) -> str:
    runs = [data["run"]["vidence"] for data in overview["benchmarks"].values()]
    return str(next((run for run in runs if run), ""))
