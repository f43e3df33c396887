"""Shares and means with intervals, for independent cases and for cases in clusters.

Every function returns an `Estimate`. Edge behaviour is the same everywhere: n = 0 gives no
number; one cluster (or one case) gives the value without an interval; all values equal give an
interval with width where the range of the values is known; fewer than `FEW_CLUSTERS` clusters are
named in `degenerate` beside an interval that uses t.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, as_array, as_flags, as_numbers, check_level
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.limits import (
    Limits,
    adjusted_trials,
    clopper_pearson,
    t_quantile,
    wilson,
)
from vidence.stats.moments import Moments, moments_of

FEW_CLUSTERS = 30

ShareInterval = Literal["wilson", "clopper-pearson"]
_LIMITS: dict[str, Limits] = {"wilson": wilson, "clopper-pearson": clopper_pearson}
_NAMES = {"wilson": "Wilson", "clopper-pearson": "Clopper-Pearson"}
_CR2 = "CR2 variance, Bell-McCaffrey df"

Labels = Clusters | ArrayLike
Interval = Callable[[Moments], tuple[float, float]]


def proportion(
    successes: int,
    trials: int,
    *,
    interval: ShareInterval = "wilson",
    level: float = 0.95,
    total: int | None = None,
) -> Estimate:
    """Estimate a share from independent trials.

    Formula: successes / trials, with the limits of Wilson (1927) or Clopper and Pearson (1934).
    Assumes independent trials of one probability. n = 0 gives no number; 0 of n and n of n keep
    an interval with width.

    Args:
        total: trials asked for, where some were lost; None means `trials`.

    Raises:
        UsageError: counts that are negative or not whole, or successes > trials.
    """
    limits, check = _limits(interval), check_level(level)
    for name, count in (("successes", successes), ("trials", trials)):
        if isinstance(count, bool | np.bool_) or count != int(count) or count < 0:
            raise UsageError(f"{name} = {count!r}; a whole number from 0 up is allowed.")
    if successes > trials:
        raise UsageError(f"{successes} successes in {trials} trials.")
    method = f"share of independent cases, {_NAMES[interval]} interval"
    if trials == 0:
        return Estimate.none("no case was scored", method=method, total=total or 0, level=level)
    share = successes / trials
    low, high = limits(share, trials, check)
    return Estimate(
        value=share, low=low, high=high, n=trials, total=total, method=method, level=level
    )


def proportion_by_cluster(
    hits: ArrayLike,
    clusters: Labels,
    *,
    weights: ArrayLike | None = None,
    interval: ShareInterval = "clopper-pearson",
    level: float = 0.95,
    total: int | None = None,
) -> Estimate:
    """Estimate a share of cases that come in clusters (questions on videos).

    Formula: p = sum of hits / n; effective trials p (1 - p) / V with V the CR2 variance by
    cluster, never more than the trials; those times (z / t)^2 enter the limits of one binomial
    share. Source: Korn & Graubard (1998), with Bell & McCaffrey (2002) for V and df. Assumes
    independent clusters whose size does not depend on the share in a way that matters for the
    question asked (the share is per case, not per cluster).
    All hits equal (0 of 25): the effective trials are the effective number of clusters, as if
    each cluster were one case, so the interval has width. n = 0: no number. One cluster: no
    interval.

    Args:
        hits: booleans, or 0 and 1, [N].
        clusters: labels [N] or `Clusters`.
        weights: [N], zero or more; None weighs all cases alike.
        total: cases asked for; None means N.
    """
    flags, limits = as_flags("hits", hits), _limits(interval)
    name = "Korn-Graubard" if interval == "clopper-pearson" else "Wilson on effective trials"
    method = f"share by cluster, {name} interval ({_CR2})"

    def ends(m: Moments) -> tuple[float, float]:
        trials = m.units if m.flat else m.value * (1 - m.value) / m.floored
        return limits(m.value, adjusted_trials(trials, level, m.df), level)

    values = flags.astype(np.float64)
    return _by_cluster(values, clusters, weights, ends, method=method, level=level, total=total)


def mean_by_cluster(
    values: ArrayLike,
    clusters: Labels,
    *,
    weights: ArrayLike | None = None,
    bounds: tuple[float, float] | None = None,
    level: float = 0.95,
    total: int | None = None,
) -> Estimate:
    """Estimate a mean of cases that come in clusters.

    Boolean values are a share and go to `proportion_by_cluster`.
    Formula: m = sum(w v) / sum(w), m +- t sqrt(V), V the CR2 variance by cluster and t with
    Bell-McCaffrey degrees of freedom (Bell & McCaffrey 2002). Assumes independent clusters and a
    mean that is nearly normal: for shares near 0 or 1 prefer `proportion_by_cluster`, for
    differences of shares `difference_by_cluster`.
    All values equal: with `bounds` an exact interval with width (see docs/statistics.md), without
    them no interval. Clusters of equal mean: the variance of independent cases. n = 0: no
    number. One cluster: no interval.

    Args:
        values: numbers [N].
        bounds: smallest and largest possible value; the interval is cut to them.
    """
    if as_array("values", values).dtype.kind == "b":
        return proportion_by_cluster(values, clusters, weights=weights, level=level, total=total)
    numbers = as_numbers("values", values)
    _check_bounds(numbers, bounds)
    method = f"mean by cluster, t interval ({_CR2})"

    def ends(m: Moments) -> tuple[float, float]:
        if m.flat:
            if bounds is None:
                raise _NoIntervalError("all values are equal and their range is not known")
            return _flat_ends(m, bounds, level)
        half = t_quantile(level, m.df) * np.sqrt(m.spread)
        low, high = m.value - half, m.value + half
        return (low, high) if bounds is None else (max(low, bounds[0]), min(high, bounds[1]))

    return _by_cluster(numbers, clusters, weights, ends, method=method, level=level, total=total)


def difference_by_cluster(
    differences: ArrayLike,
    clusters: Labels,
    *,
    least_variance: float = 0.0,
    level: float = 0.95,
    total: int | None = None,
) -> Estimate:
    """Estimate the mean of per-case differences in [-1, 1], such as right under A minus under B.

    Formula: with b and c the means of the positive and of the negative parts, d = b - c, the
    effective trials are (b + c - d^2) / V, V the CR2 variance of d by cluster and never below
    that of independent cases; Wilson limits of b and of c on those trials times (z / t)^2 are
    joined by Newcombe's (1998) hybrid score rule with the multinomial correlation
    -sqrt(b c / ((1 - b) (1 - c))). It keeps the skewness of rare flags, which a t interval does
    not. Source: Newcombe (1998), Statistics in Medicine 17, 2635-2650; Zou & Donner (2008) for
    the rule; the effective trials are ours, calibrated in tests/calibration.
    All differences equal: the effective number of clusters stands for the trials, so the interval
    has width. n = 0: no number. One cluster: no interval.

    Args:
        differences: numbers [N] from -1 to 1.
        clusters: labels [N] or `Clusters`.
        least_variance: variance of the mean that theory guarantees under the null; V is never
            taken to be smaller, so a sample that happens to miss the rare outcome claims nothing.
        total: cases asked for; None means N.
    """
    numbers = as_numbers("differences", differences)
    _check_bounds(numbers, (-1.0, 1.0))
    method = f"mean difference by cluster, hybrid score interval ({_CR2})"
    up, down = np.maximum(numbers, 0), np.maximum(-numbers, 0)

    def ends(m: Moments) -> tuple[float, float]:
        b, c = float(up.mean()), float(down.mean())
        trials = m.units if m.flat else (b + c - m.value**2) / max(m.floored, least_variance)
        return _hybrid(b, c, adjusted_trials(trials, level, m.df), level)

    return _by_cluster(numbers, clusters, None, ends, method=method, level=level, total=total)


def _hybrid(b: float, c: float, trials: float, level: float) -> tuple[float, float]:
    (low_b, high_b), (low_c, high_c) = wilson(b, trials, level), wilson(c, trials, level)
    room = (1 - b) * (1 - c)
    r = -np.sqrt(b * c / room) if room > 0 else 0.0
    below, above = b - low_b, high_b - b
    left, right = c - low_c, high_c - c
    low = (b - c) - np.sqrt(below**2 + right**2 - 2 * r * below * right)
    high = (b - c) + np.sqrt(above**2 + left**2 - 2 * r * above * left)
    return max(-1.0, float(low)), min(1.0, float(high))


def _flat_ends(m: Moments, bounds: tuple[float, float], level: float) -> tuple[float, float]:
    # If a share q of clusters held anything else, all of the effective clusters agree with
    # probability (1 - q)^units; q is at most `other`, and each such cluster could lie at a bound.
    other = clopper_pearson(0.0, m.units, level)[1]
    low, high = bounds
    return m.value - other * (m.value - low), m.value + other * (high - m.value)


class _NoIntervalError(Exception):
    """The data allow no interval; the message says why."""


def _by_cluster(
    values: Floats,
    labels: Labels,
    weights: ArrayLike | None,
    ends: Interval,
    *,
    method: str,
    level: float,
    total: int | None,
) -> Estimate:
    check_level(level)
    clusters = Clusters.of(labels)
    weigh = None if weights is None else as_numbers("weights", weights)
    if not len(values) and not len(clusters):
        return Estimate.none(
            "no case was scored", method=method, total=total or 0, clusters=0, level=level
        )
    m = moments_of(values, clusters, weigh)
    low, high, why = None, None, few_clusters(m)
    if m.clusters > 1:
        try:
            low, high = ends(m)
        except _NoIntervalError as reason:
            why = str(reason)
    return Estimate(
        value=m.value,
        low=low,
        high=high,
        n=m.n,
        total=total,
        clusters=m.clusters,
        method=method,
        level=level,
        degenerate=why,
    )


def few_clusters(m: Moments) -> str | None:
    """Return why an interval is missing or weak for lack of clusters, or None."""
    if m.n == 1:
        return "not estimable from one case"
    if m.clusters == 1:
        return "one cluster: the spread between clusters is not estimable"
    if m.clusters < FEW_CLUSTERS:
        return f"few clusters ({m.clusters}): t with {m.df:.1f} degrees of freedom, read with care"
    return None


def _limits(interval: str) -> Limits:
    if interval not in _LIMITS:
        allowed = ", ".join(sorted(_LIMITS))
        raise UsageError(f"interval = {interval!r}; allowed: {allowed}.")
    return _LIMITS[interval]


def _check_bounds(values: Floats, bounds: tuple[float, float] | None) -> None:
    if bounds is None:
        return
    low, high = bounds
    outside: Bools = (values < low - 1e-9) | (values > high + 1e-9)
    if low >= high or outside.any():
        worst = f"; got {values[outside][0]:g}" if outside.any() else ""
        raise UsageError(f"Values from {low:g} to {high:g} are allowed{worst}.")
