"""Which cases a panel solves without the evidence, and how many it would by luck.

A case is a shortcut under a check if at least `c` members choose its gold option, and a shortcut
if any applicable check says so. Each share stands beside its luck line (`vidence.stats.luck`)
and its excess, the mean of the per-case difference flagged - luck, so that the two are paired.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, Ints, any_of, as_array
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import mean_by_cluster, proportion_by_cluster
from vidence.stats.luck import Prior, excess_over_luck, key_prior, luck_of
from vidence.stats.panel_votes import PanelVotes


@dataclass(frozen=True)
class Share:
    """Hold a share of flagged cases beside what luck alone would flag.

    Args:
        flagged: share of cases flagged; a missing reply counts as wrong.
        luck: expected share if the key were drawn afresh and every reply kept.
        excess: flagged - luck, with an interval of the paired per-case difference.
    """

    flagged: Estimate
    luck: Estimate
    excess: Estimate

    def to_json(self) -> dict[str, Any]:
        """Return the three estimates as plain values."""
        return {
            "flagged": self.flagged.to_json(),
            "luck": self.luck.to_json(),
            "excess": self.excess.to_json(),
        }


@dataclass(frozen=True)
class Flags:
    """Hold the flags of one check, or of all checks together, at one threshold.

    Args:
        share: over all cases that the check applies to; missing replies count as wrong.
        if_missing_right: the same share with every missing reply counted as right.
        complete: the share over cases of which no reply is missing; n says how many.
        undetermined: cases whose flag depends on a missing reply.
    """

    share: Share
    if_missing_right: Estimate
    complete: Estimate
    undetermined: int

    def to_json(self) -> dict[str, Any]:
        """Return all estimates as plain values."""
        return {
            **self.share.to_json(),
            "if_missing_right": self.if_missing_right.to_json(),
            "complete": self.complete.to_json(),
            "undetermined": self.undetermined,
        }


@dataclass(frozen=True, eq=False)
class Consensus:
    """Hold everything about one threshold.

    Args:
        c: members that must be right.
        overall: any applicable check.
        checks: each check on its own, by name.
        unique: cases that this check flags and no other, by name.
        marginal: cases that this check flags and the baseline does not, over cases to which both
            apply, by name; empty without a baseline.
        overlap: int [T, T], cases flagged by both checks; the diagonal counts each check's flags.
    """

    c: int
    overall: Flags
    checks: dict[str, Flags]
    unique: dict[str, Share]
    marginal: dict[str, Share]
    overlap: Ints

    def to_json(self) -> dict[str, Any]:
        """Return all estimates as plain values."""
        return {
            "c": self.c,
            "overall": self.overall.to_json(),
            "checks": {name: flags.to_json() for name, flags in self.checks.items()},
            "unique": {name: share.to_json() for name, share in self.unique.items()},
            "marginal": {name: share.to_json() for name, share in self.marginal.items()},
            "overlap": self.overlap.tolist(),
        }


def case_flags(votes: PanelVotes, c: int) -> tuple[Bools, Bools]:
    """Return which check flags which case, missing replies as wrong and as right: bool [N, T] x 2.

    A check that does not apply never flags; a check with fewer than `c` members cannot.
    """
    if c < 1:
        raise UsageError(f"threshold = {c}; a whole number from 1 up is allowed.")
    right = votes.at_key()
    sure: Bools = (right >= c) & votes.applicable
    possible: Bools = (right + votes.missing >= c) & votes.applicable
    return sure, possible


def case_luck(votes: PanelVotes, c: int, *, prior: Prior = "uniform") -> Floats:
    """Return each case's probability of being flagged by any check through luck alone, [N]."""
    return luck_of(any_of(votes.agreed(c), 1), key_prior(prior, votes.key, votes.n_options))


