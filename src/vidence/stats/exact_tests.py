"""Does destroying the evidence flip this one question more often? Exact tests of two rates.

With three draws a condition there are sixteen possible tables, so a p value is worked out once for
every table of (k_s, k_d) and looked up per question. That also gives the exact power of a test,
which says beforehand whether k draws can show anything.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
from scipy.special import gammaln

from vidence.errors import UsageError
from vidence.stats.arrays import Floats, Ints
from vidence.stats.binomial_difference import binomial_pmf
from vidence.stats.flip_counts import FlipCounts

ExactTest = Literal["boschloo", "barnard", "fisher"]
Alternative = Literal["greater", "less"]
TESTS = ("boschloo", "barnard", "fisher")
# Points at which the unknown common rate is tried; a parabola refines the best of them.
_GRID = 401
_TIE = 1e-10


def exact_p(
    counts: FlipCounts, *, test: ExactTest = "boschloo", alternative: Alternative = "greater"
) -> Floats:
    """Return one exact p value per scored question, [M].

    Formula and sources: `table_p`. "greater" tests that the question flips no more often under
    destroy than under sham, "less" the reverse. Assumes that a question's draws are independent
    and that their numbers were fixed beforehand: after a stopping rule use `e_process`.

    Raises:
        UsageError: an unknown test or alternative.
    """
    tables, index = counts.tables()
    if alternative not in ("greater", "less"):
        raise UsageError(f"alternative = {alternative!r}; allowed: greater, less.")
    p = np.empty(len(tables))
    for t, (x, kd, y, ks) in enumerate(tables.tolist()):
        if alternative == "greater":
            p[t] = table_p(ks, kd, test=test)[x, y]
        else:
            p[t] = table_p(kd, ks, test=test)[y, x]
    return p[index]


def least_p(counts: FlipCounts, *, test: ExactTest = "boschloo") -> Floats:
    """Return the smallest p value that each scored question's draws can reach, [M].

    It belongs to the table in which every destroyed and no intact replay flips. At three draws a
    condition it is 1/64 by Boschloo's test and 1/20 by Fisher's.
    """
    tables, index = counts.tables()
    p = np.empty(len(tables))
    for t, (_, kd, _, ks) in enumerate(tables.tolist()):
        p[t] = table_p(ks, kd, test=test)[kd, 0]
    return p[index]


def table_p(k_sham: int, k_destroy: int, *, test: ExactTest = "boschloo") -> Floats:
    """Return the one-sided p value of every table, [k_destroy + 1, k_sham + 1], by (x, y).

    Fisher (1934): P(X >= x) given x + y. Boschloo (1970, Statistica Neerlandica 24, 1-9): with F
    Fisher's p, the largest probability over the unknown common rate that F is as small; uniformly
    more powerful than Fisher. Barnard (1945, Nature 156, 177): the same with the pooled z
    statistic in place of F. The largest probability is searched on a grid and refined by a
    parabola, exact to about 1e-7; tests compare with scipy.

    Raises:
        UsageError: k < 1 or an unknown test.
    """
    if min(k_sham, k_destroy) < 1:
        raise UsageError(f"k = {k_sham} and {k_destroy}; whole numbers from 1 up are allowed.")
    if test not in TESTS:
        raise UsageError(f"test = {test!r}; allowed: {', '.join(TESTS)}.")
    return _table(int(k_sham), int(k_destroy), test).copy()


def exact_power(
    sham: float,
    destroy: float,
    k: int,
    *,
    alpha: float = 0.05,
    test: ExactTest = "boschloo",
    k_destroy: int | None = None,
) -> float:
    """Return the probability that the exact test rejects at `alpha`, one-sided.

    Formula: the sum over tables with p <= alpha of b(x; k_d, d) b(y; k_s, s). It is no smooth
    function of k: an exact test's true size jumps below alpha.
    """
    kd = k if k_destroy is None else k_destroy
    rejected = table_p(k, kd, test=test) <= alpha * (1 + _TIE)
    joint = np.outer(binomial_pmf(destroy, kd), binomial_pmf(sham, k))
    return float(joint[rejected].sum())


@lru_cache(maxsize=256)
def _table(ks: int, kd: int, test: str) -> Floats:
    x, y = np.arange(kd + 1)[:, None], np.arange(ks + 1)[None, :]
    fisher = _fisher(x, y, kd, ks)
    if test == "fisher":
        return fisher
    order = fisher if test == "boschloo" else -_pooled_z(x, y, kd, ks)
    return _unconditional(order, ks, kd)


def _fisher(x: Ints, y: Ints, kd: int, ks: int) -> Floats:
    """Return P(X >= x) of the hypergeometric distribution with the margins of each table."""
    together = x + y
    p = np.zeros((kd + 1, ks + 1))
    for more in range(kd + 1):
        other = together - more
        met = (more >= x) & (other >= 0) & (other <= ks)
        log = _ways(kd, np.array(more)) + _ways(ks, np.clip(other, 0, ks))
        p += np.where(met, np.exp(log - _ways(kd + ks, together)), 0.0)
    return np.minimum(p, 1.0)


def _pooled_z(x: Ints, y: Ints, kd: int, ks: int) -> Floats:
    rate = (x + y) / (kd + ks)
    spread = rate * (1 - rate) * (1 / kd + 1 / ks)
    gap = x / kd - y / ks
    z: Floats = np.where(spread > 0, gap / np.sqrt(np.where(spread > 0, spread, 1.0)), 0.0)
    return z


def _unconditional(order: Floats, ks: int, kd: int) -> Floats:
    """Return the largest P(order statistic at most its own value) over a common rate."""
    rates = np.linspace(0, 1, _GRID)
    joint = binomial_pmf(rates, kd)[:, :, None] * binomial_pmf(rates, ks)[:, None, :]
    flat, chance = order.reshape(-1), joint.reshape(_GRID, -1)
    ranked = np.argsort(flat, kind="stable")
    tail = np.cumsum(chance[:, ranked], axis=1)
    # Tables of one statistic stand or fall together: all take the sum at the last of them.
    value = flat[ranked]
    last = np.searchsorted(value, value + _TIE * np.maximum(1.0, np.abs(value)), side="right") - 1
    p = np.empty_like(flat)
    p[ranked] = _peak(tail)[last]
    return np.minimum(p, 1.0).reshape(order.shape)


def _peak(curves: Floats) -> Floats:
    """Return the top of each curve [G, T] through its three highest neighbours, [T]."""
    top = np.clip(curves.argmax(axis=0), 1, len(curves) - 2)
    columns = np.arange(curves.shape[1])
    left, mid, right = (curves[top + step, columns] for step in (-1, 0, 1))
    bend = left - 2 * mid + right
    curved = bend < -1e-15
    rise = np.where(curved, (left - right) ** 2 / np.where(curved, -8 * bend, 1.0), 0.0)
    highest = np.maximum(np.maximum(left, right), mid)
    inside = curved & (mid >= left) & (mid >= right)
    peak: Floats = np.where(inside, mid + rise, highest)
    return peak


def _ways(n: int, k: Ints) -> Floats:
    ways: Floats = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return ways
