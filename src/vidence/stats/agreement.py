"""Do two runs, or two budgets of one run, say the same about the same questions?"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, as_flags, same_length
from vidence.stats.bootstrap import bootstrap_ratio
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.flip_counts import FlipCounts
from vidence.stats.flip_effect import SIGNS
from vidence.stats.intervals import Labels, proportion_by_cluster
from vidence.stats.reweighting import BOOTSTRAP_FROM, reweighted


@dataclass(frozen=True, slots=True)
class Agreement:
    """Hold how two probes of the same questions agree, over those that both scored.

    Args:
        pearson: correlation of the scores.
        sign: share of questions whose score has the same sign (three classes).
        strict, inclusive: Jaccard similarity of the sets D < 0 and D <= 0.
    """

    pearson: Estimate
    sign: Estimate
    strict: Estimate
    inclusive: Estimate


@dataclass(frozen=True, eq=False)
class Transition:
    """Hold where the signs go from one budget to another.

    Args:
        counts: int [3, 3]; rows the sign before, columns after (negative, tie, positive).
        shares: by sign before, then after: share of the row that ends there, by video.
        left: share of the questions that did not tie before and do after.
        inclusive: Jaccard similarity of the sets D <= 0.
        common, first_only, second_only: questions scored in both, or in one.
    """

    counts: NDArray[np.int64]
    shares: dict[str, dict[str, Estimate]]
    left: Estimate
    inclusive: Estimate
    common: int
    first_only: int
    second_only: int


def agreement(
    first: FlipCounts,
    second: FlipCounts,
    *,
    rng: Generator,
    n_resamples: int = 10_000,
    level: float = 0.95,
) -> Agreement:
    """Estimate how two independent runs agree on the questions that both scored.

    Formula: Pearson's r with a cluster bootstrap (jackknife for few videos), share of equal signs
    (`proportion_by_cluster`), |A and B| / |A or B| with a bootstrap of the ratio. Source: CARVE,
    Table A1. Assumes that both runs list the same questions in the same order. Two empty sets
    have no Jaccard similarity; a run whose scores are all equal has no correlation.

    Raises:
        UsageError: runs of different length or on different videos.
    """
    a, b, clusters = _common(first, second)
    total = len(first)
    sign_a, sign_b = a.signs(), b.signs()

    def set_overlap(limit: int) -> Estimate:
        return jaccard(
            sign_a < limit,
            sign_b < limit,
            clusters,
            rng=rng,
            n_resamples=n_resamples,
            level=level,
            total=total,
        )

    return Agreement(
        pearson=correlation(
            a.scores(),
            b.scores(),
            clusters,
            rng=rng,
            n_resamples=n_resamples,
            level=level,
            total=total,
        ),
        sign=proportion_by_cluster(sign_a == sign_b, clusters, level=level, total=total),
        strict=set_overlap(0),
        inclusive=set_overlap(1),
    )


def transition(
    first: FlipCounts,
    second: FlipCounts,
    *,
    rng: Generator,
    n_resamples: int = 10_000,
    level: float = 0.95,
) -> Transition:
    """Count how signs change between two budgets, on the questions that both scored.

    Formula: a 3 x 3 table of signs; each row's shares by `proportion_by_cluster` within the row.
    Source: CARVE, Fig. 2. Nested budgets share draws, so the two are not independent; intervals
    resample questions and carry their draws along. An empty row is kept with n = 0.
    """
    a, b, clusters = _common(first, second)
    before, after = a.signs(), b.signs()
    cells = np.bincount((before + 1) * 3 + after + 1, minlength=9).reshape(3, 3)
    shares: dict[str, dict[str, Estimate]] = {}
    for row, name in enumerate(SIGNS):
        inside = before == row - 1
        shares[name] = {
            other: proportion_by_cluster(
                after[inside] == column - 1, clusters.where(inside), level=level
            )
            for column, other in enumerate(SIGNS)
        }
    apart = before != 0
    return Transition(
        counts=cells.astype(np.int64),
        shares=shares,
        left=proportion_by_cluster(after[apart] == 0, clusters.where(apart), level=level),
        inclusive=jaccard(
            before <= 0, after <= 0, clusters, rng=rng, n_resamples=n_resamples, level=level
        ),
        common=len(before),
        first_only=int((first.scored & ~second.scored).sum()),
        second_only=int((second.scored & ~first.scored).sum()),
    )


def correlation(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Labels,
    *,
    rng: Generator,
    n_resamples: int = 10_000,
    level: float = 0.95,
    total: int | None = None,
) -> Estimate:
    """Estimate Pearson's r over cases that come in clusters.

    Formula: r from sums of a, b, aa, bb, ab; interval by `reweighted`. All values of one side
    equal: no number.
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    groups = Clusters.of(clusters)
    same_length(first=len(a), second=len(b), clusters=len(groups))
    table = groups.sums(np.stack([np.ones_like(a), a, b, a * a, b * b, a * b], axis=1))
    return reweighted(
        lambda weights: pearson_of(weights @ table),
        groups,
        rng=rng,
        n_resamples=n_resamples,
        bounds=(-1.0, 1.0),
        level=level,
        total=total,
    )


def pearson_of(sums: Floats) -> Floats:
    """Return Pearson's r from sums n, a, b, aa, bb, ab along the last axis; NaN where flat."""
    n, a, b, aa, bb, ab = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        var_a, var_b = aa - a * a / n, bb - b * b / n
        flat = (var_a <= 1e-12 * np.maximum(aa, n)) | (var_b <= 1e-12 * np.maximum(bb, n))
        r: Floats = np.where(flat, np.nan, (ab - a * b / n) / np.sqrt(var_a * var_b))
    return np.clip(r, -1.0, 1.0)


def jaccard(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Labels,
    *,
    rng: Generator,
    n_resamples: int = 10_000,
    level: float = 0.95,
    total: int | None = None,
) -> Estimate:
    """Estimate |A and B| / |A or B| of two sets of the same cases, by cluster.

    Formula: the share of A among the cases that are in either, with its interval as a ratio of
    sums: `bootstrap_ratio`, or `proportion_by_cluster` on the union for few videos. Two empty
    sets: 0 / 0, no number.
    """
    a, b = as_flags("first", first), as_flags("second", second)
    groups = Clusters.of(clusters)
    same_length(first=len(a), second=len(b), clusters=len(groups))
    either, asked = a | b, len(a) if total is None else total
    if not either.any():
        why = "both sets are empty: 0 / 0"
        return Estimate.none(why, method="Jaccard similarity", total=asked, level=level)
    inside = groups.where(either)
    if int(np.count_nonzero(inside.sizes())) < BOOTSTRAP_FROM:
        made = proportion_by_cluster((a & b)[either], inside, level=level)
    else:
        made = bootstrap_ratio(a & b, either, groups, rng=rng, n_resamples=n_resamples, level=level)
    used = int(np.count_nonzero(inside.sizes()))
    return replace(made, n=int(either.sum()), total=asked, clusters=used)


def _common(first: FlipCounts, second: FlipCounts) -> tuple[FlipCounts, FlipCounts, Clusters]:
    same_length(first=len(first), second=len(second))
    if first.clusters is not second.clusters and not np.array_equal(
        first.clusters.codes, second.clusters.codes
    ):
        raise UsageError("The runs list different videos; give the same questions in one order.")
    both: Bools = first.scored & second.scored
    return first.where(both), second.where(both), first.clusters.where(both)
