"""Intervals for statistics that are no function of sums: ranks, curves, maxima.

A resample of videos is one whole-number weight per video, so a statistic that can be worked out
for many weightings at once gets a cluster bootstrap without touching the questions again. Below
`FEW_CLUSTERS` videos a bootstrap is too narrow, and the jackknife with t takes its place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.random import Generator

from vidence.stats.arrays import Floats, check_level
from vidence.stats.bootstrap import BootstrapInterval, bootstrap
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import FEW_CLUSTERS, Labels
from vidence.stats.limits import t_quantile

WeightedStatistic = Callable[[Floats], Floats]
# Numbers that a statistic may hold at once: 2 MB of them.
_CHUNK = 1 << 18


def reweighted(
    statistic: WeightedStatistic,
    clusters: Labels,
    *,
    rng: Generator,
    n_resamples: int = 10_000,
    interval: BootstrapInterval = "bca",
    level: float = 0.95,
    total: int | None = None,
) -> Estimate:
    """Estimate a statistic of weighted clusters with an interval by cluster.

    Formula: from `FEW_CLUSTERS` clusters on, `bootstrap` with one weight per cluster. Below, the
    delete-one jackknife: V = (G - 1) / G sum (T_-g - mean)^2 and value +- t_{G-1} sqrt(V) (Tukey
    1958; Efron & Tibshirani 1993, chapter 11). Assumes independent clusters and, for the
    jackknife, a statistic that is smooth in the weights.
    n = 0, or a value that is not finite on all data: no number. One cluster: no interval.
    Resamples in which it is not finite are left out and counted in `degenerate`; with few
    clusters a leave-one-out value that is not finite means no interval.

    Args:
        statistic: from weights [R, G], one column per cluster number, to values [R].
        clusters: labels [N] or `Clusters` of the cases.
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

    if count >= FEW_CLUSTERS:
        made = bootstrap(
            np.eye(count),
            lambda weights: chunked(of_used, weights, n),
            np.arange(count),
            rng=rng,
            n_resamples=n_resamples,
            interval=interval,
            level=level,
        )
        counted = 0 if made.value is None else n
        return replace(made, n=counted, total=n if total is None else total, clusters=count)
    return _jackknife(of_used, n, count, level=level, total=n if total is None else total)


def chunked(statistic: WeightedStatistic, weights: Floats, width: int) -> Floats:
    """Return `statistic(weights)` worked out some rows at a time, so that memory stays small."""
    step = max(1, _CHUNK // max(1, width))
    parts = [statistic(weights[i : i + step]) for i in range(0, len(weights), step)]
    return np.concatenate(parts)


def _jackknife(
    statistic: WeightedStatistic, n: int, count: int, *, level: float, total: int
) -> Estimate:
    method = "cluster jackknife, t interval"
    if n == 0:
        why = "no case was scored"
        return Estimate.none(why, method=method, total=total, clusters=0, level=level)
    value = float(statistic(np.ones((1, count)))[0])
    if not np.isfinite(value):
        why = "the statistic is not finite on all cases together"
        return Estimate.none(why, method=method, total=total, clusters=count, level=level)
    low = high = None
    if count == 1:
        why = "one cluster: the spread between clusters is not estimable"
    else:
        left_out = statistic(1 - np.eye(count))
        whole = bool(np.isfinite(left_out).all())
        gaps = left_out - left_out.mean() if whole else np.zeros(count)
        error = float(np.sqrt((count - 1) / count * (gaps**2).sum()))
        if not whole:
            why = f"the statistic hangs on one of {count} clusters"
        elif error <= 1e-14 * max(1.0, abs(value)):
            why = "every cluster can be left out without a change"
        else:
            half = t_quantile(level, count - 1) * error
            low, high = value - half, value + half
            why = f"few clusters ({count}): t with {count - 1} degrees of freedom, read with care"
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
