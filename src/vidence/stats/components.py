"""What moves the score: its two flip rates by whether evidence covered and the answer was right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from vidence.stats.arrays import as_flags, same_length
from vidence.stats.estimate import Estimate
from vidence.stats.flip_counts import FlipCounts
from vidence.stats.intervals import difference_by_cluster, mean_by_cluster


@dataclass(frozen=True, slots=True)
class Stratum:
    """Hold one cell of coverage by correctness.

    Args:
        covered, correct: the cell.
        n: scored questions in it; 0 is kept, with estimates that say so.
        sham, destroy, delta: mean flip rates and mean score.
    """

    covered: bool
    correct: bool
    n: int
    sham: Estimate
    destroy: Estimate
    delta: Estimate


def component_table(
    counts: FlipCounts, covered: ArrayLike, correct: ArrayLike, *, level: float = 0.95
) -> tuple[Stratum, ...]:
    """Work out the four cells of coverage by correctness: covered first, right first.

    Formula: means over the scored questions of a cell, by video. Source: CARVE, Tables 2 and A3.
    A score may differ between cells through the stability of intact replays alone; only the two
    rates side by side show which. The cells are observed, not assigned: no cause is shown.

    Args:
        covered: whether retrieved evidence meets the annotated interval, booleans [N].
        correct: whether the committed answer was right, booleans [N].
    """
    cover, right = as_flags("covered", covered), as_flags("correct", correct)
    same_length(counts=len(counts), covered=len(cover), correct=len(right))
    made = []
    for is_right in (True, False):
        for is_covered in (True, False):
            inside = (cover == is_covered) & (right == is_right)
            cell = counts.where(inside & counts.scored)
            sham, destroy = cell.rates()
            asked = int(np.count_nonzero(inside))

            rates = [
                mean_by_cluster(rate, cell.clusters, bounds=(0.0, 1.0), level=level, total=asked)
                for rate in (sham, destroy)
            ]
            delta = difference_by_cluster(cell.scores(), cell.clusters, level=level, total=asked)
            made.append(Stratum(is_covered, is_right, len(cell), rates[0], rates[1], delta))
    return tuple(made)