def consensus(
    votes: PanelVotes,
    c: int,
    *,
    prior: Prior = "uniform",
    baseline: str | None = None,
    where: ArrayLike | None = None,
    level: float = 0.95,
) -> Consensus:
    """Assess a panel's flags at threshold `c`.

    Formulas: R = mean of 1[some applicable t has votes[n, t, key] >= c]; luck = mean of
    sum_o P(o) 1[some t has votes[n, t, o] >= c]; excess = R - luck per case. Shares use
    `proportion_by_cluster`, luck `mean_by_cluster`, excess `excess_over_luck`. The same holds for
    a check alone, for its unique flags (S_t without the other checks' sets) and its marginal
    flags (S_t without the baseline's set). Assumes, under the null, that the key is drawn from
    the prior independently of all replies; conservative where models know some answers.
    No case, or no check that applies: n = 0 and no number. One video: no interval.

    Args:
        prior: the null's key distribution, see `key_prior`; always made from all cases.
        baseline: name of the check that marginal flags are counted against.
        where: bool [N], the cases to report on (a category); None means all.
    """
    odds = key_prior(prior, votes.key, votes.n_options)
    if where is not None:
        mask = as_array("where", where)
        if mask.dtype != np.bool_ or mask.shape != (len(votes),):
            raise UsageError(
                f"where has type {mask.dtype} and shape {mask.shape}; "
                f"booleans ({len(votes)},) are allowed."
            )
        votes, odds = votes.where(mask), np.asfortranarray(odds[mask])
    panel = _Panel(votes, c, odds, level)
    sets, applies = panel.sets, panel.applies
    every = panel.flags(slice(None))
    alone = sets & (sets.sum(axis=1, keepdims=True) == 1)
    checks, unique, marginal = {}, {}, {}
    base = None if baseline is None else votes.index(baseline)
    for t, name in enumerate(votes.checks):
        checks[name] = panel.flags(slice(t, t + 1))
        unique[name] = panel.share(alone[:, t], applies[:, t], slice(t, t + 1))
        if base is not None and t != base:
            fresh, both = sets[:, t] & ~sets[:, base], applies[:, t] & applies[:, base]
            marginal[name] = panel.share(fresh, both, [t, base])
    flagged = panel.sure.astype(np.int64)
    return Consensus(c, every, checks, unique, marginal, flagged.T @ flagged)


class _Panel:
    """One threshold's option sets, and the way from a set to a `Share`."""

    def __init__(self, votes: PanelVotes, c: int, prior: Floats, level: float) -> None:
        self.votes, self.c, self.prior, self.level = votes, c, prior, level
        self.total = len(votes)
        self.able: Bools = votes.panel >= c
        # A check with too few members cannot flag, so it puts no case into a denominator either.
        self.applies: Bools = votes.applicable & self.able
        self.sets = votes.agreed(c)
        self.sure, self.possible = case_flags(votes, c)

    def flags(self, checks: slice) -> Flags:
        """Assess the cases that any of the `checks` flags."""
        asked = any_of(self.applies[:, checks], 1)
        sure = any_of(self.sure[:, checks], 1)
        possible = any_of(self.possible[:, checks], 1)
        lost = any_of((self.votes.missing[:, checks] > 0) & self.able[checks], 1)
        return Flags(
            share=self.share(any_of(self.sets[:, checks], 1), asked, checks),
            if_missing_right=self._proportion(possible, asked, checks),
            complete=self._proportion(sure, asked & ~lost, checks),
            undetermined=int(np.count_nonzero(possible & ~sure)),
        )

    def share(self, options: Bools, asked: Bools, checks: slice | list[int]) -> Share:
        """Assess one option set per case, bool [N, K], over the cases `asked`, bool [N]."""
        flagged = options[np.arange(len(options)), self.votes.key]
        luck, clusters = luck_of(options, self.prior)[asked], self.votes.clusters.where(asked)
        line = mean_by_cluster(luck, clusters, bounds=(0, 1), level=self.level, total=self.total)
        excess = excess_over_luck(
            flagged[asked], luck, clusters, level=self.level, total=self.total
        )
        return Share(
            flagged=self._proportion(flagged, asked, checks),
            luck=self._named(line, checks),
            excess=self._named(excess, checks),
        )

    def _proportion(self, hits: Bools, asked: Bools, checks: slice | list[int]) -> Estimate:
        clusters = self.votes.clusters.where(asked)
        share = proportion_by_cluster(hits[asked], clusters, level=self.level, total=self.total)
        return self._named(share, checks)

    def _named(self, estimate: Estimate, checks: slice | list[int]) -> Estimate:
        if estimate.n:
            return estimate
        short = not self.able[checks].any()
        why = f"the panel has fewer than {self.c} members" if short else "no such case"
        return replace(estimate, degenerate=why)
