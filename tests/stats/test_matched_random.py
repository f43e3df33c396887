"""Matched random policies against every subset, closed forms and plain shuffling."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import matched_random

CASES = st.lists(
    st.tuples(st.sampled_from([-1, 0, 1]), st.booleans(), st.integers(0, 2)),
    min_size=1,
    max_size=10,
)


def every_net(x, deferred, strata):
    """Return the net change of every subset with as many questions of each stratum."""
    parts = []
    for s in np.unique(strata):
        inside = np.flatnonzero(strata == s)
        m = int(deferred[inside].sum())
        parts.append([sum(x[i] for i in pick) for pick in combinations(inside, m)])
    return np.array([sum(nets) for nets in product(*parts)])


@given(CASES, st.booleans())
@settings(max_examples=50, deadline=None)
def test_the_exact_law_is_that_of_every_subset(cases, plain):
    x, deferred, strata = (np.array(column) for column in zip(*cases, strict=True))
    groups = np.zeros(len(x), dtype=int) if plain else strata
    made = matched_random(x, deferred, None if plain else strata, rng=rng_of("subsets"), draws=100)
    nets = every_net(x, deferred, groups)
    assert made.observed == x[deferred].sum()
    assert made.mean == pytest.approx(nets.mean(), abs=1e-9)
    assert made.sd == pytest.approx(nets.std(), abs=1e-7)
    assert made.exact_p == pytest.approx((nets >= made.observed).mean(), abs=1e-9)


@pytest.mark.parametrize("balanced", [False, True])
def test_draws_agree_with_shuffling_cases(balanced):
    """10,000 draws against 4,000 shuffles: mean, range and p within Monte Carlo error."""
    rng = rng_of("shuffle", balanced)
    n = 400
    videos = np.sort(rng.integers(0, 30, n))
    x, deferred = rng.choice([-1, 0, 1], n, p=[0.1, 0.7, 0.2]), rng.random(n) < 0.4
    made = matched_random(x, deferred, videos if balanced else None, rng=rng)
    nets = []
    for _ in range(4_000):
        key = rng.random(n)
        order = np.lexsort((key, videos)) if balanced else np.argsort(key)
        where = np.sort(videos) if balanced else np.zeros(n, dtype=int)
        picked = np.zeros(n, dtype=bool)
        for v in np.unique(where):
            inside = order[where == v]
            m = deferred[videos == v].sum() if balanced else deferred.sum()
            picked[inside[:m]] = True
        nets.append(x[picked].sum())
    nets = np.array(nets)
    assert made.mean == pytest.approx(nets.mean(), abs=5 * made.sd / np.sqrt(4_000))
    assert (made.low, made.high) == pytest.approx(np.quantile(nets, [0.025, 0.975]), abs=1.5)
    assert made.exact_p == pytest.approx((nets >= made.observed).mean(), abs=0.04)
    assert made.p == pytest.approx(made.exact_p, abs=0.025)
    assert made.percentile == pytest.approx(
        (nets < made.observed).mean() + (nets == made.observed).mean() / 2, abs=0.04
    )


def test_closed_forms_of_the_plain_control():
    """Mean m xbar and variance m s^2 (N - m) / (N - 1), written down from the sample."""
    rng = rng_of("closed form")
    x, deferred = rng.choice([-1, 0, 1], 1_258), np.arange(1_258) < 538
    made = matched_random(x, deferred, rng=rng)
    assert made.mean == pytest.approx(538 * x.mean())
    assert made.sd**2 == pytest.approx(538 * x.var() * (1_258 - 538) / 1_257)
    assert made.mean_yield == pytest.approx(x.mean())


def test_a_policy_of_nothing_or_of_everything_is_its_own_control():
    x, rng = np.array([1, -1, 1, 0]), rng_of("all")
    for mask in (np.zeros(4), np.ones(4)):
        made = matched_random(x, mask, ["a", "a", "b", "c"], rng=rng)
        assert (made.sd, made.p, made.exact_p, made.percentile) == (0, 1, 1, 0.5)
    assert matched_random(x, np.zeros(4), rng=rng).mean_yield is None


def test_matched_controls_refuse_nonsense():
    with pytest.raises(UsageError, match="change: -1"):
        matched_random([2], [1], rng=rng_of("x"))
    with pytest.raises(UsageError, match="draws = 5"):
        matched_random([1], [1], rng=rng_of("x"), draws=5)
