"""Balance where the right answer stands, or how long it is, by leaving out few questions.

Within the questions of K options each position (and, if asked, each rank of length) should be
right equally often. Which questions go is a draw named by the seed and the question's id.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from vidence.seeds import seed_of
from vidence.stats.arrays import Bools, Ints
from vidence.text.items import TextItems

By = Literal["position", "length", "both"]
EXPECTED = 5
BALANCED_BY: tuple[By, ...] = ("position", "length", "both")


@dataclass(frozen=True)
class Balanced:
    """What a balanced benchmark leaves out.

    Args:
        removed: which questions go, [N].
        cells: (options, position, length rank) of each question's key, [N, 3].
        complete: whether every group is balanced, or the bound on removals came first.
        never: (options, "position" or "length", place) that is never right: no removal mends it;
            places that chance would give fewer than `EXPECTED` keys are not named.
    """

    removed: Bools
    cells: Ints
    complete: bool
    never: tuple[tuple[int, str, int], ...]


def balance(
    items: TextItems, *, by: By = "position", max_removed: float = 1.0, seed: int | str = 0
) -> Balanced:
    """Leave out as few questions as possible so that keys are balanced.

    Formula: for a cap c the most questions are kept by which no position (no rank of length)
    has more than c keys; with both it is a maximum flow from positions to ranks (Ford and
    Fulkerson 1956). The cap goes down from the largest count to the least count above zero, in
    all groups of K options by the same share of that way, as far as `max_removed` allows. Places
    that are never right are left alone and named.

    Args:
        items: the questions.
        by: what to balance; a rank of length counts the options longer than the key, equally
            long ones in an order drawn from the seed.
        max_removed: share of all questions, never passed.
        seed: names the draws.
    """
    cells = _cells(items, seed)
    groups = {int(k): np.flatnonzero(cells[:, 0] == k) for k in np.unique(cells[:, 0])}
    tables = {k: _table(cells[rows], k) for k, rows in groups.items()}
    allowed = int(max_removed * len(cells) + 1e-9)
    low, high = 0.0, 1.0
    kept = _kept(tables, by, 1.0)
    complete = len(cells) - sum(int(t.sum()) for t in kept.values()) <= allowed
    if not complete:
        # 40 halvings are finer than any count of questions.
        for _ in range(40):
            middle = (low + high) / 2
            tried = _kept(tables, by, middle)
            if len(cells) - sum(int(t.sum()) for t in tried.values()) <= allowed:
                low = middle
            else:
                high = middle
        kept = _kept(tables, by, low)
    removed = np.zeros(len(cells), dtype=np.bool_)
    for k, rows in groups.items():
        for position, rank in np.ndindex(k, k):
            inside = rows[(cells[rows, 1] == position) & (cells[rows, 2] == rank)]
            drawn = sorted(inside.tolist(), key=lambda i: _draw(items, i, seed))
            removed[drawn[int(kept[k][position, rank]) :]] = True
    return Balanced(removed, cells, complete, _never(tables, by))


def _cells(items: TextItems, seed: int | str) -> Ints:
    rows = []
    for i, (options, gold) in enumerate(zip(items.options, items.gold.tolist(), strict=True)):
        lengths = [len(text.strip()) for text in options]
        longer = sum(other > lengths[gold] for other in lengths)
        equal = sum(other == lengths[gold] for other in lengths)
        rank = longer + seed_of("balance", "rank", seed, items.ids[i]) % equal
        rows.append((len(options), gold, rank))
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


def _draw(items: TextItems, i: int, seed: int | str) -> tuple[int, str]:
    return seed_of("balance", "draw", seed, items.ids[i]), items.ids[i]


def _table(cells: Ints, k: int) -> Ints:
    """Return how many keys have each position and rank of length, [K, K]."""
    table = np.zeros((k, k), dtype=np.int64)
    np.add.at(table, (cells[:, 1], cells[:, 2]), 1)
    return table


def _kept(tables: dict[int, Ints], by: By, share: float) -> dict[int, Ints]:
    return {k: _keep(table, by, share) for k, table in tables.items()}


def _keep(table: Ints, by: By, share: float) -> Ints:
    """Return how many of each cell are kept when the cap has gone `share` of its way down."""
    margins = _margins(table, by)
    least = min(int(m[m > 0].min()) for m in margins)
    most = max(int(m.max()) for m in margins)
    cap = most - int(share * (most - least) + 1e-9)
    if by == "both":
        return _flow(table, cap)
    if by == "length":
        return _trim(table.T, cap).T
    return _trim(table, cap)


def _margins(table: Ints, by: By) -> list[Ints]:
    both = {"position": table.sum(axis=1), "length": table.sum(axis=0)}
    return list(both.values()) if by == "both" else [both[by]]


def _trim(table: Ints, cap: int) -> Ints:
    """Return the table with no row above the cap; what goes is shared out along the row."""
    kept = table.copy()
    for row in kept:
        excess = int(row.sum()) - cap
        if excess <= 0:
            continue
        exact = row * (cap / row.sum())
        whole = np.floor(exact).astype(np.int64)
        order = np.argsort(whole - exact, kind="stable")
        whole[order[: cap - int(whole.sum())]] += 1
        row[:] = whole
    return kept


def _flow(table: Ints, cap: int) -> Ints:
    """Return the largest table under `table` with no row and no column above the cap."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    k = len(table)
    graph = np.zeros((2 * k + 2, 2 * k + 2), dtype=np.int32)
    source, sink = 2 * k, 2 * k + 1
    graph[source, :k] = graph[k : 2 * k, sink] = cap
    graph[:k, k : 2 * k] = table
    flow = maximum_flow(csr_array(graph), source, sink).flow.toarray()
    return np.asarray(np.maximum(0, flow[:k, k : 2 * k]), dtype=np.int64)


def _never(tables: dict[int, Ints], by: By) -> tuple[tuple[int, str, int], ...]:
    """Return the places without a key, where chance would give each of them several."""
    names: Sequence[str] = ("position", "length") if by == "both" else (by,)
    return tuple(
        (k, name, int(place))
        for k, table in tables.items()
        if table.sum() >= EXPECTED * k
        for name, margin in zip(names, _margins(table, by), strict=True)
        for place in np.flatnonzero(margin == 0)
    )
