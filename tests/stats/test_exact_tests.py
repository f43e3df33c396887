"""Exact tests and limits of one question against scipy and statsmodels."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import xlog1py, xlogy
from scipy.stats import barnard_exact, binom, boschloo_exact, fisher_exact
from statsmodels.stats.proportion import confint_proportions_2indep

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import (
    FlipCounts,
    delta_estimate,
    delta_limits,
    exact_p,
    exact_power,
    least_p,
    table_p,
)

THEIRS = {"boschloo": boschloo_exact, "fisher": fisher_exact}


@pytest.mark.parametrize("test", ["boschloo", "fisher"])
@pytest.mark.parametrize(("ks", "kd"), [(1, 1), (3, 3), (2, 5), (10, 10)])
def test_every_table_agrees_with_scipy(test, ks, kd):
    """All tables up to k = 3 and 2 x 5, and a random dozen at k = 10."""
    ours = table_p(ks, kd, test=test)
    cells = [(x, y) for x in range(kd + 1) for y in range(ks + 1)]
    if len(cells) > 40:
        cells = rng_of("cells", test).permutation(cells)[:12].tolist()
    for x, y in cells:
        # scipy divides by zero where no replay or every replay flips: no evidence, p = 1.
        if x + y in (0, ks + kd):
            assert ours[x, y] == pytest.approx(1)
            continue
        theirs = THEIRS[test]([[x, y], [kd - x, ks - y]], alternative="greater").pvalue
        assert ours[x, y] == pytest.approx(theirs, abs=2e-6)


@pytest.mark.parametrize(("ks", "kd"), [(3, 3), (2, 5), (6, 4)])
def test_barnard_is_the_largest_tail_of_z_with_its_ties(ks, kd):
    """z^2 with its sign in exact fractions; scipy's order splits tables of equal z by rounding."""

    def z_squared(x, y):
        gap, rate = Fraction(x, kd) - Fraction(y, ks), Fraction(x + y, kd + ks)
        return gap * abs(gap) / (rate * (1 - rate)) if 0 < rate < 1 else Fraction(0)

    cells = [(x, y) for x in range(kd + 1) for y in range(ks + 1)]
    rates = np.linspace(0, 1, 2_001)
    for x, y in cells:
        tail = [cell for cell in cells if z_squared(*cell) >= z_squared(x, y)]
        chance = sum(binom.pmf(a, kd, rates) * binom.pmf(b, ks, rates) for a, b in tail)
        ours = table_p(ks, kd, test="barnard")[x, y]
        assert ours == pytest.approx(chance.max(), abs=2e-6)
        if 0 < x + y < ks + kd:
            theirs = barnard_exact([[x, y], [kd - x, ks - y]], alternative="greater").pvalue
            assert ours >= theirs - 2e-6


def test_published_p_values_and_power():
    """Independently computed: extreme table at k = 3, and power at rates .344 and .642."""
    assert table_p(3, 3)[3, 0] == pytest.approx(1 / 64)
    assert table_p(3, 3, test="fisher")[3, 0] == pytest.approx(0.05)
    power = [exact_power(0.344, 0.642, k) for k in (3, 5, 10)]
    assert power == pytest.approx([0.08, 0.16, 0.35], abs=0.006)


@given(st.floats(0, 1), st.integers(1, 8), st.integers(1, 8))
@settings(max_examples=40, deadline=None)
def test_a_question_without_an_effect_is_rejected_at_most_at_alpha(rate, ks, kd):
    """The size of each test at any common rate: never above alpha, to the search's accuracy."""
    for test in ("boschloo", "barnard", "fisher"):
        assert exact_power(rate, rate, ks, k_destroy=kd, test=test) <= 0.05 + 1e-6


def test_boschloo_is_never_weaker_than_fisher():
    assert (table_p(7, 5) <= table_p(7, 5, test="fisher") + 1e-6).all()


