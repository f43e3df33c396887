"""Answer only where the score is high: risk against coverage, ties averaged.

The most trusted questions are kept first. Among tied scores every order is as likely, so the
expected number of errors grows straight through a block of ties; a random order would be one
draw from that and move the result with the seed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, as_flags, as_numbers, same_length
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import Labels
from vidence.stats.rank_levels import Levels, WeightedTable, below
from vidence.stats.reweighting import WeightedStatistic, reweighted

Measure = Literal["aurc", "e_aurc", "augrc", "aurc_70"]
MEASURES = ("aurc", "e_aurc", "augrc", "aurc_70")
_PARTIAL = 0.7


def risk_coverage(scores: ArrayLike, correct: ArrayLike) -> tuple[Floats, Floats]:
    """Return coverage i / n and expected risk among the i most trusted, i = 1..n, ([n], [n])."""
    values, right = as_numbers("scores", scores), as_flags("correct", correct)
    same_length(scores=len(values), correct=len(right))
    if not len(values):
        return np.zeros(0), np.zeros(0)
    corner, errors = (
        np.concatenate([[0.0], np.cumsum(summed(np.ones((1, 1)))[0])])
        for summed in _tables(values, ~right, Clusters(np.zeros(len(values), dtype=np.int64), 1))
    )
    kept = np.arange(1, len(values) + 1)
    return kept / len(values), np.interp(kept, corner, errors) / kept


def selective_risk(
    scores: ArrayLike,
    correct: ArrayLike,
    clusters: Labels,
    *,
    rng: Generator,
    measure: Measure = "aurc",
    n_resamples: int = 10_000,
    level: float = 0.95,
) -> Estimate:
    """Estimate how well a score ranks right answers before wrong ones.

    With E_i the expected errors among the i most trusted of n:
    "aurc": mean over i of E_i / i (Geifman & El-Yaniv 2017). "e_aurc": minus the least that any
    order of as many errors reaches (Geifman et al. 2019). "augrc": the trapezoid of E_i / n over
    coverage from 0 (Traub et al. 2024, arXiv 2407.01032): the risk that a case is kept and wrong,
    which the first few cases cannot dominate; equals (1 - AUC) a (1 - a) + (1 - a)^2 / 2 with
    accuracy a. "aurc_70": the mean of E_i / i over coverages from 70 % on.
    Less is better in all. Interval: `reweighted`. n = 0: no number.

    Args:
        scores: trust, high first, [N]; every case needs one.
        correct: booleans [N]; clusters: labels [N] or `Clusters`.
    """
    statistic, groups = _statistic(scores, correct, clusters, measure)
    return reweighted(
        statistic, groups, rng=rng, n_resamples=n_resamples, bounds=(0.0, 1.0), level=level
    )


def selective_difference(
    first: ArrayLike,
    second: ArrayLike,
    correct: ArrayLike,
    clusters: Labels,
    *,
    rng: Generator,
    measure: Measure = "aurc",
    n_resamples: int = 10_000,
) -> Estimate:
    """Estimate a measure of the first score minus that of the second on the same cases.

    Formula: `selective_risk` of both in every resample of videos, so the pairing is kept. Below 0
    the first score ranks better.
    """
    one, groups = _statistic(first, correct, clusters, measure)
    other, _ = _statistic(second, correct, clusters, measure)
    return reweighted(lambda w: one(w) - other(w), groups, rng=rng, n_resamples=n_resamples)


def accuracy_at(
    scores: ArrayLike,
    correct: ArrayLike,
    clusters: Labels,
    coverage: float,
    *,
    rng: Generator,
    n_resamples: int = 10_000,
    level: float = 0.95,
) -> Estimate:
    """Estimate the expected accuracy of the most trusted share of cases.

    Formula: 1 - E_i / i at i = coverage x n, rounded half to even and at least 1; a block of ties
    that is cut counts in proportion. Interval: `reweighted`.

    Raises:
        UsageError: coverage outside (0, 1].
    """
    if not 0 < coverage <= 1:
        raise UsageError(f"coverage = {coverage}; a share above 0 and up to 1 is allowed.")
    values, right, groups = _checked(scores, correct, clusters)
    by_size, by_error = _tables(values, ~right, groups)

    def statistic(weights: Floats) -> Floats:
        size, errors = by_size(weights), by_error(weights)
        kept = np.maximum(1, np.rint(coverage * size.sum(axis=1)))[:, None]
        inside = np.clip(kept - below(size), 0, size)
        found = (errors * inside / np.maximum(size, 1)).sum(axis=1)
        accuracy: Floats = 1 - found / kept[:, 0]
        return accuracy

    return reweighted(
        statistic, groups, rng=rng, n_resamples=n_resamples, bounds=(0.0, 1.0), level=level
    )


def coarse_partial_risk(coverages: ArrayLike, accuracies: ArrayLike) -> float:
    """Return the trapezoid of risk over a few coverages, divided by their width.

    This is how a partial area is read off a table of accuracies (CARVE, Table A4: 70, 90 and
    100 %); the exact one is measure "aurc_70".
    """
    at, right = as_numbers("coverages", coverages), as_numbers("accuracies", accuracies)
    same_length(coverages=len(at), accuracies=len(right))
    order = np.argsort(at)
    at, risk = at[order], 1 - right[order]
    if len(at) < 2 or at[-1] <= at[0]:
        raise UsageError("Two different coverages are needed for an area.")
    area = float((np.diff(at) * (risk[1:] + risk[:-1]) / 2).sum())
    return area / float(at[-1] - at[0])


def _checked(
    scores: ArrayLike, correct: ArrayLike, clusters: Labels
) -> tuple[Floats, Bools, Clusters]:
    values, right = as_numbers("scores", scores), as_flags("correct", correct)
    groups = Clusters.of(clusters)
    same_length(scores=len(values), correct=len(right), clusters=len(groups))
    return values, right, groups


def _tables(values: Floats, wrong: Bools, groups: Clusters) -> tuple[WeightedTable, WeightedTable]:
    """Return what sums cases and errors per level, the most trusted level first."""
    levels = Levels.of(-values, groups)
    return levels.summing(np.ones(len(values))), levels.summing(wrong.astype(np.float64))


def _statistic(
    scores: ArrayLike, correct: ArrayLike, clusters: Labels, measure: str
) -> tuple[WeightedStatistic, Clusters]:
    if measure not in MEASURES:
        raise UsageError(f"measure = {measure!r}; allowed: {', '.join(MEASURES)}.")
    values, right, groups = _checked(scores, correct, clusters)
    by_size, by_error = _tables(values, ~right, groups)
    of = _OF[measure]
    return (lambda weights: of(by_size(weights), by_error(weights))), groups


def _aurc(size: Floats, errors: Floats, low: float = 0.0) -> Floats:
    """Return the mean of E_i / i over i from max(1, ceil(low n)) to n, in closed form per block.

    Within a block of b cases and e errors after n0 cases and e0 errors, E_i = e0 + (i - n0) e / b,
    so the sum of E_i / i is (e0 - n0 e / b) (H(last) - H(first - 1)) + e / b times their number.
    """
    rows = np.zeros((len(size), 1))
    corner = np.hstack([rows, np.cumsum(size, axis=1)])
    gone = np.hstack([rows, np.cumsum(errors, axis=1)])[:, :-1]
    first = np.maximum(1, np.ceil(low * corner[:, -1:] - 1e-9))
    rate = errors / np.maximum(size, 1)
    # Blocks before the first i count for nothing: both their ends are moved up to it.
    cut = np.maximum(corner, first - 1)
    harmonic = np.diff(_harmonic(cut), axis=1)
    total = ((gone - corner[:, :-1] * rate) * harmonic + rate * np.diff(cut, axis=1)).sum(axis=1)
    mean: Floats = total / (corner[:, -1] - first[:, 0] + 1)
    return mean


def _harmonic(counts: Floats) -> Floats:
    """Return 1 + 1/2 + ... + 1/m for whole counts m of any shape."""
    whole = counts.astype(np.int32)
    sums = np.cumsum(1 / np.arange(1, int(whole.max(initial=1)) + 1))
    return np.concatenate([[0.0], sums]).take(whole)


def _e_aurc(size: Floats, errors: Floats) -> Floats:
    n, e = size.sum(axis=1), errors.sum(axis=1)
    least = (e - (n - e) * (_harmonic(n) - _harmonic(n - e))) / n
    excess: Floats = _aurc(size, errors) - least
    return excess


def _augrc(size: Floats, errors: Floats) -> Floats:
    n = size.sum(axis=1)
    area: Floats = (size * (below(errors) + errors / 2)).sum(axis=1) / n**2
    return area


_OF: dict[str, Callable[[Floats, Floats], Floats]] = {
    "aurc": _aurc,
    "e_aurc": _e_aurc,
    "augrc": _augrc,
    "aurc_70": lambda size, errors: _aurc(size, errors, _PARTIAL),
}
