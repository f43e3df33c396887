"""The mean of group means, which is another number than the pooled mean."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from vidence.stats.arrays import as_numbers, check_level, same_length
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import FEW_CLUSTERS, Labels
from vidence.stats.limits import t_quantile
from vidence.stats.moments import moments_of

_METHOD = "mean of group means, t interval (linearised, by cluster; Satterthwaite df)"


def macro_mean(
    values: ArrayLike,
    groups: ArrayLike,
    clusters: Labels,
    *,
    level: float = 0.95,
    total: int | None = None,
) -> Estimate:
    """Estimate the unweighted mean of the groups' means (mean of task means).

    Formula: m = sum_k mean_k / K. Case i of group k with n_k cases has the influence
    z_i = sqrt(G_k / (G_k - 1)) (v_i - mean_k) / (K n_k), G_k clusters in the group; V is the sum
    over clusters of the squared sums of z, so a cluster may lie in several groups. t has
    (sum V_k)^2 / sum(V_k^2 / df_k) degrees of freedom (Satterthwaite 1946), V_k and df_k the
    group's own. Assumes that the groups are fixed, not a sample of groups.
    n = 0: no number. A group in one cluster, or no spread at all: no interval, with the reason.

    Args:
        values: numbers or booleans [N].
        groups: labels [N].
        clusters: labels [N] or `Clusters`.
    """
    check_level(level)
    numbers, group, cluster = (
        as_numbers("values", values),
        Clusters.of(groups),
        Clusters.of(clusters),
    )
    same_length(values=len(numbers), groups=len(group), clusters=len(cluster))
    if not len(numbers):
        return Estimate.none(
            "no case was scored", method=_METHOD, total=total or 0, clusters=0, level=level
        )
    influence = np.zeros(len(numbers))
    means, variances, dfs, alone = [], [], [], 0
    used = np.flatnonzero(group.sizes())
    for k in used:
        inside = group.codes == k
        m = moments_of(numbers[inside], cluster.where(inside))
        means.append(m.value)
        if m.clusters == 1:
            alone += 1
            continue
        scale = np.sqrt(m.clusters / (m.clusters - 1)) / (len(used) * m.n)
        influence[inside] = scale * (numbers[inside] - m.value)
        variances.append(m.variance)
        dfs.append(m.df)
    count = int(np.count_nonzero(cluster.sizes()))
    value, variance = float(np.mean(means)), float((cluster.sums(influence) ** 2).sum())
    low, high, why = None, None, None
    if alone:
        why = f"{alone} of {len(used)} groups lie in one cluster: their spread is not estimable"
    elif variance == 0:
        why = "no spread between clusters inside any group"
    else:
        v = np.asarray(variances)
        half = t_quantile(level, float(v.sum() ** 2 / (v**2 / dfs).sum())) * np.sqrt(variance)
        low, high = value - half, value + half
        if count < FEW_CLUSTERS:
            why = f"few clusters ({count}): read with care"
    return Estimate(
        value=value,
        low=low,
        high=high,
        n=len(numbers),
        total=total,
        clusters=count,
        method=_METHOD,
        level=level,
        degenerate=why,
    )
