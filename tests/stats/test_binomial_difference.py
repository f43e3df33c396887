"""The law of the score against brute-force enumeration and against printed values."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import delta_law, delta_variance, sign_law

RATES = st.fractions(0, 1, max_denominator=12)


def enumerated(sham: Fraction, destroy: Fraction, ks: int, kd: int) -> dict[Fraction, Fraction]:
    """Return the law by walking over every sequence of flips, in exact fractions."""
    law: Counter[Fraction] = Counter()
    for flips in product((0, 1), repeat=ks + kd):
        intact, scrambled = flips[:ks], flips[ks:]
        chance = prod(sham if f else 1 - sham for f in intact)
        chance *= prod(destroy if f else 1 - destroy for f in scrambled)
        law[Fraction(sum(scrambled), kd) - Fraction(sum(intact), ks)] += chance
    return law


@given(RATES, RATES, st.integers(1, 5), st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_the_law_is_that_of_every_sequence_of_flips(sham, destroy, ks, kd):
    law, exact = delta_law(float(sham), float(destroy), ks, kd), enumerated(sham, destroy, ks, kd)
    assert [Fraction(int(n), law.denominator) for n in law.numerators] == sorted(exact)
    assert law.chance == pytest.approx([float(exact[score]) for score in sorted(exact)], abs=1e-12)
    assert law.tie == pytest.approx(float(exact.get(Fraction(0), Fraction(0))), abs=1e-12)
    assert law.negative == pytest.approx(float(sum(p for s, p in exact.items() if s < 0)))
    assert law.positive == pytest.approx(float(sum(p for s, p in exact.items() if s > 0)))
    mean = sum(s * p for s, p in exact.items())
    assert law.mean == pytest.approx(float(mean), abs=1e-12)
    spread = sum(s * s * p for s, p in exact.items()) - mean**2
    assert law.variance == pytest.approx(float(spread), abs=1e-12)


@pytest.mark.parametrize(
    ("k", "sham", "destroy", "printed"),
    [
        (3, 0.3437, 0.6437, (0.117, 0.236, 0.647)),
        (10, 0.3405, 0.6360, (0.056, 0.071, 0.874)),
        # One pair of rates that is nearly right for both rows: no pair is exact for both.
        (3, 0.3511, 0.6489, (0.117, 0.236, 0.647)),
        (10, 0.3511, 0.6489, (0.056, 0.071, 0.874)),
    ],
)
def test_printed_homogeneous_rows_are_met(k, sham, destroy, printed):
    law = delta_law(sham, destroy, k)
    assert (law.negative, law.tie, law.positive) == pytest.approx(printed, abs=0.0025)


def test_three_draws_have_seven_scores():
    law = delta_law(0.35, 0.65, 3)
    assert [entry["fraction"] for entry in law.to_json()["pmf"]] == [
        *("-1", "-2/3", "-1/3", "0", "1/3", "2/3", "1")
    ]


@given(RATES, RATES, st.integers(1, 40))
def test_the_variance_is_at_most_one_over_two_k(sham, destroy, k):
    assert delta_variance(float(sham), float(destroy), k) <= 1 / (2 * k) + 1e-12


def test_draws_that_move_together_lower_the_variance():
    """Both conditions copy one coin: the score is always 0, and so is its variance."""
    assert delta_variance(0.5, 0.5, 1, covariance=0.25) == pytest.approx(0)


def test_certain_and_impossible_flips_leave_one_score():
    law = delta_law(0.0, 1.0, 4, 3)
    assert law.positive == pytest.approx(1)
    assert law.chance[-1] == pytest.approx(1)
    assert law.variance == 0
    assert delta_law(1.0, 1.0, 200).tie == pytest.approx(1)


def test_each_question_has_the_sign_law_of_its_own_rates():
    rng = rng_of("sign law")
    sham, destroy = rng.random(40), rng.random(40)
    ks, kd = rng.integers(1, 6, 40), rng.integers(1, 6, 40)
    made = sign_law(sham, destroy, ks, kd)
    for row, s, d, a, b in zip(made, sham, destroy, ks, kd, strict=True):
        law = delta_law(s, d, int(a), int(b))
        assert row == pytest.approx([law.negative, law.tie, law.positive], abs=1e-12)
    assert sign_law([], [], 3, 3).shape == (0, 3)


def test_laws_refuse_what_is_no_probability_and_no_draw():
    with pytest.raises(UsageError, match=r"1\.2"):
        delta_law(0.1, 1.2, 3)
    with pytest.raises(UsageError, match="k = 0"):
        delta_law(0.1, 0.2, 0)
    with pytest.raises(UsageError, match="k = 3 and 0"):
        sign_law([0.1], [0.2], 3, 0)
    with pytest.raises(UsageError, match="NaN"):
        sign_law([np.nan], [0.2], 3, 3)
