"""Shares and means against other people's code, by hand, and at their edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest
from scipy.stats import t as student
from statsmodels.regression.linear_model import OLS, WLS

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import (
    FEW_CLUSTERS,
    Clusters,
    difference_by_cluster,
    mean_by_cluster,
    proportion,
    proportion_by_cluster,
)
from vidence.stats.limits import clopper_pearson, wilson
from vidence.stats.moments import moments_of


@pytest.mark.parametrize(("hits", "n"), [(0, 25), (25, 25), (1, 25), (7, 20), (0, 1), (500, 999)])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_one_share_agrees_with_scipy(hits, n, level):
    for name, theirs in (("wilson", "wilson"), ("clopper-pearson", "exact")):
        ours = proportion(hits, n, interval=name, level=level)
        other = binomtest(hits, n).proportion_ci(level, theirs)
        assert (ours.low, ours.high) == pytest.approx((other.low, other.high), abs=1e-12)


def test_zero_of_25_and_25_of_25_have_width():
    for made in (
        proportion(0, 25),
        proportion_by_cluster(np.zeros(25), np.arange(25)),
        mean_by_cluster(np.zeros(25), np.arange(25), bounds=(0, 1)),
        difference_by_cluster(np.zeros(25), np.arange(25)),
    ):
        assert made.value == 0
        assert 0.1 < made.high < 0.2
    full = proportion_by_cluster(np.ones(25), np.arange(25))
    none = proportion_by_cluster(np.zeros(25), np.arange(25))
    assert (full.low, full.high) == pytest.approx((1 - none.high, 1.0))


def test_all_wrong_on_few_videos_knows_no_more_than_the_videos():
    """25 wrong answers on 5 videos could be 5 copies each: as wide as 5 cases, t for z."""
    copies = proportion_by_cluster(np.zeros(25), np.repeat(np.arange(5), 5))
    trials = 5 * (1.959963984540054 / student.ppf(0.975, 4)) ** 2
    assert copies.high == pytest.approx(clopper_pearson(0.0, trials, 0.95)[1])


def test_three_equal_answers_per_video_widen_the_error_by_root_three():
    """Error = half the width over the quantile; 50 videos x 3 equal answers against 150 cases."""
    once = rng_of("equal answers").random(50) < 0.4
    answers, videos = np.repeat(once, 3).astype(float), np.repeat(np.arange(50), 3)
    clustered, naive = mean_by_cluster(answers, videos), mean_by_cluster(answers, np.arange(150))
    error = (clustered.high - clustered.low) / student.ppf(0.975, 49)
    plain = (naive.high - naive.low) / student.ppf(0.975, 149)
    assert error / plain == pytest.approx(np.sqrt(3) * np.sqrt(149 / 150 * 50 / 49))
    assert clustered.clusters == 50


def design_matrix_moments(values, labels, weights):
    """Return CR2 variance and Bell-McCaffrey df of a constant, by full matrices."""
    n = len(values)
    w = weights / weights.sum()
    mean = w @ values
    projection = np.outer(np.ones(n), w)
    rows, leverages = [], []
    for g in np.unique(labels):
        member = (labels == g).astype(float)
        leverage = w @ member
        rows.append((w * member) @ (np.eye(n) - projection) / np.sqrt(1 - leverage))
        leverages.append(leverage)
    contrast = np.array(rows)
    variance = ((contrast @ values) ** 2).sum()
    spread = np.linalg.eigvalsh(contrast @ contrast.T)
    return mean, variance, spread.sum() ** 2 / (spread**2).sum()


def test_variance_and_df_are_those_of_full_matrices():
    rng = rng_of("full matrices")
    labels = rng.integers(0, 9, 60)
    values = rng.normal(size=60) + labels
    got = moments_of(values, Clusters.of(labels))
    mean, variance, df = design_matrix_moments(values, labels, np.ones(60))
    assert (got.value, got.variance, got.df) == pytest.approx((mean, variance, df))


def test_equal_clusters_give_g_minus_one():
    got = moments_of(rng_of("g minus one").normal(size=60), Clusters.of(np.arange(60) // 5))
    assert got.df == pytest.approx(11)
    assert got.units == pytest.approx(12)


def test_standard_error_is_that_of_statsmodels_for_equal_clusters():
    labels = np.arange(120) // 6
    values = rng_of("statsmodels").normal(size=120) + labels % 3
    fit = OLS(values, np.ones(120)).fit(
        cov_type="cluster", cov_kwds={"groups": labels, "use_correction": False}
    )
    variance = fit.bse[0] ** 2 * 20 / 19
    assert moments_of(values, Clusters.of(labels)).variance == pytest.approx(variance)


def test_weights_are_those_of_statsmodels():
    """One case per cluster makes CR2 the HC2 of a weighted fit."""
    rng = rng_of("weights")
    values, weights = rng.normal(size=40), rng.uniform(0.5, 2, 40)
    fit = WLS(values, np.ones(40), weights=weights).fit(cov_type="HC2")
    got = moments_of(values, Clusters.alone(40), weights)
    assert (got.value, got.variance) == pytest.approx((fit.params[0], fit.bse[0] ** 2))


def test_repeating_a_case_is_weighing_it_twice():
    values, labels = np.array([1.0, 0, 0, 1, 0, 1]), np.array([0, 0, 1, 2, 2, 3])
    twice = np.array([1, 2, 1, 1, 1, 2])
    repeated = proportion_by_cluster(np.repeat(values, twice), np.repeat(labels, twice))
    weighed = proportion_by_cluster(values, labels, weights=twice)
    assert weighed.value == pytest.approx(repeated.value)
    assert moments_of(values, Clusters.of(labels), twice.astype(float)).variance == pytest.approx(
        moments_of(np.repeat(values, twice), Clusters.of(np.repeat(labels, twice))).variance
    )


def test_independent_cases_get_the_binomial_interval_but_for_t():
    """With one case per cluster effective trials are n (z / t)^2: limits nearly agree."""
    hits = np.arange(400) % 4 == 0
    got = proportion_by_cluster(hits, np.arange(400), interval="wilson")
    low, high = wilson(0.25, 400, 0.95)
    assert (got.low, got.high) == pytest.approx((low, high), abs=3e-4)


def test_videos_of_equal_accuracy_do_not_make_certainty():
    """Each of 40 videos has exactly one hit of two: the clusters show no spread at all."""
    hits, videos = np.tile([1.0, 0.0], 40), np.repeat(np.arange(40), 2)
    share, mean = proportion_by_cluster(hits, videos), mean_by_cluster(hits, videos)
    naive = proportion(40, 80)
    for made in (share, mean):
        assert made.high - made.low > 0.9 * (naive.high - naive.low)


def test_booleans_are_shares():
    hits, videos = [True, False, True, True], ["a", "a", "b", "c"]
    assert mean_by_cluster(hits, videos) == proportion_by_cluster(hits, videos)


@pytest.mark.parametrize("measure", [mean_by_cluster, proportion_by_cluster, difference_by_cluster])
class TestEdges:
    def test_no_case_gives_no_number(self, measure):
        made = measure(np.zeros(0), np.zeros(0, dtype=int), total=10)
        assert (made.value, made.low, made.high, made.n, made.total) == (None, None, None, 0, 10)
        assert made.degenerate == "no case was scored"

    def test_one_case_is_not_estimable(self, measure):
        made = measure([1.0], ["a"])
        assert (made.value, made.low) == (1.0, None)
        assert "not estimable" in made.degenerate

    def test_one_cluster_has_no_interval(self, measure):
        made = measure([1.0, 0.0, 1.0], ["a", "a", "a"])
        assert (made.value, made.low, made.clusters) == (pytest.approx(2 / 3), None, 1)
        assert "one cluster" in made.degenerate

    def test_few_clusters_are_named_and_many_are_not(self, measure):
        few = np.arange(FEW_CLUSTERS - 1)
        made = measure((few % 2).astype(float), few)
        assert f"few clusters ({len(few)})" in made.degenerate
        assert made.low is not None
        many = np.arange(FEW_CLUSTERS)
        assert measure((many % 2).astype(float), many).degenerate is None

    def test_lost_cases_stay_in_the_total(self, measure):
        made = measure([1.0] * 6, np.arange(6), total=10)
        assert (made.n, made.total) == (6, 10)


def test_six_of_ten_and_six_of_six_are_both_visible():
    read, asked = proportion(6, 6, total=10), proportion(6, 10)
    assert str(read).endswith("n = 6 of 10)")
    assert (read.value, asked.value) == (1.0, 0.6)


def test_all_equal_without_bounds_has_no_interval():
    made = mean_by_cluster([3.0, 3.0, 3.0], ["a", "b", "c"])
    assert made.low is None
    assert "range is not known" in made.degenerate


def test_all_equal_within_bounds_is_a_rule_of_n():
    """If none of 40 clusters differs, at most q may, (1 - q)^m = alpha / 2 with m = 40 (z / t)^2.

    The interval keeps the untouched end where the value is itself a bound.
    """
    made = mean_by_cluster(np.full(40, 2.0), np.arange(40), bounds=(0.0, 8.0))
    q = 1 - 0.025 ** (1 / 40)
    assert made.low == pytest.approx(2 - 2 * q)
    assert made.high == pytest.approx(2 + 6 * q)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: proportion(3, 2), "3 successes in 2 trials"),
        (lambda: proportion(-1, 2), "successes = -1"),
        (lambda: proportion(1, 2, interval="wald"), "allowed: clopper-pearson, wilson"),
        (lambda: proportion(1, 2, level=95), "level = 95"),
        (lambda: difference_by_cluster([1.5, 0], [1, 2]), "from -1 to 1 are allowed; got 1.5"),
        (lambda: mean_by_cluster([2.0, 0], [1, 2], bounds=(0, 1)), "from 0 to 1 are allowed"),
        (lambda: mean_by_cluster([1.0, 0], [1, 2], weights=[0, 0]), "positive sum"),
        (lambda: mean_by_cluster([1.0, 0], [1, 2], weights=[1]), "values 2, weights 1"),
    ],
)
def test_errors_say_what_came_and_what_is_allowed(call, words):
    with pytest.raises(UsageError, match=words):
        call()


def joined_score_limits(b, c, n, z=1.959963984540054):
    """Return limits for (b - c) / n from the definition.

    Score limits for b / n and c / n; their squared distances joined with the multinomial
    correlation of the two discordant counts.
    """

    def score(x):
        centre, root = 2 * x + z * z, z * np.sqrt(z * z + 4 * x * (1 - x / n))
        return (centre - root) / (2 * (n + z * z)), (centre + root) / (2 * (n + z * z))

    (lb, ub), (lc, uc) = score(b), score(c)
    p, q = b / n, c / n
    r = -np.sqrt(p * q / ((1 - p) * (1 - q)))
    low = p - q - np.sqrt((p - lb) ** 2 - 2 * r * (p - lb) * (uc - q) + (uc - q) ** 2)
    high = p - q + np.sqrt((ub - p) ** 2 - 2 * r * (ub - p) * (q - lc) + (q - lc) ** 2)
    return low, high


def test_difference_of_independent_cases_is_the_hybrid_score_interval():
    differences = np.repeat([1.0, -1.0, 0.0], [300, 120, 1580])
    made = difference_by_cluster(differences, np.arange(2000))
    assert made.value == pytest.approx(0.09)
    assert (made.low, made.high) == pytest.approx(joined_score_limits(300, 120, 2000), abs=1e-4)


def test_a_known_least_variance_only_widens():
    differences, alone = np.repeat([0.01, -0.99], [399, 1]), np.arange(400)
    plain = difference_by_cluster(differences, alone)
    wide = difference_by_cluster(differences, alone, least_variance=1e-3)
    same = difference_by_cluster(differences, alone, least_variance=1e-12)
    assert same == plain
    assert wide.low < plain.low < plain.high < wide.high


CASES = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=40)


@given(CASES)
def test_hits_and_misses_mirror_each_other(cases):
    hits, labels = (np.array(column) for column in zip(*cases, strict=True))
    yes, no = proportion_by_cluster(hits, labels), proportion_by_cluster(~hits, labels)
    assert yes.value == pytest.approx(1 - no.value)
    if yes.low is not None:
        assert 0 <= yes.low <= yes.value + 1e-9
        assert yes.value - 1e-9 <= yes.high <= 1
        assert (yes.low, yes.high) == pytest.approx((1 - no.high, 1 - no.low), abs=1e-6)
        assert yes.high > yes.low


@given(st.lists(st.tuples(st.floats(-1, 1), st.integers(0, 6)), min_size=2, max_size=40))
def test_differences_mirror_under_exchange(cases):
    values, labels = (np.array(column) for column in zip(*cases, strict=True))
    one, other = difference_by_cluster(values, labels), difference_by_cluster(-values, labels)
    assert one.value == pytest.approx(-other.value, abs=1e-12)
    if one.low is not None:
        assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-9)
        assert -1 <= one.low <= one.value + 1e-9
        assert one.high > one.low


@given(CASES, st.randoms(use_true_random=False))
def test_the_order_of_cases_is_no_information(cases, shuffler):
    mixed = list(cases)
    shuffler.shuffle(mixed)
    for measure in (proportion_by_cluster, difference_by_cluster):
        a, b = (
            measure(
                *(
                    np.array(x).astype(float if i == 0 else int)
                    for i, x in enumerate(zip(*rows, strict=True))
                )
            )
            for rows in (cases, mixed)
        )
        assert a.value == pytest.approx(b.value)
        assert (a.low, a.high) == pytest.approx((b.low, b.high), abs=1e-9)
