"""Cards of a text-only audit: which are on the page, and what the page needs of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from vidence.report.cards import EMBED, LONG, SHORT, categories
from vidence.report.numbers import number
from vidence.report.untrusted import visible
from vidence.seeds import digest

Card = Mapping[str, Any]
TENTHS = 10
SLACK = 1e-9


def tenths(cards: Sequence[Card]) -> dict[str, int]:
    """Return id -> tenth of P(key), 1 the highest; cards without P(key) have none.

    Cards of equal P(key) share the higher tenth.
    """
    found = {str(card["id"]): number(card.get("probability")) for card in cards}
    order = sorted((p for p in found.values() if p is not None), reverse=True)
    places = {p: place for place, p in reversed(list(enumerate(order)))}
    return {
        name: 1 + TENTHS * places[p] // len(order) for name, p in found.items() if p is not None
    }


def choose_text_cards(cards: Iterable[Card], limit: int = EMBED) -> list[Card]:
    """Choose at most `limit` cards: half with the highest P(key), then every tenth in turn.

    Within a tenth the order is that of a hash of the case's id, so that the choice depends on
    names and figures alone. See `rule`.
    """
    given = list(cards)
    tenth = tenths(given)
    by_name = {str(card["id"]): card for card in given}
    hashed = sorted(by_name, key=lambda name: (digest("card", name), name))
    best = sorted(
        (name for name in hashed if name in tenth),
        key=lambda name: -float(by_name[name]["probability"]),
    )
    chosen = dict.fromkeys(best[: (limit + 1) // 2])
    groups: dict[int, list[str]] = {}
    for name in hashed:
        if name not in chosen:
            groups.setdefault(tenth.get(name, TENTHS + 1), []).append(name)
    queues = [iter(groups[group]) for group in sorted(groups)]
    while queues and len(chosen) < limit:
        queues = [queue for queue in queues if _take(queue, chosen, limit)]
    return [by_name[name] for name in chosen]


def rule(shown: int, total: int) -> str:
    """Say which cards are on the page, and by which rule."""
    if shown >= total:
        many = {0: "There are no cases.", 1: "The one case is on this page."}
        return many.get(total, f"All {total:,} cases are on this page.")
    return (
        f"{shown:,} of {total:,} cases are on this page: the half of them with the highest "
        "probability of the key, and for the others the tenths of that probability take turns, "
        "each giving its next case in the order of a hash of the case's name. The list is for "
        "reading cases, not for counting: shares come from all cases."
    )


def page_cards(
    chosen: Sequence[Card], tenth: Mapping[str, int], titles: Mapping[str, str]
) -> dict[str, Any]:
    """Return what the page's script needs: cards with safe text.

    Args:
        chosen: the cards to show.
        tenth: of all cases, by id.
        titles: name of a guessing rule -> its title; chance is no rule.
    """
    shown = [_page_card(card, tenth, list(titles)) for card in chosen]
    return {
        "rules": [visible(title, SHORT) for title in titles.values()],
        "cards": shown,
        "categories": categories(shown),
        "tenths": sorted({card["tenth"] for card in shown if card["tenth"]}),
        "pruned": any(card["removed"] is not None for card in shown),
    }


def _page_card(card: Card, tenth: Mapping[str, int], rules: Sequence[str]) -> dict[str, Any]:
    options = card["options"]
    gold, taken = card.get("gold"), card.get("priors") or {}
    known = isinstance(gold, int) and not isinstance(gold, bool) and 0 <= gold < len(options)
    removed = card.get("removed")
    chance = 1 / len(options) if options else 1.0
    probabilities = [number(p) for p in card.get("option_probability") or ()]
    return {
        "id": visible(card["id"], SHORT),
        "cluster": visible(card.get("cluster") or "", SHORT),
        "question": visible(card["question"], LONG),
        "options": [visible(option, LONG) for option in options],
        "gold": gold if known else None,
        "tags": [
            [visible(k, SHORT), visible(v, SHORT)] for k, v in (card.get("tags") or {}).items()
        ],
        "p": number(card.get("probability")),
        "ps": probabilities if len(probabilities) == len(options) else [],
        "tenth": tenth.get(str(card["id"])),
        # A rule takes the key where it is likelier to than a blind guess.
        "rules": [
            [place, round(float(taken[name]), 4)]
            for place, name in enumerate(rules)
            if (number(taken.get(name)) or 0.0) > chance + SLACK
        ],
        "removed": removed if isinstance(removed, bool) else None,
    }


def _take(queue: Any, chosen: dict[str, None], limit: int) -> bool:
    """Move a group's next card over; False where the group has none left."""
    if len(chosen) >= limit:
        return False
    name = next(queue, None)
    if name is None:
        return False
    chosen[name] = None
    return True
