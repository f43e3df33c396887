"""Mean, variance and degrees of freedom of cases that come in clusters.

With weights w, values v, mean m = sum(w v) / sum(w), cluster shares f_g = W_g / W and cluster
residuals u_g = sum over g of w (v - m):

    variance = sum_g (u_g / W)^2 / (1 - f_g)

which is the CR2 estimator of Bell & McCaffrey (2002) for a regression on a constant; with equal
clusters it is the usual G / (G - 1) times the sum of squares. Degrees of freedom are Bell and
McCaffrey's Satterthwaite value under independent cases, in closed form:

    df = 1 / (sum f^2 + (sum r)^2 - sum r^2),   r_g = f_g^2 / (1 - f_g)

which is G - 1 with equal clusters and falls as sizes grow unequal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vidence.errors import UsageError
from vidence.stats.arrays import Floats, same_length
from vidence.stats.clusters import Clusters

# Relative size below which a variance is rounding and not spread.
_ROUNDING = 1e-14


@dataclass(frozen=True, slots=True)
class Moments:
    """Hold what every clustered interval is made of.

    Args:
        n: cases.
        clusters: clusters that hold a positive weight.
        value: weighted mean.
        variance: CR2 variance of the mean; nan with fewer than two clusters.
        independent: variance of the mean were the cases independent (HC0); 0 if all are equal.
        df: Satterthwaite degrees of freedom; nan with fewer than two clusters.
        units: effective number of clusters, 1 / sum f^2 (Kish), the information left if all
            cases of a cluster are copies of each other.
    """

    n: int
    clusters: int
    value: float
    variance: float
    independent: float
    df: float
    units: float

    @property
    def flat(self) -> bool:
        """Whether all values are equal, so that the data show no spread at all."""
        return self.independent == 0.0

    @property
    def spread(self) -> float:
        """The variance, or that of independent cases where all clusters have the same mean."""
        return self.variance if self.variance > _ROUNDING * self.independent else self.independent

    @property
    def floored(self) -> float:
        """The variance, but never below that of independent cases.

        Negative dependence inside clusters is chance far more often than truth, and clusters
        that happen to have equal means would otherwise give an interval without width.
        """
        return max(self.variance, self.independent)


def moments_of(values: Floats, clusters: Clusters, weights: Floats | None = None) -> Moments:
    """Return the moments of `values` [N] grouped by `clusters`, with n >= 1.

    Raises:
        UsageError: lengths differ, a weight is negative, or all weights are zero.
    """
    same_length(values=len(values), clusters=len(clusters))
    if weights is None:
        used, total, sizes = values, float(len(values)), clusters.sizes().astype(np.float64)
        value = float(values.sum() / total)
        centred = values - value
    else:
        same_length(values=len(values), weights=len(weights))
        used, total, sizes = values[weights > 0], float(weights.sum()), clusters.sums(weights)
        if total <= 0 or bool((weights < 0).any()):
            raise UsageError("weights must be zero or more, with a positive sum.")
        value = float((weights * values).sum() / total)
        centred = weights * (values - value)
    low, high = float(used.min()), float(used.max())
    flat = high - low <= _ROUNDING * max(1.0, abs(low), abs(high))
    share = sizes / total
    inside = share > 0
    f, groups = share[inside], int(np.count_nonzero(inside))
    if groups < 2:
        nan = float("nan")
        variance, df = nan, nan
    else:
        u = clusters.sums(centred)[inside] / total
        r = f * f / (1 - f)
        variance = float((u * u / (1 - f)).sum())
        df = float(1 / ((f * f).sum() + r.sum() ** 2 - (r * r).sum()))
    # Not a dot product: threaded BLAS on a busy machine took seconds for what adds up in 10 us.
    independent = 0.0 if flat else float(np.square(centred).sum() / total**2)
    return Moments(
        n=len(values),
        clusters=groups,
        value=value,
        variance=variance,
        independent=independent,
        df=df,
        units=float(1 / (f * f).sum()),
    )
