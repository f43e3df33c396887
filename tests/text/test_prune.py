"""Pruning with learners whose every answer is known, so that what goes is known too."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.text.made_items import items_of, random_items, reordered
from vidence.errors import UsageError
from vidence.stats import proportion_by_cluster
from vidence.text.items import TextItems
from vidence.text.prune import BATCH, Fit, items_at, prune, shuffled_fall


class Knows:
    """Give each question the P(key) that a table has, whatever the folds; right above one half."""

    def __init__(self, table: Mapping[str, float]) -> None:
        self.table, self.seeds, self.asked = dict(table), [], []

    def __call__(self, items: TextItems, seed: int) -> Fit:
        self.seeds.append(seed)
        self.asked.append(len(items))
        p = np.array([self.table[name] for name in items.ids])
        return Fit(p, proportion_by_cluster(p > 0.5, items.clusters))


def bench(n: int, known: int) -> tuple[TextItems, Knows]:
    items = items_of([["a", "b", "c", "d"]] * n, [0] * n)
    p = {name: 0.99 - i / (2 * n) if i < known else 0.1 for i, name in enumerate(items.ids)}
    return items, Knows(p)


def test_the_surest_go_first_until_the_target() -> None:
    items, fit = bench(200, 100)
    found = prune(items, fit, target=0.4, max_removed=1.0)
    assert found.reached
    gone = int(found.removed.sum())
    assert found.removed.tolist() == [i < gone for i in range(200)]
    batch = round(BATCH * 200)
    assert (100 - gone) / (200 - gone) <= 0.4 < (100 - gone + batch) / (200 - gone + batch)
    assert [s.removed for s in found.curve] == list(range(0, gone + 1, batch))
    assert found.curve[-1].left.value == pytest.approx((100 - gone) / (200 - gone))


@given(st.integers(1, 80), st.floats(0, 1), st.floats(0, 1))
def test_never_more_than_asked_goes_and_nothing_that_is_not_known(
    n: int, share: float, target: float
) -> None:
    items, fit = bench(n, n // 2)
    found = prune(items, fit, target=target, max_removed=share)
    assert found.removed.sum() <= share * n + 1e-6
    assert not found.removed[n // 2 :].any()
    assert found.reached == (found.curve[-1].left.value <= target + 1e-9)


def test_by_default_it_comes_down_to_chance() -> None:
    items, fit = bench(200, 100)
    found = prune(items, fit, max_removed=1.0)
    assert found.curve[-1].left.value <= 0.25
    assert found.curve[0].chance == 0.25


def test_a_bound_is_met_to_the_last_question() -> None:
    items, fit = bench(200, 100)
    found = prune(items, fit, target=0.0, max_removed=0.033)
    assert found.removed.sum() == 6
    assert not found.reached
    assert found.curve[-1].removed == 6, "what is left after the last removal is fitted too"


def test_nothing_goes_where_the_target_holds_already() -> None:
    items, fit = bench(100, 10)
    found = prune(items, fit, target=0.5)
    assert (found.removed.sum(), len(found.curve), found.reached) == (0, 1, True)


def test_every_fit_draws_folds_of_its_own_and_the_seed_names_them() -> None:
    items, fit = bench(200, 100)
    prune(items, fit, target=0.4, max_removed=1.0, seed=1)
    assert len(set(fit.seeds)) == len(fit.seeds) > 2
    items, again = bench(200, 100)
    prune(items, again, target=0.4, max_removed=1.0, seed=1)
    assert again.seeds == fit.seeds
    items, other = bench(200, 100)
    prune(items, other, target=0.4, max_removed=1.0, seed=2)
    assert not set(other.seeds) & set(fit.seeds)


def test_equal_probabilities_go_in_the_order_of_ids_not_of_rows() -> None:
    items = items_of([["a", "b"]] * 100, [0] * 100)
    fit = Knows(dict.fromkeys(items.ids, 0.9))
    order = np.random.default_rng(1).permutation(100)
    first = prune(items, fit, target=0.0, max_removed=0.3).removed
    moved = prune(reordered(items, order), fit, target=0.0, max_removed=0.3).removed
    assert first[order].tolist() == moved.tolist()
    assert first.sum() == 30


def test_shares_are_shares() -> None:
    items, fit = bench(10, 5)
    with pytest.raises(UsageError, match="max_removed = 30"):
        prune(items, fit, max_removed=30)
    with pytest.raises(UsageError, match="target = 25"):
        prune(items, fit, target=25)


def test_no_questions_are_no_error() -> None:
    found = prune(items_of([], []), Knows({}))
    assert (found.curve, found.removed.shape) == ((), (0,))


def test_shuffled_keys_fall_by_selection_alone() -> None:
    """A guesser with luck: it draws P(key) once per question, and pruning takes the lucky ones."""
    items = random_items(np.random.default_rng(3), 400)
    rng = np.random.default_rng(4)
    lucky = Knows({name: 0.9 if rng.random() < 0.25 else 0.1 for name in items.ids})
    first, *_, last = shuffled_fall(items, lucky, removed=60).curve
    assert first.left.value == pytest.approx(0.25, abs=0.07)
    assert last.left.value == pytest.approx((400 * first.left.value - 60) / 340)
    assert last.removed == 60


def test_parts_of_items_keep_what_belongs_together() -> None:
    items = items_of(
        [["a", "b"], ["c", "d", "e"]], [1, 2], tags={"task": ("x", "y")}, questions=["p?", "q?"]
    )
    part = items_at(items, np.array([1]))
    assert (part.ids, part.questions, part.options) == (("q00001",), ("q?",), (("c", "d", "e"),))
    assert (part.gold.tolist(), part.clusters.tolist()) == ([2], [1])
    assert part.tags == {"task": ("y",)}
