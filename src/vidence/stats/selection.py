"""What a guesser scores on cases that were filtered by its own replies.

A filter that drops what a panel got right leaves each member with the cases that it got wrong, so
a member scores below chance on the kept set even if it only guesses. These are the lines to compare
it with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, Floats, as_flags, as_whole, same_length


@dataclass(frozen=True, eq=False)
class Pivots:
    """Hold where one member's vote for the key decides.

    Args:
        short: bool [N]; under some check that asks it, the others alone lack one vote at most.
        alone: bool [N]; under some check the others reach the threshold without it.
    """

    short: Bools
    alone: Bools


def pivots(right: Sequence[ArrayLike], columns: Sequence[int | None], c: int) -> Pivots:
    """Return where a member's vote decides whether a case is flagged.

    Args:
        right: a check an entry, booleans [N, M_t]: members that chose the key; False where a
            reply is missing or the check does not apply.
        columns: the member's column under each check, None where the check does not ask it.
        c: members that must be right.
    """
    if c < 1:
        raise UsageError(f"threshold = {c}; a whole number from 1 up is allowed.")
    same_length(right=len(right), columns=len(columns))
    votes = [np.asarray(flags, dtype=np.bool_) for flags in right]
    same_length(**{f"check {t}": len(flags) for t, flags in enumerate(votes)})
    n = len(votes[0]) if votes else 0
    short, alone = np.zeros(n, dtype=np.bool_), np.zeros(n, dtype=np.bool_)
    for flags, column in zip(votes, columns, strict=True):
        others = flags.sum(axis=1)
        if column is not None:
            others = others - flags[:, column]
            short |= others + 1 >= c
        alone |= others >= c
    return Pivots(short, alone)


def guess_after_filter(flagged: ArrayLike, n_options: ArrayLike, pivot: Pivots) -> Floats:
    """Return the chance that a guesser in a member's place is right on each case, [N].

    The guesser has one guess a case, uniform over its K options, and gives it under every check
    and on the whole video; all other replies, the key and the filter stay. Given that a case was
    kept, it is right with probability 1 / K, or 0 where its vote at the key would have completed a
    consensus, because then the case would be gone. Given that a case was flagged, it is right with
    probability 1 / K where the others flag it alone, and 1 where they do not, because only its
    vote can have done it. Both follow from Bayes' rule: P(right | kept) =
    (1 - short) / K / (1 - short / K), which is 1 / K or 0.
    A guesser that guesses afresh every time is not selected at all: 1 / K everywhere, as for one
    outside the panel. A member that repeats itself now and then lies between the two.

    Args:
        flagged: booleans [N], which cases the filter dropped.
        n_options: int [N], at least 1.
        pivot: of the member, see `pivots`.
    """
    gone, counts = as_flags("flagged", flagged), as_whole("n_options", n_options)
    same_length(flagged=len(gone), n_options=len(counts), pivot=len(pivot.short))
    guess = 1 / counts
    kept = np.where(pivot.short, 0.0, guess)
    line: Floats = np.where(gone, np.where(pivot.alone, guess, 1.0), kept)
    return line
