"""How close numbers come to a key, and how close one constant comes without looking.

Source: Yang et al. 2024, "Thinking in Space", arXiv 2412.14171, for mean relative accuracy; the
constant's floor is ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, Ints, as_numbers, same_length
from vidence.stats.clusters import Clusters
from vidence.stats.intervals import Labels

STEPS = 10
"""Thresholds 0.50, 0.55, ..., 0.95: a relative error under j / 20 counts, j = 10 .. 1."""
# An error of exactly a threshold is not under it; 12 digits are beyond any annotation.
_TIE = 1e-9
_DIGITS = 12


def relative_accuracy(predicted: ArrayLike, gold: ArrayLike, *, closed: bool = False) -> Floats:
    """Return how close each number comes to its key: 0, 0.1, ..., 1, [N].

    Formula: the mean over t = 0.50, 0.55, ..., 0.95 of 1[|p - g| / |g| < 1 - t]. An error equal to
    a threshold (to nine digits) is not under it, as the paper writes it. Where g = 0 no relative
    error exists: 1 if p = 0, else 0. A negative key is measured by its size.

    Args:
        predicted, gold: finite numbers [N]; leave missing replies out, or score them 0 yourself.
        closed: count an error equal to a threshold as well, as scripts in circulation do; it
            matters for small whole numbers, whose errors often are.

    Raises:
        UsageError: NaN, infinity, or unequal lengths.
    """
    p, g = as_numbers("predicted", predicted), as_numbers("gold", gold)
    same_length(predicted=len(p), gold=len(g))
    size = np.abs(g)
    # An error too large for a number is over every threshold; a key of 0 is scored apart.
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        error = 2 * STEPS * (np.abs(p - g) / size)
    under = error[:, None] < np.arange(1, STEPS + 1) + (_TIE if closed else -_TIE)
    score: Floats = under.mean(axis=1) if len(p) else np.zeros(0)
    return np.where(size > 0, score, (p == 0).astype(np.float64))


@dataclass(frozen=True, eq=False)
class ConstantFloor:
    """Hold what the best constant answer scores on cases that it was not chosen on.

    Args:
        score: relative accuracy of the constant chosen on all other clusters, [N]; 0 where unknown.
        known: bool [N]; False where no other cluster has a key.
        constants: group -> the constant that is best on all of its cases.
    """

    score: Floats
    known: Bools
    constants: Mapping[str, float]


def constant_floor(gold: ArrayLike, groups: ArrayLike, clusters: Labels) -> ConstantFloor:
    """Score the best constant per group, each cluster by a constant chosen on all the others.

    The constant maximises the mean `relative_accuracy` on the cases of its group outside the
    cluster; among equally good ones it is the middle of the widest interval of them, then of the
    lowest. Where the group has no case outside the cluster, the constant of all groups together.
    Leaving clusters out keeps the floor honest: a constant scored on the cases that it was chosen
    on would be above what it earns on new ones.

    Args:
        gold: finite numbers [N].
        groups: names [N] of the categories, text; one name for all gives one constant.
        clusters: labels [N] or `Clusters`.
    """
    g = as_numbers("gold", gold)
    names = np.asarray(groups, dtype=np.str_) if len(g) else np.zeros(0, dtype=np.str_)
    videos = Clusters.of(clusters)
    same_length(gold=len(g), groups=len(names), clusters=len(videos))
    score, known = np.zeros(len(g)), np.zeros(len(g), dtype=np.bool_)
    constants: dict[str, float] = {}
    for name in sorted(set(names.tolist())):
        rows = np.flatnonzero(names == name)
        table = _Peaks(g[rows])
        constants[name] = table.best(np.ones(len(rows), dtype=np.bool_))
        _fill(score, known, g, rows, videos.codes, table)
    lonely = np.flatnonzero(~known)
    if len(lonely):
        everything = _Peaks(g)
        for row in lonely:
            others = videos.codes != videos.codes[row]
            if others.any():
                score[row] = relative_accuracy([everything.best(others)], [g[row]])[0]
                known[row] = True
    return ConstantFloor(score, known, constants)


def _fill(
    score: Floats, known: Bools, gold: Floats, rows: Ints, codes: Ints, table: _Peaks
) -> None:
    mine = codes[rows]
    for code in np.unique(mine):
        inside = mine == code
        if inside.all():
            return
        held = gold[rows[inside]]
        score[rows[inside]] = relative_accuracy(np.full(len(held), table.best(~inside)), held)
        known[rows[inside]] = True


class _Peaks:
    """The mean relative accuracy of a constant, as a step function of the constant.

    Each key gives `STEPS` nested open intervals around itself, worth 1 / STEPS each; a key of 0 is
    met by 0 alone.
    """

    def __init__(self, gold: Floats) -> None:
        if not len(gold):
            raise UsageError("No key came; a constant needs one at least.")
        self.zero: Bools = gold == 0
        reach = np.abs(gold)[:, None] * np.arange(1, STEPS + 1) / (2 * STEPS)
        ends = np.stack([gold[:, None] - reach, gold[:, None] + reach], axis=2)
        at, where = np.unique(_rounded(ends).ravel(), return_inverse=True)
        self.at: Floats = at
        self.where: NDArray[np.int64] = where.reshape(len(gold), -1)
        self.step: Ints = np.tile(np.array([1, -1]), STEPS)
        self.step_of: Ints = np.where(self.zero[:, None], 0, self.step)

    def best(self, used: Bools) -> float:
        """Return the best constant for the keys in `used`."""
        change = np.bincount(
            self.where[used].ravel(), self.step_of[used].ravel(), minlength=len(self.at)
        )
        height = np.rint(np.cumsum(change))[:-1]
        top = float(height.max(initial=0))
        zeros = STEPS * int(np.count_nonzero(self.zero & used))
        if zeros >= top:
            return 0.0
        # Between two such intervals lies an end, where the one is over and the other not begun.
        good = np.flatnonzero(height == top)
        low, high = self.at[good], self.at[good + 1]
        widest = int(np.argmax(high - low))
        return float((low[widest] + high[widest]) / 2)


def _rounded(ends: Floats) -> Floats:
    """Round to significant digits, so that ends that are equal by arithmetic are equal."""
    size = np.abs(ends)
    scale = 10.0 ** (_DIGITS - 1 - np.floor(np.log10(np.where(size > 0, size, 1.0))))
    rounded: Floats = np.round(ends * scale) / scale
    return rounded
