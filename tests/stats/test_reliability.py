"""Reliability and budgets: halves by hand, formulas against the identity, plans against search."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import (
    FlipDraws,
    FlipPrior,
    delta_law,
    exact_power,
    expected_at,
    mean_error,
    probe_designs,
    replays_for_reliability,
    replays_for_sign,
    replays_for_test,
    score_spread,
    sign_power,
    spearman_brown,
    split_half,
)

PRIOR = FlipPrior.reference()


def simulated(n: int, k: int, name: str) -> FlipDraws:
    """Return draws of questions of the prior, about 14 to a video."""
    rng = rng_of(name, n, k)
    rates = PRIOR.sample(n, rng=rng)
    sham, destroy = ((rng.random((n, k)) < rate[:, None]).astype(int) for rate in rates)
    return FlipDraws.of(sham, destroy, np.arange(n) // 14)


@pytest.mark.parametrize(("k", "splits"), [(2, 1), (3, 3), (4, 3), (5, 15), (6, 10)])
def test_halves_are_all_halves(k, splits):
    """Correlations of every pair of disjoint halves, worked out one by one."""
    draws = simulated(120, k, "halves")
    made = split_half(draws, rng=rng_of("x"), n_resamples=200)
    size, seen, found = k // 2, set(), []
    for one in combinations(range(k), size):
        for two in combinations(sorted(set(range(k)) - set(one)), size):
            if (two, one) in seen:
                continue
            seen.add((one, two))
            a, b = (
                draws.destroy[:, list(half)].mean(axis=1) - draws.sham[:, list(half)].mean(axis=1)
                for half in (one, two)
            )
            found.append(np.corrcoef(a, b)[0, 1])
    assert made.splits == splits == len(found)
    assert made.half.value == pytest.approx(np.mean(found))
    factor = k / size
    stepped = factor * np.mean(found) / (1 + (factor - 1) * np.mean(found))
    assert made.full.value == pytest.approx(stepped)
    assert made.full.low < made.full.value < made.full.high


@pytest.mark.parametrize("k", [4, 10])
def test_halves_and_moments_agree_with_the_identity(k):
    """20,000 questions: r = V / (V + E / k) at half the draws and at all; V and E near theirs."""
    draws = simulated(20_000, k, "identity")
    made = split_half(draws, rng=rng_of("y"), n_resamples=200)
    assert made.half.value == pytest.approx(PRIOR.reliability(k // 2), abs=0.02)
    assert made.full.value == pytest.approx(PRIOR.reliability(k), abs=0.02)
    parts = score_spread(draws.counts(), rng=rng_of("z"), n_resamples=200)
    spread, noise = PRIOR.moments()
    assert parts.spread.value == pytest.approx(spread, abs=0.005)
    assert parts.noise.value == pytest.approx(noise, abs=0.005)
    assert parts.single.value == pytest.approx(PRIOR.reliability(1), abs=0.015)


def test_two_real_runs_correlate_as_the_identity_says():
    rng = rng_of("two runs")
    s, d = PRIOR.sample(20_000, rng=rng)
    runs = [(rng.binomial(3, d) - rng.binomial(3, s)) / 3 for _ in range(2)]
    assert np.corrcoef(*runs)[0, 1] == pytest.approx(PRIOR.reliability(3), abs=0.02)


def test_lost_draws_leave_their_half():
    draws = simulated(400, 4, "lost")
    sham = draws.sham.copy()
    sham[rng_of("which").random(sham.shape) < 0.1] = -1
    made = split_half(FlipDraws.of(sham, draws.destroy, draws.clusters), rng=rng_of("l"))
    assert made.half.value == pytest.approx(PRIOR.reliability(2), abs=0.15)
    assert made.half.n <= made.half.total == 400


def test_reliability_of_nothing():
    flat = split_half(FlipDraws.of([[1, 1]] * 9, [[1, 1]] * 9, np.arange(9)), rng=rng_of("x"))
    assert flat.half.value is flat.full.value is None
    with pytest.raises(UsageError, match="1 draws"):
        split_half(FlipDraws.of([[1]], [[1]], ["v"]), rng=rng_of("x"))
    none = score_spread(FlipDraws.of([[1]], [[1]], ["v"]).counts(), rng=rng_of("x"))
    assert none.spread.value is None


def test_published_reliabilities_step_up_and_down():
    """Mean r .560 at k = 3: one draw .298, ten .809; .8, .9 and .95 take 9.4, 21.2, 44.7 draws."""
    single = spearman_brown(0.560, 1 / 3)
    assert single == pytest.approx(0.298, abs=5e-4)
    assert spearman_brown(single, 10) == pytest.approx(0.809, abs=5e-4)
    needed = [replays_for_reliability(target, single) for target in (0.8, 0.9, 0.95)]
    assert needed == pytest.approx([9.4, 21.2, 44.8], abs=0.06)
    for target, k in zip((0.8, 0.9, 0.95), needed, strict=True):
        assert spearman_brown(single, k) == pytest.approx(target)
    with pytest.raises(UsageError, match="inside"):
        replays_for_reliability(1.0, 0.3)
    with pytest.raises(UsageError, match="stepped"):
        spearman_brown(-0.6, 3)


def test_signs_need_as_many_draws_as_the_law_says():
    k = replays_for_sign(0.35, 0.65, 0.9)
    assert delta_law(0.35, 0.65, k).positive >= 0.9 > delta_law(0.35, 0.65, k - 1).positive
    assert replays_for_sign(0.65, 0.35, 0.9) == k
    assert replays_for_sign(0.5, 0.51, 0.9, most=50) is None
    assert sign_power(0.4, 0.4, 3) == delta_law(0.4, 0.4, 3).tie
    with pytest.raises(UsageError, match="no sign"):
        replays_for_sign(0.4, 0.4)


def test_tests_need_more_draws_than_signs():
    """Normal theory asks for 5.5 at .2 and .8; the k found has the power and k - 1 has not."""
    k = replays_for_test(0.2, 0.8, 0.8)
    assert exact_power(0.2, 0.8, k) >= 0.8 > exact_power(0.2, 0.8, k - 1)
    assert 5 <= k <= 9
    assert replays_for_test(0.344, 0.642, 0.8, most=10) is None
    with pytest.raises(UsageError, match="not above"):
        replays_for_test(0.5, 0.5)


def test_an_average_wants_questions_and_a_ranking_wants_draws():
    """The error of a simulated mean over 2,000 probes, and plans against a search by hand."""
    spread, noise = PRIOR.moments()
    rng = rng_of("mean error")
    s, d = (rate.reshape(2_000, 50) for rate in PRIOR.sample(100_000, rng=rng))
    means = ((rng.binomial(3, d) - rng.binomial(3, s)) / 3).mean(axis=1)
    assert mean_error(spread, noise, questions=50, k=3) == pytest.approx(means.std(), rel=0.06)
    plans = probe_designs(spread, noise, 1_000, per_draw=2.0, per_question=5.0)
    tried = {
        k: np.sqrt(spread / (1_000 // (5 + 2 * k)) + noise / (1_000 // (5 + 2 * k) * k))
        for k in range(1, 100)
    }
    assert plans[0].k == min(tried, key=tried.get)
    assert plans[0].error == pytest.approx(min(tried.values()))
    assert all(plan.cost <= 1_000 for plan in plans)
    capped = probe_designs(spread, noise, 1_000, per_draw=2.0, most_questions=20)
    assert capped[0].k == 25
    with pytest.raises(UsageError, match="budget"):
        probe_designs(spread, noise, 1, per_draw=2.0)


def test_what_draws_do_for_a_prior():
    made = expected_at(PRIOR, 3)
    assert made["negative"] + made["tie"] + made["positive"] == pytest.approx(1)
    assert made["sign_agreement"] < made["same_side"] < 1
    assert made["reliability"] == PRIOR.reliability(3)
