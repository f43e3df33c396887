"""What the learner would reach if the keys had nothing to do with the texts."""

from __future__ import annotations

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
_FAR = np.iinfo(np.int64).max // 2


@dataclass(frozen=True)
class Permutation:
    """The test of the learner against redrawn keys.

    Args:
        p: (1 + how many redraws reach the observed t) / (1 + redraws); None without redraws.
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
    asked several times: their keys stay the same option or stay apart as they were.
    """
    rng = rng_of("text null", seed)
    counts = items.counts
    numbers: dict[tuple[object, ...], int] = {}
    group = np.zeros(len(items), dtype=np.int64)
    rank = np.zeros(len(items), dtype=np.int64)
    table = np.zeros((len(items), int(counts.max(initial=1))), dtype=np.int64)
    for i, (question, options) in enumerate(zip(items.questions, items.options, strict=True)):
        names = [(plain(text), text) for text in options]
        ranked = sorted(range(len(options)), key=lambda o: (names[o], o))
        key = (int(items.clusters[i]), plain(question), tuple(names[o] for o in ranked))
        group[i] = numbers.setdefault(key, len(numbers))
        rank[i] = ranked.index(int(items.gold[i]))
        table[i, : len(ranked)] = ranked
    shift = rng.integers(0, _FAR, size=(len(numbers), count))
    moved: Ints = (rank[:, None] + shift[group]) % counts[:, None]
    return np.take_along_axis(table, moved, axis=1)


def permuted(
    items: TextItems,
    folded: Folded,
    strengths: tuple[float, ...],
    observed: Floats,
    *,
    count: int,
    seed: int | str,
) -> Permutation:
    """Test the learner against keys drawn anew.

    Null: given all texts, places and videos, the key of a question is any of its options with
    equal probability. It is false if the texts tell the key, and also if keys prefer a place.
    Statistic: t, the mean gain over chance divided by its standard error by video, ties by
    expectation, for the real keys and for each redraw. p is exact where questions are independent
    but for repeats within a video (see `redrawn`); because t has its variance by video it also
    holds, nearly, where the keys of a video depend on each other in ways that redraws do not
    have (Janssen 1997; Chung & Romano 2013, Annals of Statistics 41, 484-507): the mean alone
    would then reject far too often. Features, folds and penalties are those of the real keys and
    are not chosen again, which costs nothing that simulation could see (docs/statistics.md).

    Args:
        items: the questions [N].
        folded: one cut into folds.
        strengths: its penalties.
        observed: probability of being right with the real keys on that cut, [N].
        count: redraws; 0 gives no p.
        seed: names the redraws.
    """
    chance = 1 / items.counts
    gain = float((observed - chance).mean()) if len(items) else 0.0
    if not count or not len(items):
        return Permutation(None, 0, gain, None, None)
    keys = redrawn(items, count, seed=seed)
    means, ts = _reached(items, folded, strengths, keys)
    mine = float(_t((observed - chance)[:, None], items.clusters)[0])
    level = float(chance.mean())
    return Permutation(
        p=(1 + int((ts >= mine - 1e-9).sum())) / (1 + count),
        permutations=count,
        observed=gain,
        null_mean=float(means.mean()) + level,
        null_high=float(np.quantile(means, 0.95)) + level,
    )


def _t(gains: Floats, clusters: Ints) -> Floats:
    """Return the mean of each column [N, P] over its standard error by video, [P]."""
    totals = np.zeros((int(clusters.max(initial=0)) + 1, gains.shape[1]))
    np.add.at(totals, clusters, gains)
    sizes = np.bincount(clusters, minlength=len(totals))[:, None]
    mean = gains.mean(axis=0)
    spread = np.sqrt(((totals - sizes * mean) ** 2).sum(axis=0))
    still = spread <= 1e-12  # every video gains the same: all or nothing
    t: Floats = len(gains) * mean / np.where(still, 1.0, spread)
    t[still & (mean > 0)], t[still & (mean < 0)] = np.inf, -np.inf
    return t


def _reached(
    items: TextItems, folded: Folded, strengths: tuple[float, ...], keys: Ints
) -> tuple[Floats, Floats]:
    """Return the held-out gain with each column of keys [N, P], and its t, [P] each."""
    start = np.r_[0, np.cumsum(items.counts)]
    chance = 1 / items.counts[:, None]
    base = -np.repeat(chance, items.counts, axis=0)
    means, ts = [], []
    for begin in range(0, keys.shape[1], _BLOCK):
        some = keys[:, begin : begin + _BLOCK]
        targets = base + np.zeros(some.shape[1])
        targets[start[:-1, None] + some, np.arange(some.shape[1])] += 1
        scores = padded(fixed(folded, targets, strengths), start, -np.inf)
        gains = expected_right(scores, some) - chance
        means.append(gains.mean(axis=0))
        ts.append(_t(gains, items.clusters))
    return np.concatenate(means), np.concatenate(ts)
