"""The frame of every page: one file, its own scripts and styles, a strict policy, safe text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from vidence.report import numbers
from vidence.report.untrusted import script_json, visible

STYLES = ("style.css", "cases.css")
VENDOR = ("vega.min.js", "vega-lite.min.js", "vega-embed.min.js")
TEXT, SHORT = 6000, 300


def page(
    template: str,
    context: Mapping[str, Any],
    scripts: Sequence[str],
    styles: Sequence[str] = STYLES,
) -> str:
    """Return a page.

    Args:
        template: extends `frame.html.j2`.
        context: what the template names; text in it may be anybody's.
        scripts: of the project, run after the chart runtime in this order.
        styles: sheets of the project.
    """
    runs = [*map(_vendored, VENDOR), *map(_template, scripts)]
    style = "\n".join(map(_template, styles))
    environment = _environment()
    trusted = environment.filters["trusted"]
    frame = {
        "policy": policy(runs, style),
        "style": trusted(style),
        "scripts": [trusted(script) for script in runs],
    }
    return str(environment.get_template(template).render({**context, **frame}))


def policy(scripts: Sequence[str], style: str) -> str:
    """Return the content security policy: these scripts, this style, pictures in the file only."""
    allowed = " ".join(map(_hash, scripts))
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


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


def _clip(text: Any, limit: int = SHORT) -> str:
    """Cut a text for a table or a label."""
    return visible(text, limit)


def _unbroken(text: Any) -> str:
    """Keep intervals, percentages and p values of a sentence on one line."""
    joined = re.sub(r"(?<=\d)([-–])(?=\d)", "\u2060\\1\u2060", visible(text, TEXT))
    joined = re.sub(r"\bp ([=<]) (?=\d)", "p\u00a0\\1\u00a0", joined)
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
