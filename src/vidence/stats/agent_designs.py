"""Simulated probes of known truth, for calibration and for planning a probe of one's own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtr, ndtri

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, as_whole
from vidence.stats.clusters import Clusters
from vidence.stats.flip_counts import FlipDraws
from vidence.stats.heterogeneity import FlipPrior
from vidence.stats.routing import Outcomes


@dataclass(frozen=True, eq=False)
class SimulatedProbe:
    """Hold one simulated probe and what no probe sees.

    Args:
        draws: of the first run; `again`: of an independent second run.
        outcomes: vanilla and fallback correctness.
        covered: whether evidence met the annotated interval, [N].
        sham, destroy: true flip rates, [N].
    """

    draws: FlipDraws
    again: FlipDraws
    outcomes: Outcomes
    covered: Bools
    sham: Floats
    destroy: Floats

    @property
    def clusters(self) -> Clusters:
        """The video of each question."""
        return self.draws.clusters


def simulated_probe(
    sizes: ArrayLike, prior: FlipPrior, k: int, *, icc: float = 0.0, rng: Generator
) -> SimulatedProbe:
    """Return a probe of videos with the given numbers of questions.

    Formula: every latent normal is sqrt(icc) x video + sqrt(1 - icc) x question, so videos differ
    and each question's rates still follow the prior. Changes of correctness lean on the true
    score (latent correlation -0.25): 13 % repairs, 8 % harms. Evidence covers 42 % of questions
    (latent correlation 0.15). Vanilla answers are right half of the time where nothing changes.

    Args:
        sizes: whole numbers [V], questions per video.
        k: draws per condition and run.

    Raises:
        UsageError: icc outside [0, 1), or k < 1.
    """
    counts = as_whole("sizes", sizes)
    if not 0 <= icc < 1 or k < 1:
        raise UsageError(f"icc = {icc}, k = {k}; 0 <= icc < 1 and k >= 1 are allowed.")
    labels = np.repeat(np.arange(len(counts)), counts)
    clusters, n = Clusters(labels, len(counts)), len(labels)

    def latent() -> Floats:
        video, own = rng.standard_normal(len(counts))[labels], rng.standard_normal(n)
        made: Floats = np.sqrt(icc) * video + np.sqrt(1 - icc) * own
        return made

    first, other = latent(), latent()
    rho = prior.correlation
    second = rho * first + np.sqrt(1 - rho**2) * other
    sham, destroy = (
        betaincinv(mean * total, (1 - mean) * total, ndtr(z))
        for mean, total, z in (
            (prior.sham, prior.total_sham, first),
            (prior.destroy, prior.total_destroy, second),
        )
    )
    gap = (second - first) / np.sqrt(2 - 2 * rho)
    move = -0.25 * gap + np.sqrt(1 - 0.25**2) * latent()
    change = (move > ndtri(0.87)).astype(np.int64) - (move < ndtri(0.08))
    vanilla = np.where(change == 0, latent() > 0, change < 0)
    covered = 0.15 * gap + np.sqrt(1 - 0.15**2) * latent() > ndtri(0.58)

    def flips() -> FlipDraws:
        made = [(rng.random((n, k)) < rate[:, None]).astype(np.int64) for rate in (sham, destroy)]
        return FlipDraws(made[0], made[1], clusters)

    return SimulatedProbe(
        draws=flips(),
        again=flips(),
        outcomes=Outcomes.of(vanilla, vanilla.astype(np.int64) + change, clusters),
        covered=np.asarray(covered, dtype=np.bool_),
        sham=sham,
        destroy=destroy,
    )
