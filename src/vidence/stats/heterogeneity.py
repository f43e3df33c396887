"""How much questions differ: flip rates drawn from a pair of correlated Beta distributions.

One pair of rates for all questions predicts too few ties. Here every question draws its own pair
(s, d): Beta marginals joined by a Gaussian copula, s = F_s^-1(Phi(z_s)), d = F_d^-1(Phi(z_d)) with
(z_s, z_d) standard normal of correlation rho. All integrals are sums over one grid in (z_s, z_d),
which for smooth integrands under a normal weight converges faster than any power of the step.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.random import Generator
from scipy.special import betaincinv, ndtr

from vidence.errors import UsageError
from vidence.stats.arrays import Floats
from vidence.stats.binomial_difference import binomial_pmf

_REACH, _POINTS = 8.0, 241
Z_GRID = np.linspace(-_REACH, _REACH, _POINTS)
# Below this total a Beta distribution is two points to any number of draws.
LEAST_TOTAL, MOST_TOTAL, MOST_CORRELATION = 0.05, 1e4, 0.99


@dataclass(frozen=True)
class FlipPrior:
    """Hold a distribution of question-level flip rates.

    Args:
        sham, destroy: mean rates.
        total_sham, total_destroy: a + b of each Beta distribution: small means that questions
            nearly always or nearly never flip, large that all share the mean rate.
        correlation: rho of the Gaussian copula; positive where a question that flips under sham
            tends to flip under destroy.

    Raises:
        UsageError: a mean outside (0, 1), a total outside [0.05, 10,000], |rho| > 0.99.
    """

    sham: float
    destroy: float
    total_sham: float
    total_destroy: float
    correlation: float = 0.0

    def __post_init__(self) -> None:
        for name in ("sham", "destroy"):
            if not 0 < getattr(self, name) < 1:
                raise UsageError(f"{name} = {getattr(self, name)}; a rate inside (0, 1) is needed.")
        for name in ("total_sham", "total_destroy"):
            if not LEAST_TOTAL <= getattr(self, name) <= MOST_TOTAL:
                raise UsageError(
                    f"{name} = {getattr(self, name)}; {LEAST_TOTAL} to {MOST_TOTAL:g} are allowed."
                )
        if not abs(self.correlation) <= MOST_CORRELATION:
            raise UsageError(
                f"correlation = {self.correlation}; -{MOST_CORRELATION} to {MOST_CORRELATION}."
            )

    @classmethod
    def reference(cls, sham: float = 0.344, destroy: float = 0.642) -> FlipPrior:
        """Return the spread of questions fitted to CARVE's LVBench figures, at given mean rates.

        Totals 1.08 and 1.26, correlation 0.42: one agent on one benchmark. It stands in where a
        budget is planned before anything was drawn.
        """
        return cls(sham, destroy, 1.08, 1.26, 0.42)

    @cached_property
    def grid(self) -> tuple[Floats, Floats, Floats]:
        """The rates (d [M], s [M]) at the grid's points and the mass of each pair, [M, M]."""
        u = ndtr(Z_GRID)
        s, d = (
            betaincinv(mean * total, (1 - mean) * total, u)
            for mean, total in (
                (self.sham, self.total_sham),
                (self.destroy, self.total_destroy),
            )
        )
        rho = self.correlation
        a, b = Z_GRID[:, None], Z_GRID[None, :]
        mass = np.exp(-(a * a - 2 * rho * a * b + b * b) / (2 * (1 - rho * rho)))
        return d, s, mass / mass.sum()

    def table(self, k_sham: int, k_destroy: int) -> Floats:
        """Return P(x of k_destroy and y of k_sham replays flip), [k_destroy + 1, k_sham + 1]."""
        d, s, mass = self.grid
        chance: Floats = binomial_pmf(d, k_destroy).T @ mass @ binomial_pmf(s, k_sham)
        return chance

    def signs(self, k: int, k_destroy: int | None = None) -> tuple[float, float, float]:
        """Return P(negative), P(tie), P(positive) of a question's score at k draws a condition."""
        kd = k if k_destroy is None else k_destroy
        table = self.table(k, kd)
        sign = np.sign(np.arange(kd + 1)[:, None] * k - np.arange(k + 1) * kd)
        made = [float(table[sign == value].sum()) for value in (-1, 0, 1)]
        return made[0], made[1], made[2]

    def moments(self) -> tuple[float, float]:
        """Return (V, E): the variance of the true score over questions, and E[s(1-s) + d(1-d)].

        E / k is the mean sampling variance of a score at k draws a condition.
        """
        d, s, mass = self.grid
        along_d, along_s = mass.sum(axis=1), mass.sum(axis=0)
        mean = along_d @ d - along_s @ s
        second = along_d @ d**2 - 2 * float(d @ mass @ s) + along_s @ s**2
        noise = along_d @ (d * (1 - d)) + along_s @ (s * (1 - s))
        return float(second - mean**2), float(noise)

    def reliability(self, k: int) -> float:
        """Return the correlation of two independent runs of k draws: V / (V + E / k)."""
        spread, noise = self.moments()
        return spread / (spread + noise / k)

    def transition(self, k: int, larger: int) -> Floats:
        """Return the joint sign distribution at k draws and at `larger` with k kept, [3, 3].

        Rows are the sign at k (negative, tie, positive), columns the sign at `larger`.

        Raises:
            UsageError: `larger` not above k.
        """
        if not 1 <= k < larger:
            raise UsageError(f"k = {k}, larger = {larger}; 1 <= k < larger is allowed.")
        d, s, mass = self.grid
        more = larger - k
        stages = [
            (binomial_pmf(rate, k)[:, :, None] * binomial_pmf(rate, more)[:, None, :])
            for rate in (d, s)
        ]
        flat_d, flat_s = (stage.reshape(len(stage), -1) for stage in stages)
        joint = (flat_d.T @ mass @ flat_s).reshape(k + 1, more + 1, k + 1, more + 1)
        first, extra = np.arange(k + 1), np.arange(more + 1)
        before = np.sign(first[:, None] - first)[:, None, :, None]
        x, y = first[:, None] + extra, first[:, None] + extra
        after = np.sign(x[:, :, None, None] - y)
        before = np.broadcast_to(before, joint.shape)
        cells = ((before + 1) * 3 + after + 1).reshape(-1)
        return np.bincount(cells, joint.reshape(-1), 9).reshape(3, 3).astype(np.float64)

    def repeat(self, k: int) -> Floats:
        """Return the joint sign distribution of two independent runs of k draws, [3, 3].

        Only binomial noise separates the two: runs that agree less than this differ by more.
        """
        d, s, mass = self.grid
        sign = np.sign(np.arange(k + 1)[:, None] - np.arange(k + 1))
        by_d, by_s = binomial_pmf(d, k), binomial_pmf(s, k)
        laws = np.stack(
            [by_d @ (sign == value).astype(np.float64) @ by_s.T for value in (-1, 0, 1)]
        )
        joint: Floats = np.einsum("aij,bij,ij->ab", laws, laws, mass)
        return joint

    def sample(self, n: int, *, rng: Generator) -> tuple[Floats, Floats]:
        """Return n questions' true rates under sham and destroy, ([n], [n])."""
        first, second = rng.standard_normal((2, n))
        z_d = self.correlation * first + np.sqrt(1 - self.correlation**2) * second
        a, b = self.sham * self.total_sham, (1 - self.sham) * self.total_sham
        c, e = self.destroy * self.total_destroy, (1 - self.destroy) * self.total_destroy
        return betaincinv(a, b, ndtr(first)), betaincinv(c, e, ndtr(z_d))