def test_each_question_gets_the_p_of_its_table():
    counts = FlipCounts.of(([0, 2, 0, 1], [3, 3, 0, 2]), ([3, 1, 2, 1], [3, 3, 3, 4]))
    assert exact_p(counts) == pytest.approx(
        [1 / 64, table_p(3, 3)[1, 2], table_p(2, 4)[1, 1]], abs=1e-9
    )
    assert exact_p(counts, alternative="less")[1] == pytest.approx(table_p(3, 3)[2, 1])
    assert least_p(counts) == pytest.approx([1 / 64, 1 / 64, table_p(2, 4)[4, 0]])
    with pytest.raises(UsageError, match="alternative"):
        exact_p(counts, alternative="both")
    with pytest.raises(UsageError, match="boschloo, barnard, fisher"):
        exact_p(counts, test="chi")


@given(st.integers(1, 12), st.integers(1, 12), st.data())
@settings(max_examples=60, deadline=None)
def test_newcombe_agrees_with_statsmodels(kd, ks, data):
    x, y = data.draw(st.integers(0, kd)), data.draw(st.integers(0, ks))
    newcombe = delta_estimate((x, kd), (y, ks))
    theirs = confint_proportions_2indep(x, kd, y, ks, method="newcomb", compare="diff")
    assert (newcombe.low, newcombe.high) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize(
    ("x", "kd", "y", "ks"), [(2, 3, 1, 3), (3, 3, 0, 3), (0, 4, 0, 2), (9, 10, 4, 10), (1, 5, 4, 9)]
)
def test_score_limits_keep_what_the_constrained_likelihood_keeps(x, kd, y, ks):
    """Differences on a grid of 0.002, the likelihood maximised numerically at each.

    statsmodels 0.15 is no oracle here: its constrained estimate uses a count for a sample size.
    """
    made, kept = delta_estimate((x, kd), (y, ks), interval="score"), []
    for gap in np.linspace(-1, 1, 1_001)[1:-1]:
        low, high = max(0.0, -gap), min(1.0, 1 - gap)
        s = np.linspace(low, high, 20_003)[1:-1]
        d = s + gap
        likely = xlogy(x, d) + xlog1py(kd - x, -d) + xlogy(y, s) + xlog1py(ks - y, -s)
        s, d = s[likely.argmax()], d[likely.argmax()]
        spread = (d * (1 - d) / kd + s * (1 - s) / ks) * (kd + ks) / (kd + ks - 1)
        if (x / kd - y / ks - gap) ** 2 <= 1.959964**2 * spread:
            kept.append(gap)
    assert made.low == pytest.approx(min(kept), abs=0.003)
    assert made.high == pytest.approx(max(kept), abs=0.003)


def test_two_thirds_against_one_third_could_be_nearly_anything():
    made = delta_estimate((2, 3), (1, 3))
    assert (made.low, made.high) == pytest.approx((-0.32, 0.72), abs=0.005)


@given(st.integers(1, 10), st.integers(1, 10), st.data())
@settings(max_examples=60, deadline=None)
def test_score_limits_keep_width_and_turn_over_with_the_table(kd, ks, data):
    """Exchanging flips and non-flips mirrors the interval; swapping conditions does too."""
    x, y = data.draw(st.integers(0, kd)), data.draw(st.integers(0, ks))
    made = delta_estimate((x, kd), (y, ks), interval="score")
    mirrored = delta_estimate((kd - x, kd), (ks - y, ks), interval="score")
    swapped = delta_estimate((y, ks), (x, kd), interval="score")
    assert made.high - made.low > 0.05
    for other in (mirrored, swapped):
        assert (made.low, made.high) == pytest.approx((-other.high, -other.low), abs=1e-6)


def test_limits_are_those_of_each_question():
    counts = FlipCounts.of(([1, 0, 0], [3, 0, 3]), ([2, 1, 0], [3, 3, 3]), ["a", "b", "c"])
    for interval in ("newcombe", "score"):
        low, high = delta_limits(counts, interval=interval)
        assert len(low) == 2
        one = delta_estimate((2, 3), (1, 3), interval=interval)
        assert (low[0], high[0]) == (one.low, one.high)
        assert low[1] < 0 < high[1]


def test_limits_refuse_nonsense():
    none = delta_estimate((0, 0), (1, 3))
    assert (none.value, none.n, none.total) == (None, 0, 3)
    with pytest.raises(UsageError, match="4 of 3"):
        delta_estimate((4, 3), (0, 3))
    with pytest.raises(UsageError, match="newcombe, score"):
        delta_estimate((1, 3), (0, 3), interval="wald")
