"""What deferring the m most suspicious questions gains, at every m: uplift and Qini area.

Questions are deferred from the lowest score up. Within a block of tied scores every order is as
good as another, so the expected net change runs straight from one level to the next.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.arrays import Floats, Ints, as_numbers, as_whole, same_length
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import Labels
from vidence.stats.rank_levels import Levels, below
from vidence.stats.reweighting import reweighted


@dataclass(frozen=True, eq=False)
class UpliftCurve:
    """Hold expected net change by budget, beside the three lines it has to be seen with.

    Args:
        deferred: questions deferred at the corners of the curve, 0 to N.
        net: expected net change there.
        repairs, harms: of all N questions: `always` ends at repairs - harms.
    """

    deferred: Ints
    net: Floats
    repairs: int
    harms: int

    def at(self, m: ArrayLike) -> Floats:
        """Return the expected net change of the m lowest scores."""
        return np.interp(np.asarray(m, dtype=np.float64), self.deferred, self.net)

    def random(self, m: ArrayLike) -> Floats:
        """Return the expected net change of m questions at random."""
        total = int(self.deferred[-1])
        share = np.asarray(m, dtype=np.float64) / max(1, total)
        line: Floats = share * (self.repairs - self.harms)
        return line

    def oracle(self, m: ArrayLike) -> Floats:
        """Return the net change if repairs came first and harms last: no order does better."""
        total, budget = int(self.deferred[-1]), np.asarray(m, dtype=np.float64)
        up = np.minimum(budget, self.repairs)
        line: Floats = up - np.maximum(0, budget - (total - self.harms))
        return line


def uplift_curve(scores: ArrayLike, change: ArrayLike) -> UpliftCurve:
    """Return the uplift curve of a score, ties averaged.

    Formula: at each distinct score the number of questions up to it and the sum of x over them.
    Source: Radcliffe (2007), with both outcomes of every question known. Random is the straight
    line to `always`; a curve below it points the wrong way.

    Args:
        scores: [N], questions without a score left out.
        change: x in {-1, 0, 1}, [N].
    """
    values, x = _checked(scores, change)
    levels = Levels.of(values, Clusters(np.zeros(len(values), dtype=np.int64), 1))
    once = np.ones((1, 1))
    corners = [
        np.concatenate([[0.0], np.cumsum(levels.summing(amounts)(once)[0])])
        for amounts in (np.ones(len(values)), x.astype(np.float64))
    ]
    return UpliftCurve(
        deferred=np.rint(corners[0]).astype(np.int64),
        net=corners[1],
        repairs=int((x > 0).sum()),
        harms=int((x < 0).sum()),
    )


def uplift_area(
    scores: ArrayLike,
    change: ArrayLike,
    clusters: Labels,
    *,
    rng: Generator,
    normalised: bool = False,
    n_resamples: int = 10_000,
    level: float = 0.95,
) -> Estimate:
    """Estimate the area between a score's uplift curve and the random line.

    Formula: the mean over budgets u in [0, 1] of (net(u N) - u net(N)) / N: accuracy gained over
    random deferral, averaged over budgets. Normalised, it is divided by the oracle's area (the
    Qini coefficient): 1 for an order that no order beats, 0 for one that knows nothing. Interval:
    `reweighted`, the score's order kept, videos drawn anew. Assumes that the score was not fitted
    on these outcomes. Nothing changes anywhere: area 0; the normalised one has no number.

    Args:
        scores, change: as in `uplift_curve`; clusters: labels [N] or `Clusters`.
    """
    values, x = _checked(scores, change)
    groups = Clusters.of(clusters)
    same_length(scores=len(values), clusters=len(groups))
    levels = Levels.of(values, groups)
    by_size, by_net = levels.summing(np.ones(len(x))), levels.summing(x.astype(np.float64))
    ends = groups.sums(np.stack([x > 0, x < 0], axis=1).astype(np.float64))

    def statistic(weights: Floats) -> Floats:
        size, moved = by_size(weights), by_net(weights)
        n, net = size.sum(axis=1), moved.sum(axis=1)
        own: Floats = (size * (below(moved) + moved / 2)).sum(axis=1) / n**2 - net / (2 * n)
        if not normalised:
            return own
        up, down = (weights @ ends).T
        best = up**2 / 2 + up * (n - up - down) + up * down - down**2 / 2
        most = best / n**2 - net / (2 * n)
        share: Floats = np.where(most > 0, own / np.where(most > 0, most, 1), np.nan)
        return share

    return reweighted(statistic, groups, rng=rng, n_resamples=n_resamples, level=level)


def _checked(scores: ArrayLike, change: ArrayLike) -> tuple[Floats, Ints]:
    values, x = as_numbers("scores", scores), as_whole("change", change)
    same_length(scores=len(values), change=len(x))
    if (np.abs(x) > 1).any():
        raise UsageError("change: -1 (harm), 0 and 1 (repair) are allowed.")
    return values, x
