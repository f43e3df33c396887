"""Cases by score level: the table from which every rank statistic of weighted videos is read.

A score on few draws has few values, and all that a curve, an area or a rank needs is how much
weight lies at each. Ties are levels here and never an order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vidence.stats.arrays import Floats, Ints
from vidence.stats.clusters import Clusters

WeightedTable = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class Levels:
    """Hold cases by the level of their score.

    Args:
        values: distinct scores, ascending, [L].
        index: the level of each case, [N].
        clusters: the video of each case.
    """

    values: Floats
    index: Ints
    clusters: Clusters

    @classmethod
    def of(cls, scores: Floats, clusters: Clusters) -> Levels:
        """Return the levels of finite scores [N]."""
        values, index = np.unique(scores, return_inverse=True)
        return cls(values, index.reshape(-1).astype(np.int64), clusters)

    def summing(self, amounts: Floats) -> WeightedTable:
        """Return a function from weights [R, clusters] to weighted sums per level, [R, L].

        Without ties each level is one case, and picking its weight is cheaper than a product.
        """
        if len(self.values) == len(self.index):
            order = np.argsort(self.index)
            codes, own = self.clusters.codes[order], amounts[order]
            if bool((own == 1).all()):
                return lambda weights: weights[:, codes]
            return lambda weights: weights[:, codes] * own
        cells = self.clusters.codes * len(self.values) + self.index
        size = self.clusters.count * len(self.values)
        sums = np.bincount(cells, amounts, size).astype(np.float64, copy=False)
        table = sums.reshape(self.clusters.count, len(self.values))
        return lambda weights: weights @ table


def below(weights: Floats) -> Floats:
    """Return the weight at lower levels than each, [R, L] from [R, L]."""
    return np.cumsum(weights, axis=1) - weights


def midranks(weights: Floats) -> Floats:
    """Return the mean rank of the cases at each level, [R, L]: weight below plus (w + 1) / 2."""
    ranks: Floats = below(weights) + (weights + 1) / 2
    return ranks
