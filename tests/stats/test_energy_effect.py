"""Energy distance of replies: closed form, every exchange of labels, size under the null."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import Replies, condition_accuracy, draw_order, energy_effect, retention

LETTERS = st.integers(-1, 3)


def distance(sham, destroy):
    """Return the U-statistic pair by pair."""
    across = np.mean([a != b for a in sham for b in destroy])
    within = [np.mean([a != b for a, b in combinations(draws, 2)]) for draws in (sham, destroy)]
    return across - within[0] / 2 - within[1] / 2


@given(st.lists(LETTERS, min_size=4, max_size=4), st.lists(LETTERS, min_size=3, max_size=3))
@settings(max_examples=80, deadline=None)
def test_distance_and_p_are_what_pairs_and_exchanges_give(sham, destroy):
    made = energy_effect(Replies.of([sham], [destroy], ["v"]), rng=rng_of("x"), permutations=100)
    s, d = ([a for a in draws if a >= 0] for draws in (sham, destroy))
    if min(len(s), len(d)) < 2:
        assert np.isnan(made.distance[0])
        assert made.p is None
        assert "k = 1" in made.mean.degenerate
        return
    assert made.distance[0] == pytest.approx(distance(s, d))
    pooled, values = s + d, []
    for pick in combinations(range(len(pooled)), len(s)):
        rest = [pooled[i] for i in range(len(pooled)) if i not in pick]
        values.append(distance([pooled[i] for i in pick], rest))
    expected = np.mean(np.array(values) >= made.distance[0] - 1e-9)
    assert made.question_p[0] == pytest.approx(expected)


def test_the_distance_is_unbiased_for_half_the_squared_gap():
    """40,000 questions of one pair of answer distributions: mean within 5 errors."""
    rng = rng_of("unbiased")
    p_s, p_d = np.array([0.6, 0.2, 0.1, 0.1]), np.array([0.2, 0.4, 0.1, 0.3])
    replies = Replies.of(
        rng.choice(4, (40_000, 3), p=p_s), rng.choice(4, (40_000, 3), p=p_d), np.arange(40_000)
    )
    made = energy_effect(replies, rng=rng, permutations=100)
    error = made.distance.std() / 200
    assert made.mean.value == pytest.approx(((p_s - p_d) ** 2).sum() / 2, abs=5 * error)


def test_redirection_that_leaves_the_flip_rate_alone_is_seen():
    """Always wrong, but another wrong letter: no flip changes, the distance is 1."""
    made = energy_effect(Replies.of([[1, 1, 1]] * 40, [[2, 2, 2]] * 40, range(40)), rng=rng_of("r"))
    assert made.mean.value == 1
    assert made.p == pytest.approx(1 / 10_001)


def test_the_global_p_is_uniform_where_the_condition_does_not_matter():
    """400 probes of 30 questions that differ in their answers but not by condition.

    p <= 0.05 in at most 5 % plus 3 Monte Carlo errors, p <= 0.5 in about half.
    """
    rng, found = rng_of("null energy"), []
    for i in range(400):
        own = rng.dirichlet(np.ones(4) * 0.5, size=30)
        draws = np.array([rng.choice(4, 6, p=p) for p in own])
        replies = Replies.of(draws[:, :3], draws[:, 3:], np.arange(30))
        found.append(energy_effect(replies, rng=rng_of("p", i), permutations=300).p)
    found = np.array(found)
    assert (found <= 0.05).mean() <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
    assert (found <= 0.5).mean() == pytest.approx(0.5, abs=5 * 0.5 / 20)


def test_one_draw_a_condition_is_undefined():
    made = energy_effect(Replies.of([[1]] * 5, [[2]] * 5, range(5)), rng=rng_of("x"))
    assert (made.mean.value, made.p) == (None, None)
    assert (made.mean.n, made.mean.total) == (0, 5)
    assert "undefined" in made.mean.degenerate
    assert np.isnan(made.question_p).all()


def test_accuracy_and_retention_count_valid_draws_of_each_question():
    letters = [[0, 0, -1], [1, 2, 3], [-1, -1, -1]]
    made = condition_accuracy(letters, [0, 1, 2], ["a", "b", "c"])
    assert made.value == pytest.approx((1 + 1 / 3) / 2)
    assert (made.n, made.total) == (2, 3)
    kept = retention(letters, [0, 2, 1], [1, 0, 1], ["a", "b", "c"])
    assert (kept.value, kept.n, kept.total) == (1.0, 1, 2)
    assert retention(letters, [0, 2, 1], [0, 0, 0], ["a", "b", "c"]).value is None


def test_draws_that_drift_are_seen_and_others_are_not():
    """Cochran's Q by hand on a small table; a drift found; 400 null tables at the stated size."""
    made = draw_order([[1, 0, 0], [1, 1, 0], [1, 0, 0], [1, 1, 1], [0, -1, 0]])
    # C = 4, 2, 1; T = 7; R = 1, 2, 1, 3: Q = 2 (3 x 21 - 49) / (21 - 15).
    assert made.statistic == pytest.approx(2 * (3 * 21 - 49) / 6)
    assert made.questions == 4
    rng = rng_of("drift")
    drift = rng.random((500, 4)) < np.array([0.3, 0.35, 0.4, 0.45])
    assert draw_order(drift.astype(int)).p < 0.01
    rates = rng.beta(0.5, 0.5, (400, 200, 1))
    null = [draw_order(draws).p for draws in (rng.random((400, 200, 4)) < rates).astype(int)]
    assert np.mean(np.array(null) <= 0.05) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
    assert draw_order([[1, 1], [0, 0]]).p is None
    with pytest.raises(UsageError, match="draws >= 2"):
        draw_order([[1], [0]])


def test_replies_refuse_nonsense():
    with pytest.raises(UsageError, match="option numbers"):
        Replies.of([[-2]], [[0]], ["v"])
    with pytest.raises(UsageError, match="permutations = 9"):
        energy_effect(Replies.of([[0, 1]], [[0, 1]], ["v"]), rng=rng_of("x"), permutations=9)
