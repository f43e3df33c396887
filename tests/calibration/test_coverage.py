"""Do 95 % intervals hold the truth 95 times in 100?

Design of every test here: videos with 1 to 15 questions (uniform, drawn anew each time), truth
fixed, answers correlated inside a video with the stated intraclass correlation (ICC). Seeds come
from the cell's name. The Monte Carlo error of a coverage of 95 % is sqrt(0.95 x 0.05 / R): 0.34
points at R = 4,000, 0.49 at R = 2,000.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from vidence.seeds import rng_of
from vidence.stats import (
    Estimate,
    accuracy_difference,
    bootstrap_ratio,
    difference_by_cluster,
    mean_by_cluster,
    proportion_by_cluster,
)
from vidence.stats.designs import clustered_differences, clustered_hits

pytestmark = pytest.mark.slow
FLOOR = 0.93


def coverage(draw: Callable[[], Estimate], truth: float, repetitions: int) -> float:
    """Return the share of intervals that hold the truth; no interval counts as a miss."""
    held = 0
    for _ in range(repetitions):
        made = draw()
        held += made.low is not None and made.low - 1e-12 <= truth <= made.high + 1e-12
    return held / repetitions


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.95])
@pytest.mark.parametrize("icc", [0, 0.3, 1])
def test_shares_hold_from_90_videos_on(share, icc):
    """The default share by video: R = 4,000 at 90 videos, at least 93 % (error 0.40 points)."""
    rng = rng_of("share coverage", share, icc)

    def draw() -> Estimate:
        sizes = rng.integers(1, 16, 90)
        return proportion_by_cluster(*clustered_hits(sizes, share, icc, rng=rng))

    assert coverage(draw, share, 4_000) >= FLOOR


@pytest.mark.parametrize("videos", [5, 10])
@pytest.mark.parametrize(("share", "icc"), [(0.05, 1), (0.3, 0.3), (0.5, 0)])
def test_shares_of_few_videos_hold_and_say_that_they_are_few(videos, share, icc):
    """R = 2,000 at 5 and 10 videos, at least 93 % (error 0.57 points), each with its caution."""
    rng = rng_of("few videos", videos, share, icc)
    cautions = set()

    def draw() -> Estimate:
        sizes = rng.integers(1, 16, videos)
        made = proportion_by_cluster(*clustered_hits(sizes, share, icc, rng=rng))
        cautions.add((made.degenerate or "").split(":")[0])
        return made

    assert coverage(draw, share, 2_000) >= FLOOR
    assert cautions == {f"few clusters ({videos})"}


@pytest.mark.parametrize(("up", "down"), [(0.05, 0.0), (0.05, 0.05), (0.3, 0.1), (0.6, 0.1)])
@pytest.mark.parametrize("icc", [0, 0.3, 1])
def test_differences_hold_from_90_videos_on(up, down, icc):
    """Paired differences, rare ones included: R = 2,000 at 90 videos, at least 93 %."""
    rng = rng_of("difference coverage", up, down, icc)

    def draw() -> Estimate:
        sizes = rng.integers(1, 16, 90)
        return difference_by_cluster(*clustered_differences(sizes, up, down, icc, rng=rng))

    assert coverage(draw, up - down, 2_000) >= FLOOR


def test_accuracy_differences_hold_at_90_videos():
    """Accuracy 0.7 against 0.6 on the same cases, sharing each video's difficulty: R = 2,000."""
    rng = rng_of("accuracy coverage")

    def draw() -> Estimate:
        ease, clusters = clustered_hits(rng.integers(1, 16, 90), 0.5, 0.5, rng=rng)
        first = rng.random(len(ease)) < np.where(ease, 0.9, 0.5)
        second = rng.random(len(ease)) < np.where(ease, 0.9, 0.3)
        return accuracy_difference(first, second, clusters)

    assert coverage(draw, 0.1, 2_000) >= FLOOR


@pytest.mark.parametrize("videos", [10, 90])
def test_means_of_nearly_normal_values_hold(videos):
    """t intervals, a video effect as large as the noise: R = 2,000 at 10 and 90 videos."""
    rng = rng_of("mean coverage", videos)

    def draw() -> Estimate:
        labels = np.repeat(np.arange(videos), rng.integers(1, 16, videos))
        values = rng.normal(size=len(labels)) + rng.normal(size=videos)[labels]
        return mean_by_cluster(values, labels)

    assert coverage(draw, 0.0, 2_000) >= (FLOOR if videos == 90 else 0.91)


def test_bootstrap_of_a_middling_share_holds_at_90_videos():
    """BCa with 999 resamples, share 0.3, ICC 0.3: R = 2,000, at least 93 %."""
    rng = rng_of("bootstrap coverage")

    def draw() -> Estimate:
        hits, clusters = clustered_hits(rng.integers(1, 16, 90), 0.3, 0.3, rng=rng)
        return bootstrap_ratio(hits, None, clusters, rng=rng, n_resamples=999)

    assert coverage(draw, 0.3, 2_000) >= FLOOR


def test_ignoring_the_videos_would_not_hold():
    """The same design with cases taken as independent covers far less: what clustering is for."""
    rng = rng_of("naive coverage")

    def draw() -> Estimate:
        hits, _ = clustered_hits(rng.integers(1, 16, 90), 0.3, 0.3, rng=rng)
        return proportion_by_cluster(hits, np.arange(len(hits)))

    assert coverage(draw, 0.3, 2_000) < 0.85
