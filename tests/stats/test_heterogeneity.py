"""The prior over flip rates: quadrature against sampling, observed signs, fits that recover."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from scipy.stats import beta, betabinom

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import FlipCounts, FlipPrior, delta_law, fit_flips, homogeneous_signs, posterior

# Fitted to the two observed sign distributions of LVBench, Run 1.
LVBENCH = FlipPrior.reference()
OBSERVED = {3: (0.133, 0.298, 0.569), 10: (0.165, 0.123, 0.712)}


def drawn(prior: FlipPrior, n: int, k: int, name: str) -> FlipCounts:
    """Return simulated questions, 14 or so to a video."""
    rng = rng_of(name, n, k)
    sham, destroy = prior.sample(n, rng=rng)
    return FlipCounts.of(
        (rng.binomial(k, sham), k), (rng.binomial(k, destroy), k), np.arange(n) // 14
    )


@pytest.mark.parametrize("k", [3, 10])
def test_both_observed_sign_distributions_are_reproduced(k):
    """Within 0.01 by quadrature; 400,000 simulated questions agree with it to 5 errors."""
    predicted = LVBENCH.signs(k)
    assert predicted == pytest.approx(OBSERVED[k], abs=0.01)
    signs = drawn(LVBENCH, 400_000, k, "signs").signs()
    simulated = [np.mean(signs == value) for value in (-1, 0, 1)]
    assert simulated == pytest.approx(predicted, abs=5 * 0.5 / np.sqrt(400_000))


def test_what_the_model_explains_and_what_it_does_not():
    """Fate of ties and the inclusive Jaccard were not fitted, yet come near; reruns do not.

    Observed: ties go to .188/.328/.484, Jaccard .569; between independent runs r .560, sign
    agreement .612, strict Jaccard .213. The model expects closer agreement of runs than was seen.
    """
    table = LVBENCH.transition(3, 10)
    assert table[1] / table[1].sum() == pytest.approx([0.178, 0.345, 0.477], abs=0.01)
    both, either = table[:2, :2].sum(), 1 - table[2, 2]
    assert both / either == pytest.approx(0.597, abs=0.01)
    runs = LVBENCH.repeat(3)
    assert runs.trace() == pytest.approx(0.67, abs=0.01)
    assert runs[0, 0] / (2 * runs[0].sum() - runs[0, 0]) == pytest.approx(0.33, abs=0.01)
    assert LVBENCH.reliability(3) == pytest.approx(0.62, abs=0.005)
    assert LVBENCH.moments() == pytest.approx((0.134, 0.245), abs=0.001)


def test_margins_are_beta_binomial_and_independence_is_their_product():
    prior = FlipPrior(0.3, 0.7, 0.8, 2.5)
    table = prior.table(4, 6)
    sham = betabinom.pmf(np.arange(5), 4, 0.3 * 0.8, 0.7 * 0.8)
    destroy = betabinom.pmf(np.arange(7), 6, 0.7 * 2.5, 0.3 * 2.5)
    assert table == pytest.approx(np.outer(destroy, sham), abs=1e-10)


@pytest.mark.parametrize("total", [0.06, 0.3, 1.1, 40.0])
@pytest.mark.parametrize("rho", [-0.9, 0.42, 0.97])
def test_quadrature_agrees_with_direct_integration(total, rho):
    """V from a midpoint rule over (u, conditional u), which leaves no weight function."""
    prior = FlipPrior(0.4, 0.6, total, 2 * total, rho)
    d, s, mass = prior.grid
    u = (np.arange(1_000) + 0.5) / 1_000
    z = ndtri(u)
    other = ndtr(rho * z[:, None] + np.sqrt(1 - rho**2) * z)
    gap = (
        beta.ppf(other, 0.6 * 2 * total, 0.4 * 2 * total)
        - beta.ppf(u, 0.4 * total, 0.6 * total)[:, None]
    )
    assert prior.moments()[0] == pytest.approx(gap.var(), abs=2e-3)
    assert float(mass.sum(axis=0) @ s) == pytest.approx(0.4, abs=1e-4)
    assert float(mass.sum(axis=1) @ d) == pytest.approx(0.6, abs=1e-4)


def test_equal_rates_for_all_are_the_homogeneous_law():
    prior = FlipPrior(0.35, 0.65, 9_000.0, 9_000.0)
    law = delta_law(0.35, 0.65, 4)
    assert prior.signs(4) == pytest.approx((law.negative, law.tie, law.positive), abs=5e-4)


def test_nested_budgets_and_reruns_have_the_margins_of_single_runs():
    nested, again = LVBENCH.transition(2, 7), LVBENCH.repeat(7)
    assert nested.sum(axis=1) == pytest.approx(LVBENCH.signs(2))
    assert nested.sum(axis=0) == pytest.approx(LVBENCH.signs(7))
    assert again.sum(axis=0) == pytest.approx(LVBENCH.signs(7))
    assert again == pytest.approx(again.T)


def test_transitions_agree_with_simulated_draws():
    """200,000 questions, 3 draws extended to 10: every cell within 5 Monte Carlo errors."""
    rng = rng_of("nested")
    sham, destroy = LVBENCH.sample(200_000, rng=rng)
    y, x = rng.binomial(3, sham), rng.binomial(3, destroy)
    more = rng.binomial(7, destroy) - rng.binomial(7, sham)
    cells = (np.sign(x - y) + 1) * 3 + np.sign(x - y + more) + 1
    simulated = np.bincount(cells, minlength=9).reshape(3, 3) / 200_000
    assert simulated == pytest.approx(LVBENCH.transition(3, 10), abs=5 * 0.5 / np.sqrt(200_000))


@pytest.mark.parametrize("k", [3, 10])
def test_a_fit_recovers_what_made_the_tables(k):
    """30,000 questions: each parameter within 5 of its own standard errors."""
    fit = fit_flips(drawn(LVBENCH, 30_000, k, "recover"))
    truth = {
        "sham": 0.344,
        "destroy": 0.642,
        "total_sham": 1.08,
        "total_destroy": 1.26,
        "correlation": 0.42,
    }
    for name, value in truth.items():
        made = fit.estimates[name]
        error = (made.high - made.low) / 2 / 1.96
        assert abs(made.value - value) < 5 * error
        assert error < 0.1
    assert fit.best == "correlated"
    correlated, independent, homogeneous = fit.models
    assert homogeneous.aic > independent.aic > correlated.aic
    assert fit.edge == ()


@pytest.mark.slow
def test_standard_errors_are_those_of_repeated_fits():
    """60 fits of 600 questions: the mean stated error within 25 % of the spread of the fits.

    The spread of 60 values is itself known to 1 / sqrt(120) = 9 %.
    """
    values, errors = [], []
    for i in range(60):
        made = fit_flips(drawn(LVBENCH, 600, 3, f"errors {i}")).estimates["correlation"]
        values.append(np.arctanh(made.value))
        errors.append((np.arctanh(made.high) - np.arctanh(made.low)) / 2 / 2.02)
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.25)


def test_one_pair_of_rates_is_recognised():
    rng = rng_of("same rates")
    counts = FlipCounts.of(
        (rng.binomial(3, 0.35, 1_200), 3), (rng.binomial(3, 0.65, 1_200), 3), np.arange(1_200) // 14
    )
    fit = fit_flips(counts)
    assert fit.best == "homogeneous"
    assert fit.prior.signs(3) == pytest.approx(tuple(homogeneous_signs(counts).values()), abs=0.015)
    assert fit.models[0].log_likelihood >= fit.models[1].log_likelihood - 0.5


def test_lost_draws_enter_with_the_draws_they_leave():
    """Half of the questions lose a sham draw at random: the fit stays where it was."""
    rng = rng_of("lost draws")
    sham, destroy = LVBENCH.sample(20_000, rng=rng)
    ks = rng.integers(2, 4, 20_000)
    counts = FlipCounts.of((rng.binomial(ks, sham), ks), (rng.binomial(3, destroy), 3))
    fit = fit_flips(counts)
    assert fit.prior.sham == pytest.approx(0.344, abs=0.02)
    assert fit.prior.correlation == pytest.approx(0.42, abs=0.05)


def test_fits_refuse_what_cannot_be_told():
    with pytest.raises(UsageError, match="at least 10"):
        fit_flips(FlipCounts.of(([1], 3), ([1], 3)))
    with pytest.raises(UsageError, match="two valid draws"):
        fit_flips(FlipCounts.of(([1, 0] * 9, 1), ([1, 0] * 9, 1)))
    with pytest.raises(UsageError, match="correlation = 1"):
        FlipPrior(0.3, 0.6, 1, 1, 1.0)
    with pytest.raises(UsageError, match="sham = 0"):
        FlipPrior(0, 0.6, 1, 1)
    with pytest.raises(UsageError, match="total_destroy"):
        FlipPrior(0.3, 0.6, 1, 0.0)


@pytest.mark.parametrize("k", [1, 3])
def test_the_posterior_is_what_sampling_the_prior_gives(k):
    """1 million questions: posterior mean, SD and P(d > s) of every table to 5 errors."""
    rng = rng_of("posterior", k)
    s, d = LVBENCH.sample(1_000_000, rng=rng)
    y, x = rng.binomial(k, s), rng.binomial(k, d)
    cells = [(a, b) for a in range(k + 1) for b in range(k + 1)]
    flips = np.array(cells)
    made = posterior(FlipCounts.of((flips[:, 1], k), (flips[:, 0], k)), LVBENCH)
    for row, (a, b) in enumerate(cells):
        gap = (d - s)[(x == a) & (y == b)]
        error = 5 / np.sqrt(len(gap))
        assert made.mean[row] == pytest.approx(gap.mean(), abs=error * gap.std())
        assert made.sd[row] == pytest.approx(gap.std(), abs=error)
        assert made.positive[row] == pytest.approx((gap > 0).mean(), abs=error * 0.5)


def test_shrinkage_lowers_the_error_of_a_score():
    """RMSE of raw and posterior scores against the truth: .283 to .223 at k = 3."""
    rng = rng_of("shrink")
    s, d = LVBENCH.sample(100_000, rng=rng)
    counts = FlipCounts.of((rng.binomial(3, s), 3), (rng.binomial(3, d), 3))
    raw = np.sqrt(np.mean((counts.scores() - (d - s)) ** 2))
    shrunk = np.sqrt(np.mean((posterior(counts, LVBENCH).mean - (d - s)) ** 2))
    assert (raw, shrunk) == pytest.approx((0.283, 0.223), abs=0.005)


def test_a_posterior_of_nothing_is_empty():
    made = posterior(FlipCounts.of(([0], 0), ([1], 1)), LVBENCH)
    assert len(made.mean) == len(made.positive) == 0
