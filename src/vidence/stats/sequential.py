"""Replay until the sign is clear: a question that is decided after two pairs needs no ten.

One sham and one destroy replay at a time; stop when the posterior probability that destroying
flips more often leaves [1 - c, c], or at a limit. A posterior does not mind when one stops.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import comb

from vidence.errors import UsageError
from vidence.stats.arrays import Floats, Ints
from vidence.stats.flip_counts import FLIPPED, UNDRAWN, FlipDraws
from vidence.stats.heterogeneity import FlipPrior
from vidence.stats.posterior import posterior_tables


@dataclass(frozen=True, slots=True)
class StoppingCost:
    """Hold what a rule costs and how often it is right, over questions of the prior.

    Args:
        pairs: expected pairs of draws per question.
        resolved: share of questions whose sign is called.
        sign_error: share of wrong calls among them, which the certainty bounds by 1 - c.
    """

    pairs: float
    resolved: float
    sign_error: float


@dataclass(frozen=True, eq=False)
class Stopped:
    """Hold what a rule did on logged draws.

    Args:
        pairs: pairs looked at, [N].
        call: 1 (destroy flips more), -1 (less), 0 (not resolved), [N].
        positive: P(d > s) when it stopped, [N].
    """

    pairs: Ints
    call: Ints
    positive: Floats


@dataclass(frozen=True, slots=True)
class SignRule:
    """Stop a question when the sign of its score is certain enough.

    Args:
        prior: fitted to other questions, or to the first draws of these.
        certainty: c; stop once P(d > s) is at least c or at most 1 - c.
        most: limit of pairs.

    Raises:
        UsageError: certainty outside (0.5, 1), or no pair allowed.
    """

    prior: FlipPrior
    certainty: float = 0.9
    most: int = 10

    def __post_init__(self) -> None:
        if not 0.5 < self.certainty < 1:
            raise UsageError(f"certainty = {self.certainty}; inside (0.5, 1) is allowed.")
        if self.most < 1:
            raise UsageError(f"most = {self.most}; a whole number from 1 up is allowed.")

    def positive(self, destroy: tuple[int, int], sham: tuple[int, int]) -> float:
        """Return P(d > s) given (flips, valid draws) of each condition; 0 draws are allowed."""
        (x, kd), (y, ks) = destroy, sham
        return float(posterior_tables(self.prior, ks, kd)[2][x, y])

    def call(self, destroy: tuple[int, int], sham: tuple[int, int]) -> int:
        """Return 1 or -1 if the sign is certain enough, else 0: draw on if the limit allows."""
        chance = self.positive(destroy, sham)
        return int(chance >= self.certainty) - int(chance <= 1 - self.certainty)

    def expected(self) -> StoppingCost:
        """Return cost and error over questions of the prior, exactly.

        Formula: the number of draw sequences that reach (x, y) after n pairs without a stop, by
        recursion, times the prior predictive of one such sequence. Assumes no lost draws and that
        the prior is right.
        """
        ways = np.ones((1, 1))
        pairs = resolved = wrong = 0.0
        for n in range(self.most + 1):
            if n:
                ways = _grown(ways)
            each = self.prior.table(n, n) if n else np.ones((1, 1))
            paths = np.outer(comb(n, np.arange(n + 1)), comb(n, np.arange(n + 1)))
            reached = ways * each / paths
            chance = posterior_tables(self.prior, n, n)[2]
            # Before the first pair nothing is known about the question, whatever the prior says.
            stop = np.maximum(chance, 1 - chance) >= self.certainty if n else np.zeros((1, 1), bool)
            resolved += float(reached[stop].sum())
            wrong += float((reached * np.minimum(chance, 1 - chance))[stop].sum())
            ended = stop if n < self.most else np.ones_like(stop)
            pairs += n * float(reached[ended].sum())
            ways = np.where(stop, 0.0, ways)
        return StoppingCost(pairs, resolved, wrong / resolved if resolved else 0.0)

    def replay(self, draws: FlipDraws) -> Stopped:
        """Apply the rule to logged draws in their order.

        A lost draw costs its pair and brings no news. A question without further draws is left
        unresolved.
        """
        n = len(draws)
        width = min(draws.sham.shape[1], draws.destroy.shape[1], self.most)
        pairs, call = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
        start = self.positive((0, 0), (0, 0))
        positive = np.full(n, start)
        counts = np.zeros((4, n), dtype=np.int64)
        for j in range(width):
            s, d = draws.sham[:, j], draws.destroy[:, j]
            live = np.flatnonzero((call == 0) & (s > UNDRAWN) & (d > UNDRAWN) & (pairs == j))
            pairs[live] += 1
            for row, codes in ((0, d), (2, s)):
                counts[row, live] += codes[live] == FLIPPED
                counts[row + 1, live] += codes[live] >= 0
            for x, kd, y, ks in np.unique(counts[:, live], axis=1).T.tolist():
                here = live[(counts[:, live] == np.array([[x], [kd], [y], [ks]])).all(axis=0)]
                positive[here] = self.positive((x, kd), (y, ks))
                if kd or ks:
                    call[here] = self.call((x, kd), (y, ks))
        return Stopped(pairs, call, positive)


def _grown(ways: Floats) -> Floats:
    """Return the number of sequences that reach (x, y) after one more pair."""
    n = len(ways)
    grown = np.zeros((n + 1, n + 1))
    for a in (0, 1):
        for b in (0, 1):
            grown[a : a + n, b : b + n] += ways
    return grown
