"""Leave out what the text gives away, step by step, and say honestly what is left.

Source of the idea: iterative bias pruning, Brown et al. (2025), arXiv 2511.04655. A learner is
fitted by cross-validation, the questions whose key it is surest of go, and it is fitted anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from vidence.errors import UsageError
from vidence.seeds import rng_of, seed_of
from vidence.stats import Estimate
from vidence.stats.arrays import Bools, Floats, Ints
from vidence.text.items import TextItems
from vidence.text.priors import chance_of

BATCH = 0.02
"""Share of the whole benchmark that goes between two fits."""


@dataclass(frozen=True)
class Fit:
    """What a cross-validated learner says of questions that it did not learn from.

    Args:
        probability: held-out probability of the key, [N].
        accuracy: of its answers.
    """

    probability: Floats
    accuracy: Estimate


Fitter = Callable[[TextItems, int], Fit]
"""`(items, seed) -> Fit`; the seed draws the folds."""


@dataclass(frozen=True)
class Step:
    """One fit on the way.

    Args:
        removed: questions gone before it.
        left: the learner's accuracy on the others.
        chance: of blind guessing on the others.
    """

    removed: int
    left: Estimate
    chance: float


@dataclass(frozen=True)
class Pruned:
    """What was pruned.

    Args:
        step: 0 for what is kept, else the number of the fit after which the question went, [N].
        probability: held-out P(key) when it went; of what is kept in the last fit, [N].
        curve: every fit, the first one on all questions.
        reached: whether the accuracy came down to the target, in two fits.
    """

    step: Ints
    probability: Floats
    curve: tuple[Step, ...]
    reached: bool

    @property
    def removed(self) -> Bools:
        """Which questions go, [N]."""
        gone: Bools = self.step > 0
        return gone


def prune(
    items: TextItems,
    fit: Fitter,
    *,
    target: float | None = None,
    max_removed: float = 0.25,
    seed: int | str = 0,
) -> Pruned:
    """Leave out the questions that a learner answers from text, until it does no better than asked.

    Formula: fit with fresh folds on what is left; stop if the accuracy is at most `target`, and
    so is that of a second fit with other folds, since the first is low partly by luck; else the
    `BATCH` share of the questions with the highest held-out P(key) goes, those above chance only,
    ties by id; again. Never more than `max_removed` of all questions go.
    A learner fitted on what it has left over scores too low by construction: judge what is left
    with `shuffled_fall` and with rules that were not asked.

    Args:
        items: the questions.
        fit: the learner.
        target: accuracy to come down to, a share; None for chance on what is left.
        max_removed: share of the questions.
        seed: names the folds.

    Raises:
        UsageError: a share outside 0 to 1.
    """
    for name, share in (("target", target), ("max_removed", max_removed)):
        if share is not None and not 0 <= share <= 1:
            raise UsageError(f"{name} = {share}; a share from 0 to 1 is allowed.")
    n, guess = len(items), chance_of(items)
    allowed, batch = int(max_removed * n + 1e-9), max(1, round(BATCH * n))
    step, probability = np.zeros(n, dtype=np.int64), np.zeros(n)
    curve: list[Step] = []
    reached = False
    while n:
        left = np.flatnonzero(step == 0)
        found = fit(items_at(items, left), seed_of("prune", seed, len(curve)))
        probability[left] = found.probability
        chance = float(guess[left].mean()) if len(left) else 0.0
        curve.append(Step(n - len(left), found.accuracy, chance))
        aim = (chance if target is None else target) + 1e-12
        reached = _under(found, aim) and _under(
            fit(items_at(items, left), seed_of("prune", "second", seed, len(curve))), aim
        )
        going = _surest(items, left, probability, guess)[: min(batch, allowed - n + len(left))]
        if reached or not going or len(left) - len(going) < 1:
            break
        step[going] = len(curve)
    return Pruned(step, probability, tuple(curve), reached)


def _under(found: Fit, aim: float) -> bool:
    return found.accuracy.value is None or found.accuracy.value <= aim


def shuffled_fall(items: TextItems, fit: Fitter, *, removed: int, seed: int | str = 0) -> Pruned:
    """Prune where there is nothing to prune, and see how far the learner falls.

    Each key is drawn anew among its question's options, so that no text says anything about it.
    Then as many questions are pruned, or fewer where the learner finds no key likelier than
    chance. The fall along the curve is selection and no mending.

    Args:
        removed: questions that go.
        seed: names the draw and the folds.
    """
    rng = rng_of("shuffled keys", seed)
    shuffled = replace(items, gold=rng.integers(0, np.maximum(1, items.counts)))
    share = removed / max(1, len(items))
    return prune(shuffled, fit, target=0.0, max_removed=share, seed=f"shuffled {seed}")


def items_at(items: TextItems, where: Ints) -> TextItems:
    """Return the questions at these positions."""
    return replace(
        items,
        ids=tuple(items.ids[i] for i in where),
        questions=tuple(items.questions[i] for i in where),
        options=tuple(items.options[i] for i in where),
        gold=items.gold[where],
        clusters=items.clusters[where],
        tags={name: tuple(values[i] for i in where) for name, values in items.tags.items()},
    )


def _surest(items: TextItems, left: Ints, probability: Floats, guess: Floats) -> list[int]:
    """Return the questions whose key is likelier than by chance, the surest first."""
    above = [int(i) for i in left if probability[i] > guess[i] + 1e-9]
    return sorted(above, key=lambda i: (-probability[i], items.ids[i]))
