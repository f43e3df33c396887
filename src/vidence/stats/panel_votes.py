"""What a panel of models replied, as counts: the arrays that consensus is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vidence.errors import UnknownNameError, UsageError
from vidence.stats.arrays import Bools, Ints, any_of, as_array, as_whole
from vidence.stats.clusters import Clusters
from vidence.stats.intervals import Labels


@dataclass(frozen=True, eq=False)
class PanelVotes:
    """Hold the replies of a panel to N cases under T checks; make it with `PanelVotes.of`.

    Args:
        votes: int [N, T, K], members whose reply under check t on case n is option o; 0 beyond
            the case's options and where the check does not apply.
        missing: int [N, T], members whose reply cannot be read or never came. A reply that was
            read and is no option (a refusal, "none of these") is neither a vote nor missing.
        applicable: bool [N, T].
        n_options: int [N], at least 1.
        key: int [N], index of the gold option.
        panel: int [T], members asked under each check.
        clusters: the video of each case.
        checks: T different names.
    """

    votes: NDArray[np.int16]
    missing: NDArray[np.int16]
    applicable: Bools
    n_options: Ints
    key: Ints
    panel: Ints
    clusters: Clusters
    checks: tuple[str, ...]

    @classmethod
    def of(
        cls,
        votes: ArrayLike,
        missing: ArrayLike,
        applicable: ArrayLike,
        *,
        options: tuple[ArrayLike, ArrayLike],
        panel: ArrayLike,
        clusters: Labels,
        checks: Sequence[str],
    ) -> PanelVotes:
        """Return checked votes; counts under a check that does not apply are set to zero.

        Args:
            options: `(n_options, key)`, both [N].

        Raises:
            UsageError: shapes that do not fit, a negative count, a key beyond the options, votes
                for an option that the case does not have, more replies than members.
        """
        counts, lost = as_whole("votes", votes), as_whole("missing", missing)
        if counts.ndim != 3:
            raise UsageError(
                f"votes has shape {counts.shape}; [cases, checks, options] is allowed."
            )
        n, t, k = counts.shape
        applies = as_array("applicable", applicable)
        if applies.dtype != np.bool_ and applies.size:
            raise UsageError(f"applicable has type {applies.dtype}; booleans are allowed.")
        applies = applies.astype(np.bool_)
        n_options, key = (
            as_whole(x, v) for x, v in zip(("n_options", "key"), options, strict=True)
        )
        members, groups = as_whole("panel", panel), Clusters.of(clusters)
        _shape("missing", lost, (n, t))
        _shape("applicable", applies, (n, t))
        _shape("n_options", n_options, (n,))
        _shape("key", key, (n,))
        _shape("panel", members, (t,))
        if len(groups) != n:
            raise UsageError(f"clusters has {len(groups)} entries for {n} cases.")
        if len(checks) != t or len(set(checks)) != t:
            raise UsageError(f"checks = {list(checks)}; {t} different names are allowed.")
        _first(n_options < 1, "has no option")
        _first((key < 0) | (key >= n_options), "has its key beyond its options")
        _first(n_options > k, f"has more options than votes has columns ({k})")
        _first(any_of(counts < 0, (1, 2)) | any_of(lost < 0, 1), "has a negative count")
        beyond = np.arange(k) >= n_options[:, None]
        _first(any_of(any_of(counts > 0, 1) & beyond, 1), "has votes for options that it lacks")
        counts, lost = counts * applies[:, :, None], lost * applies
        _first(any_of(counts.sum(axis=2) + lost > members, 1), "has more replies than members")
        return cls(
            _cases_last(counts.astype(np.int16)),
            _cases_last(lost.astype(np.int16)),
            _cases_last(applies),
            n_options,
            key,
            members,
            groups,
            tuple(checks),
        )

    def __len__(self) -> int:
        return len(self.key)

    def where(self, mask: Bools) -> PanelVotes:
        """Return the votes on the cases in `mask`, bool [N]."""
        return PanelVotes(
            _cases_last(self.votes[mask]),
            _cases_last(self.missing[mask]),
            _cases_last(self.applicable[mask]),
            self.n_options[mask],
            self.key[mask],
            self.panel,
            self.clusters.where(mask),
            self.checks,
        )

    @property
    def thresholds(self) -> range:
        """Every consensus threshold: 1 to the largest panel."""
        return range(1, int(self.panel.max(initial=0)) + 1)

    def index(self, check: str) -> int:
        """Return the position of a check, or raise `UnknownNameError`."""
        if check not in self.checks:
            raise UnknownNameError("check", check, self.checks)
        return self.checks.index(check)

    def agreed(self, c: int) -> Bools:
        """Return whether at least `c` members chose each option: bool [N, T, K].

        Raises:
            UsageError: `c` below 1, which every option would meet.
        """
        if c < 1:
            raise UsageError(f"threshold = {c}; a whole number from 1 up is allowed.")
        agreed: Bools = self.votes >= c
        return agreed

    def at_key(self) -> Ints:
        """Return the members that chose the gold option: int [N, T]."""
        picked = np.take_along_axis(self.votes, self.key[:, None, None], axis=2)
        return picked[:, :, 0].astype(np.int64)


def _cases_last(array: NDArray[Any]) -> NDArray[Any]:
    """Return the same array with the case axis running fastest in memory.

    Reductions go over checks or options; side by side for all cases they are more than ten times
    faster than in rows of five numbers.
    """
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(array, 0, -1)), -1, 0)


def _shape(name: str, array: NDArray[np.generic], wanted: tuple[int, ...]) -> None:
    if array.shape != wanted:
        raise UsageError(f"{name} has shape {array.shape}; {wanted} is needed.")


def _first(bad: Bools, problem: str) -> None:
    if bad.any():
        count, case = int(bad.sum()), int(np.argmax(bad))
        raise UsageError(f"Case {case} {problem} ({count} such of {len(bad)}).")
