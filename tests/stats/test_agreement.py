"""Agreement of runs and budgets: numpy by hand, published margins, empty sets."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import FlipCounts, FlipPrior, agreement, correlation, jaccard, transition

PRIOR = FlipPrior.reference()


def two_runs(n: int, videos: int, name: str) -> list[FlipCounts]:
    rng = rng_of(name, n)
    s, d = PRIOR.sample(n, rng=rng)
    labels = np.arange(n) % videos
    return [
        FlipCounts.of((rng.binomial(3, s), 3), (rng.binomial(3, d), 3), labels) for _ in range(2)
    ]


def test_agreement_is_what_numpy_gives():
    first, second = two_runs(600, 60, "agree")
    made = agreement(first, second, rng=rng_of("x"), n_resamples=500)
    a, b = first.scores(), second.scores()
    assert made.pearson.value == pytest.approx(pearsonr(a, b).statistic)
    assert made.sign.value == pytest.approx(np.mean(np.sign(a) == np.sign(b)))
    for name, one, two in (("strict", a < 0, b < 0), ("inclusive", a <= 0, b <= 0)):
        share = getattr(made, name)
        assert share.value == pytest.approx((one & two).sum() / (one | two).sum())
        assert share.n == (one | two).sum()
        assert share.low < share.value < share.high


def test_only_common_questions_count():
    draws = np.array([3, 0, 3, 3, 0] * 30)
    first = FlipCounts.of((draws * 0, draws), (np.minimum(draws, 2), draws), np.arange(150) // 5)
    full = np.full(150, 3)
    second = FlipCounts.of((full * 0, full), (full - 1, full), np.arange(150) // 5)
    made = agreement(first, second, rng=rng_of("x"), n_resamples=200)
    assert (made.sign.n, made.sign.total, made.sign.value) == (90, 150, 1.0)
    moved = transition(first, second, rng=rng_of("x"), n_resamples=200)
    assert (moved.common, moved.first_only, moved.second_only) == (90, 0, 60)


def test_two_empty_sets_have_no_similarity():
    made = jaccard([0, 0], [0, 0], ["a", "b"], rng=rng_of("x"))
    assert made.value is None
    assert "0 / 0" in made.degenerate
    one = jaccard([1, 0, 0], [0, 0, 0], ["a", "b", "c"], rng=rng_of("x"))
    assert one.value == 0
    assert correlation([1.0, 1.0, 1.0], [1.0, 2.0, 3.0], list("abc"), rng=rng_of("x")).value is None


def test_published_transition():
    """Margins and cells of Fig. 2 as far as they are known, and the Jaccard they force.

    Cells that the paper does not give (negative to negative or tie) are one possible filling.
    """
    table = np.array([[134, 0, 32], [70, 122, 180], [3, 32, 676]])
    before, after = (np.repeat(grid.ravel(), table.ravel()) for grid in np.indices((3, 3)))

    def counts(signs: np.ndarray, k: int) -> FlipCounts:
        return FlipCounts.of(
            (np.where(signs == 0, k, 0), k),
            (np.where(signs == 2, k, 0), k),
            np.arange(len(signs)) % 90,
        )

    made = transition(counts(before, 3), counts(after, 10), rng=rng_of("x"), n_resamples=200)
    assert made.counts.tolist() == table.tolist()
    assert made.counts.sum(axis=1).tolist() == [166, 372, 711]
    assert made.counts.sum(axis=0).tolist() == [207, 154, 888]
    assert [round(372 * made.shares["tie"][s].value) for s in ("negative", "tie", "positive")] == [
        *(70, 122, 180)
    ]
    assert round(100 * made.left.value, 2) == 3.65
    assert (made.inclusive.n, round(made.inclusive.value, 3)) == (326 + 212 + 35, 0.569)


def test_an_empty_row_is_kept():
    full = np.full(40, 3)
    up = FlipCounts.of((full * 0, full), (full, full), np.arange(40))
    made = transition(up, up, rng=rng_of("x"), n_resamples=200)
    assert made.counts[2, 2] == 40
    assert (made.shares["tie"]["tie"].value, made.shares["tie"]["tie"].n) == (None, 0)


def test_runs_must_list_the_same_questions():
    one, other = FlipCounts.of(([1], 3), ([1], 3), ["a"]), FlipCounts.of(([1, 1], 3), ([1, 1], 3))
    with pytest.raises(UsageError, match="first 1, second 2"):
        agreement(one, other, rng=rng_of("x"))
    ordered = FlipCounts.of(([1, 1], 3), ([1, 1], 3), ["a", "a"])
    with pytest.raises(UsageError, match="different videos"):
        agreement(other, ordered, rng=rng_of("x"))
