"""Who is better than whom on the same cases, and which ranks that leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from vidence.errors import UsageError
from vidence.stats.arrays import Bools, as_array, check_level, same_length
from vidence.stats.clusters import Clusters
from vidence.stats.estimate import Estimate
from vidence.stats.intervals import Labels
from vidence.stats.multiple import holm
from vidence.stats.paired import accuracy_difference, sign_flip_p


@dataclass(frozen=True)
class Pair:
    """Hold two answerers on the cases that both were asked.

    Args:
        first, second: columns; `first` stands higher in the order.
        difference: accuracy of the first minus that of the second, paired.
        p: two-sided, of `sign_flip_p`.
        p_adjusted: by Holm's rule over both directions of every pair.
        claimed: whether `p_adjusted` is at most 1 - level.
    """

    first: int
    second: int
    difference: Estimate
    p: float
    p_adjusted: float
    claimed: bool


@dataclass(frozen=True)
class Ranking:
    """Hold an order with what it leaves open.

    Args:
        order: columns, most accurate first; equal ones in their own order.
        ranges: (best, worst) rank of each column, by column, that no claim excludes.
        pairs: every pair, in the order of its members.
    """

    order: tuple[int, ...]
    ranges: tuple[tuple[int, int], ...]
    pairs: tuple[Pair, ...]


def paired_ranking(
    right: ArrayLike,
    clusters: Labels,
    *,
    asked: ArrayLike | None = None,
    level: float = 0.95,
) -> Ranking:
    """Rank answerers by accuracy on the same cases.

    Formula: per pair the difference of `accuracy_difference` and the p value of `sign_flip_p`.
    Each pair is two one-sided hypotheses, p / 2 for the direction seen and 1 - p / 2 for the other;
    Holm's (1979) rule over all of them bounds the chance of any claim in a wrong direction by
    1 - level, whatever the dependence (two-sided tests would not bound wrong directions). A
    column's range of ranks is then 1 + the claims above it to M - the claims below it: all ranges
    hold the true ranks at once with probability `level` (the construction of Mogstad, Romano,
    Shaikh & Wilhelm 2024, Review of Economic Studies 91, 476-518, from these p values).
    Assumes independent clusters, and of `sign_flip_p` that a cluster's difference may as well have
    had the other sign. No case, one cluster or equal replies: nothing is claimed, every range is
    1 to M.

    Args:
        right: booleans [N, M], an answerer a column.
        clusters: labels [N] or `Clusters`.
        asked: booleans [N, M]; a case counts for the pairs that were both asked. None means all.
        level: of all claims together.
    """
    check_level(level)
    hits = _flags("right", right)
    used = np.ones_like(hits) if asked is None else _flags("asked", asked)
    groups = Clusters.of(clusters)
    same_length(right=len(hits), asked=len(used), clusters=len(groups))
    if hits.shape != used.shape:
        raise UsageError(f"right has shape {hits.shape} and asked {used.shape}; give one shape.")
    columns = hits.shape[1]
    counts = used.sum(axis=0)
    shares = (hits & used).sum(axis=0) / np.maximum(counts, 1)
    order = sorted(range(columns), key=lambda j: (-shares[j], counts[j] == 0, j))
    found = []
    for a, b in combinations(order, 2):
        both = used[:, a] & used[:, b]
        where = groups.where(both)
        difference = accuracy_difference(
            hits[both, a], hits[both, b], where, level=level, total=len(hits)
        )
        found.append((a, b, difference, sign_flip_p(hits[both, a], hits[both, b], where)))
    sides = np.array([p / 2 for *_, p in found] + [1 - p / 2 for *_, p in found])
    adjusted = holm(sides)
    pairs = tuple(
        Pair(a, b, difference, p, float(q), bool(q <= 1 - level))
        for (a, b, difference, p), q in zip(found, adjusted[: len(found)], strict=True)
    )
    return Ranking(tuple(order), _ranges(columns, pairs), pairs)


def _ranges(columns: int, pairs: tuple[Pair, ...]) -> tuple[tuple[int, int], ...]:
    above, below = [0] * columns, [0] * columns
    for pair in pairs:
        if pair.claimed and pair.difference.value is not None:
            up = pair.difference.value > 0
            better, worse = (pair.first, pair.second) if up else (pair.second, pair.first)
            above[worse] += 1
            below[better] += 1
    return tuple((1 + above[j], columns - below[j]) for j in range(columns))


def _flags(name: str, values: ArrayLike) -> Bools:
    array = as_array(name, values)
    if array.ndim != 2 or (array.size and array.dtype != np.bool_):
        raise UsageError(
            f"{name} has type {array.dtype} and shape {array.shape}; booleans [N, M] are allowed."
        )
    return array.astype(np.bool_)
