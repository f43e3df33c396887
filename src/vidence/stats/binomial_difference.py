"""The exact law of a difference of two replay rates: what k draws can show and what they cannot.

With x of k_d destroyed and y of k_s intact replays flipped, x ~ Bin(k_d, d) and y ~ Bin(k_s, s)
independent, the score is D = x / k_d - y / k_s. Lemma 4 of CARVE (arXiv 2608.15685) states the law
for k_d = k_s; unequal k live on the lattice x / k_d - y / k_s, compared as whole numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln, xlog1py, xlogy

from vidence.errors import UsageError
from vidence.stats.arrays import Floats, Ints, as_numbers, as_whole


@dataclass(frozen=True, eq=False)
class DeltaLaw:
    """Hold the distribution of the score at given flip rates and numbers of draws.

    Args:
        sham, destroy: flip probabilities.
        k_sham, k_destroy: draws per condition.
        numerators: int [M], ascending; the score is numerator / `denominator`.
        denominator: least common multiple of the two k.
        chance: probability of each score, [M].
    """

    sham: float
    destroy: float
    k_sham: int
    k_destroy: int
    numerators: Ints
    denominator: int
    chance: Floats

    @property
    def support(self) -> Floats:
        """The possible scores, ascending, [M]; 2 k + 1 of them where both k are equal."""
        scores: Floats = self.numerators / self.denominator
        return scores

    @property
    def mean(self) -> float:
        """The expected score, d - s: unbiased at every k."""
        return self.destroy - self.sham

    @property
    def variance(self) -> float:
        """The variance d (1 - d) / k_d + s (1 - s) / k_s; at most 1 / 2k."""
        return delta_variance(self.sham, self.destroy, self.k_sham, self.k_destroy)

    @property
    def negative(self) -> float:
        """P(score < 0)."""
        return float(self.chance[self.numerators < 0].sum())

    @property
    def tie(self) -> float:
        """P(score = 0): the sum over j of b_j(d) b_j(s) where both k are equal."""
        return float(self.chance[self.numerators == 0].sum())

    @property
    def positive(self) -> float:
        """P(score > 0)."""
        return float(self.chance[self.numerators > 0].sum())

    def to_json(self) -> dict[str, object]:
        """Return plain values, the support as fractions in words beside their probability."""
        return {
            "sham": self.sham,
            "destroy": self.destroy,
            "k_sham": self.k_sham,
            "k_destroy": self.k_destroy,
            "mean": self.mean,
            "variance": self.variance,
            "negative": self.negative,
            "tie": self.tie,
            "positive": self.positive,
            "pmf": [
                {"score": n / self.denominator, "fraction": _word(n, self.denominator), "chance": p}
                for n, p in zip(self.numerators.tolist(), self.chance.tolist(), strict=True)
            ],
        }


def delta_law(sham: float, destroy: float, k: int, k_destroy: int | None = None) -> DeltaLaw:
    """Return the exact law of the score.

    Formula: P(D = m / L) = sum over (x, y) with x L / k_d - y L / k_s = m of
    b(x; k_d, d) b(y; k_s, s), L the least common multiple. Source: CARVE, Lemma 4 (equal k).
    Assumes independent draws of one probability per condition.

    Args:
        sham, destroy: flip probabilities, 0 to 1.
        k: draws per condition, at least 1; of sham alone where `k_destroy` is given.

    Raises:
        UsageError: a probability outside [0, 1] or k < 1.
    """
    k_destroy = k if k_destroy is None else k_destroy
    _check_rates(sham, destroy)
    _check_draws(k, k_destroy)
    low = math.lcm(k, k_destroy)
    scores = np.arange(k_destroy + 1)[:, None] * (low // k_destroy) - np.arange(k + 1) * (low // k)
    joint = np.outer(binomial_pmf(destroy, k_destroy), binomial_pmf(sham, k))
    numerators, index = np.unique(scores, return_inverse=True)
    chance = np.bincount(index.reshape(-1), joint.reshape(-1), len(numerators)).astype(np.float64)
    return DeltaLaw(sham, destroy, k, k_destroy, numerators.astype(np.int64), low, chance)


def delta_variance(
    sham: float, destroy: float, k: int, k_destroy: int | None = None, *, covariance: float = 0.0
) -> float:
    """Return the variance of the score.

    Formula: s (1 - s) / k_s + d (1 - d) / k_d - 2 cov, cov the covariance of the two observed
    rates, 0 where draws of the two conditions are independent. Source: CARVE, Eq. 8 and its
    appendix.
    """
    _check_rates(sham, destroy)
    _check_draws(k, k if k_destroy is None else k_destroy)
    own = sham * (1 - sham) / k + destroy * (1 - destroy) / (k_destroy or k)
    return own - 2 * covariance


def binomial_pmf(rate: ArrayLike, k: int) -> Floats:
    """Return P(Bin(k, rate) = j) for j = 0..k: [k + 1], or [..., k + 1] for rates [...]."""
    p = np.asarray(rate, dtype=np.float64)[..., None]
    j = np.arange(k + 1)
    ways = gammaln(k + 1) - gammaln(j + 1) - gammaln(k - j + 1)
    chance: Floats = np.exp(ways + xlogy(j, p) + xlog1py(k - j, -p))
    return chance


def sign_law(
    sham: ArrayLike, destroy: ArrayLike, k_sham: ArrayLike, k_destroy: ArrayLike
) -> Floats:
    """Return P(negative), P(tie), P(positive) of each question's score at its own rates, [N, 3].

    The mean over questions is the per-question prediction: a mixture of laws instead of the law
    of a mixture. Rates that were estimated from the same draws make it too sharp, because
    binomial noise counts twice; the fitted prior of `vidence.stats.fit_flips` does not.

    Args:
        sham, destroy: flip probabilities [N].
        k_sham, k_destroy: draws, [N] or one number.
    """
    s, d = as_numbers("sham", sham), as_numbers("destroy", destroy)
    ks = np.broadcast_to(as_whole("k_sham", k_sham), s.shape)
    kd = np.broadcast_to(as_whole("k_destroy", k_destroy), d.shape)
    for rates in (s, d):
        if len(rates):
            _check_rates(float(rates.min()), float(rates.max()))
    made = np.zeros((len(s), 3))
    for a, b in np.unique(np.stack([ks, kd], axis=1), axis=0).tolist():
        _check_draws(a, b)
        rows = np.flatnonzero((ks == a) & (kd == b))
        joint_d, joint_s = binomial_pmf(d[rows], b), binomial_pmf(s[rows], a)
        sign = np.sign(np.arange(b + 1)[:, None] * a - np.arange(a + 1) * b)
        for column, value in enumerate((-1, 0, 1)):
            made[rows, column] = np.einsum(
                "nx,xy,ny->n", joint_d, (sign == value).astype(np.float64), joint_s
            )
    return made


def _check_rates(sham: float, destroy: float) -> None:
    if not (0 <= sham <= 1 and 0 <= destroy <= 1):
        raise UsageError(f"Flip rates {sham} and {destroy}; probabilities from 0 to 1 are allowed.")


def _check_draws(k: int, k_destroy: int) -> None:
    if k != int(k) or k_destroy != int(k_destroy) or min(k, k_destroy) < 1:
        raise UsageError(f"k = {k} and {k_destroy}; whole numbers from 1 up are allowed.")


def _word(numerator: int, denominator: int) -> str:
    divisor = math.gcd(numerator, denominator)
    top, bottom = numerator // divisor, denominator // divisor
    return str(top) if bottom == 1 else f"{top}/{bottom}"
