"""Resample clusters, quickly: only sums per cluster are drawn, never cases.

Any statistic of column sums fits: a share is sum(right) / sum(asked), a paired difference is
sum(a - b) / n, a ratio of shares is a quotient of four sums. One resample of G clusters is then a
vector of G counts times a [G, S] table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from vidence.errors import UsageError
from vidence.stats.arrays import Floats, as_array, as_numbers, check_level, same_length
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import FEW_CLUSTERS, Labels

FEWEST_RESAMPLES = 100
# Draws held at once: a table of this many counts is 1 MB.
_CHUNK = 1 << 17

Statistic = Callable[[Floats], Floats]
BootstrapInterval = Literal["bca", "percentile"]


def resampled_sums(
    columns: ArrayLike, clusters: Labels, *, rng: Generator, n_resamples: int = 10_000
) -> Floats:
    """Return column sums of resampled clusters, [n_resamples, S].

    Each resample draws G clusters with replacement from the G at hand and adds up their rows.
    Memory stays near 3 MB beside the result, whatever the number of resamples.

    Args:
        columns: numbers [N, S], one row per case.
        clusters: labels [N] or `Clusters`.

    Raises:
        UsageError: fewer than 100 resamples, no cases, or NaN in a column.
    """
    return _draw(_table(columns, clusters)[0], rng, _enough(n_resamples))


def bootstrap(
    columns: ArrayLike,
    statistic: Statistic,
    clusters: Labels,
    *,
    rng: Generator,
    n_resamples: int = 10_000,
    interval: BootstrapInterval = "bca",
    level: float = 0.95,
) -> Estimate:
    """Estimate a statistic of column sums with a cluster bootstrap interval.

    Formula: quantiles of the statistic over resampled clusters (Efron 1979; Field & Welsh 2007
    for clusters). "percentile" takes them at alpha / 2 and 1 - alpha / 2; "bca" shifts both by
    the bias z0 (ties count half) and the acceleration a from leaving out one cluster at a time
    (Efron 1987). Assumes independent clusters, many of them.
    n = 0: no number. One cluster, or the same value in every resample: no interval. Resamples in
    which the statistic is not finite (an empty denominator) are left out and counted in
    `degenerate`.

    Args:
        columns: numbers [N, S], one row per case.
        statistic: from sums [R, S] to values [R], by rows; must not look across rows.
        clusters: labels [N] or `Clusters`.

    Raises:
        UsageError: fewer than 100 resamples, or a statistic of the wrong shape.
    """
    check_level(level)
    if interval not in ("bca", "percentile"):
        raise UsageError(f"interval = {interval!r}; allowed: bca, percentile.")
    n_resamples = _enough(n_resamples)
    name = "BCa" if interval == "bca" else "percentile"
    method = f"cluster bootstrap, {name} interval, {n_resamples} resamples"
    if len(as_array("columns", columns)) == 0:
        return Estimate.none("no case was scored", method=method, clusters=0, level=level)
    table, n = _table(columns, clusters)
    value = float(_apply(statistic, table.sum(axis=0, keepdims=True))[0])
    if not np.isfinite(value):
        why = "the statistic is not finite on all cases together"
        return Estimate.none(why, method=method, total=n, clusters=len(table), level=level)
    ends: tuple[float, float] | None = None
    if len(table) == 1:
        caution: str | None = "one cluster: the spread between clusters is not estimable"
    else:
        draws = _apply(statistic, _draw(table, rng, n_resamples))
        finite = draws[np.isfinite(draws)]
        if len(finite) == 0 or np.ptp(finite) <= 1e-14 * max(1.0, abs(value)):
            caution = "every resample gives the same value"
        else:
            shift = _bca(finite, value, table, statistic) if interval == "bca" else None
            low, high = np.quantile(finite, _tails(level, shift))
            # A skewed statistic may lie outside its own percentile interval.
            ends = min(float(low), value), max(float(high), value)
            caution = _caution(len(table), n_resamples - len(finite), n_resamples)
    return Estimate(
        value=value,
        low=ends[0] if ends else None,
        high=ends[1] if ends else None,
        n=n,
        clusters=len(table),
        method=method,
        level=level,
        degenerate=caution,
    )


def bootstrap_ratio(
    numerator: ArrayLike,
    denominator: ArrayLike | None,
    clusters: Labels,
    *,
    rng: Generator,
    n_resamples: int = 10_000,
    interval: BootstrapInterval = "bca",
    level: float = 0.95,
) -> Estimate:
    """Estimate sum(numerator) / sum(denominator) with a cluster bootstrap interval.

    A mean is the ratio with `denominator=None`. Formula, assumptions, edges: `bootstrap`.
    """
    top = as_numbers("numerator", numerator)
    bottom = np.ones_like(top) if denominator is None else as_numbers("denominator", denominator)
    same_length(numerator=len(top), denominator=len(bottom))
    columns = np.stack([top, bottom], axis=1)
    return bootstrap(
        columns,
        _ratio,
        clusters,
        rng=rng,
        n_resamples=n_resamples,
        interval=interval,
        level=level,
    )


def bootstrap_difference(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Labels,
    *,
    rng: Generator,
    n_resamples: int = 10_000,
    interval: BootstrapInterval = "bca",
    level: float = 0.95,
) -> Estimate:
    """Estimate the mean of first - second on the same cases, resampling both together.

    Formula, assumptions, edges: `bootstrap` of the per-case difference, so pairing is kept.
    """
    a, b = as_numbers("first", first), as_numbers("second", second)
    same_length(first=len(a), second=len(b))
    return bootstrap_ratio(
        a - b, None, clusters, rng=rng, n_resamples=n_resamples, interval=interval, level=level
    )


def _ratio(sums: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient: Floats = sums[:, 0] / sums[:, 1]
    return quotient


def _enough(n_resamples: int) -> int:
    if n_resamples != int(n_resamples) or n_resamples < FEWEST_RESAMPLES:
        raise UsageError(
            f"n_resamples = {n_resamples}; at least {FEWEST_RESAMPLES} are needed for an interval "
            "at all, and 10,000 for one that does not move with the seed."
        )
    return int(n_resamples)


def _table(columns: ArrayLike, labels: Labels) -> tuple[Floats, int]:
    rows = np.asarray(columns)
    if rows.ndim != 2 or rows.shape[0] == 0:
        raise UsageError(f"columns has shape {rows.shape}; [N, S] with N >= 1 is allowed.")
    numbers = np.stack([as_numbers(f"column {s}", rows[:, s]) for s in range(rows.shape[1])], 1)
    clusters = Clusters.of(labels)
    same_length(columns=len(numbers), clusters=len(clusters))
    return clusters.sums(numbers)[clusters.sizes() > 0], len(numbers)


def _draw(table: Floats, rng: Generator, n_resamples: int) -> Floats:
    groups, width = table.shape
    sums = np.empty((n_resamples, width))
    step = max(1, _CHUNK // groups)
    # Narrow draws are made faster; the offsets below need the full width.
    narrow = np.uint16 if groups < 1 << 16 else np.uint32
    for start in range(0, n_resamples, step):
        rows = min(step, n_resamples - start)
        picks = rng.integers(0, groups, (rows, groups), dtype=narrow).astype(np.int64)
        picks += groups * np.arange(rows)[:, None]
        counts = np.bincount(picks.ravel(), minlength=rows * groups).reshape(rows, groups)
        sums[start : start + rows] = counts.astype(np.float64) @ table
    return sums


def _apply(statistic: Statistic, sums: Floats) -> Floats:
    values = np.asarray(statistic(sums), dtype=np.float64)
    if values.shape != (len(sums),):
        raise UsageError(
            f"The statistic made shape {values.shape} of sums {sums.shape}; "
            f"one value per row, ({len(sums)},), is allowed."
        )
    return values


def _bca(draws: Floats, value: float, table: Floats, statistic: Statistic) -> tuple[float, float]:
    """Return bias z0 and acceleration a; 0 where leave-one-out values do not exist."""
    slack = 1e-12 * max(1.0, abs(value))
    below = np.mean(draws < value - slack) + 0.5 * np.mean(np.abs(draws - value) <= slack)
    edge = 1 / (len(draws) + 1)
    left_out = _apply(statistic, table.sum(axis=0, keepdims=True) - table)
    gap = left_out.mean() - left_out if np.isfinite(left_out).all() else np.zeros(1)
    squares = float((gap**2).sum())
    acceleration = float((gap**3).sum()) / (6 * squares**1.5) if squares > 0 else 0.0
    return float(ndtri(np.clip(below, edge, 1 - edge))), acceleration


def _tails(level: float, shift: tuple[float, float] | None) -> Floats:
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    if shift is None:
        return tails
    bias, acceleration = shift
    z = bias + ndtri(tails)
    moved: Floats = ndtr(bias + z / (1 - acceleration * z))
    return moved


def _caution(clusters: int, lost: int, n_resamples: int) -> str | None:
    reasons = []
    if clusters < FEW_CLUSTERS:
        reasons.append(f"few clusters ({clusters}): a bootstrap interval is too narrow")
    if lost:
        reasons.append(f"{lost} of {n_resamples} resamples had an empty denominator")
    return "; ".join(reasons) or None
