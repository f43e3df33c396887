"""Random policies of the same size: would any subset have repaired as much?

Matched controls defer as many questions as the policy did, drawn at random: from the whole pool,
within each video, or within strata of the evidence. Nothing about a question matters to its net
change but x in {-1, 0, 1}, so a subset is a hypergeometric draw of counts and no list of cases.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike
from scipy.special import gammaln

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, Ints, as_flags, as_whole, check_level, same_length
from vidence.stats.clusters import Clusters
from vidence.stats.intervals import Labels

FEWEST_DRAWS = 100


@dataclass(frozen=True, slots=True)
class MatchedRandom:
    """Hold where a policy's net change lies among random policies of its size.

    The range is that of a distribution of policies; it is no confidence interval.

    Args:
        selected: deferred questions, the same in policy and controls.
        observed: the policy's net change.
        mean, sd: of the controls' net change, in closed form.
        low, high: central range of the draws.
        percentile: share of draws below the observed, ties half, 0 to 1.
        p: (1 + draws at or above the observed) / (1 + draws): is the policy better than chance.
        exact_p: the same probability without drawing.
        draws: random policies drawn; strata: groups within which they were drawn; level: mass of
            the central range.
    """

    selected: int
    observed: int
    mean: float
    sd: float
    low: float
    high: float
    percentile: float
    p: float
    exact_p: float
    draws: int
    strata: int
    level: float

    @property
    def mean_yield(self) -> float | None:
        """The controls' mean net change per deferred question; None where nothing is deferred."""
        return self.mean / self.selected if self.selected else None


def matched_random(
    change: ArrayLike,
    deferred: ArrayLike,
    strata: Labels | None = None,
    *,
    rng: Generator,
    draws: int = 10_000,
    level: float = 0.95,
) -> MatchedRandom:
    """Compare a policy with random ones that defer as many questions of each stratum.

    Formula: in stratum h with N_h questions, of which R_h are repairs and H_h harms, the (repairs,
    harms) of m_h deferred ones have a multivariate hypergeometric distribution; the net is their
    difference, summed over strata. Its law is worked out exactly and the controls are drawn from
    it. Source: CARVE, section 5; drawing the net instead of questions is ours. Assumes nothing:
    the null is that the deferred set was picked at random among the sets of its shape. Nothing
    deferred: every control is the policy, p = 1.

    Args:
        change: x in {-1, 0, 1}, [N], over the pool the policy chose from (the scored questions).
        deferred: booleans [N].
        strata: None for plain controls, the video for balanced ones, else any labels [N].

    Raises:
        UsageError: a change outside {-1, 0, 1}, or fewer than 100 draws.
    """
    x, mask = as_whole("change", change), as_flags("deferred", deferred)
    groups = Clusters(np.zeros(len(x), dtype=np.int64), 1) if strata is None else strata
    group = Clusters.of(groups)
    same_length(change=len(x), deferred=len(mask), strata=len(group))
    check_level(level)
    if (np.abs(x) > 1).any():
        raise UsageError("change: -1 (harm), 0 and 1 (repair) are allowed.")
    if draws != int(draws) or draws < FEWEST_DRAWS:
        raise UsageError(f"draws = {draws}; at least {FEWEST_DRAWS} are needed for a range.")
    strata_counts = _strata(x, mask, group)
    observed = int(x[mask].sum())
    mean, variance = _moments(strata_counts)
    lowest, chance = _law(strata_counts)
    at = np.arange(len(chance)) + lowest
    drawn = rng.multinomial(int(draws), chance / chance.sum())
    net = np.repeat(at, drawn)
    low, high = np.quantile(net, [(1 - level) / 2, (1 + level) / 2])
    return MatchedRandom(
        selected=int(mask.sum()),
        observed=observed,
        mean=mean,
        sd=float(np.sqrt(variance)),
        low=float(low),
        high=float(high),
        percentile=float((net < observed).mean() + 0.5 * (net == observed).mean()),
        p=float((1 + (net >= observed).sum()) / (1 + draws)),
        exact_p=float(min(1.0, chance[at >= observed].sum())),
        draws=int(draws),
        strata=len(strata_counts),
        level=level,
    )


def net_law(change: Ints, deferred: Bools, strata: Clusters) -> tuple[int, Floats]:
    """Return the exact distribution of a control's net change: its lowest value and the masses.

    Formula: per stratum P(net = t) = sum over h of P(repairs = h + t, harms = h), convolved over
    strata.
    """
    return _law(_strata(change, deferred, strata))


def _law(strata: Ints) -> tuple[int, Floats]:
    lowest, chance = 0, np.ones(1)
    ways = gammaln(np.arange(int(strata[:, :3].sum(axis=1).max(initial=0)) + 1) + 1.0)
    for repairs, harms, rest, m in strata.tolist():
        low, own = _stratum_law(repairs, harms, rest, m, ways)
        lowest, chance = lowest + low, np.convolve(chance, own)
    return lowest, chance


def _strata(x: Ints, mask: Bools, group: Clusters) -> Ints:
    """Return repairs, harms, others and deferred of each stratum that is drawn from, [H, 4]."""
    flags = np.stack([x > 0, x < 0, x == 0, mask], axis=1).astype(np.float64)
    counts = np.rint(group.sums(flags)).astype(np.int64)
    return counts[counts[:, 3] > 0]


def _moments(strata: Ints) -> tuple[float, float]:
    """Return mean m xbar and variance m s^2 (N - m) / (N - 1) of the net, summed over strata."""
    repairs, harms, _, m = strata.T.astype(np.float64)
    size = strata[:, :3].sum(axis=1).astype(np.float64)
    mean = (repairs - harms) / size
    spread = (repairs + harms) / size - mean**2
    variance = m * spread * (size - m) / np.maximum(size - 1, 1)
    return float((m * mean).sum()), float(variance.sum())


def _stratum_law(repairs: int, harms: int, rest: int, m: int, ways: Floats) -> tuple[int, Floats]:
    """Return the law of one stratum; `ways` holds the logarithms of factorials."""
    up = np.arange(max(0, m - harms - rest), min(repairs, m) + 1)[:, None]
    down = np.arange(min(harms, m) + 1)
    other = m - up - down
    kept = np.clip(other, 0, rest)
    size = repairs + harms + rest
    log = (ways[repairs] - ways[up] - ways[repairs - up]) + (
        ways[harms] - ways[down] - ways[harms - down]
    )
    log = log + ways[rest] - ways[kept] - ways[rest - kept]
    joint = np.exp(log - (ways[size] - ways[m] - ways[size - m])) * (other == kept)
    net = up - down
    lowest = int(net.min())
    masses = np.bincount((net - lowest).reshape(-1), joint.reshape(-1))
    return lowest, masses.astype(np.float64)
