"""How often the guessing rules are right, and which of them are beyond chance for sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vidence.stats import (
    Estimate,
    difference_by_cluster,
    family_level,
    mean_by_cluster,
    proportion_by_cluster,
)
from vidence.stats.arrays import Bools, Floats
from vidence.text.items import TextItems
from vidence.text.priors import PRIORS, chance_of, has_option

CHANCE = "chance"


@dataclass(frozen=True)
class PriorAccuracy:
    """What a rule reached.

    Args:
        name: the rule's.
        right: probability that it takes the key, [N].
        ties: questions in which it could not choose between two options or more.
        decided: questions in which it took some options rather than others.
        accuracy: share right, ties by expectation.
        over_chance: `right` minus chance on the same questions; None for chance itself.
        claimed: whether it is above chance at the level that all rules looked at share.
    """

    name: str
    right: Floats
    ties: int
    decided: int
    accuracy: Estimate
    over_chance: Estimate | None
    claimed: bool


def prior_accuracy(items: TextItems, name: str) -> Estimate:
    """Estimate the accuracy of one rule, clustered by video.

    Formula: mean of the probability that the rule takes the key, ties by expectation, with the
    interval of `proportion_by_cluster` where no question is tied and of `mean_by_cluster` else.
    The interval of a rule that picks on the same keys (`in_sample`) does not count the picking.
    n = 0: no number. One cluster: no interval.

    Raises:
        UnknownNameError: no such rule.
    """
    if name == CHANCE:
        return chance_accuracy(items)
    return _accuracy(_right(items, PRIORS[name](items)), items)


def chance_accuracy(items: TextItems) -> Estimate:
    """Return the accuracy of blind guessing on these very questions, which is known exactly.

    Formula: mean of 1 / number of options. Nothing is estimated, so the interval has no width,
    whatever the clusters. n = 0: no number.
    """
    method = "mean of 1 / number of options, exact"
    guess, videos = chance_of(items), len(np.unique(items.clusters))
    if not len(guess):
        return Estimate.none("no case was scored", method=method, clusters=0)
    value = float(guess.mean())
    return Estimate(
        value=value, low=value, high=value, n=len(guess), clusters=videos, method=method
    )


def prior_accuracies(
    items: TextItems, names: Sequence[str] | None = None
) -> dict[str, PriorAccuracy]:
    """Return what every rule reached, chance first, then in the order of registration.

    A rule is `claimed` where the interval of its paired difference to chance lies above zero at
    `family_level(m)`, m rules being looked at (Bonferroni; Dunn 1961). The majority position
    picks the best of K positions on the same keys, so it needs `family_level(m K)`.

    Args:
        names: of the rules; all by default.

    Raises:
        UnknownNameError: no such rule.
    """
    chosen = sorted(PRIORS, key=lambda n: PRIORS[n].place) if names is None else list(names)
    tested = [name for name in chosen if name != CHANCE]
    guess = chance_of(items)
    found: dict[str, PriorAccuracy] = {}
    for name in sorted(chosen, key=lambda name: name != CHANCE):
        rule = PRIORS[name]
        choices = rule(items)
        right = _right(items, choices)
        over, claimed = None, False
        if name != CHANCE:
            over = difference_by_cluster(right - guess, items.clusters)
            picks = has_option(items).shape[1] if rule.in_sample else 1
            level = family_level(len(tested) * max(1, picks))
            sure = difference_by_cluster(right - guess, items.clusters, level=level)
            claimed = sure.low is not None and sure.low > 0
        taken = (choices > 0).sum(axis=1)
        found[name] = PriorAccuracy(
            name,
            right,
            int((taken > 1).sum()),
            int((taken < has_option(items).sum(axis=1)).sum()),
            chance_accuracy(items) if name == CHANCE else _accuracy(right, items),
            over,
            claimed,
        )
    return found


def _right(items: TextItems, choices: Floats) -> Floats:
    right: Floats = choices[np.arange(len(items.gold)), items.gold]
    return right


def _accuracy(right: Floats, items: TextItems) -> Estimate:
    sure: Bools = (right == 0) | (right == 1)
    if sure.all():
        return proportion_by_cluster(right > 0, items.clusters)
    return mean_by_cluster(right, items.clusters, bounds=(0.0, 1.0))
