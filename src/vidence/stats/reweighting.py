"""Intervals for statistics that are no function of sums: ranks, curves, maxima.

A resample of videos is one whole-number weight per video, so a statistic that can be worked out
for many weightings at once gets a cluster bootstrap without touching the questions again. For few
videos a bootstrap is too narrow and for very many too dear: the jackknife with t takes its place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from vidence.stats.arrays import Floats, Ints, check_level
from vidence.stats.bootstrap import bootstrap
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import FEW_CLUSTERS, Labels
from vidence.stats.limits import t_quantile

WeightedStatistic = Callable[[Floats], Floats]
# With fewer clusters the bootstrap is too narrow: 89 to 92 % at 30 where the jackknife holds 94 %.
BOOTSTRAP_FROM = 50
# With more, it costs the square of the clusters and adds nothing to a nearly normal statistic.
BOOTSTRAP_TO, GROUPS = 600, 400
# Numbers that a statistic may hold at once in each of its arrays: half a megabyte of them.
_CHUNK = 1 << 16


def reweighted(
    statistic: WeightedStatistic,
    clusters: Labels,
    *,
    rng: Generator,
    n_resamples: int = 10_000,
    bounds: tuple[float, float] | None = None,
    level: float = 0.95,
    total: int | None = None,
) -> Estimate:
    """Estimate a statistic of weighted clusters with an interval by cluster.

    Formula: from `BOOTSTRAP_FROM` to `BOOTSTRAP_TO` clusters, `bootstrap` with one weight per
    cluster. Otherwise the jackknife: V = (G - 1) / G sum (T_-g - mean)^2 and value +- t_{G-1}
    sqrt(V), leaving out one cluster at a time (Tukey 1958; Efron & Tibshirani 1993, chapter 11),
    or, of more than `BOOTSTRAP_TO`, one of `GROUPS` random groups of clusters (Kott 2001). Assumes
    independent clusters and, for the jackknife, a statistic that is smooth in the weights.
    n = 0, or a value that is not finite on all data: no number. One cluster: no interval.
    Resamples in which it is not finite are left out and counted in `degenerate`; with few
    clusters a leave-one-out value that is not finite means no interval.

    Args:
        statistic: from weights [R, G], one column per cluster number, to values [R].
        clusters: labels [N] or `Clusters` of the cases.
        bounds: smallest and largest possible value; the interval is cut to them.
        total: cases asked for; None means N.
    """
    check_level(level)
    groups = Clusters.of(clusters)
    used = np.flatnonzero(groups.sizes())
    n, count = len(groups), len(used)

    def of_used(weights: Floats) -> Floats:
        full = np.zeros((len(weights), groups.count))
        full[:, used] = weights
        with np.errstate(divide="ignore", invalid="ignore"):
            return statistic(full)

    asked = n if total is None else total
    if BOOTSTRAP_FROM <= count <= BOOTSTRAP_TO:
        made = bootstrap(
            np.eye(count),
            lambda weights: chunked(of_used, weights, n),
            np.arange(count),
            rng=rng,
            n_resamples=n_resamples,
            level=level,
        )
        return replace(made, n=0 if made.value is None else n, total=asked, clusters=count)
    one_each = np.arange(count)
    parts = one_each if count <= BOOTSTRAP_TO else rng.permutation(count) % GROUPS
    made = _jackknife(of_used, n, parts, level=level, total=asked)
    if bounds is None or made.low is None or made.high is None:
        return made
    return replace(made, low=max(made.low, bounds[0]), high=min(made.high, bounds[1]))


def chunked(statistic: WeightedStatistic, weights: Floats, width: int) -> Floats:
    """Return `statistic(weights)` worked out some rows at a time, so that memory stays small."""
    step = max(1, _CHUNK // max(1, width))
    parts = [statistic(weights[i : i + step]) for i in range(0, len(weights), step)]
    return np.concatenate(parts)


def _jackknife(
    statistic: WeightedStatistic, n: int, parts: Ints, *, level: float, total: int
) -> Estimate:
    """Leave out one part of the clusters at a time; `parts` [G] numbers them from 0."""
    count, size = len(parts), int(parts.max(initial=-1)) + 1
    name = "cluster jackknife" if size == count else f"cluster jackknife, {size} groups"
    method = f"{name}, t interval"
    if n == 0:
        none = "no case was scored"
        return Estimate.none(none, method=method, total=total, clusters=0, level=level)
    value = float(statistic(np.ones((1, count)))[0])
    if not np.isfinite(value):
        none = "the statistic is not finite on all cases together"
        return Estimate.none(none, method=method, total=total, clusters=count, level=level)
    low = high = why = None
    if count == 1:
        why = "one cluster: the spread between clusters is not estimable"
    else:
        step = max(1, _CHUNK // n)
        left_out = np.concatenate(
            [
                statistic((parts != np.arange(i, min(i + step, size))[:, None]).astype(np.float64))
                for i in range(0, size, step)
            ]
        )
        whole = bool(np.isfinite(left_out).all())
        gaps = left_out - left_out.mean() if whole else np.zeros(size)
        error = float(np.sqrt((size - 1) / size * (gaps**2).sum()))
        if not whole:
            why = f"the statistic hangs on one of {count} clusters"
        elif error <= 1e-14 * max(1.0, abs(value)):
            why = "every cluster can be left out without a change"
        else:
            half = t_quantile(level, size - 1) * error
            low, high = value - half, value + half
            if count < FEW_CLUSTERS:
                why = (
                    f"few clusters ({count}): t with {size - 1} degrees of freedom, read with care"
                )
    return Estimate(
        value=value,
        low=low,
        high=high,
        n=n,
        total=total,
        clusters=count,
        method=method,
        level=level,
        degenerate=why,
    )
