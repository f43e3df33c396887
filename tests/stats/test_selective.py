"""Uplift and risk-coverage: every order of ties, closed forms, scikit-learn's trapezoid."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import auc, roc_auc_score

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import (
    accuracy_at,
    coarse_partial_risk,
    risk_coverage,
    selective_difference,
    selective_risk,
    uplift_area,
    uplift_curve,
)

SMALL = st.lists(st.tuples(st.integers(0, 2), st.booleans()), min_size=1, max_size=6)


def every_order(scores, lowest_first):
    """Return all orders of the cases that the scores allow."""
    sign = 1 if lowest_first else -1
    return [
        order
        for order in permutations(range(len(scores)))
        if all(sign * scores[a] <= sign * scores[b] for a, b in pairwise(order))
    ]


@given(SMALL)
@settings(max_examples=60, deadline=None)
def test_ties_are_averaged_over_every_order(cases):
    scores, correct = (np.array(column) for column in zip(*cases, strict=True))
    n, curves = len(scores), []
    for order in every_order(scores, lowest_first=False):
        errors = np.cumsum(~correct[list(order)])
        curves.append(errors / np.arange(1, n + 1))
    expected = np.mean(curves, axis=0)
    coverage, risk = risk_coverage(scores, correct)
    assert coverage.tolist() == (np.arange(1, n + 1) / n).tolist()
    assert risk == pytest.approx(expected)
    made = {
        m: selective_risk(scores, correct, np.arange(n), rng=rng_of("x"), measure=m).value
        for m in ("aurc", "e_aurc", "augrc", "aurc_70")
    }
    assert made["aurc"] == pytest.approx(expected.mean())
    wrong = int((~correct).sum())
    best = np.concatenate([np.zeros(n - wrong), np.arange(1, wrong + 1)]) / np.arange(1, n + 1)
    assert made["e_aurc"] == pytest.approx(expected.mean() - best.mean(), abs=1e-12)
    first = max(1, int(np.ceil(0.7 * n - 1e-9)))
    assert made["aurc_70"] == pytest.approx(expected[first - 1 :].mean())
    joint = np.concatenate([[0], expected * np.arange(1, n + 1) / n])
    assert made["augrc"] == pytest.approx((joint[1:] + joint[:-1]).sum() / (2 * n))


@given(SMALL)
@settings(max_examples=60, deadline=None)
def test_uplift_is_the_mean_over_every_order(cases):
    scores, x = (np.array(column).astype(int) for column in zip(*cases, strict=True))
    x = x * 2 - 1
    x[::3] = 0
    n = len(x)
    nets = [np.cumsum(x[list(order)]) for order in every_order(scores, lowest_first=True)]
    expected = np.concatenate([[0], np.mean(nets, axis=0)])
    curve = uplift_curve(scores, x)
    assert curve.at(np.arange(n + 1)) == pytest.approx(expected)
    assert curve.random(n) == pytest.approx(x.sum())
    best = np.concatenate([[0], np.cumsum(-np.sort(-x))])
    assert curve.oracle(np.arange(n + 1)) == pytest.approx(best)
    line = np.arange(n + 1) / n * x.sum()
    trapezoid = [np.trapezoid(path - line) / n**2 for path in (expected, best)]
    made = uplift_area(scores, x, np.arange(n), rng=rng_of("x")).value
    assert made == pytest.approx(trapezoid[0], abs=1e-12)
    share = uplift_area(scores, x, np.arange(n), rng=rng_of("x"), normalised=True).value
    if trapezoid[1] > 1e-12:
        assert share == pytest.approx(trapezoid[0] / trapezoid[1])
    else:
        assert share is None


def test_areas_without_ties_agree_with_scikit_learn():
    """Other tools take the trapezoid from 1/n to 1 and divide by 1 - 1/n.

    That is (n AURC - (first + last) / 2) / (n - 1). AUGRC has a closed form in accuracy and AUC.
    """
    rng = rng_of("oracle")
    score = rng.normal(size=595)
    correct = rng.random(595) < 1 / (1 + np.exp(-score))
    coverage, risk = risk_coverage(score, correct)
    made = selective_risk(score, correct, np.arange(595), rng=rng, n_resamples=100).value
    theirs = auc(coverage, risk) / (1 - 1 / 595)
    assert (595 * made - (risk[0] + risk[-1]) / 2) / 594 == pytest.approx(theirs)
    a, area = correct.mean(), roc_auc_score(correct, score)
    augrc = selective_risk(
        score, correct, np.arange(595), rng=rng, measure="augrc", n_resamples=100
    )
    assert augrc.value == pytest.approx((1 - area) * a * (1 - a) + (1 - a) ** 2 / 2)


def test_a_score_of_one_value_is_the_error_rate_everywhere():
    correct = np.arange(90) % 3 == 0
    for measure in ("aurc", "aurc_70"):
        made = selective_risk(
            np.zeros(90), correct, np.arange(90) // 3, rng=rng_of("f"), measure=measure
        )
        assert made.value == pytest.approx(2 / 3)
    assert risk_coverage(np.zeros(90), correct)[1] == pytest.approx(np.full(90, 2 / 3))


def test_accuracy_at_a_coverage_cuts_ties_in_proportion():
    """595 cases: 536 and 416 are kept (round half to even); 200 + 0.84 x 395 x 0.4 by hand."""
    score = np.repeat([1.0, 0.0], [200, 395])
    correct = np.concatenate([np.ones(120), np.zeros(80), np.ones(158), np.zeros(237)])
    made = accuracy_at(score, correct, np.arange(595) // 5, 0.9, rng=rng_of("at"))
    assert made.value == pytest.approx((120 + 336 * 0.4) / 536)
    assert made.low < made.value < made.high
    whole = accuracy_at(score, correct, np.arange(595) // 5, 1.0, rng=rng_of("at"))
    assert whole.value == pytest.approx(correct.mean())
    with pytest.raises(UsageError, match="coverage = 0"):
        accuracy_at(score, correct, np.arange(595), 0.0, rng=rng_of("at"))


def test_published_partial_areas_are_coarse_trapezoids():
    """Table A4: .558 for the score; the same rule gives .569 for confidence, printed .567."""
    assert coarse_partial_risk([0.7, 0.9, 1.0], [0.4481, 0.4418, 0.4286]) == pytest.approx(
        0.558, abs=5e-4
    )
    assert coarse_partial_risk([1.0, 0.9, 0.7], [0.4286, 0.4347, 0.4279]) == pytest.approx(
        0.569, abs=5e-4
    )
    with pytest.raises(UsageError, match="Two different"):
        coarse_partial_risk([0.7], [0.5])


def test_two_scores_are_compared_on_the_same_videos():
    rng = rng_of("paired scores")
    score = rng.normal(size=600)
    correct = rng.random(600) < 1 / (1 + np.exp(-score))
    near, videos = score + 0.1 * rng.normal(size=600), np.arange(600) // 6
    apart = selective_difference(score, near, correct, videos, rng=rng, n_resamples=1_000)
    one = selective_risk(score, correct, videos, rng=rng, n_resamples=1_000)
    other = selective_risk(near, correct, videos, rng=rng, n_resamples=1_000)
    assert apart.value == pytest.approx(one.value - other.value)
    assert apart.high - apart.low < 0.5 * (one.high - one.low)
    same = selective_difference(score, score, correct, videos, rng=rng, n_resamples=200)
    assert (same.value, same.low) == (0, None)


def test_an_order_that_none_beats_has_a_qini_of_one():
    rng = rng_of("qini")
    x = rng.choice([-1, 0, 1], 400, p=[0.1, 0.6, 0.3])
    videos = np.arange(400) // 4
    best = uplift_area(-x, x, videos, rng=rng, normalised=True)
    assert best.value == pytest.approx(1)
    noise = uplift_area(rng.normal(size=400), x, videos, rng=rng, n_resamples=1_000)
    assert noise.low < 0 < noise.high
    worst = uplift_area(x, x, videos, rng=rng, n_resamples=1_000)
    assert worst.high < 0


def test_curves_refuse_nonsense():
    with pytest.raises(UsageError, match="NaN"):
        risk_coverage([np.nan], [1])
    with pytest.raises(UsageError, match="aurc, e_aurc"):
        selective_risk([1.0], [1], ["v"], rng=rng_of("x"), measure="auc")
    with pytest.raises(UsageError, match="change"):
        uplift_curve([1.0], [2])
    assert [len(part) for part in risk_coverage([], [])] == [0, 0]
