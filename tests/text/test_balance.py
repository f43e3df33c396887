"""Balanced keys: as few questions out as possible, and never more than asked."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.text.made_items import items_of, random_items, reordered
from vidence.text.balance import BALANCED_BY, balance
from vidence.text.items import TextItems


def skewed(rng: np.random.Generator, n: int, *, k: int = 4) -> TextItems:
    made = random_items(rng, n, k=k)
    weights = np.arange(1, k + 1) / np.arange(1, k + 1).sum()
    gold = rng.choice(k, size=n, p=weights).tolist()
    return items_of(made.options, gold, clusters=made.clusters.tolist())


def positions(items: TextItems, removed: np.ndarray) -> Counter[int]:
    return Counter(items.gold[~removed].tolist())


@pytest.mark.parametrize("by", BALANCED_BY)
def test_what_is_kept_is_balanced(by: str) -> None:
    items = skewed(np.random.default_rng(1), 400)
    found = balance(items, by=by)  # type: ignore[arg-type]
    kept = found.cells[~found.removed]
    assert found.complete
    columns = {"position": (1,), "length": (2,), "both": (1, 2)}[by]
    for column in columns:
        assert len(set(np.bincount(kept[:, column], minlength=4).tolist())) == 1
    if by == "position":
        fewest = min(np.bincount(items.gold, minlength=4))
        assert len(kept) == 4 * fewest, "no more goes than must"


def test_ranks_of_length_are_what_they_say() -> None:
    items = items_of([["aaa", "bb", "c"], ["a", "bb", "ccc"], ["aa", "bb", "c"]], [0, 0, 2])
    assert balance(items, by="length").cells[:, 2].tolist() == [0, 2, 2]
    many = items_of([["aa", "bb", "c"]] * 400, [0] * 400)
    ranks = Counter(balance(many, by="length").cells[:, 2].tolist())
    assert set(ranks) == {0, 1}, "of equally long options each is first as often"
    assert 140 < ranks[0] < 260


def largest(table: np.ndarray, cap: int) -> int:
    """Return the most that can be kept under a cap on rows and columns, by trying everything."""
    best = 0
    for kept in itertools.product(*(range(n + 1) for n in table.ravel())):
        grid = np.array(kept).reshape(table.shape)
        if grid.sum(0).max() <= cap and grid.sum(1).max() <= cap:
            best = max(best, int(grid.sum()))
    return best


def test_both_at_once_keeps_the_most_that_can_be_kept() -> None:
    table = np.array([[3, 1], [0, 4]])
    texts = {0: ["aa", "b"], 1: ["b", "aa"]}
    rows = [(p, r) for (p, r), n in np.ndenumerate(table) for _ in range(n)]
    options = [texts[0] if p == r else texts[1] for p, r in rows]
    items = items_of(options, [p for p, _ in rows])
    found = balance(items, by="both")
    assert int((~found.removed).sum()) == largest(table, 3)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.floats(0, 1), st.sampled_from(BALANCED_BY))
def test_never_more_than_asked_goes(seed: int, share: float, by: str) -> None:
    items = skewed(np.random.default_rng(seed), 60, k=3)
    found = balance(items, by=by, max_removed=share)  # type: ignore[arg-type]
    assert found.removed.sum() <= share * 60 + 1e-6
    full = balance(items, by=by)  # type: ignore[arg-type]
    assert found.removed.sum() <= full.removed.sum()
    assert found.complete == (found.removed.sum() == full.removed.sum())


def test_part_of_the_way_the_largest_positions_come_down_first() -> None:
    items = items_of([["a", "b", "c"]] * 60, [0] * 30 + [1] * 20 + [2] * 10)
    found = balance(items, max_removed=0.2)
    assert not found.complete
    left = positions(items, found.removed)
    assert left[2] == 10
    assert abs(left[0] - left[1]) <= 1


def test_places_that_are_never_right_are_named_and_left_alone() -> None:
    items = items_of([["a", "b", "c"]] * 30, [0] * 20 + [1] * 10)
    found = balance(items)
    assert found.never == ((3, "position", 2),)
    assert positions(items, found.removed) == {0: 10, 1: 10}


def test_groups_of_equal_numbers_of_options_are_balanced_each() -> None:
    items = items_of(
        [["a", "b"]] * 30 + [["a", "b", "c"]] * 30, [0] * 20 + [1] * 10 + [2, 0, 1] * 10
    )
    left = balance(items).removed
    assert positions(items, left) == {0: 20, 1: 20, 2: 10}


def test_the_draw_is_named_by_seed_and_id() -> None:
    items = skewed(np.random.default_rng(4), 200)
    order = np.random.default_rng(5).permutation(200)
    first, again = balance(items, seed=1).removed, balance(items, seed=1).removed
    moved = balance(reordered(items, order), seed=1).removed
    other = balance(items, seed=2).removed
    assert first.tolist() == again.tolist()
    assert first[order].tolist() == moved.tolist()
    assert first.tolist() != other.tolist()
    assert first.sum() == other.sum()


def test_no_questions_are_no_error() -> None:
    found = balance(items_of([], []))
    assert found.removed.shape == (0,)
    assert found.complete
