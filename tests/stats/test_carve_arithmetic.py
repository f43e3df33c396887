"""Arithmetic reproduced: records made to the published counts give the published figures.

Nothing here shows that a result was reproduced. The records are invented; only how many of each
kind there are is taken from CARVE (arXiv 2608.15685), and the functions must then print what the
tables print.
"""

from __future__ import annotations

import numpy as np
import pytest

from vidence.seeds import rng_of
from vidence.stats import FlipCounts, Outcomes, at_most, below, matched_random, route, route_all

# Questions of the LVBench universe by sign of the score, and what the fallback does to them.
LVBENCH = {"negative": (166, 33, 19), "tie": (372, 65, 38)}
SCORED, ELIGIBLE, VANILLA_RIGHT = 1_249, 1_258, 572


def lvbench() -> tuple[FlipCounts, Outcomes]:
    """Return invented questions with the published counts, 14 or so to a video."""
    rows = []
    for sign, (size, repairs, harms) in LVBENCH.items():
        destroy = 0 if sign == "negative" else 1
        rows += [(1, destroy, 3, 0, 1)] * repairs + [(1, destroy, 3, 1, 0)] * harms
        rows += [(1, destroy, 3, 0, 0)] * (size - repairs - harms)
    rows += [(0, 3, 3, 0, 0)] * (SCORED - len(rows)) + [(0, 0, 0, 0, 0)] * (ELIGIBLE - SCORED)
    sham, destroy, draws, vanilla, fallback = np.array(rows).T
    unchanged = np.flatnonzero((vanilla == 0) & (fallback == 0))
    both = unchanged[-(VANILLA_RIGHT - int(vanilla.sum())) :]
    vanilla[both] = fallback[both] = 1
    videos = np.arange(ELIGIBLE) % 90
    return (
        FlipCounts.of((sham, draws), (destroy, draws), videos),
        Outcomes.of(vanilla, fallback, videos),
    )


def test_the_inclusive_policy():
    counts, outcomes = lvbench()
    made = route(outcomes, at_most(counts.scores(), counts.scored))
    assert (made.selected, made.repairs, made.harms, made.net) == (538, 98, 57, 41)
    never = route(outcomes, np.zeros(ELIGIBLE))
    assert round(100 * never.accuracy.value, 2) == 45.47
    assert round(100 * made.accuracy.value, 2) == 48.73
    assert round(100 * made.gain.value, 2) == 3.26
    assert round(100 * made.yielded.value, 2) == 7.62
    assert round(100 * made.selected / ELIGIBLE, 1) == 42.8


def test_its_two_strata():
    counts, outcomes = lvbench()
    strict = route(outcomes, below(counts.scores(), counts.scored))
    ties = at_most(counts.scores(), counts.scored) & ~below(counts.scores(), counts.scored)
    tied = route(outcomes, ties)
    assert (strict.selected, strict.repairs, strict.harms) == (166, 33, 19)
    assert round(100 * strict.yielded.value, 2) == 8.43
    assert (tied.selected, tied.repairs, tied.harms) == (372, 65, 38)
    assert round(100 * tied.yielded.value, 2) == 7.26
    assert round(100 * tied.net / (strict.net + tied.net), 1) == 65.9


def test_the_signs_of_run_one():
    counts, _ = lvbench()
    shares = [np.mean(counts.signs() == sign) for sign in (-1, 0, 1)]
    assert np.round(shares, 3).tolist() == [0.133, 0.298, 0.569]


def test_the_video_mme_policy():
    """418 of 874 right, 74 repairs and 44 harms: 448 of 874."""
    vanilla = np.repeat([0, 1, 1, 0], [74, 44, 418 - 44, 874 - 418 - 74])
    fallback = np.repeat([1, 0, 1, 0], [74, 44, 418 - 44, 874 - 418 - 74])
    made = route(Outcomes.of(vanilla, fallback, np.arange(874) // 3), np.arange(874) < 400)
    assert [round(100 * n / 874, 2) for n in (418, 448)] == [47.83, 51.26]
    assert round(100 * made.accuracy.value, 2) == 51.26
    assert round(100 * made.gain.value, 2) == 3.43


def test_the_inferred_population_would_gain_more_from_always():
    """About 162 repairs and 98 harms in all, inferred from a rounded interval: approximate.

    The plain random yield of 5.09 per 100 is then the mean change of all questions; deferring
    every one of them gives about 50.6 %, and the policy lies 1.7 SD above its plain controls.
    """
    counts, outcomes = lvbench()
    chosen = at_most(counts.scores(), counts.scored)
    vanilla, fallback = outcomes.vanilla.copy(), outcomes.fallback.copy()
    rest_wrong = np.flatnonzero(~chosen & ~vanilla)[: 162 - 98]
    rest_right = np.flatnonzero(~chosen & vanilla)[: 98 - 57]
    fallback[rest_wrong], fallback[rest_right] = 1, 0
    population = Outcomes.of(vanilla, fallback, outcomes.clusters)
    rows = route_all(population, {"inclusive": chosen})
    assert round(100 * rows["always"].accuracy.value, 1) == 50.6
    assert rows["always"].net > rows["inclusive"].net
    control = matched_random(population.change, chosen, rng=rng_of("inferred"))
    assert round(100 * control.mean_yield, 2) == 5.09
    assert (control.observed - control.mean) / control.sd == pytest.approx(1.72, abs=0.05)
    inside, outside = rows["inclusive"], route(population, ~chosen)
    assert round(100 * inside.changed.value, 1) == 28.8
    assert round(100 * outside.changed.value, 1) == 14.6
    assert round(100 * inside.repair_share.value, 1) == 63.2
    assert round(100 * outside.repair_share.value, 1) == 61.0
