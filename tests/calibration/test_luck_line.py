"""A panel that knows nothing must not look as if it knew.

Design: 90 videos with 1 to 15 questions of 2 to 5 options, six checks, three members whose
replies depend on each other across members and checks (likeness 0, 0.5, 0.9), keys uniform and
drawn apart from the replies. R = 2,000 panels a cell. The Monte Carlo error of a rate of 5 % is
0.49 points, of 2.5 % 0.35 points; bounds lie three errors off.
"""

from __future__ import annotations

import numpy as np
import pytest

from vidence.seeds import rng_of
from vidence.stats import (
    Clusters,
    Estimate,
    PanelVotes,
    case_flags,
    case_luck,
    consensus,
    excess_over_luck,
)
from vidence.stats.designs import guessing_panel

pytestmark = pytest.mark.slow
REPETITIONS = 2_000
TWO_SIDED = 0.05 + 3 * np.sqrt(0.05 * 0.95 / REPETITIONS)
ONE_SIDED = 0.025 + 3 * np.sqrt(0.025 * 0.975 / REPETITIONS)


def panel(rng: np.random.Generator, likeness: float, videos: int, checks: int) -> PanelVotes:
    """Return one panel of guessers on videos with 1 to 15 questions."""
    codes = np.repeat(np.arange(videos), rng.integers(1, 16, videos))
    return guessing_panel(
        rng.integers(2, 6, len(codes)),
        Clusters(codes, videos),
        checks=checks,
        likeness=likeness,
        rng=rng,
    )


def measured(votes: PanelVotes, c: int, prior: str) -> Estimate:
    """Return the overall excess without the other tables of `consensus`."""
    flagged = case_flags(votes, c)[0].any(axis=1)
    return excess_over_luck(flagged, case_luck(votes, c, prior=prior), votes.clusters)


def test_the_short_way_is_the_whole_audits_way():
    votes = panel(rng_of("short way"), 0.5, 90, 6)
    for c in votes.thresholds:
        assert measured(votes, c, "uniform") == consensus(votes, c).overall.share.excess


@pytest.mark.parametrize(
    ("likeness", "c", "prior"),
    [
        (0.0, 1, "uniform"),
        (0.0, 3, "uniform"),
        (0.5, 2, "uniform"),
        (0.5, 2, "positions"),
        (0.9, 3, "positions"),
    ],
)
def test_guessers_show_no_excess(likeness, c, prior):
    """The mean excess is zero within 4 errors, and its interval errs at most at the nominal rate.

    The lower bound on the rate keeps the interval from being safe by being useless; it is not
    asked of c = 1 with independent guessers, where nearly every case is flagged.
    """
    rng = rng_of("guessers", likeness, c, prior)
    excess, above, off = [], 0, 0
    for _ in range(REPETITIONS):
        made = measured(panel(rng, likeness, 90, 6), c, prior)
        excess.append(made.value)
        above += made.low > 0
        off += made.excludes(0.0)
    assert abs(np.mean(excess)) < 4 * np.std(excess) / np.sqrt(REPETITIONS)
    assert off / REPETITIONS <= TWO_SIDED
    assert above / REPETITIONS <= ONE_SIDED
    if (likeness, c) != (0.0, 1):
        assert off / REPETITIONS >= 0.02


def test_few_videos_do_not_make_knowledge():
    """Ten videos, likeness 0.5, c = 2: at most the nominal rate."""
    rng = rng_of("guessers on few videos")
    off = 0
    for _ in range(REPETITIONS):
        made = measured(panel(rng, 0.5, 10, 1), 2, "uniform")
        off += made.excludes(0.0)
    assert off / REPETITIONS <= TWO_SIDED


def test_positions_that_repeat_are_no_knowledge_under_the_positions_prior():
    """Keys lean to A (weights 4:2:1:1), the panel leans to A too: uniform luck errs, positions not.

    R = 2,000; the uniform prior must fail clearly, or the test would show nothing.
    """
    rng = rng_of("lopsided keys")
    off = {"uniform": 0, "positions": 0}
    for _ in range(REPETITIONS):
        codes = np.repeat(np.arange(90), rng.integers(1, 16, 90))
        n = len(codes)
        key = rng.choice(4, n, p=[0.5, 0.25, 0.125, 0.125])
        replies = rng.choice(4, (n, 1, 3), p=[0.6, 0.2, 0.1, 0.1])
        votes = PanelVotes.of(
            (replies[..., None] == np.arange(4)).sum(axis=2),
            np.zeros((n, 1), dtype=int),
            np.ones((n, 1), dtype=bool),
            options=(np.full(n, 4), key),
            panel=[3],
            clusters=Clusters(codes, 90),
            checks=["blind"],
        )
        for prior in off:
            made = measured(votes, 2, prior)
            off[prior] += made.low > 0
    assert off["positions"] / REPETITIONS <= ONE_SIDED
    assert off["uniform"] / REPETITIONS > 0.5


def test_the_luck_line_is_conservative_where_models_know():
    """A panel that knows 30 % of cases: the excess is below 0.3 and the luck line above the truth.

    Known cases are flagged for a reason, yet their single agreed option counts as lucky one time
    in four: the true lucky share is (1 - 0.3) x luck of the others.
    """
    rng = rng_of("knowing panel")
    codes = np.repeat(np.arange(400), 5)
    votes = guessing_panel(np.full(2_000, 4), Clusters(codes, 400), likeness=0.5, rng=rng)
    known = rng.random(2_000) < 0.3
    counts = votes.votes.copy()
    counts[known] = 0
    counts[known, :, votes.key[known]] = 3
    told = PanelVotes.of(
        counts,
        votes.missing,
        votes.applicable,
        options=(votes.n_options, votes.key),
        panel=votes.panel,
        clusters=votes.clusters,
        checks=votes.checks,
    )
    made = consensus(told, 3).overall.share
    true_luck = case_luck(votes, 3)[~known].sum() / 2_000
    assert made.luck.value > true_luck
    assert 0.3 * 0.6 < made.excess.value < 0.3
    assert made.excess.low > 0
