"""A finished run in the arrays that the benchmark audit counts on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vidence.check import Check
from vidence.pairs import Grid, grid
from vidence.record import Outcome
from vidence.stats import Consensus, Estimate, PanelVotes, consensus, mean_by_cluster
from vidence.view import Case

BASELINE = "blind"
"""The check that the marginal flags of the others are counted against."""


@dataclass(frozen=True, eq=False)
class PanelGrid:
    """The replies of a run, and the consensus of its panel.

    Args:
        cases: in the order of the file, N of them.
        checks: in the order asked.
        grid: their replies as arrays.
        again: the same for the second repeat, None where each cell was asked once.
    """

    cases: tuple[Case, ...]
    checks: tuple[Check, ...]
    grid: Grid
    again: Grid | None = None

    @classmethod
    def of(
        cls,
        cases: Sequence[Case],
        checks: Sequence[Check],
        outcomes: Iterable[Outcome],
        members: Mapping[str, Sequence[str]],
    ) -> PanelGrid:
        """Arrange a run; `members` maps check label -> the answerers it asks."""
        outcomes = list(outcomes)
        repeated = any(outcome.repeat == 1 for outcome in outcomes)
        again = grid(cases, outcomes, members, repeat=1) if repeated else None
        return cls(tuple(cases), tuple(checks), grid(cases, outcomes, members), again)

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """Positions of the scored cases (multiple choice with a key), S of them."""
        return np.flatnonzero(self.grid.scored)

    @cached_property
    def counted(self) -> tuple[Check, ...]:
        """The checks that enter the shortcut ratio and have somebody to ask."""
        return tuple(c for c in self.checks if c.counts and self.grid.checks[c.label].members)

    @cached_property
    def votes(self) -> PanelVotes:
        """The panel's votes on the scored cases under the counted checks."""
        rows, g = self.rows, self.grid
        options = int(g.n_options[rows].max(initial=1))
        shape = (len(rows), len(self.counted))
        votes = np.zeros((*shape, options), dtype=np.int64)
        missing = np.zeros(shape, dtype=np.int64)
        applies = np.zeros(shape, dtype=np.bool_)
        for t, check in enumerate(self.counted):
            replies = g.checks[check.label]
            votes[:, t] = replies.votes(options)[rows]
            missing[:, t] = replies.missing[rows].sum(axis=1)
            applies[:, t] = ~replies.skipped[rows]
        return PanelVotes.of(
            votes,
            missing,
            applies,
            options=(g.n_options[rows], g.gold[rows]),
            panel=[len(g.checks[check.label].members) for check in self.counted],
            clusters=self.clusters,
            checks=[check.label for check in self.counted],
        )

    @property
    def clusters(self) -> NDArray[np.int64]:
        """Videos of the scored cases, int [S]."""
        return np.asarray(self.grid.clusters[self.rows])

    @cached_property
    def panel_size(self) -> int:
        """Members of the largest panel; full consensus."""
        return len(self.votes.thresholds)

    @cached_property
    def by_threshold(self) -> tuple[Consensus, ...]:
        """The consensus at every threshold c = 1 .. panel size."""
        base = BASELINE if BASELINE in self.votes.checks else None
        return tuple(consensus(self.votes, c, baseline=base) for c in self.votes.thresholds)

    @cached_property
    def chance(self) -> Estimate:
        """Accuracy of a uniform guesser on the scored cases."""
        share = 1.0 / self.grid.n_options[self.rows]
        return mean_by_cluster(share, self.clusters, bounds=(0.0, 1.0))

    def members(self, label: str) -> tuple[str, ...]:
        """Return who is asked under a check."""
        return self.grid.checks[label].members
