"""Stopping rules and discoveries: exact costs against simulation, error rates against promises."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from statsmodels.stats.multitest import multipletests

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import (
    FlipCounts,
    FlipDraws,
    FlipPrior,
    SignRule,
    discoveries,
    e_cost,
    e_discoveries,
    e_stop,
    e_value,
    exact_p,
    fewest_pairs,
    least_p,
)

PRIOR = FlipPrior.reference()


def simulated(n: int, k: int, name: str) -> tuple[FlipDraws, np.ndarray]:
    rng = rng_of(name, n, k)
    rates = PRIOR.sample(n, rng=rng)
    sham, destroy = ((rng.random((n, k)) < rate[:, None]).astype(int) for rate in rates)
    return FlipDraws.of(sham, destroy, np.arange(n)), rates[1] - rates[0]


@pytest.mark.parametrize(
    ("certainty", "pairs", "resolved", "error"), [(0.9, 4.1, 0.80, 0.05), (0.95, 5.2, 0.68, 0.03)]
)
def test_exact_cost_agrees_with_published_figures_and_with_draws(certainty, pairs, resolved, error):
    """20,000 simulated questions: pairs, calls and wrong calls within 5 Monte Carlo errors."""
    rule = SignRule(PRIOR, certainty, 10)
    expected = rule.expected()
    assert expected.pairs == pytest.approx(pairs, abs=0.05)
    assert expected.resolved == pytest.approx(resolved, abs=0.01)
    assert expected.sign_error == pytest.approx(error, abs=0.005)
    assert expected.sign_error <= 1 - certainty
    draws, truth = simulated(20_000, 10, "stopping")
    made = rule.replay(draws)
    called = made.call != 0
    assert made.pairs.mean() == pytest.approx(expected.pairs, abs=5 * 4 / np.sqrt(20_000))
    assert called.mean() == pytest.approx(expected.resolved, abs=5 * 0.5 / np.sqrt(20_000))
    wrong = (made.call * np.sign(truth))[called] < 0
    assert wrong.mean() == pytest.approx(expected.sign_error, abs=5 * 0.25 / np.sqrt(15_000))


def test_the_rule_stops_at_the_first_certain_pair_and_not_before():
    rule = SignRule(PRIOR, 0.9, 10)
    draws, _ = simulated(200, 10, "by hand")
    made = rule.replay(draws)
    for q in range(200):
        for n in range(1, 11):
            x, y = draws.destroy[q, :n].sum(), draws.sham[q, :n].sum()
            call = rule.call((int(x), n), (int(y), n))
            if call:
                break
        assert (made.pairs[q], made.call[q]) == (n, call)


def test_lost_draws_cost_a_pair_and_bring_no_news():
    rule = SignRule(PRIOR, 0.9, 10)
    lost = FlipDraws.of([[-1, -1, -2]], [[-1, 1, -2]], ["v"])
    made = rule.replay(lost)
    assert (made.pairs[0], made.call[0]) == (2, 0)
    assert made.positive[0] == pytest.approx(rule.positive((1, 1), (0, 0)))
    none = rule.replay(FlipDraws.of([[-2]], [[-2]], ["v"]))
    assert (none.pairs[0], none.positive[0]) == (0, pytest.approx(rule.positive((0, 0), (0, 0))))


@given(st.integers(0, 30), st.integers(0, 30))
@settings(max_examples=40, deadline=None)
def test_evidence_is_the_mixture_of_bets(a, b):
    integral = quad(lambda t: (2 * t) ** a * (2 * (1 - t)) ** b, 0.5, 1)[0]
    assert float(e_value([a], [b])[0]) == pytest.approx(2 * integral, rel=1e-6)


@given(st.floats(0, 0.5), st.integers(1, 7))
@settings(max_examples=30, deadline=None)
def test_evidence_is_no_better_than_fair_where_there_is_no_effect(theta, n):
    """The mean of E over every sequence of n differing pairs is at most 1, and 1 at theta = 1/2."""
    mean = 0.0
    for signs in product((0, 1), repeat=n):
        a = sum(signs)
        mean += theta**a * (1 - theta) ** (n - a) * float(e_value([a], [n - a])[0])
    assert mean <= 1 + 1e-9
    if theta == 0.5:
        assert mean == pytest.approx(1)


@pytest.mark.parametrize("rate", [0.1, 0.35, 0.9])
def test_looking_after_every_pair_keeps_the_error(rate):
    """Equal rates, 200 pairs, a look after each: each side is called at most 5 % of the time."""
    made = e_cost(rate, rate, most=200)
    assert made.resolved / 2 <= 0.05
    assert made.sign_error == 1.0


def test_exact_cost_of_evidence_agrees_with_draws():
    rng = rng_of("evidence")
    draws = FlipDraws.of(
        (rng.random((20_000, 30)) < 0.3).astype(int),
        (rng.random((20_000, 30)) < 0.7).astype(int),
        np.arange(20_000),
    )
    expected, made = e_cost(0.3, 0.7, most=30), e_stop(draws)
    assert made.pairs.mean() == pytest.approx(expected.pairs, abs=5 * 9 / np.sqrt(20_000))
    assert (made.call != 0).mean() == pytest.approx(expected.resolved, abs=0.02)
    assert (made.call == -1).mean() < 0.001


def test_seven_pairs_prove_at_the_earliest():
    """2^(n + 1) / (n + 1) (1 - 2^-(n + 1)): 18.1 after six, 31.9 after seven."""
    assert fewest_pairs(0.05) == 7
    assert float(e_value(6, 0)) == pytest.approx(2**7 / 7 * (1 - 2**-7))
    stopped = e_stop(FlipDraws.of([[0] * 9], [[1] * 9], ["v"]))
    assert (stopped.pairs[0], stopped.call[0]) == (7, 1)
    fewer = e_stop(FlipDraws.of([[0, -1] * 4], [[1] * 8], ["v"]))
    assert (fewer.pairs[0], fewer.call[0]) == (8, 0)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.sampled_from(["bh", "by"]))
@settings(max_examples=40, deadline=None)
def test_false_discovery_agrees_with_statsmodels(p, method):
    made = discoveries(p, np.zeros(len(p)), method=method)
    rejected, adjusted = multipletests(p, 0.05, method=f"fdr_{method}")[:2]
    assert made.adjusted == pytest.approx(adjusted)
    assert made.named.tolist() == rejected.tolist()


def test_no_power_is_said_and_not_called_nothing_found():
    """At k = 3 the smallest p is 1/64, so 391 of 1,249 questions would have to reach it."""
    rng = rng_of("no power")
    flips = rng.binomial(3, 0.5, (2, 1_249))
    counts = FlipCounts.of((flips[0], 3), (flips[1], 3))
    made = discoveries(exact_p(counts), least_p(counts))
    assert not made.named.any()
    assert made.needed == 391
    assert made.powerless
    assert made.sentence.startswith("No power")
    assert "31.4 %" in made.sentence
    extreme = np.where(np.arange(1_249) < 391, 1 / 64, 1.0)
    assert discoveries(extreme, np.full(1_249, 1 / 64)).named.sum() == 391
    assert not discoveries(np.where(extreme < 1, 1.0, extreme), np.full(1_249, 1 / 64)).named.any()
    never = discoveries([0.5, 0.5], [0.2, 0.2])
    assert never.needed is None
    assert "whatever they showed" in never.sentence
    able = discoveries([0.5, 0.5], [0.001, 0.001])
    assert (able.powerless, able.needed) == (False, 1)
    assert discoveries([], []).sentence == "No question was tested."


def test_evidence_names_what_e_bh_names():
    """By hand: m / (rate r) is 80, 40, 26.7, 20 for four questions at 5 %."""
    made = e_discoveries([90.0, 30.0, 39.0, 1.0], 1_000.0)
    assert made.named.tolist() == [True, True, True, False]
    assert made.adjusted[[0, 2, 1]] == pytest.approx([4 / 90, 4 / 90, 4 / 90])
    none = e_discoveries(np.ones(100), float(e_value(3, 0)))
    assert none.needed is None
    assert none.sentence.startswith("No power")


def test_e_bh_keeps_the_false_discovery_rate_after_stopping():
    """300 families, 60 of 80 questions without effect, each stopped when it looks best.

    Mean share of false names at most 5 % plus 3 Monte Carlo errors.
    """
    rng, shares = rng_of("e-bh"), []
    for _ in range(300):
        effect = np.arange(80) < 20
        destroy = np.where(effect, 0.95, 0.4)[:, None]
        sham = np.where(effect, 0.05, 0.4)[:, None]
        d, s = rng.random((80, 25)) < destroy, rng.random((80, 25)) < sham
        up, down = np.cumsum(d & ~s, axis=1), np.cumsum(s & ~d, axis=1)
        best = e_value(up, down).reshape(80, 25)
        stop = (best >= 20).argmax(axis=1)
        stop = np.where((best >= 20).any(axis=1), stop, 24)
        named = e_discoveries(best[np.arange(80), stop]).named
        shares.append((named & ~effect).sum() / max(1, named.sum()))
    assert np.mean(shares) <= 0.05 + 3 * np.std(shares) / np.sqrt(300)


def test_rules_refuse_nonsense():
    with pytest.raises(UsageError, match="certainty"):
        SignRule(PRIOR, 0.4)
    with pytest.raises(UsageError, match="most = 0"):
        SignRule(PRIOR, 0.9, 0)
    with pytest.raises(UsageError, match="alpha"):
        e_stop(FlipDraws.of([[1]], [[1]], ["v"]), alpha=1.0)
    with pytest.raises(UsageError, match="bh, by"):
        discoveries([0.1], [0.1], method="holm")
    with pytest.raises(UsageError, match="0 and more"):
        e_discoveries([-1.0])
    with pytest.raises(UsageError, match="count pairs"):
        e_value([-1], [0])
