"""Case cards: which are embedded in the page, and what the page needs of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from typing import Any

from vidence.report.marking import Marker
from vidence.report.palette import Palette
from vidence.report.untrusted import image, visible
from vidence.seeds import digest

Card = Mapping[str, Any]

EMBED = 200
LONG, SHORT = 6000, 300
IMAGE_CHARS = 24_000_000
VERDICTS = ("shortcut", "undecided", "needs_video")


def choose_cards(
    cards: Iterable[Card], limit: int = EMBED, *, threshold: int | None = None
) -> list[Card]:
    """Choose at most `limit` cards, balanced over verdicts and checks; see `rule`.

    A card belongs to the group (verdict, check) of every check whose votes reach `threshold`
    (where threshold is None: of the checks with the most votes), or to (verdict, no check). The
    groups take turns, each with its next card in the order of a hash of the case's id, so that the
    choice depends on names alone: not on the order of the cards, not on a seed. Choosing from a
    choice gives the same choice, in the same order.
    """
    groups: dict[tuple[int, str], list[tuple[str, str]]] = {}
    found: dict[str, Card] = {}
    for card in cards:
        name = str(card["id"])
        found[name] = card
        for check in _flagging(card, threshold) or ("",):
            group = (_verdict(card), check)
            groups.setdefault(group, []).append((digest("card", name), name))
    # More than `limit` of a group can never be needed: at most that many are taken before.
    queues = [iter(nsmallest(limit, groups[group])) for group in sorted(groups)]
    chosen: dict[str, Card] = {}
    while queues and len(chosen) < limit:
        queues = [queue for queue in queues if _take(queue, found, chosen, limit)]
    return list(chosen.values())


def rule(shown: int, total: int) -> str:
    """Say which cards are on the page, and by which rule."""
    if shown >= total:
        many = {0: "There are no cases.", 1: "The one case is on this page."}
        return many.get(total, f"All {total:,} cases are on this page.")
    return (
        f"{shown:,} of {total:,} cases are on this page. They are chosen to show every verdict "
        "under every check: the groups (verdict, check that flags) take turns, each giving its "
        "next case in the order of a hash of the case's name. The list is for reading cases, not "
        "for counting: shares come from all cases."
    )


def page_cards(
    cards: Sequence[Card], checks: Sequence[str], palette: Palette, *, budget: int = IMAGE_CHARS
) -> dict[str, Any]:
    """Return what the page's script needs: cards with safe text, and each picture once.

    Args:
        cards: the chosen ones.
        checks: labels in the order of the page.
        palette: looks of the answerers.
        budget: most characters of pictures; later cards keep their words and lose pictures.
    """
    store, marker = Pictures(budget), Marker()
    return {
        "checks": [visible(check, SHORT) for check in checks],
        "answerers": [
            {"name": visible(name, SHORT), "look": look.number, "glyph": look.glyph}
            for name, look in palette.items()
        ],
        "cards": [_page_card(card, palette, store, marker) for card in cards],
        "pictures": store.sources,
        "dropped": store.dropped,
    }


def categories(shown: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[str]]]:
    """Return the tags of the cards on a page, each with its values in order."""
    values: dict[str, dict[str, None]] = {}
    for card in shown:
        for tag, value in card["tags"]:
            values.setdefault(tag, {})[value] = None
    return [(tag, sorted(mine)) for tag, mine in values.items()]


class Pictures:
    """Pictures by number, each kept once, up to a budget of characters."""

    def __init__(self, budget: int) -> None:
        self.sources: list[str] = []
        self.dropped = 0
        self._left = budget
        self._numbers: dict[str, int] = {}

    def number(self, source: Any) -> int | None:
        """Return the picture's number, or None if it is no picture or the budget is spent."""
        shown = image(source)
        if shown is None:
            return None
        if shown not in self._numbers:
            if len(shown) > self._left:
                self.dropped += 1
                return None
            self._left -= len(shown)
            self._numbers[shown] = len(self.sources)
            self.sources.append(shown)
        return self._numbers[shown]


def _page_card(card: Card, palette: Palette, store: Pictures, marker: Marker) -> dict[str, Any]:
    numbers = {name: i for i, (name, _) in enumerate(palette.items())}
    return {
        "id": visible(card["id"], SHORT),
        "cluster": visible(card.get("cluster") or "", SHORT),
        "question": visible(card["question"], LONG),
        "options": [visible(option, LONG) for option in card["options"]],
        "gold": _position(card.get("gold"), card["options"]),
        "key": None if card["options"] else _words(card.get("gold")),
        "tags": [
            [visible(k, SHORT), visible(v, SHORT)] for k, v in (card.get("tags") or {}).items()
        ],
        "verdict": card["verdict"] if card["verdict"] in VERDICTS else visible(card["verdict"]),
        "because": visible(card.get("because") or "", LONG),
        "flags": [
            [visible(check, SHORT), votes] for check, votes in (card.get("flags") or {}).items()
        ],
        "replies": [
            {
                "check": visible(reply["check"], SHORT),
                "answerer": numbers.get(reply["answerer"]),
                "repeat": reply.get("repeat") or 0,
                "status": visible(reply["status"], SHORT),
                "value": _position(reply.get("value"), card["options"]),
                "said": None if card["options"] else _words(reply.get("value")),
                "reason": visible(reply.get("reason") or "", LONG),
                "views": marker.split(card, reply, LONG),
                "notes": [visible(note, SHORT) for note in reply.get("notes") or ()],
            }
            for reply in card.get("replies") or ()
        ],
        "strips": [_page_strip(strip, store) for strip in card.get("strips") or ()],
    }


def _page_strip(strip: Mapping[str, Any], store: Pictures) -> dict[str, Any]:
    text = strip.get("text")
    return {
        "check": visible(strip["check"], SHORT),
        "frames": [[frame.get("t"), store.number(frame.get("src"))] for frame in strip["frames"]],
        "text": None if text is None else visible(text, LONG),
        "notes": [visible(note, SHORT) for note in strip.get("notes") or ()],
    }


def _position(value: Any, options: Sequence[Any]) -> int | None:
    known = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(options)
    return value if known else None


def _words(value: Any) -> str | None:
    return None if value is None else visible(value, LONG)


def _verdict(card: Card) -> int:
    verdict = card.get("verdict")
    return VERDICTS.index(verdict) if verdict in VERDICTS else len(VERDICTS)


def _flagging(card: Card, threshold: int | None) -> list[str]:
    votes = card.get("flags") or {}
    least = max(votes.values(), default=0) if threshold is None else threshold
    return [check for check, n in votes.items() if n >= max(1, least)]


def _take(queue: Any, found: Mapping[str, Card], chosen: dict[str, Card], limit: int) -> bool:
    """Move a group's next card over; False where the group has none left."""
    if len(chosen) >= limit:
        return False
    for _, name in queue:
        if name not in chosen:
            chosen[name] = found[name]
            return True
    return False
