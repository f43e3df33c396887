"""Does the score know what it did not see: ranks against labels, by video.

Sign convention: a high score is expected where the label is true (evidence covers the answer's
interval). Every function resamples videos; tied scores share their place.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vidence.stats.arrays import Bools, Floats, as_flags, as_numbers, same_length
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import Labels
from vidence.stats.rank_levels import Levels, WeightedTable, below, midranks
from vidence.stats.reweighting import reweighted


def spearman(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Labels,
    *,
    rng: Generator,
    n_resamples: int = 10_000,
    level: float = 0.95,
    total: int | None = None,
) -> Estimate:
    """Estimate Spearman's rank correlation with midranks for ties.

    Formula: Pearson's r of the midranks, which every resample of videos ranks anew. Source:
    Spearman (1904). Interval: `reweighted`. All values of one side equal: no number.

    Args:
        first, second: numbers [N], such as the score and the temporal recall.
        clusters: labels [N] or `Clusters`.
    """
    a, b = as_numbers("first", first), as_numbers("second", second)
    groups = Clusters.of(clusters)
    same_length(first=len(a), second=len(b), clusters=len(groups))
    one, other = Levels.of(a, groups), Levels.of(b, groups)
    ones = np.ones(len(a))
    by_one, by_other = one.summing(ones), other.summing(ones)

    def statistic(weights: Floats) -> Floats:
        own, ranks = [], []
        for levels, summed in ((one, by_one), (other, by_other)):
            size = summed(weights)
            rank = midranks(size) - (size.sum(axis=1, keepdims=True) + 1) / 2
            own.append((size * rank * rank).sum(axis=1))
            ranks.append(rank[:, levels.index])
        cross = (weights[:, groups.codes] * ranks[0] * ranks[1]).sum(axis=1)
        spread = own[0] * own[1]
        r: Floats = np.where(spread > 0, cross / np.sqrt(np.where(spread > 0, spread, 1)), np.nan)
        return np.clip(r, -1.0, 1.0)

    return reweighted(
        statistic,
        groups,
        rng=rng,
        n_resamples=n_resamples,
        bounds=(-1.0, 1.0),
        level=level,
        total=total,
    )


def roc_auc(
    scores: ArrayLike,
    labels: ArrayLike,
    clusters: Labels,
    *,
    rng: Generator,
    n_resamples: int = 10_000,
    level: float = 0.95,
    total: int | None = None,
) -> Estimate:
    """Estimate the area under the ROC curve: P(true scores above false) with ties half.

    Formula: sum over levels of true weight times (false weight below + half of that at the level),
    over true times false. Source: Mann & Whitney (1947), Hanley & McNeil (1982). One kind of label
    only: no number; resamples with one kind only are left out and counted.
    """
    positive, negative, groups = _tables(scores, labels, clusters)

    def statistic(weights: Floats) -> Floats:
        pos, neg = positive(weights), negative(weights)
        won = (pos * (below(neg) + neg / 2)).sum(axis=1)
        pairs = pos.sum(axis=1) * neg.sum(axis=1)
        area: Floats = np.where(pairs > 0, won / np.where(pairs > 0, pairs, 1), np.nan)
        return area

    return reweighted(
        statistic,
        groups,
        rng=rng,
        n_resamples=n_resamples,
        bounds=(0.0, 1.0),
        level=level,
        total=total,
    )


def pr_auc(
    scores: ArrayLike,
    labels: ArrayLike,
    clusters: Labels,
    *,
    rng: Generator,
    n_resamples: int = 10_000,
    level: float = 0.95,
    total: int | None = None,
) -> Estimate:
    """Estimate average precision: the step-wise area under the precision-recall curve.

    Formula: walking down the levels, sum of (recall gained) x (precision with the whole level
    taken in). A score that knows nothing reaches the prevalence of true labels, not 1/2. No true
    label: no number.
    """
    positive, negative, groups = _tables(scores, labels, clusters)

    def statistic(weights: Floats) -> Floats:
        pos, neg = positive(weights)[:, ::-1], negative(weights)[:, ::-1]
        found, taken = np.cumsum(pos, axis=1), np.cumsum(pos + neg, axis=1)
        precision = found / np.maximum(taken, 1)
        true = found[:, -1]
        gained = (pos * precision).sum(axis=1)
        area: Floats = np.where(true > 0, gained / np.where(true > 0, true, 1), np.nan)
        return area

    return reweighted(
        statistic,
        groups,
        rng=rng,
        n_resamples=n_resamples,
        bounds=(0.0, 1.0),
        level=level,
        total=total,
    )


def mean_gap(
    values: ArrayLike,
    labels: ArrayLike,
    clusters: Labels,
    *,
    rng: Generator,
    n_resamples: int = 10_000,
    level: float = 0.95,
    total: int | None = None,
) -> Estimate:
    """Estimate the mean where the label is true minus the mean where it is false.

    Formula: the difference of two ratios of sums, both worked out anew in every resample of
    videos, since one video may hold cases of both kinds. One kind only: no number; resamples that
    lack a kind are left out and counted.
    """
    numbers, true = as_numbers("values", values), as_flags("labels", labels)
    groups = Clusters.of(clusters)
    same_length(values=len(numbers), labels=len(true), clusters=len(groups))
    columns = np.stack([true, ~true, numbers * true, numbers * ~true], axis=1).astype(np.float64)
    table = groups.sums(columns)

    def statistic(weights: Floats) -> Floats:
        n, m, sum_n, sum_m = (weights @ table).T
        both = (n > 0) & (m > 0)
        gap = sum_n / np.maximum(n, 1) - sum_m / np.maximum(m, 1)
        made: Floats = np.where(both, gap, np.nan)
        return made

    return reweighted(statistic, groups, rng=rng, n_resamples=n_resamples, level=level, total=total)


def _tables(
    scores: ArrayLike, labels: ArrayLike, clusters: Labels
) -> tuple[WeightedTable, WeightedTable, Clusters]:
    values, true = as_numbers("scores", scores), as_flags("labels", labels)
    groups = Clusters.of(clusters)
    same_length(scores=len(values), labels=len(true), clusters=len(groups))
    levels = Levels.of(values, groups)
    return levels.summing(_float(true)), levels.summing(_float(~true)), groups


def _float(flags: Bools) -> Floats:
    return flags.astype(np.float64)
