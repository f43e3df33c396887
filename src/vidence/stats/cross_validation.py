"""Intervals for what cross-validation measures."""

from __future__ import annotations

from dataclasses import replace

from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import Labels, mean_by_cluster


def accuracy_of_procedure(
    right: ArrayLike, clusters: Labels, *, folds: int, level: float = 0.95
) -> Estimate:
    """Estimate a procedure's accuracy on new videos from held-out answers."""
    return _widened(right, clusters, (0.0, 1.0), folds=folds, level=level)


def gain_of_procedure(
    gain: ArrayLike, clusters: Labels, *, folds: int, level: float = 0.95
) -> Estimate:
    """Estimate a procedure's gain over chance on new videos."""
    return _widened(gain, clusters, (-1.0, 1.0), folds=folds, level=level)


def _widened(
    values: ArrayLike,
    clusters: Labels,
    bounds: tuple[float, float],
    *,
    folds: int,
    level: float,
) -> Estimate:
    if folds < 2:
        raise UsageError(f"folds = {folds}; 2 or more is allowed.")
    plain = mean_by_cluster(values, clusters, bounds=bounds, level=level)
    return replace(plain, method=f"cross-validated {plain.method}")
