"""Weighted statistics: sums agree with the plain bootstrap, few videos get t, edges say why."""

from __future__ import annotations

import numpy as np
import pytest

from vidence.seeds import rng_of
from vidence.stats import Clusters, bootstrap_ratio, mean_by_cluster, reweighted


def weighted_mean(values, clusters):
    sums, sizes = clusters.sums(values), clusters.sizes()
    return lambda weights: (weights @ sums) / (weights @ sizes)


def test_a_mean_gets_the_interval_of_the_plain_bootstrap():
    rng = rng_of("reweighted mean")
    clusters = Clusters.of(np.repeat(np.arange(60), rng.integers(1, 9, 60)))
    values = rng.normal(size=len(clusters)) + rng.normal(size=60)[clusters.codes]
    made = reweighted(weighted_mean(values, clusters), clusters, rng=rng_of("a"))
    plain = bootstrap_ratio(values, None, clusters, rng=rng_of("a"))
    assert (made.value, made.low, made.high) == pytest.approx((plain.value, plain.low, plain.high))
    assert (made.n, made.clusters) == (len(values), 60)


def test_the_jackknife_of_equal_clusters_is_the_t_interval_of_the_mean():
    values = rng_of("jackknife").normal(size=40)
    clusters = Clusters.of(np.arange(40) // 8)
    made = reweighted(weighted_mean(values, clusters), clusters, rng=rng_of("x"))
    plain = mean_by_cluster(values, clusters)
    assert (made.low, made.high) == pytest.approx((plain.low, plain.high))
    assert "few clusters (5)" in made.degenerate


def test_very_many_clusters_are_grouped():
    """20,000 clusters: the interval of the mean, to the error of a spread of 400 groups."""
    rng = rng_of("very many")
    clusters = Clusters.of(np.arange(40_000) // 2)
    values = rng.normal(size=40_000) + rng.normal(size=20_000)[clusters.codes]
    made = reweighted(weighted_mean(values, clusters), clusters, rng=rng)
    plain = mean_by_cluster(values, clusters)
    assert made.value == pytest.approx(plain.value)
    assert made.high - made.low == pytest.approx(plain.high - plain.low, rel=5 / np.sqrt(800))
    assert made.clusters == 20_000


def test_cluster_numbers_that_are_not_in_use_do_not_count():
    values = rng_of("unused").normal(size=80)
    whole = Clusters.of(np.arange(160) // 2)
    part = whole.where(np.arange(160) < 80)
    made = reweighted(weighted_mean(values, part), part, rng=rng_of("b"), total=160)
    same = Clusters.of(np.arange(80) // 2)
    plain = reweighted(weighted_mean(values, same), same, rng=rng_of("b"))
    assert (made.low, made.high) == pytest.approx((plain.low, plain.high))
    assert (made.n, made.total, made.clusters) == (80, 160, 40)


def test_edges_have_a_reason_and_no_number_that_is_not_there():
    def odd(weights):
        return 1 / (weights[:, 0] - 1)

    nothing = reweighted(lambda w: w[:, 0], Clusters.of(np.zeros(0, dtype=int)), rng=rng_of("x"))
    assert (nothing.value, nothing.n) == (None, 0)
    one = reweighted(lambda w: w.sum(axis=1), np.zeros(4, dtype=int), rng=rng_of("x"))
    assert one.low is None
    assert "one cluster" in one.degenerate
    empty = reweighted(odd, np.arange(4), rng=rng_of("x"), total=9)
    assert (empty.value, empty.n, empty.total) == (None, 0, 9)
    hung = reweighted(lambda w: 1 / w[:, 0], np.arange(4), rng=rng_of("x"))
    assert hung.value == 1
    assert "hangs on one" in hung.degenerate
    flat = reweighted(lambda w: np.ones(len(w)), np.arange(4), rng=rng_of("x"))
    assert (flat.value, flat.low) == (1, None)
