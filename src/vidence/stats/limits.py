"""Limits for one binomial share, with a number of trials that need not be whole.

Only `scipy.special` is used: loading `scipy.stats` costs more than a second, and its limits want
whole numbers, which an effective sample size is not.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import betaincinv, ndtri, stdtrit

Limits = Callable[[float, float, float], tuple[float, float]]


def wilson(share: float, trials: float, level: float) -> tuple[float, float]:
    """Return the score limits of Wilson (1927).

    centre +- half with z = normal quantile, d = 1 + z^2 / n,
    centre = (p + z^2 / 2n) / d, half = z sqrt(p (1 - p) / n + z^2 / 4n^2) / d.
    Keeps width at p = 0 and p = 1. `trials` > 0.
    """
    z = normal_quantile(level)
    d = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / d
    half = z * np.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / d
    # At p = 0 and 1 the exact end is p itself; rounding would leave it a hair outside.
    low = 0.0 if share <= 0 else max(0.0, float(centre - half))
    high = 1.0 if share >= 1 else min(1.0, float(centre + half))
    return low, high


def clopper_pearson(share: float, trials: float, level: float) -> tuple[float, float]:
    """Return the limits of Clopper and Pearson (1934), as quantiles of beta distributions.

    low = B(alpha / 2; x, n - x + 1), high = B(1 - alpha / 2; x + 1, n - x), x = p n.
    Keeps width at p = 0 and p = 1. `trials` > 0, not necessarily whole.
    """
    tail = (1 - level) / 2
    x = share * trials
    low = 0.0 if share <= 0 else float(betaincinv(x, trials - x + 1, tail))
    high = 1.0 if share >= 1 else float(betaincinv(x + 1, trials - x, 1 - tail))
    return low, high


def normal_quantile(level: float) -> float:
    """Return the two-sided normal quantile, 1.96 at 0.95."""
    return float(ndtri(0.5 + level / 2))


def t_quantile(level: float, df: float) -> float:
    """Return the two-sided quantile of Student's t with `df` > 0 degrees of freedom."""
    return float(stdtrit(df, 0.5 + level / 2))


def adjusted_trials(trials: float, level: float, df: float) -> float:
    """Return trials x (z / t)^2: fewer trials, because the design effect is itself estimated.

    Korn & Graubard (1998), Survey Methodology 24, 193-201.
    """
    return trials * (normal_quantile(level) / t_quantile(level, df)) ** 2
