"""Which cases belong together: questions about one video are not independent."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, Ints, as_array, same_length


@dataclass(frozen=True, eq=False)
class Clusters:
    """Hold the cluster of each case as a number, so that labels are sorted once and not per mean.

    Args:
        codes: int [N], each in [0, count).
        count: number of clusters the codes were made from; a subset may use fewer.
    """

    codes: Ints
    count: int

    @classmethod
    def of(cls, labels: Clusters | ArrayLike) -> Clusters:
        """Return clusters from labels [N], all text or all whole numbers.

        Raises:
            UsageError: mixed types (`1` and `"1"` would be merged), fractions, or two axes.
        """
        if isinstance(labels, Clusters):
            return labels
        array = as_array("clusters", labels)
        if array.ndim != 1:
            raise UsageError(f"clusters has shape {array.shape}; one axis [N] is allowed.")
        if array.size and array.dtype.kind not in "iuU":
            raise UsageError(
                f"clusters has type {array.dtype}; text or whole numbers are allowed, one per case."
            )
        found, codes = np.unique(array, return_inverse=True)
        return cls(codes.astype(np.int64), len(found))

    @classmethod
    def alone(cls, n: int) -> Clusters:
        """Return n clusters of one case each: independent cases."""
        return cls(np.arange(n, dtype=np.int64), n)

    def __len__(self) -> int:
        return len(self.codes)

    def where(self, mask: Bools) -> Clusters:
        """Return the clusters of the cases in `mask`, under the same numbers."""
        return Clusters(self.codes[mask], self.count)

    def sums(self, values: Floats) -> Floats:
        """Return the sum of `values` [N] or [N, S] per cluster: [count] or [count, S]."""
        same_length(values=len(values), clusters=len(self))
        if values.ndim == 1:
            return np.bincount(self.codes, values, self.count).astype(np.float64, copy=False)
        return np.stack([self.sums(column) for column in values.T], axis=-1)

    def sizes(self) -> NDArray[np.int64]:
        """Return the number of cases per cluster, int [count]; zero for clusters not in use."""
        return np.bincount(self.codes, minlength=self.count).astype(np.int64)
