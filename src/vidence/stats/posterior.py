"""What a question's few draws say once all questions are known: shrunken scores and signs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import betainc, ndtri

from vidence.stats.arrays import Floats
from vidence.stats.binomial_difference import binomial_pmf
from vidence.stats.flip_counts import FlipCounts
from vidence.stats.heterogeneity import Z_GRID, FlipPrior


@dataclass(frozen=True, eq=False)
class Posterior:
    """Hold the posterior of each scored question's true score d - s.

    Args:
        mean: posterior mean, [M].
        sd: posterior standard deviation, [M].
        positive: P(d > s), [M].
    """

    mean: Floats
    sd: Floats
    positive: Floats


def posterior(counts: FlipCounts, prior: FlipPrior) -> Posterior:
    """Return the posterior of each scored question under a fitted prior.

    Formula: the prior's mass at (d, s) times b(x; k_d, d) b(y; k_s, s), normalised; mean and SD of
    d - s and P(d > s) under it. Source: empirical Bayes (Robbins 1956; Efron 2010, Large-Scale
    Inference). Assumes that the questions are exchangeable draws from the prior and that the prior
    is known: its own uncertainty is not in these numbers. Posterior statements stay true under
    any stopping rule that looks at the draws alone. No scored question: empty arrays.
    """
    tables, index = counts.tables()
    values = np.empty((len(tables), 3))
    for row, (x, kd, y, ks) in enumerate(tables.tolist()):
        mean, square, positive = (table[x, y] for table in posterior_tables(prior, ks, kd))
        values[row] = mean, np.sqrt(max(0.0, square - mean**2)), positive
    mean, spread, positive = values[index].T
    return Posterior(mean, spread, positive)


@lru_cache(maxsize=128)
def posterior_tables(prior: FlipPrior, k_sham: int, k_destroy: int) -> tuple[Floats, ...]:
    """Return E[D], E[D^2] and P(D > 0) for every (x, y), [k_destroy + 1, k_sham + 1] each.

    A prior of k_sham = 0 or k_destroy = 0 draws is the prior itself on that side.
    """
    d, s, mass = prior.grid
    by_d, by_s = binomial_pmf(d, k_destroy), binomial_pmf(s, k_sham)
    chance = by_d.T @ mass @ by_s
    up = (by_d * d[:, None]).T @ mass @ by_s
    down = by_d.T @ mass @ (by_s * s[:, None])
    square = (
        (by_d * d[:, None] ** 2).T @ mass @ by_s
        - 2 * (by_d * d[:, None]).T @ mass @ (by_s * s[:, None])
        + by_d.T @ mass @ (by_s * s[:, None] ** 2)
    )
    above = np.stack([_mass_above(prior, by_d[:, x]) @ by_s for x in range(k_destroy + 1)], axis=0)
    safe = np.maximum(chance, 1e-300)
    return (up - down) / safe, square / safe, np.clip(above / safe, 0.0, 1.0)


def _mass_above(prior: FlipPrior, likely: Floats) -> Floats:
    """Return, for each point of s, the mass of d > s weighted by `likely`, [M].

    The boundary d = s seldom falls on a grid point, so each column's running integral is taken
    and read off between points; cubic Hermite interpolation with the integrand as slope keeps
    the error at the fourth power of the step.
    """
    _, s, mass = prior.grid
    weighted = mass * likely[:, None]
    # Trapezoid sums from the top: half a point's mass lies on either side of it.
    above = np.cumsum(weighted[::-1], axis=0)[::-1] - weighted / 2
    a = prior.destroy * prior.total_destroy
    with np.errstate(divide="ignore"):
        edge = ndtri(betainc(a, prior.total_destroy - a, s))
    step = Z_GRID[1] - Z_GRID[0]
    place = np.clip((edge - Z_GRID[0]) / step, 0.0, len(Z_GRID) - 1.0)
    left = np.minimum(place.astype(np.int64), len(Z_GRID) - 2)
    t, columns = place - left, np.arange(len(s))
    first, second = above[left, columns], above[left + 1, columns]
    slope, next_slope = -weighted[left, columns], -weighted[left + 1, columns]
    made: Floats = (
        first * (1 + 2 * t) * (1 - t) ** 2
        + second * t**2 * (3 - 2 * t)
        + slope * t * (1 - t) ** 2
        - next_slope * t**2 * (1 - t)
    )
    return made
