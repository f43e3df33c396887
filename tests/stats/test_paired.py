"""Paired comparisons against enumeration and McNemar; families against statsmodels."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import (
    accuracy_difference,
    family_level,
    holm,
    macro_mean,
    mean_by_cluster,
    sign_flip_p,
)


def enumerated(first, second, labels):
    """Return the two-sided p value over every sign pattern of the clusters."""
    sums = [(first - second)[labels == g].sum() for g in np.unique(labels)]
    flipped = [abs(np.dot(signs, sums)) for signs in product((-1, 1), repeat=len(sums))]
    return np.mean(np.array(flipped) >= abs(sum(sums)) - 1e-9)


@given(
    st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 7)), min_size=1, max_size=40)
)
def test_sign_flips_are_enumerated_exactly(cases):
    a, b, labels = (np.array(column).astype(int) for column in zip(*cases, strict=True))
    assert sign_flip_p(a, b, labels) == pytest.approx(enumerated(a, b, labels))


@pytest.mark.parametrize(("gained", "lost"), [(0, 0), (5, 0), (9, 3), (30, 30), (400, 1)])
def test_one_case_per_cluster_is_mcnemar(gained, lost):
    a = np.repeat([1, 0, 1], [gained, lost, 50])
    b = np.repeat([0, 1, 1], [gained, lost, 50])
    theirs = mcnemar([[50, gained], [lost, 0]], exact=True).pvalue
    assert sign_flip_p(a, b, np.arange(len(a))) == pytest.approx(min(1.0, theirs), rel=1e-9)


def test_many_large_clusters_do_not_overflow():
    rng = rng_of("many clusters")
    a, b = rng.random(20_000) < 0.5, rng.random(20_000) < 0.5
    assert 0 < sign_flip_p(a, b, np.arange(20_000) // 5) <= 1


def test_one_cluster_is_never_significant():
    assert sign_flip_p(np.ones(90), np.zeros(90), np.zeros(90, dtype=int)) == 1.0
    assert sign_flip_p(np.zeros(0), np.zeros(0), np.zeros(0, dtype=int)) == 1.0


def test_accuracy_difference_is_paired():
    """Conditions that agree on all but 20 of 1,000 cases are far closer than two samples."""
    rng = rng_of("agree")
    a = rng.random(1000) < 0.5
    b = a.copy()
    b[:20] = ~b[:20]
    made = accuracy_difference(a, b, np.arange(1000), total=1100)
    assert made.value == pytest.approx(a.mean() - b.mean())
    assert made.high - made.low < 0.03
    assert (made.n, made.total) == (1000, 1100)


def test_accuracy_difference_needs_the_same_cases():
    with pytest.raises(UsageError, match="first 2, second 3"):
        accuracy_difference([1, 0], [1, 0, 1], [1, 2])


@given(st.lists(st.floats(0, 1), max_size=30))
@settings(max_examples=30, deadline=None)
def test_holm_agrees_with_statsmodels(p):
    expected = multipletests(p, method="holm")[1] if p else []
    assert holm(p) == pytest.approx(np.asarray(expected))


def test_groups_that_were_not_tested_do_not_count():
    adjusted = holm([0.01, np.nan, 0.04])
    assert adjusted[[0, 2]] == pytest.approx([0.02, 0.04])
    assert np.isnan(adjusted[1])


def test_holm_and_family_level_refuse_nonsense():
    with pytest.raises(UsageError, match="between 0 and 1"):
        holm([1.2])
    with pytest.raises(UsageError, match=r"shape \(1, 2\)"):
        holm([[0.1, 0.2]])
    with pytest.raises(UsageError, match="type"):
        holm(["0.1"])
    with pytest.raises(UsageError, match="comparisons = -1"):
        family_level(-1)


def test_family_level_shares_the_risk():
    assert family_level(20) == pytest.approx(0.9975)
    assert family_level(0) == family_level(1) == pytest.approx(0.95)


def test_best_of_23_noise_subsets_is_claimed_no_more_often_than_once_in_twenty():
    """23 subsets of pure noise, 400 families: any claim in at most 5 % + 3 Monte Carlo errors.

    Monte Carlo error sqrt(0.05 x 0.95 / 400) = 1.1 points. Unadjusted, most families claim one.
    """
    rng = rng_of("noise subsets")
    raw, adjusted = 0, 0
    for _ in range(400):
        right = rng.random((2, 23 * 30)) < 0.5
        videos, subset = np.arange(690) // 3, np.arange(690) // 30
        p = [sign_flip_p(*right[:, subset == s], videos[subset == s]) for s in range(23)]
        raw += min(p) <= 0.05
        adjusted += holm(p).min() <= 0.05
    assert adjusted / 400 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
    assert raw > adjusted


def test_mean_of_task_means_is_not_the_pooled_mean():
    """Tasks of 10 and 190 items, all right and half right: 0.75 against 0.525."""
    values = np.concatenate([np.ones(10), np.tile([1.0, 0.0], 95)])
    values[0] = 0.0
    tasks, videos = np.repeat(["small", "large"], [10, 190]), np.arange(200)
    macro, pooled = macro_mean(values, tasks, videos), mean_by_cluster(values, videos)
    assert macro.value == pytest.approx((0.9 + 0.5) / 2)
    assert pooled.value == pytest.approx((9 + 95) / 200)
    assert "group means" in macro.method
    assert macro.method != pooled.method
    error = np.sqrt(0.9 * 0.1 / 9 + 0.5 * 0.5 / 189) / 2
    assert macro.high - macro.low == pytest.approx(2 * 2.1 * error, rel=0.08)


def test_one_group_of_equal_clusters_is_the_plain_mean():
    values, videos = rng_of("one group").normal(size=120), np.arange(120) // 3
    one, plain = macro_mean(values, ["t"] * 120, videos), mean_by_cluster(values, videos)
    assert (one.value, one.low, one.high) == pytest.approx((plain.value, plain.low, plain.high))


def test_videos_shared_by_groups_are_not_counted_twice():
    """The same answers under two task names: the error is that of one task, not smaller."""
    values, videos = rng_of("shared").normal(size=60), np.arange(60)
    both = macro_mean(np.tile(values, 2), np.repeat(["a", "b"], 60), np.tile(videos, 2))
    half, plain = (both.high - both.low) / 2, mean_by_cluster(values, videos)
    assert half == pytest.approx((plain.high - plain.low) / 2, rel=0.02)


def test_groups_without_spread_say_so():
    assert macro_mean([], [], []).value is None
    one = macro_mean([1.0, 0, 1, 0], ["a", "a", "b", "b"], [1, 2, 3, 3])
    assert one.low is None
    assert "1 of 2 groups lie in one cluster" in one.degenerate
    flat = macro_mean([1.0, 1, 0, 0], ["a", "a", "b", "b"], [1, 2, 3, 4])
    assert "no spread" in flat.degenerate
