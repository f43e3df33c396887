"""Replies cut into pieces, so that a page can mark what the parser read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vidence.answer import Reply
from vidence.parse import locate
from vidence.report.numbers import count
from vidence.report.untrusted import visible
from vidence.view import Option, View

AROUND = 300


def split_reply(
    card: Mapping[str, Any], reply: Mapping[str, Any], limit: int
) -> list[dict[str, Any]]:
    """Return one entry a view: the reply before, inside and after the characters that decided.

    Args:
        card: the case's card.
        reply: one of its replies; `raw` and `shown` have one entry a view.
        limit: most characters of a reply that are kept. What is cut is counted, and the
            characters that decided are never cut off.

    Returns:
        `{"raw": [before, marked, after], "shown": positions}`; marked is "" where nothing is.
    """
    options = [str(option) for option in card["options"]]
    shown = list(reply.get("shown") or ())
    views = []
    for i, given in enumerate(reply.get("raw") or ()):
        raw = str(given)
        order = list(shown[i]) if i < len(shown) else list(range(len(options)))
        start, end = _decided(raw, options, order)
        views.append({"raw": _pieces(raw, start, end, limit), "shown": order})
    return views


def _decided(raw: str, options: Sequence[str], order: Sequence[int]) -> tuple[int, int]:
    """Return the span that the parser read, empty where it read none."""
    placed = [p for p in order if isinstance(p, int) and 0 <= p < len(options)]
    # Scores of an encoder are written out for people; the parser never read those words.
    if not placed or not raw or raw.startswith("scores "):
        return len(raw), len(raw)
    view = View(question="", options=tuple(Option(p, options[p]) for p in placed))
    return locate(Reply(text=raw), view) or (len(raw), len(raw))


def _pieces(raw: str, start: int, end: int, limit: int) -> list[str]:
    if start == end:
        return [visible(raw, limit), "", ""]
    return [_ends(raw[:start], limit), visible(raw[start:end], limit), visible(raw[end:], limit)]


def _ends(text: str, limit: int) -> str:
    """Cut a long text in the middle: what stands just before the answer is worth reading."""
    if len(text) <= limit:
        return visible(text)
    cut = f" … ({count(len(text) - limit)} more characters) … "
    return visible(text[: limit - AROUND]) + cut + visible(text[-AROUND:])
