"""The report as one self-contained HTML file."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from vidence.report import cards, charts, curve, describe, heat, numbers, tables
from vidence.report.palette import palette_of
from vidence.report.untrusted import script_json, visible

STYLES = ("style.css", "cases.css")
VENDOR = ("vega.min.js", "vega-lite.min.js", "vega-embed.min.js")
SCRIPTS = ("charts.js", "card.js", "cases.js")
TEXT = 6000


def render(data: Mapping[str, Any], chosen: Sequence[Mapping[str, Any]]) -> str:
    """Return the page.

    Args:
        data: the report's input, finite.
        chosen: the cards to embed.
    """
    scripts = [*map(_vendored, VENDOR), *(_template(name) for name in SCRIPTS)]
    style = "\n".join(_template(name) for name in STYLES)
    environment = _environment()
    context = {
        **_context(data, chosen),
        "policy": policy(scripts, style),
        "style": environment.filters["trusted"](style),
        "scripts": [environment.filters["trusted"](script) for script in scripts],
    }
    return str(environment.get_template("page.html.j2").render(context))


def policy(scripts: Sequence[str], style: str) -> str:
    """Return the content security policy: these scripts, this style, pictures in the file only."""
    allowed = " ".join(map(_hash, scripts))
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


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
    page["categories"] = _categories(page["cards"])
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
        },
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


def _categories(page_cards: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[str]]]:
    values: dict[str, dict[str, None]] = {}
    for card in page_cards:
        for tag, value in card["tags"]:
            values.setdefault(tag, {})[value] = None
    return [(tag, sorted(mine)) for tag, mine in values.items()]


@cache
def _environment() -> Any:
    """Return the template engine: autoescape on, unknown names are errors, text made visible."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup, escape

    def shown(value: Any) -> Any:
        if isinstance(value, str) and not isinstance(value, Markup):
            # A number and its percent sign stay on one line.
            return visible(value, TEXT).replace(" %", "\u00a0%")
        return value

    def plain_json(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)

    environment = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "clip": _clip,
        "code": _code,
        "count": numbers.count,
        "points": lambda share: numbers.difference(share, 1).lstrip("+") + " points",
        "parts": _parts,
        "plain_json": plain_json,
        "script_json": lambda value: Markup(script_json(value)),
        "trusted": Markup,
        "unbroken": lambda text: escape(_unbroken(text)),
    }
    return environment


def _clip(text: Any, limit: int = cards.SHORT) -> str:
    """Cut a text for a table or a label."""
    return visible(text, limit)


def _unbroken(text: Any) -> str:
    """Keep intervals and percentages of a sentence on one line."""
    joined = re.sub(r"(?<=\d)([-–])(?=\d)", "\u2060\\1\u2060", visible(text, TEXT))
    return joined.replace(" %", "\u00a0%")


def _code(text: Any) -> Any:
    """Show what stands between backticks in a description as code."""
    from markupsafe import Markup, escape

    # A plain string: on Markup, the pieces put in would be escaped as well.
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(visible(text, TEXT)))))


def _parts(words: str) -> list[str]:
    """Cut `41 % (35–47)` where a narrow column may break it."""
    return re.split(r" (?=[(=/])|(?<=;) ", words)


@cache
def _template(name: str) -> str:
    return (files("vidence.report") / "templates" / name).read_text(encoding="utf-8")


@cache
def _vendored(name: str) -> str:
    text = (files("vidence.report") / "vendor" / name).read_text(encoding="utf-8")
    # The map is not part of the report; a debugger would look for it.
    return re.sub(r"\n?//# sourceMappingURL=\S*\s*$", "", text)


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
