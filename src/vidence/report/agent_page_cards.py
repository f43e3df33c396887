"""Cards of an agent's report: which are on the page, and what the page needs of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from vidence.report.cards import EMBED, LONG, SHORT, Pictures, categories
from vidence.report.numbers import number
from vidence.report.untrusted import visible
from vidence.seeds import digest

Card = Mapping[str, Any]

SIGNS = ("negative", "tie", "positive", "unscored")
IMAGE_CHARS = 16_000_000


def choose_agent_cards(cards: Iterable[Card], limit: int = EMBED) -> list[Card]:
    """Choose at most `limit` cards; see `rule`.

    The groups (agent, sign of Delta, committed answer right or not) take turns, each giving its
    next card in the order of a hash of the question's name, so that the choice depends on names
    and scores alone.
    """
    groups: dict[tuple[Any, ...], list[Card]] = {}
    for card in cards:
        right = card["gold"] is not None and card["committed"] == card["gold"]
        groups.setdefault((SIGNS.index(card["sign"]), right, card["agent"]), []).append(card)
    queues = [
        sorted(mine, key=lambda card: (digest("card", card["id"]), card["id"]))
        for _, mine in sorted(groups.items())
    ]
    chosen: list[Card] = []
    place = 0
    while len(chosen) < limit and any(place < len(queue) for queue in queues):
        chosen += [queue[place] for queue in queues if place < len(queue)]
        place += 1
    return chosen[:limit]


def rule(shown: int, total: int) -> str:
    """Say which cards are on the page, and by which rule."""
    if shown >= total:
        return {0: "There are no questions.", 1: "The one question is on this page."}.get(
            total, f"All {total:,} questions are on this page."
        )
    return (
        f"{shown:,} of {total:,} questions are on this page: the groups (agent, sign of Delta, "
        "right or wrong) take turns, each giving its next question in the order of a hash of its "
        "name. The list is for reading, not for counting."
    )


def page_cards(chosen: Sequence[Card], *, budget: int = IMAGE_CHARS) -> dict[str, Any]:
    """Return what the page's script needs: cards with safe text, and each picture once.

    Args:
        chosen: the cards to show, with `strips` where frames are shown.
        budget: most characters of pictures; later cards keep their words and lose pictures.
    """
    store = Pictures(budget)
    shown = [_page_card(card, store) for card in chosen]
    agents = list(dict.fromkeys(card["agent"] for card in shown))
    return {
        "cards": shown,
        "agents": agents,
        "categories": categories(shown),
        "signs": [sign for sign in SIGNS if any(card["sign"] == sign for card in shown)],
        "pictures": store.sources,
        "dropped": store.dropped,
    }


def _page_card(card: Card, store: Pictures) -> dict[str, Any]:
    flips = card["flips"]
    return {
        "id": visible(card["id"], SHORT),
        "agent": visible(card["agent"], SHORT),
        "cluster": visible(card.get("cluster") or "", SHORT),
        "question": visible(card["question"], LONG),
        "options": [visible(option, LONG) for option in card["options"]],
        "gold": card["gold"],
        "committed": card["committed"],
        "tags": [
            [visible(k, SHORT), visible(v, SHORT)] for k, v in (card.get("tags") or {}).items()
        ],
        "delta": number(card["delta"]),
        "score": None if card["score"] is None else visible(card["score"], SHORT),
        "sign": card["sign"],
        "positive": number(card["positive"]),
        "flips": [[name, flips[name]["flips"], flips[name]["valid"]] for name in flips],
        "looked": _spans(card["looked"]),
        "spans": _spans(card["spans"]),
        "replies": _replies(card),
        "strips": [_strip(strip, store) for strip in card.get("strips") or ()],
    }


def _replies(card: Card) -> list[dict[str, Any]]:
    """Return the replays by condition: what each chose, and the words that it came in."""
    found: dict[str, list[Any]] = {}
    for reply in card["replies"]:
        said = "\n".join(reply["raw"])
        facts = [
            "" if reply["status"] == "ok" else reply["status"],
            "" if reply["status"] == "ok" else reply["reason"],
            *reply["notes"],
        ]
        why = "; ".join(part for part in facts if part)
        one = [reply["value"], visible(said, SHORT), visible(why, SHORT)]
        found.setdefault(visible(reply["check"], SHORT), []).append(one)
    return [{"check": check, "draws": draws} for check, draws in found.items()]


def _strip(strip: Mapping[str, Any], store: Pictures) -> dict[str, Any]:
    return {
        "check": visible(strip["check"], SHORT),
        "frames": [[frame.get("t"), store.number(frame.get("src"))] for frame in strip["frames"]],
        "text": visible(strip["text"], LONG) if strip.get("text") else None,
        "notes": [visible(note, SHORT) for note in strip.get("notes") or ()],
    }


def _spans(spans: Sequence[Sequence[float]]) -> str:
    return ", ".join(f"{start:.1f}-{end:.1f} s" for start, end in spans)
