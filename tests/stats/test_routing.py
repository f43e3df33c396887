"""Policies against hand counts: repairs, harms, yields, and the rows nobody may leave out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vidence.errors import UsageError
from vidence.seeds import rng_of
from vidence.stats import (
    CallCost,
    FlipCounts,
    Outcomes,
    at_most,
    below,
    bootstrap_ratio,
    gain_difference,
    route,
    route_all,
)

QUESTION = st.tuples(st.booleans(), st.sampled_from([1, 0, -1]), st.booleans(), st.integers(0, 5))


@given(st.lists(QUESTION, min_size=1, max_size=60))
def test_a_policy_is_what_counting_gives(questions):
    vanilla, fallback, deferred, video = map(list, zip(*questions, strict=True))
    made = route(Outcomes.of(vanilla, fallback, video), deferred)
    final, repairs, harms = [], 0, 0
    for y, f, d, _ in questions:
        final.append(bool(f) if d and f != -1 else y)
        repairs += final[-1] and not y
        harms += y and not final[-1]
    assert (made.repairs, made.harms, made.net) == (repairs, harms, repairs - harms)
    assert made.selected == sum(deferred)
    assert made.kept == sum(d and f == -1 for _, f, d, _ in questions)
    assert made.accuracy.value == pytest.approx(np.mean(final))
    assert made.gain.value == pytest.approx(np.mean(final) - np.mean(vanilla))
    if not sum(deferred):
        assert made.yielded.value is None
        return
    assert made.yielded.value == pytest.approx((repairs - harms) / sum(deferred))
    if repairs + harms:
        split = made.changed.value * (2 * made.repair_share.value - 1)
        assert made.yielded.value == pytest.approx(split)
    else:
        assert made.changed.value == 0
        assert made.repair_share.value is None


def test_never_always_and_oracle_are_always_there():
    vanilla, fallback = [1, 1, 0, 0, 0], [1, 0, 1, 1, -1]
    rows = route_all(Outcomes.of(vanilla, fallback, list("aabbc")), {"mine": [0, 1, 1, 0, 0]})
    assert list(rows) == ["never", "always", "oracle", "mine"]
    assert [row.net for row in rows.values()] == [0, 1, 2, 0]
    assert [row.selected for row in rows.values()] == [0, 5, 2, 2]
    assert rows["oracle"].accuracy.value == pytest.approx(0.8)
    assert rows["never"].gain.value == 0
    with pytest.raises(UsageError, match="always"):
        route_all(Outcomes.of([1], [1], ["v"]), {"always": [1]})


def test_no_policy_beats_the_oracle():
    rng = rng_of("oracle")
    outcomes = Outcomes.of(rng.random(300) < 0.5, rng.random(300) < 0.5, np.arange(300) // 4)
    masks = {f"random {i}": rng.random(300) < 0.5 for i in range(20)}
    rows = route_all(outcomes, masks)
    assert max(row.net for row in rows.values()) == rows["oracle"].net


def test_policies_that_share_cases_are_compared_without_that_noise():
    rng = rng_of("paired policies")
    outcomes = Outcomes.of(rng.random(900) < 0.5, rng.random(900) < 0.5, np.arange(900) // 10)
    first = rng.random(900) < 0.5
    second = first.copy()
    second[:20] = ~second[:20]
    apart = gain_difference(outcomes, first, second)
    alone = route(outcomes, first).gain
    assert apart.value == pytest.approx(alone.value - route(outcomes, second).gain.value)
    assert apart.high - apart.low < 0.5 * (alone.high - alone.low)
    same = gain_difference(outcomes, first, first)
    assert same.value == 0


def test_thresholds_leave_questions_without_a_score_alone():
    counts = FlipCounts.of(([1, 1, 0, 0, 2], [3, 3, 0, 3, 3]), ([1, 0, 2, 3, 2], [3, 3, 3, 3, 3]))
    scores, scored = counts.scores(), counts.scored
    assert at_most(scores, scored).tolist() == [True, True, False, False, True]
    assert below(scores, scored).tolist() == [False, True, False, False, False]
    assert at_most(scores, scored, 1.0).tolist() == [True, True, False, True, True]
    with pytest.raises(UsageError, match="3 scores for 4"):
        at_most(scores[:3], scored)


def test_equal_fractions_of_unequal_draws_fall_on_the_same_side():
    """2/6 - 1/3 is a tie, and 0.1 + 0.2 - 0.3 is not how it is found."""
    counts = FlipCounts.of(([1, 3], [3, 10]), ([2, 6], [6, 20]))
    assert at_most(counts.scores(), counts.scored).tolist() == [True, True]
    assert not below(counts.scores(), counts.scored).any()


def test_the_probe_pays_for_its_own_calls():
    cost = CallCost.of_probe(3, 2.693)
    assert (cost.renderings, cost.answers) == pytest.approx((16.158, 6))
    outcomes = Outcomes.of([0, 0, 0, 1], [1, 1, 0, 1], list("abcd"))
    routed = route(outcomes, [1, 1, 0, 0])
    assert cost.net_per_call(routed, probed=4) == pytest.approx(2 / (4 * 22.158 + 2))
    assert cost.net_per_call(routed, probed=0) == pytest.approx(1.0)
    assert cost.net_per_call(route(outcomes, [0] * 4), probed=0) is None


def test_the_yield_is_a_mean_over_the_deferred_by_video():
    rng = rng_of("yield")
    outcomes = Outcomes.of(rng.random(400) < 0.5, rng.random(400) < 0.6, np.arange(400) // 8)
    mask = rng.random(400) < 0.4
    made = route(outcomes, mask).yielded
    # Net and deferred questions are both random when videos are drawn anew: a ratio of sums.
    other = bootstrap_ratio(outcomes.change * mask, mask, outcomes.clusters, rng=rng)
    assert made.value == pytest.approx(other.value)
    assert made.high - made.low == pytest.approx(other.high - other.low, rel=0.15)
    assert (made.n, made.clusters) == (int(mask.sum()), len(np.unique(np.arange(400)[mask] // 8)))


def test_outcomes_refuse_nonsense():
    with pytest.raises(UsageError, match="fallback: 1"):
        Outcomes.of([1], [2], ["v"])
    with pytest.raises(UsageError, match="vanilla 1, fallback 2"):
        Outcomes.of([1], [1, 0], ["v"])
