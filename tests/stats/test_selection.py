"""What a guesser scores on cases that its own replies filtered."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats.selection import guess_after_filter, pivots


def filtered(checks: list[np.ndarray], columns: list[int | None], guess: bool, c: int) -> bool:
    """Whether one case goes, if the member's votes are all `guess`; no code of the package."""
    for votes, column in zip(checks, columns, strict=True):
        mine = [guess if i == column else bool(v) for i, v in enumerate(votes)]
        if sum(mine) >= c:
            return True
    return False


@pytest.mark.parametrize("c", [1, 2, 3])
@pytest.mark.parametrize("options", [1, 2, 4])
def test_the_line_is_bayes_rule_over_every_guess(c: int, options: int) -> None:
    """Two checks of three members; the member is in both, or in the first alone.

    Every pattern of votes and every guess is tried: among the guesses that leave the case kept (or
    removed), the share that is the key.
    """
    for columns in ([1, 1], [2, None]):
        for pattern in itertools.product([False, True], repeat=6):
            checks = [np.array(pattern[:3]), np.array(pattern[3:])]
            gone = [filtered(checks, columns, guess == 0, c) for guess in range(options)]
            pivot = pivots([check[None, :] for check in checks], columns, c)
            for state in (False, True):
                possible = [guess for guess in range(options) if gone[guess] is state]
                if possible:
                    share = possible.count(0) / len(possible)
                    (line,) = guess_after_filter([state], [options], pivot)
                    assert line == pytest.approx(share)


def test_kept_cases_are_right_with_one_over_k_or_never() -> None:
    """The docstring's own formula, (1 - short) / K / (1 - short / K), on both cases."""
    votes = [np.array([[True, True, False], [True, False, False]])]
    pivot = pivots(votes, [2], 3)
    assert pivot.short.tolist() == [True, False]
    assert guess_after_filter([False, False], [4, 4], pivot).tolist() == [0.0, 0.25]


def test_a_panel_of_one_is_never_right_on_what_it_kept() -> None:
    pivot = pivots([np.array([[True], [False]])], [0], 1)
    assert guess_after_filter([True, False], [4, 4], pivot).tolist() == [1.0, 0.0]


def test_a_simulated_guesser_on_a_real_panel_scores_what_the_line_says() -> None:
    """Design: 200 cases of 2 to 5 options, three checks, a panel of three whose other two members
    know a third of the keys and otherwise repeat one guess; 400 draws of the third member, which
    guesses once a case. The filter is run anew on each draw; the mean of accuracy - line over
    draws must be zero within 4 Monte Carlo errors, on the kept and on the removed cases, and the
    guesser must be below chance on the kept ones.
    """
    rng = rng_of("test", "selection")
    n, c = 200, 3
    options = rng.integers(2, 6, n)
    key = rng.integers(0, options)
    knows = rng.random((n, 3)) < 1 / 3
    others = np.where(knows[:, :2], key[:, None], rng.integers(0, options[:, None], (n, 2)))
    gaps: dict[str, list[float]] = {"kept": [], "removed": []}
    below = []
    for _ in range(400):
        guess = rng.integers(0, options)
        right = []
        for t in range(3):
            heard = rng_of("test", "check", t).random((n, 2)) < 0.8
            votes = (others == key[:, None]) & heard
            right.append(np.column_stack([votes, guess == key]))
        gone = np.any([votes.sum(axis=1) >= c for votes in right], axis=0)
        line = guess_after_filter(gone, options, pivots(right, [2, 2, 2], c))
        hit = guess == key
        gaps["kept"].append(float((hit - line)[~gone].mean()))
        gaps["removed"].append(float((hit - line)[gone].mean()) if gone.any() else 0.0)
        below.append(float((hit - 1 / options)[~gone].mean()))
    for values in gaps.values():
        assert abs(np.mean(values)) <= 4 * np.std(values) / 20 + 1e-12
    assert np.mean(below) < -4 * np.std(below) / 20


def test_a_threshold_of_nobody_is_refused() -> None:
    with pytest.raises(UsageError, match="threshold = 0"):
        pivots([np.zeros((1, 1), bool)], [0], 0)
