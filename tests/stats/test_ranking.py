"""Ranks that the data resolve, and claims that are seldom wrong."""

from __future__ import annotations

import numpy as np
import pytest

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats.ranking import paired_ranking


def test_clear_ranks_are_resolved_and_close_ones_are_not() -> None:
    """Of 40 cases on 40 videos: 36, 20 and 19 right, the last two nested."""
    right = np.zeros((40, 3), dtype=bool)
    for column, k in enumerate((19, 36, 20)):
        right[:k, column] = True
    found = paired_ranking(right, np.arange(40))
    assert found.order == (1, 2, 0)
    assert found.ranges == ((2, 3), (1, 1), (2, 3))
    claims = {(pair.first, pair.second): pair.claimed for pair in found.pairs}
    assert claims == {(1, 2): True, (1, 0): True, (2, 0): False}
    assert found.pairs[0].difference.value == pytest.approx(16 / 40)


def test_adjusted_p_by_hand() -> None:
    """Differences of 5, 4 and 1 case, all one way: p = 2^-4, 2^-3 and 1 by the sign flips.

    Both directions of three pairs are six hypotheses: 6 x 2^-5, then 5 x 2^-4, then 4 x 1/2 > 1.
    """
    right = np.zeros((12, 3), dtype=bool)
    right[:5, 0] = True
    right[:1, 1] = True
    found = paired_ranking(right, np.arange(12))
    rows = {(p.first, p.second): (p.p, p.p_adjusted) for p in found.pairs}
    assert rows == {
        (0, 2): (2**-4, pytest.approx(6 * 2**-5)),
        (0, 1): (2**-3, pytest.approx(5 * 2**-4)),
        (1, 2): (1.0, 1.0),
    }


def test_a_pair_alone_keeps_its_p_value() -> None:
    right = np.zeros((9, 2), dtype=bool)
    right[:7, 1] = True
    (pair,) = paired_ranking(right, np.arange(9)).pairs
    assert (pair.first, pair.p, pair.p_adjusted) == (1, 2**-6, pytest.approx(2**-6))


def test_only_cases_that_both_were_asked_count() -> None:
    right = np.array([[1, 0], [1, 0], [1, 1], [0, 1]], dtype=bool)
    asked = np.array([[1, 0], [1, 0], [1, 1], [1, 1]], dtype=bool)
    (pair,) = paired_ranking(right, np.arange(4), asked=asked).pairs
    assert (pair.difference.n, pair.difference.total, pair.first) == (2, 4, 1)
    assert pair.difference.value == 0.5


@pytest.mark.parametrize(("n", "videos"), [(0, 1), (1, 1), (50, 1)])
def test_nothing_is_claimed_without_several_videos(n: int, videos: int) -> None:
    right = np.zeros((n, 3), dtype=bool)
    right[:, 0] = True
    found = paired_ranking(right, np.arange(n) % videos)
    assert found.ranges == ((1, 3),) * 3
    assert not any(pair.claimed for pair in found.pairs)


def test_one_answerer_has_one_rank() -> None:
    found = paired_ranking(np.ones((5, 1), dtype=bool), np.arange(5))
    assert (found.ranges, found.pairs) == (((1, 1),), ())


def test_columns_of_another_kind_are_refused() -> None:
    with pytest.raises(UsageError, match="booleans"):
        paired_ranking(np.ones((5, 2)), np.arange(5))
    with pytest.raises(UsageError, match="give one shape"):
        paired_ranking(np.ones((5, 2), bool), np.arange(5), asked=np.ones((5, 1), bool))


@pytest.mark.slow
@pytest.mark.parametrize("spread", [0.0, 0.1])
def test_all_true_ranks_are_inside_their_ranges_at_once(spread: float) -> None:
    """Design: 6 answerers, 90 videos of 1 to 5 questions, difficulty shared by a video's questions.

    Accuracies equal (spread 0) or 0.1 apart in steps of 0.02; 400 repetitions. At least 95 % of
    them must have every true rank inside its range; Monte Carlo error 1.1 points, so 92.7 % is
    three errors below.
    """
    rng = rng_of("test", "ranks", spread)
    true = 0.55 + spread * np.arange(6) / 5
    better = (true[:, None] < true[None, :] - 1e-12).sum(axis=1)
    worse = (true[:, None] > true[None, :] + 1e-12).sum(axis=1)
    held = 0
    for _ in range(400):
        sizes = rng.integers(1, 6, 90)
        videos = np.repeat(np.arange(90), sizes)
        shift = rng.normal(0, 0.15, 90)[videos]
        right = rng.random((len(videos), 6)) < true + shift[:, None]
        ranges = paired_ranking(right, videos).ranges
        held += all(
            low <= 1 + better[j] and 6 - worse[j] <= high for j, (low, high) in enumerate(ranges)
        )
    assert held / 400 >= 0.927
