"""Two conditions on the same cases: how far apart, and could it be chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from vidence.stats.arrays import as_flags, same_length
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import Labels, difference_by_cluster


def accuracy_difference(
    first: ArrayLike,
    second: ArrayLike,
    clusters: Labels,
    *,
    level: float = 0.95,
    total: int | None = None,
) -> Estimate:
    """Estimate accuracy under the first condition minus accuracy under the second.

    Formula, assumptions and edge behaviour: `difference_by_cluster` on the per-case differences,
    so that only cases on which the conditions disagree widen the interval.

    Args:
        first, second: right or wrong on the same cases in the same order, [N].
        clusters: labels [N] or `Clusters`.
        total: cases asked for under both; None means N.
    """
    a, b = as_flags("first", first), as_flags("second", second)
    same_length(first=len(a), second=len(b))
    differences = a.astype(np.float64) - b
    return difference_by_cluster(differences, clusters, level=level, total=total)


def sign_flip_p(first: ArrayLike, second: ArrayLike, clusters: Labels) -> float:
    """Return the exact two-sided p value that two conditions do not differ, by cluster.

    Formula: with d_g the sum of first - second over cluster g, the share of the 2^G sign
    patterns s for which |sum s_g d_g| reaches |sum d_g|. The distribution is built by exact
    convolution over whole numbers, so nothing is drawn at random. Assumes that under the null a
    cluster's difference is as likely to have either sign. With one case per cluster it is
    McNemar's exact test (McNemar 1947). Returns 1.0 where no case differs, n = 0 included; the
    smallest value with G differing clusters is 2^(1 - G), so one cluster can never be
    significant.
    """
    a, b = as_flags("first", first), as_flags("second", second)
    same_length(first=len(a), second=len(b))
    sums = Clusters.of(clusters).sums(a.astype(np.float64) - b)
    steps = np.abs(np.rint(sums).astype(np.int64))
    observed, steps = abs(round(float(sums.sum()))), steps[steps > 0]
    if not len(steps):
        return 1.0
    reach = int(steps.sum())
    chance = np.zeros(2 * reach + 1)
    chance[reach] = 1.0
    for step in np.sort(steps):
        # Halving at every step keeps the masses summing to one, where counts would overflow.
        moved = np.zeros_like(chance)
        moved[step:] += chance[: len(chance) - step]
        moved[: len(chance) - step] += chance[step:]
        chance = moved / 2
    far = np.abs(np.arange(-reach, reach + 1)) >= observed
    return float(min(1.0, chance[far].sum()))
