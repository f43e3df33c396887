"""Draws into counts: lost draws, exact scores, bounds, and the effect on the whole."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import (
    FlipCounts,
    FlipDraws,
    delta_law,
    flip_effect,
    homogeneous_signs,
    runs_mean,
    tie_excess,
)

CODE = st.sampled_from([1, 0, -1, -2])
PAIRS = st.lists(
    st.tuples(st.lists(CODE, min_size=4, max_size=4), st.lists(CODE, min_size=3, max_size=3)),
    min_size=1,
    max_size=12,
)


def by_hand(sham, destroy):
    """Return the score of one question, draw by draw."""
    rate = {}
    for name, draws in (("s", sham), ("d", destroy)):
        valid = [d for d in draws if d in (0, 1)]
        rate[name] = Fraction(sum(valid), len(valid)) if valid else None
    return None if None in rate.values() else rate["d"] - rate["s"]


@given(PAIRS)
def test_scores_are_exact_fractions_of_the_valid_draws(pairs):
    sham, destroy = zip(*pairs, strict=True)
    counts = FlipDraws.of(list(sham), list(destroy), np.arange(len(pairs))).counts()
    expected = [by_hand(s, d) for s, d in pairs]
    assert list(counts.fractions()) == expected
    known = [score for score in expected if score is not None]
    assert counts.scored.tolist() == [score is not None for score in expected]
    assert counts.scores().tolist() == [float(score) for score in known]
    assert counts.signs().tolist() == [(score > 0) - (score < 0) for score in known]
    tables, index = counts.tables()
    assert len(index) == len(known)
    for row, score in zip(tables[index], known, strict=True):
        assert Fraction(*row[:2].tolist()) - Fraction(*row[2:].tolist()) == score


def test_a_lost_draw_leaves_numerator_and_denominator():
    counts = FlipDraws.of([[0, -1, 1]], [[1, 1, 1]], ["v"]).counts()
    assert counts.fractions() == (Fraction(1, 2),)


@given(PAIRS)
def test_bounds_are_the_worst_and_the_best_that_lost_draws_could_be(pairs):
    sham, destroy = zip(*pairs, strict=True)
    counts = FlipDraws.of(list(sham), list(destroy), np.arange(len(pairs))).counts()
    low, high = counts.bounds()
    for q, (s, d) in enumerate(pairs):
        worst = by_hand([1 if c == -1 else c for c in s], [0 if c == -1 else c for c in d])
        best = by_hand([0 if c == -1 else c for c in s], [1 if c == -1 else c for c in d])
        if worst is not None:
            assert (low[q], high[q]) == pytest.approx((float(worst), float(best)))
        assert -1 <= low[q] <= high[q] <= 1
        if counts.scored[q]:
            score = float(counts.fractions()[q])
            assert low[q] - 1e-12 <= score <= high[q] + 1e-12


def test_a_smaller_budget_is_a_prefix():
    draws = FlipDraws.of([[1, 0, 0, 1]], [[1, 1, -1, 0]], ["v"])
    assert draws.first(3).counts().fractions() == (Fraction(2, 3),)
    assert draws.counts().fractions() == (Fraction(2, 3) - Fraction(1, 2),)
    for k in (0, 5):
        with pytest.raises(UsageError, match=f"k = {k}; there are 4"):
            draws.first(k)


def test_draws_and_counts_refuse_nonsense():
    with pytest.raises(UsageError, match="sham: draws are 1"):
        FlipDraws.of([[2]], [[1]], ["v"])
    with pytest.raises(UsageError, match="two axes"):
        FlipDraws.of([1], [[1]], ["v"])
    with pytest.raises(UsageError, match="sham 1, destroy 2"):
        FlipDraws.of([[1]], [[1], [0]], ["v"])
    with pytest.raises(UsageError, match="destroy: flips"):
        FlipCounts.of(([1], 3), ([4], 3))


def test_the_effect_counts_questions_not_draws():
    """Two questions: 1 of 1 and 0 of 4 flip under destroy; the mean rate is 1/2, not 1/5."""
    sham = [[0, 0, 0, 0], [0, 0, 0, 0], [-1, -1, -1, -1]]
    destroy = [[1, -1, -1, -1], [0, 0, 0, 0], [1, 1, 1, 1]]
    made = flip_effect(FlipDraws.of(sham, destroy, ["a", "b", "c"]).counts(), total=5)
    assert made.destroy.value == pytest.approx(0.5)
    assert (made.delta.n, made.delta.total, made.delta.clusters) == (2, 5, 2)
    assert (made.negative.value, made.tie.value, made.positive.value) == (0, 0.5, 0.5)
    assert made.sham_invalid.value == pytest.approx(1 / 3)
    assert made.destroy_invalid.value == pytest.approx(1 / 4)
    assert made.invalid_difference.value == pytest.approx(1 / 4 - 1 / 3)
    assert made.lowest == pytest.approx((0.25 + 0 + 0) / 3)
    assert made.highest == pytest.approx((1 + 0 + 1) / 3)


def test_the_effect_of_nothing_has_no_number():
    made = flip_effect(FlipDraws.of([[-1]], [[1]], ["v"]).counts())
    assert made.delta.value is None
    assert (made.delta.n, made.delta.total) == (0, 1)
    with pytest.raises(UsageError, match="No question"):
        homogeneous_signs(FlipDraws.of([[-1]], [[1]], ["v"]).counts())


def test_homogeneous_questions_show_no_tie_excess():
    """20,000 questions of one pair of rates, some with a draw lost: excess within 4 errors of 0."""
    rng = rng_of("no excess")
    ks, kd = rng.integers(2, 4, 20_000), np.full(20_000, 3)
    counts = FlipCounts.of((rng.binomial(ks, 0.35), ks), (rng.binomial(kd, 0.65), kd))
    excess = tie_excess(counts, rng=rng, n_resamples=400)
    assert abs(excess.value) < 4 * np.sqrt(0.24 * 0.76 / 20_000)
    assert excess.high - excess.low == pytest.approx(4 * np.sqrt(0.24 * 0.76 / 20_000), rel=0.3)
    expected = [
        np.mean([getattr(delta_law(0.35, 0.65, k, 3), sign) for k in (2, 3)])
        for sign in ("negative", "tie", "positive")
    ]
    assert list(homogeneous_signs(counts).values()) == pytest.approx(expected, abs=0.01)


def test_questions_that_differ_tie_more_often():
    """Half of the questions always flip, half never: every score is a tie, whatever the means."""
    flips = np.tile([0, 3], 300)
    excess = tie_excess(FlipCounts.of((flips, 3), (flips, 3)), rng=rng_of("tie"), n_resamples=400)
    assert excess.value == pytest.approx(1 - delta_law(0.5, 0.5, 3).tie)
    assert excess.excludes(0)


def test_runs_are_replications():
    """Mean and SD of three numbers, by hand; one run has neither interval nor SD."""
    made, spread = runs_mean([0.30, 0.28, 0.29])
    assert made.value == pytest.approx(0.29)
    assert spread == pytest.approx(0.01)
    # t with 2 degrees of freedom is 4.303.
    assert made.high - made.value == pytest.approx(4.303 * 0.01 / np.sqrt(3), rel=1e-3)
    alone, none = runs_mean([0.3])
    assert (alone.low, none) == (None, None)
