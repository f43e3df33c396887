"""Intervals for what cross-validation measures."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import Labels, mean_by_cluster


def accuracy_of_procedure(
    right: ArrayLike, clusters: Labels, *, folds: int, level: float = 0.95
) -> Estimate:
    """Estimate a procedure's accuracy on new videos from held-out answers.

    Estimand: the accuracy, on videos like these, of the learning procedure taught on (K - 1) / K of
    as many, on average over what it might have been taught on; not that of one taught learner.
    Formula: the mean of the held-out answers, with the interval of `mean_by_cluster` made wider by
    sqrt(1 + K / (K - 1)), which is 1.5 for five folds. Answers of one fold share a fit and fits
    share training questions, so that the plain interval, which takes videos to be independent,
    covers less than it says: 77 to 96 % in simulations at a nominal 95 % (docs/statistics.md).
    Source: Nadeau & Bengio (2003), Machine Learning 52, 239-281, whose variance (1 / K + 1 /
    (K - 1)) S^2 is this factor on S^2 / K; that no unbiased estimate exists, Bengio & Grandvalet
    (2004), JMLR 5, 1089-1105. Assumes independent videos.
    n = 0: no number. One cluster: no interval. All equal: the exact interval of `mean_by_cluster`,
    made wider too.

    Args:
        right: probability of being right, [N]; with repeats their mean.
        clusters: videos, [N].
        folds: K, 2 or more.
    """
    return _widened(right, clusters, (0.0, 1.0), folds=folds, level=level)


def gain_of_procedure(
    gain: ArrayLike, clusters: Labels, *, folds: int, level: float = 0.95
) -> Estimate:
    """Estimate a procedure's gain over chance on new videos; see `accuracy_of_procedure`.

    Args:
        gain: probability of being right minus that of a blind guess, [N].
        clusters: videos, [N].
        folds: K, 2 or more.
    """
    return _widened(gain, clusters, (-1.0, 1.0), folds=folds, level=level)


def widened(plain: Estimate, *, folds: int, bounds: tuple[float, float]) -> Estimate:
    """Return an estimate of held-out answers with its interval made wider for their folds.

    Formula and source: `accuracy_of_procedure`. Without an interval only the method changes.

    Args:
        plain: from held-out answers as if they were independent between videos.
        folds: K, 2 or more.
        bounds: smallest and largest possible value; the interval is cut to them.
    """
    if isinstance(folds, bool) or folds < 2:
        raise UsageError(f"folds = {folds}; 2 or more is allowed.")
    method = f"cross-validated {plain.method}, widened for {folds} folds (Nadeau-Bengio)"
    if plain.value is None or plain.low is None or plain.high is None:
        return replace(plain, method=method)
    factor = sqrt(1 + folds / (folds - 1))
    return replace(
        plain,
        low=max(bounds[0], plain.value - factor * (plain.value - plain.low)),
        high=min(bounds[1], plain.value + factor * (plain.high - plain.value)),
        method=method,
    )


def _widened(
    values: ArrayLike,
    clusters: Labels,
    bounds: tuple[float, float],
    *,
    folds: int,
    level: float,
) -> Estimate:
    plain = mean_by_cluster(values, clusters, bounds=bounds, level=level)
    return widened(plain, folds=folds, bounds=bounds)
