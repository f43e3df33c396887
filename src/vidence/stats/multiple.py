"""Many comparisons at once: the best of many subsets of noise looks significant."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.arrays import Floats, check_level


def holm(p_values: ArrayLike) -> Floats:
    """Return p values adjusted for the whole family by Holm's (1979) step-down rule, [M].

    Formula: sorted p_(1) <= ... <= p_(m), adjusted p_(i) = max over j <= i of
    min(1, (m - j + 1) p_(j)). The chance of any false claim stays under alpha, whatever the
    dependence. NaN means "not tested" (an empty group), stays NaN and does not count in m.

    Raises:
        UsageError: a value outside [0, 1], or more than one axis.
    """
    p = np.asarray(p_values)
    if p.size and p.dtype.kind not in "iuf":
        raise UsageError(f"p_values has type {p.dtype}; numbers from 0 to 1 are allowed.")
    p = p.astype(np.float64)
    if p.ndim != 1:
        raise UsageError(f"p_values has shape {p.shape}; one axis [M] is allowed.")
    tested = ~np.isnan(p)
    known = p[tested]
    if ((known < 0) | (known > 1)).any():
        raise UsageError("p_values must lie between 0 and 1; NaN stands for a group not tested.")
    order = np.argsort(known, kind="stable")
    stepped = np.maximum.accumulate(known[order] * np.arange(len(known), 0, -1))
    adjusted = np.full(p.shape, np.nan)
    back = np.empty_like(known)
    back[order] = np.minimum(stepped, 1.0)
    adjusted[tested] = back
    return adjusted


def family_level(comparisons: int, *, level: float = 0.95) -> float:
    """Return the level that each of `comparisons` intervals needs so that all hold at `level`.

    Formula: 1 - (1 - level) / m (Bonferroni; Dunn 1961), valid under any dependence. A claim is
    then an interval at this level that excludes the null value. Zero comparisons count as one.

    Raises:
        UsageError: fewer than zero comparisons, or a level outside (0, 1).
    """
    check_level(level)
    if comparisons < 0:
        raise UsageError(f"comparisons = {comparisons}; a whole number from 0 up is allowed.")
    return 1 - (1 - level) / max(1, comparisons)
