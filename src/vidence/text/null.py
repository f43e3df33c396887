"""What the learner would reach if the keys had nothing to do with the texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vidence.seeds import rng_of
from vidence.text.items import TextItems
from vidence.text.probability import expected_right
from vidence.text.ridge import Folded, fixed, padded
from vidence.text.tokens import plain

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_BLOCK = 64


@dataclass(frozen=True)
class Permutation:
    """The test of the learner against redrawn keys.

    Args:
        p: (1 + how many redraws reach the observed gain) / (1 + redraws); None without redraws.
        permutations: redraws.
        observed: gain over chance with the real keys, on the folds that the redraws use.
        null_mean: accuracy under redrawn keys, on average.
        null_high: accuracy that 5 % of the redraws exceed.
    """

    p: float | None
    permutations: int
    observed: float
    null_mean: float | None
    null_high: float | None


def redrawn(items: TextItems, count: int, *, seed: int | str) -> Ints:
    """Return keys drawn anew, int [N, P].

    Each question's key becomes any of its options with equal probability, whatever their texts
    and places. Questions of one video with the same words and the same options are one question
    asked several times: their keys are drawn together, so that they stay the same option or stay
    apart as they were.
    """
    rng = rng_of("text null", seed)
    numbers: dict[tuple[object, ...], int] = {}
    order: list[list[int]] = []
    group = np.zeros(len(items), dtype=np.int64)
    for i, (question, options) in enumerate(zip(items.questions, items.options, strict=True)):
        names = [(plain(text), text) for text in options]
        ranked = sorted(range(len(options)), key=lambda o: (names[o], o))
        key = (int(items.clusters[i]), plain(question), tuple(names[o] for o in ranked))
        group[i] = numbers.setdefault(key, len(numbers))
        order.append(ranked)
    counts = items.counts
    rank = np.array([o.index(g) for o, g in zip(order, items.gold, strict=True)], dtype=np.int64)
    shift = rng.integers(0, np.iinfo(np.int64).max, size=(len(numbers), count))
    moved = (rank[:, None] + shift[group]) % counts[:, None]
    table = np.zeros((len(items), int(counts.max(initial=1))), dtype=np.int64)
    for i, ranked in enumerate(order):
        table[i, : len(ranked)] = ranked
    return np.take_along_axis(table, moved, axis=1)


def permuted(
    items: TextItems,
    folds: Sequence[Folded],
    strengths: Sequence[tuple[float, ...]],
    observed: Floats,
    *,
    count: int,
    seed: int | str,
) -> Permutation:
    """Test the learner against keys drawn anew.

    Null: given all texts, places and videos, the key of a question is any of its options with
    equal probability, and questions are independent, apart from a question repeated within a
    video (see `redrawn`). It is false if the texts tell the key, and also if keys prefer a place.
    Features, folds and penalties are those of the real keys and are not chosen again; that the
    penalties were chosen on the real keys is worth nothing that simulation could see (see
    docs/statistics.md). The statistic is the mean gain over chance, ties by expectation.

    Args:
        items: the questions [N].
        folds: a cut a repeat.
        strengths: the penalties of each repeat.
        observed: probability of being right with the real keys, mean over the repeats, [N].
        count: redraws; 0 gives no p.
        seed: names the redraws.
    """
    chance = 1 / items.counts
    gain = float((observed - chance).mean()) if len(items) else 0.0
    if not count or not len(items):
        return Permutation(None, 0, gain, None, None)
    start = np.r_[0, np.cumsum(items.counts)]
    keys = redrawn(items, count, seed=seed)
    reached = np.zeros(count)
    for begin in range(0, count, _BLOCK):
        some = keys[:, begin : begin + _BLOCK]
        targets = -np.repeat(chance, items.counts)[:, None] + np.zeros(some.shape[1])
        targets[start[:-1, None] + some, np.arange(some.shape[1])] += 1
        for folded, penalty in zip(folds, strengths, strict=True):
            scores = padded(fixed(folded, targets, penalty), start, -np.inf)
            reached[begin : begin + _BLOCK] += expected_right(scores, some).mean(axis=0)
    reached /= len(folds)
    level = float(chance.mean())
    at_least = int((reached - level >= gain - 1e-12).sum())
    return Permutation(
        p=(1 + at_least) / (1 + count),
        permutations=count,
        observed=gain,
        null_mean=float(reached.mean()),
        null_high=float(np.quantile(reached, 0.95)),
    )
