"""The one sentence that a text-only report opens with."""

from __future__ import annotations

from vidence.stats import Estimate
from vidence.text.learner import Learned

CLAIM = 0.05
FEWEST = 19
"""With fewer redraws no p value can be as small as `CLAIM`."""


def headline(title: str, learned: Learned, chance: Estimate) -> str:
    """Return the sentence: what a model that sees only the text reaches, and whether it is luck.

    Where shuffled keys explain what was found, it says how large a leak could have hidden.
    """
    accuracy, test = learned.accuracy, learned.permutation
    if chance.value is None:
        return f"{title}: nothing could be scored (no question has both options and a key)."
    if accuracy.value is None:
        return (
            f"{title}: nothing could be learned from the text of {_count(chance.n, 'question')} "
            f"({accuracy.degenerate}); chance is {_percent(chance.value)}."
        )
    start = (
        f"{title}: a model that sees only the text answers {_percent(accuracy.value)} of "
        f"{_count(accuracy.n, 'question')} ({_interval(accuracy)}, "
        f"{_count(accuracy.clusters or 0, 'video')}); chance is {_percent(chance.value)}."
    )
    if test.p is None:
        return f"{start} Whether that is luck was not tested."
    tested = f"p = {p_value(test.p)} ({_count(test.permutations, 'permutation')})"
    if found(learned):
        return f"{start} {tested}."
    return f"{start} No leak found: {tested}; {hidden(learned, chance)}."


def found(learned: Learned) -> bool:
    """Return whether the learner is beyond what shuffled keys reach."""
    p, over = learned.permutation.p, learned.over_chance.value
    return p is not None and p <= CLAIM and over is not None and over > 0


def hidden(learned: Learned, chance: Estimate) -> str:
    """Return how large a leak would not have stood out from shuffled keys."""
    asked, test = _count(learned.accuracy.n, "question"), learned.permutation
    if test.permutations < FEWEST:
        return f"{FEWEST} permutations or more are needed to find one"
    reach = (test.null_high or 0.0) - (chance.value or 0.0)
    return (
        f"with {asked} a leak that lifts the model by less than {100 * reach:.1f} points would "
        "not be seen"
    )


def p_value(p: float) -> str:
    """Write a p value with the digits that it deserves."""
    return f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _interval(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return f"no interval: {estimate.degenerate}"
    level = f"{100 * estimate.level:g} %"
    return f"{level} interval {100 * estimate.low:.0f}-{100 * estimate.high:.0f}"


def _percent(share: float | None) -> str:
    return "unknown" if share is None else f"{100 * share:.0f} %"
