"""Ranks against labels: scikit-learn and scipy as oracles, cells and spans by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr
from sklearn.metrics import average_precision_score, roc_auc_score

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import (
    Clusters,
    FlipCounts,
    component_table,
    mean_gap,
    pr_auc,
    roc_auc,
    spearman,
    temporal_overlap,
)

CASES = st.lists(
    st.tuples(st.integers(-3, 3), st.booleans(), st.integers(0, 4)), min_size=4, max_size=60
)


@given(CASES)
@settings(max_examples=60, deadline=None)
def test_areas_and_ranks_agree_with_the_usual_libraries(cases):
    score, label, video = (np.array(column) for column in zip(*cases, strict=True))
    made = [f(score / 3, label, video, rng=rng_of("x")).value for f in (roc_auc, pr_auc)]
    if len(set(label.tolist())) == 2:
        theirs = [f(label, score) for f in (roc_auc_score, average_precision_score)]
        assert made == pytest.approx(theirs)
        gap = mean_gap(score / 3, label, video, rng=rng_of("x")).value
        assert gap == pytest.approx((score[label].mean() - score[~label].mean()) / 3)
    elif not label.any():
        assert made == [None, None]
    else:
        assert made == [None, pytest.approx(1.0)]
    other = (score * 7) % 5
    rho = spearman(score, other, video, rng=rng_of("x")).value
    if np.ptp(score) and np.ptp(other):
        assert rho == pytest.approx(spearmanr(score, other).statistic)
    else:
        assert rho is None


def resampled(score, label, video, statistic, rng):
    """Return a percentile interval from picking up cases, one resample at a time."""
    members = [np.flatnonzero(video == v) for v in np.unique(video)]
    values = []
    for _ in range(1_500):
        cases = np.concatenate([members[g] for g in rng.integers(0, len(members), len(members))])
        values.append(statistic(label[cases], score[cases]))
    return np.quantile(values, [0.025, 0.975])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (roc_auc, roc_auc_score),
        (pr_auc, average_precision_score),
        (lambda s, y, v, **more: spearman(s, y, v, **more), lambda y, s: spearmanr(s, y).statistic),
    ],
)
def test_intervals_agree_with_resampling_cases(ours, theirs):
    """Weighted videos against cases picked up again: ends within 15 % of the width."""
    rng = rng_of("resampling")
    video = np.sort(rng.integers(0, 50, 500))
    own = rng.normal(size=50)[video]
    score = np.round(rng.normal(size=500) + own)
    label = (rng.random(500) < 1 / (1 + np.exp(-0.5 * score))).astype(int)
    made = ours(score, label, video, rng=rng)
    low, high = resampled(score, label, video, theirs, rng)
    assert (made.low, made.high) == pytest.approx((low, high), abs=0.15 * (high - low))


def test_continuous_scores_have_as_many_levels_as_cases():
    rng = rng_of("continuous")
    score, label = rng.normal(size=700), rng.random(700) < 0.4
    made = roc_auc(score, label, np.arange(700) // 7, rng=rng, n_resamples=2_000)
    assert made.value == pytest.approx(roc_auc_score(label, score))
    assert 0.05 < made.high - made.low < 0.12


def test_resamples_without_a_kind_are_counted():
    label = np.arange(60) == 0
    made = roc_auc(np.arange(60) % 5, label, np.arange(60), rng=rng_of("rare"), n_resamples=1_000)
    assert "empty denominator" in made.degenerate


def test_few_videos_get_t_and_a_warning():
    rng = rng_of("few")
    made = roc_auc(rng.normal(size=50), np.arange(50) % 2, np.arange(50) // 10, rng=rng)
    assert "few clusters (5)" in made.degenerate
    assert made.method.startswith("cluster jackknife")
    score = np.arange(12) % 4
    label = (score > 1) ^ (np.arange(12) == 3)
    sure = roc_auc(score, label, np.arange(12) // 4, rng=rng)
    assert sure.high == 1.0


def test_components_keep_every_cell():
    """Two questions a cell, one cell empty, one question without a score."""
    counts = FlipCounts.of(
        ([0, 1, 3, 2, 0, 0], [3, 3, 3, 3, 3, 0]), ([3, 2, 3, 3, 1, 0], 3), list("abcdef")
    )
    rows = component_table(counts, [1, 1, 0, 0, 1, 1], [1, 1, 1, 1, 0, 0])
    assert [(row.covered, row.correct, row.n) for row in rows] == [
        (True, True, 2),
        (False, True, 2),
        (True, False, 1),
        (False, False, 0),
    ]
    assert rows[0].sham.value == pytest.approx(1 / 6)
    assert rows[0].destroy.value == pytest.approx(5 / 6)
    assert rows[0].delta.value == pytest.approx(4 / 6)
    assert (rows[2].delta.n, rows[2].delta.total) == (1, 2)
    assert rows[3].delta.value is None


@pytest.mark.parametrize(
    ("evidence", "gold", "covered", "recall", "iou"),
    [
        ([(0, 10)], [(5, 15)], True, 0.5, 5 / 15),
        ([(0, 10), (5, 20)], [(0, 20)], True, 1.0, 1.0),
        ([(0, 2), (4, 6)], [(1, 5)], True, 0.5, 2 / 6),
        ([(0, 10)], [(10, 20)], False, 0.0, 0.0),
        ([], [(0, 5)], False, 0.0, 0.0),
        ([(3, 3)], [(3, 3)], True, 1.0, 1.0),
        ([(9.6, 9.6)], [(10, 20)], True, 0.01, 0.1 / 10.9),
    ],
)
def test_spans_are_united_before_they_meet(evidence, gold, covered, recall, iou):
    made = temporal_overlap(evidence, gold)
    assert made.covered is covered
    assert (made.recall, made.iou) == pytest.approx((recall, iou))


def test_spans_without_annotation_have_no_ratio():
    made = temporal_overlap([(0, 10)], [])
    assert (made.covered, made.recall, made.iou) == (False, None, None)
    with pytest.raises(UsageError, match="start <= end"):
        temporal_overlap([(5, 1)], [(0, 2)])
    with pytest.raises(UsageError, match="start <= end"):
        temporal_overlap([(0, float("nan"))], [(0, 2)])


def test_labels_of_clusters_may_be_ready_made():
    clusters = Clusters.of(np.arange(40) // 2)
    made = roc_auc(np.arange(40) % 7, np.arange(40) % 2, clusters, rng=rng_of("x"), total=50)
    assert (made.n, made.total, made.clusters) == (40, 50, 20)
