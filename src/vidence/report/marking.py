"""Replies cut into pieces, so that a page can mark what the parser read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vidence.answer import Reply
from vidence.parse import locate
from vidence.report.numbers import count
from vidence.report.untrusted import visible
from vidence.view import Option, View

AROUND = 300
MARKED_CHARS = 2_000_000

Span = tuple[int, int]


class Marker:
    """Find the characters of replies that decided, within a budget.

    Args:
        budget: most characters, of replies and options together, that are searched; replies after
            that stand unmarked. Reading a reply takes about 6 microseconds a character.
    """

    def __init__(self, budget: int = MARKED_CHARS) -> None:
        self._left = budget
        self._known: dict[tuple[str, ...], Span | None] = {}

    def split(
        self, card: Mapping[str, Any], reply: Mapping[str, Any], limit: int
    ) -> list[dict[str, Any]]:
        """Return one entry a view: the reply before, inside and after what decided.

        Args:
            card: the case's card.
            reply: one of its replies; `raw` and `shown` have one entry a view.
            limit: most characters of a piece that are kept; what is cut is counted.

        Returns:
            `{"raw": [before, marked, after], "shown": positions}`; marked is "" where nothing is.
        """
        options = [str(option) for option in card["options"]]
        shown = list(reply.get("shown") or ())
        views = []
        for i, given in enumerate(reply.get("raw") or ()):
            raw = str(given)
            order = list(shown[i]) if i < len(shown) else list(range(len(options)))
            placed = [options[p] for p in order if isinstance(p, int) and 0 <= p < len(options)]
            span = self._span(raw, placed)
            views.append({"raw": _pieces(raw, span, limit), "shown": order})
        return views

    def _span(self, raw: str, options: list[str]) -> Span | None:
        # Scores of an encoder are written out for people; the parser never read those words.
        if not options or not raw or raw.startswith("scores "):
            return None
        name = (raw, *options)
        if name not in self._known:
            self._left -= sum(map(len, name))
            if self._left < 0:
                return None
            view = View(question="", options=tuple(map(Option, range(len(options)), options)))
            self._known[name] = locate(Reply(text=raw), view)
        return self._known[name]


def _pieces(raw: str, span: Span | None, limit: int) -> list[str]:
    if span is None:
        return [visible(raw, limit), "", ""]
    start, end = span
    return [_ends(raw[:start], limit), visible(raw[start:end], limit), visible(raw[end:], limit)]


def _ends(text: str, limit: int) -> str:
    """Cut a long text in the middle: what stands just before the answer is worth reading."""
    if len(text) <= limit:
        return visible(text)
    cut = f" … ({count(len(text) - limit)} more characters) … "
    return visible(text[: limit - AROUND]) + cut + visible(text[-AROUND:])
