"""The fast bootstrap is the slow one, and refuses what no bootstrap can do."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
import scipy.stats

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import (
    Clusters,
    bootstrap,
    bootstrap_difference,
    bootstrap_ratio,
    mean_by_cluster,
    resampled_sums,
)
from vidence.stats.designs import clustered_hits
from vidence.stats.moments import moments_of


def slow_bootstrap(values, labels, rng, n_resamples):
    """Return means of resampled clusters by picking up every case of every drawn cluster."""
    names = np.unique(labels)
    means = []
    for _ in range(n_resamples):
        drawn = rng.choice(names, len(names))
        cases = np.concatenate([np.flatnonzero(labels == name) for name in drawn])
        means.append(values[cases].mean())
    return np.array(means)


def test_ratios_have_the_distribution_of_the_slow_loop():
    """Two-sample Kolmogorov-Smirnov on 4,000 slow and 40,000 fast means; p > 0.001."""
    rng = rng_of("slow loop")
    hits, clusters = clustered_hits(rng.integers(1, 12, 30), 0.4, 0.3, rng=rng)
    slow = slow_bootstrap(hits.astype(float), clusters.codes, rng, 4_000)
    columns = np.stack([hits.astype(float), np.ones(len(hits))], axis=1)
    sums = resampled_sums(columns, clusters, rng=rng, n_resamples=40_000)
    fast = sums[:, 0] / sums[:, 1]
    jitter = rng.uniform(-1e-9, 1e-9, 44_000)
    assert scipy.stats.ks_2samp(slow + jitter[:4_000], fast + jitter[4_000:]).pvalue > 0.001


def test_every_resample_of_three_clusters_comes_as_often_as_it_should():
    """All 27 ordered draws of 3 clusters by hand; chi-square on 27,000 resamples, p > 0.001."""
    values, labels = np.array([1.0, 10.0, 100.0]), np.arange(3)
    wanted: dict[float, float] = {}
    for draw in product(values, repeat=3):
        wanted[sum(draw)] = wanted.get(sum(draw), 0) + 1000
    sums = resampled_sums(values[:, None], labels, rng=rng_of("27"), n_resamples=27_000)[:, 0]
    found = dict(zip(*np.unique(sums, return_counts=True), strict=True))
    assert set(found) == set(wanted)
    observed, expected = zip(*((found[key], wanted[key]) for key in wanted), strict=True)
    assert scipy.stats.chisquare(observed, expected).pvalue > 0.001


def test_spread_of_200_independent_cases_is_the_analytic_error():
    """The bootstrap error of a mean is sd / sqrt(n) up to Monte Carlo noise of 1 / sqrt(2 R)."""
    values = rng_of("200 cases").normal(3, 2, 200)
    columns = np.stack([values, np.ones(200)], axis=1)
    sums = resampled_sums(columns, np.arange(200), rng=rng_of("analytic"), n_resamples=20_000)
    error = (sums[:, 0] / sums[:, 1]).std()
    assert error == pytest.approx(values.std() / np.sqrt(200), rel=4 / np.sqrt(2 * 20_000))


def test_three_equal_answers_per_video_widen_the_error_by_root_three():
    once = (rng_of("bootstrap copies").random(50) < 0.4).astype(float)
    answers, videos = np.repeat(once, 3), np.repeat(np.arange(50), 3)
    clustered = bootstrap_ratio(answers, None, videos, rng=rng_of("a"), n_resamples=20_000)
    naive = bootstrap_ratio(answers, None, np.arange(150), rng=rng_of("b"), n_resamples=20_000)
    widths = (clustered.high - clustered.low) / (naive.high - naive.low)
    assert widths == pytest.approx(np.sqrt(3), rel=0.06)
    assert (clustered.clusters, clustered.n) == (50, 150)


def test_interval_is_near_the_robust_one_for_many_clusters():
    rng = rng_of("robust")
    hits, clusters = clustered_hits(rng.integers(1, 9, 400), 0.4, 0.3, rng=rng)
    made = bootstrap_ratio(hits, None, clusters, rng=rng)
    other = mean_by_cluster(hits.astype(float), clusters)
    assert (made.low, made.high) == pytest.approx((other.low, other.high), abs=0.006)


@pytest.mark.parametrize(("ours", "theirs"), [("bca", "BCa"), ("percentile", "percentile")])
def test_limits_agree_with_scipy_on_independent_cases(ours, theirs):
    """Both are random; 20,000 resamples put each end within 0.03 errors of its own limit."""
    values = rng_of("skewed").lognormal(0, 1, 120)
    made = bootstrap_ratio(
        values, None, np.arange(120), rng=rng_of("ours"), n_resamples=20_000, interval=ours
    )
    other = scipy.stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method=theirs, rng=rng_of("theirs")
    ).confidence_interval
    error = values.std() / np.sqrt(120)
    assert (made.low, made.high) == pytest.approx((other.low, other.high), abs=0.1 * error)


def test_bias_is_corrected_as_scipy_does():
    """The plug-in variance of skewed values is biased low, so the shift z0 matters here."""
    values = rng_of("biased").lognormal(0, 0.7, 60)
    columns = np.stack([values**2, values, np.ones(60)], axis=1)
    made = bootstrap(
        columns,
        lambda s: s[:, 0] / s[:, 2] - (s[:, 1] / s[:, 2]) ** 2,
        np.arange(60),
        rng=rng_of("ours, biased"),
        n_resamples=20_000,
    )
    other = scipy.stats.bootstrap(
        (values,), np.var, n_resamples=20_000, method="BCa", rng=rng_of("theirs, biased")
    ).confidence_interval
    width = other.high - other.low
    assert (made.low, made.high) == pytest.approx((other.low, other.high), abs=0.04 * width)


def test_ties_with_the_value_count_half():
    """Five of ten is symmetric: without half ties the bias would push both ends one way."""
    made = bootstrap_ratio(np.arange(10) % 2, None, np.arange(10), rng=rng_of("symmetric"))
    assert made.low + made.high == pytest.approx(1.0, abs=0.01)


def test_pairing_is_kept():
    """Two conditions that move together differ by less than their separate errors suggest."""
    rng = rng_of("paired")
    first, clusters = clustered_hits(np.full(60, 5), 0.5, 0.5, rng=rng)
    second = np.where(rng.random(300) < 0.05, ~first, first)
    made = bootstrap_difference(first, second, clusters, rng=rng)
    exact = moments_of(first.astype(float) - second, clusters)
    assert made.value == pytest.approx(exact.value)
    assert made.high - made.low == pytest.approx(2 * 1.96 * np.sqrt(exact.variance), rel=0.12)


def test_any_statistic_of_sums_fits():
    """The quotient of two shares, with the value checked by hand."""
    rng = rng_of("quotient")
    a, clusters = clustered_hits(np.full(80, 4), 0.6, 0.2, rng=rng)
    b = rng.random(320) < 0.3
    made = bootstrap(
        np.stack([a, b], axis=1).astype(float), lambda s: s[:, 0] / s[:, 1], clusters, rng=rng
    )
    assert made.value == pytest.approx(a.sum() / b.sum())
    assert made.low < made.value < made.high


def test_same_name_same_interval_and_chunks_do_not_show():
    values, labels = rng_of("values").random(3_000), np.arange(3_000)
    one, two = (bootstrap_ratio(values, None, labels, rng=rng_of("seed")) for _ in range(2))
    assert one == two
    assert one != bootstrap_ratio(values, None, labels, rng=rng_of("other seed"))


@pytest.mark.parametrize("n_resamples", [1, 0, -5, 99, 100.5])
def test_too_few_resamples_are_refused(n_resamples):
    with pytest.raises(UsageError, match=r"n_resamples = .*at least 100"):
        bootstrap_ratio([1, 0, 1], None, [1, 2, 3], rng=rng_of("x"), n_resamples=n_resamples)


def test_rng_is_asked_for_by_name():
    with pytest.raises(TypeError, match="rng"):
        bootstrap_ratio([1, 0], None, [1, 2])


def test_edges_give_reasons_instead_of_numbers():
    rng = rng_of("edges")
    empty = bootstrap_ratio(np.zeros(0), None, np.zeros(0, dtype=int), rng=rng)
    assert (empty.value, empty.n) == (None, 0)
    one = bootstrap_ratio([1.0, 0.0], None, ["a", "a"], rng=rng)
    assert (one.value, one.low) == (0.5, None)
    assert "one cluster" in one.degenerate
    same = bootstrap_ratio(np.ones(50), None, np.arange(50), rng=rng)
    assert (same.value, same.low) == (1.0, None)
    assert "same value" in same.degenerate
    nothing = bootstrap_ratio(np.ones(3), np.zeros(3), np.arange(3), rng=rng)
    assert (nothing.value, nothing.n) == (None, 0)
    assert "not finite" in nothing.degenerate


def test_resamples_without_a_denominator_are_counted():
    mixed = bootstrap_ratio([1, 0, 0, 0], [1, 1, 0, 0], np.arange(4), rng=rng_of("empty"))
    assert "resamples had an empty denominator" in mixed.degenerate
    assert "few clusters (4)" in mixed.degenerate


def test_a_statistic_of_the_wrong_shape_is_named():
    with pytest.raises(UsageError, match=r"one value per row, \(1,\)"):
        bootstrap(np.ones((3, 2)), lambda s: s, [1, 2, 3], rng=rng_of("x"))
    with pytest.raises(UsageError, match="allowed: bca, percentile"):
        bootstrap_ratio([1, 0], None, [1, 2], rng=rng_of("x"), interval="basic")
    with pytest.raises(UsageError, match=r"columns has shape \(3,\)"):
        resampled_sums(np.ones(3), [1, 2, 3], rng=rng_of("x"))


def test_subset_of_clusters_resamples_only_those():
    """Clusters that no case uses must not be drawn as empty ones."""
    whole = Clusters.of([0, 1, 2, 3])
    part = whole.where(np.array([True, True, False, False]))
    sums = resampled_sums(np.ones((2, 1)), part, rng=rng_of("subset"), n_resamples=200)
    assert (sums == 2).all()
