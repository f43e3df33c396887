"""Consensus against a plain loop, luck against every possible key."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vidence.errors import UnknownNameError, UsageError
from vidence.seeds import rng_of
from vidence.stats import (
    Estimate,
    PanelVotes,
    case_flags,
    case_luck,
    consensus,
    independent_guessers,
    key_prior,
    luck_of,
)

# A reply is an option, LOST (unreadable) or OFF (read, but no option).
LOST, OFF = -1, -2


def tally(replies, n_options, key, *, panel=None, applicable=None, clusters=None):
    """Return votes from replies[n][t], a list of the members' replies, by plain counting."""
    n, t = len(replies), len(replies[0])
    votes = np.zeros((n, t, max(n_options)), dtype=int)
    missing = np.zeros((n, t), dtype=int)
    for i, j in product(range(n), range(t)):
        for reply in replies[i][j]:
            if reply == LOST:
                missing[i, j] += 1
            elif reply != OFF:
                votes[i, j, reply] += 1
    return PanelVotes.of(
        votes,
        missing,
        np.ones((n, t), dtype=bool) if applicable is None else np.array(applicable),
        options=(np.array(n_options), np.array(key)),
        panel=[len(row) for row in replies[0]] if panel is None else panel,
        clusters=np.arange(n) if clusters is None else clusters,
        checks=[f"check {j}" for j in range(t)],
    )


def flagged_by_loop(replies, key, applicable, c, lost_is_right=False):
    """Return flags [n][t] as a person would count them."""
    return [
        [
            applies and sum(r == gold or (lost_is_right and r == LOST) for r in members) >= c
            for members, applies in zip(row, apply_row, strict=True)
        ]
        for row, gold, apply_row in zip(replies, key, applicable, strict=True)
    ]


@st.composite
def panels(draw):
    """Draw a small panel: replies, options, key, which checks apply."""
    n, t = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    members = [draw(st.integers(1, 3)) for _ in range(t)]
    n_options = [draw(st.integers(1, 3)) for _ in range(n)]
    replies = [
        [[draw(st.integers(OFF, k - 1)) for _ in range(m)] for m in members] for k in n_options
    ]
    key = [draw(st.integers(0, k - 1)) for k in n_options]
    applicable = [[draw(st.booleans()) for _ in range(t)] for _ in range(n)]
    return replies, n_options, key, applicable


@given(panels(), st.integers(1, 4))
def test_flags_are_those_of_a_plain_loop(panel, c):
    replies, n_options, key, applicable = panel
    votes = tally(replies, n_options, key, applicable=applicable)
    sure, possible = case_flags(votes, c)
    assert sure.tolist() == flagged_by_loop(replies, key, applicable, c)
    assert possible.tolist() == flagged_by_loop(replies, key, applicable, c, lost_is_right=True)


@given(panels(), st.integers(1, 3))
@settings(deadline=None)
def test_luck_is_the_mean_over_every_possible_key(panel, c):
    """Enumerate all keys, count flags for each by the loop: their mean is the luck line."""
    replies, n_options, key, applicable = panel
    every = [
        [any(row) for row in flagged_by_loop(replies, keys, applicable, c)]
        for keys in product(*(range(k) for k in n_options))
    ]
    luck = case_luck(tally(replies, n_options, key, applicable=applicable), c)
    assert luck == pytest.approx(np.mean(every, axis=0))


def test_mean_excess_over_every_key_is_zero_for_uniform_keys():
    rng = rng_of("every key")
    n_options = [2, 3, 4, 2, 3]
    replies = [[list(rng.integers(0, k, 3)) for _ in range(2)] for k in n_options]
    for c in (1, 2, 3):
        total = {"overall": 0.0, "check 1": 0.0, "unique": 0.0, "marginal": 0.0}
        for keys in product(*(range(k) for k in n_options)):
            made = consensus(tally(replies, n_options, keys), c, baseline="check 0")
            total["overall"] += made.overall.share.excess.value
            total["check 1"] += made.checks["check 1"].share.excess.value
            total["unique"] += made.unique["check 1"].excess.value
            total["marginal"] += made.marginal["check 1"].excess.value
        assert total == pytest.approx(dict.fromkeys(total, 0.0), abs=1e-9)


def test_excess_over_position_frequencies_is_zero_over_every_order_of_the_keys():
    """Shuffle a lopsided key over all cases in every order: the mean excess vanishes exactly."""
    replies = [[[0, 0]], [[0, 1]], [[1, 0]], [[0, 0]]]
    orders = set(product((0, 1), repeat=4))
    keys = [key for key in orders if sum(key) == 1]
    excess = [
        consensus(tally(replies, [2] * 4, key), 2, prior="positions").overall.share.excess.value
        for key in keys
    ]
    assert sum(excess) == pytest.approx(0.0, abs=1e-12)
    assert max(np.abs(excess)) > 0.1


def test_position_prior_leaves_the_case_itself_out():
    prior = key_prior("positions", [0, 0, 1, 2, 0], [3, 3, 3, 3, 2])
    assert prior == pytest.approx(
        np.array([[1, 1, 1], [1, 1, 1], [2, 0, 1], [2, 1, 0], [1.5, 1.5, 0]]) / 3
    )
    assert key_prior("uniform", [0, 0], [2, 4]).tolist() == [[0.5, 0.5, 0, 0], [0.25] * 4]


def test_a_panel_that_always_says_a_has_no_excess_over_positions():
    """Seven of ten keys are A: against uniform luck that looks like knowledge, it is none."""
    key = [0] * 7 + [1, 2, 3]
    votes = tally([[[0, 0, 0]]] * 10, [4] * 10, key)
    positions = consensus(votes, 3, prior="positions").overall.share
    uniform = consensus(votes, 3).overall.share
    assert positions.excess.value == pytest.approx(0.0, abs=1e-12)
    assert uniform.excess.value == pytest.approx(0.7 - 0.25)


def guessers_by_enumeration(k, members, checks, c):
    """Return the flagged share over every reply of every member, gold being option 0."""
    hits = [sum(r == 0 for r in replies) >= c for replies in product(range(k), repeat=members)]
    return 1 - (1 - np.mean(hits)) ** checks


@pytest.mark.parametrize(
    ("k", "c", "percent"), [(4, 1, 99.4), (4, 2, 63.9), (4, 3, 9.0), (2, 3, 55.1)]
)
def test_three_independent_guessers_over_six_checks(k, c, percent):
    """The published reference figures: 99.4 %, 64 %, 9 %, and 55 % with two options."""
    made = independent_guessers([k], [3] * 6, c)[0]
    assert made == pytest.approx(guessers_by_enumeration(k, 3, 6, c))
    assert round(100 * made, 1) == percent


def test_guessers_count_only_checks_that_apply_and_panels_that_can_reach():
    applicable = np.array([[True, True], [True, False], [False, True]])
    made = independent_guessers([3, 3, 3], [2, 1], 2, applicable)
    assert made == pytest.approx([1 / 9, 1 / 9, 0.0])
    assert independent_guessers([5], [4], 2)[0] == pytest.approx(
        sum(comb(4, x) * 0.2**x * 0.8 ** (4 - x) for x in (2, 3, 4))
    )


def test_missing_replies_bound_the_ratio():
    """Right twice; right and lost; wrong and lost; wrong twice; and one case with no check."""
    replies = [[[0, 0]], [[0, LOST]], [[1, LOST]], [[1, OFF]], [[0, 0]]]
    applicable = [[True]] * 4 + [[False]]
    votes = tally(replies, [2] * 5, [0] * 5, applicable=applicable)
    two, one = consensus(votes, 2).overall, consensus(votes, 1).overall
    assert (two.share.flagged.value, two.if_missing_right.value) == (0.25, 0.5)
    assert (two.complete.value, two.complete.n, two.complete.total) == (0.5, 2, 5)
    assert two.undetermined == 1
    assert (one.share.flagged.value, one.if_missing_right.value) == (0.5, 0.75)
    assert one.undetermined == 1
    assert (two.share.flagged.n, two.share.flagged.total) == (4, 5)


def test_unique_marginal_and_overlap_are_counted_by_hand():
    """Checks X, Y, Z with one member; gold is 0. Flags: X; X and Y; Y and Z; Z; none."""
    flags = [(1, 0, 0), (1, 1, 0), (0, 1, 1), (0, 0, 1), (0, 0, 0)]
    replies = [[[0 if hit else 1] for hit in row] for row in flags]
    made = consensus(tally(replies, [2] * 5, [0] * 5), 1, baseline="check 0")
    assert made.overall.share.flagged.value == 0.8
    assert [made.checks[f"check {t}"].share.flagged.value for t in range(3)] == [0.4, 0.4, 0.4]
    assert [made.unique[f"check {t}"].flagged.value for t in range(3)] == [0.2, 0.0, 0.2]
    assert {k: v.flagged.value for k, v in made.marginal.items()} == {
        "check 1": 0.2,
        "check 2": 0.4,
    }
    assert made.overlap.tolist() == [[2, 1, 0], [1, 2, 1], [0, 1, 2]]


def test_luck_of_unique_flags_is_that_of_the_options_only_this_check_reached():
    """Check 0 settles on A, check 1 on B, four options: each alone is right once in four."""
    votes = tally([[[0], [1]]] * 3, [4] * 3, [0, 1, 2])
    made = consensus(votes, 1, baseline="check 0")
    assert made.unique["check 0"].luck.value == pytest.approx(0.25)
    assert made.marginal["check 1"].luck.value == pytest.approx(0.25)
    assert made.overall.share.luck.value == pytest.approx(0.5)
    same = consensus(tally([[[0], [0]]] * 3, [4] * 3, [0, 1, 2]), 1, baseline="check 0")
    assert same.unique["check 0"].luck.value == 0.0
    assert same.marginal["check 1"].flagged.value == 0.0


def test_marginal_flags_are_over_cases_where_both_checks_apply():
    votes = tally([[[1], [0]]] * 4, [2] * 4, [0] * 4, applicable=[[True, True], [False, True]] * 2)
    made = consensus(votes, 1, baseline="check 0")
    assert (made.marginal["check 1"].flagged.n, made.unique["check 1"].flagged.n) == (2, 4)


def test_one_option_is_always_solved_and_always_luck():
    share = consensus(tally([[[0, 0]]] * 3, [1] * 3, [0] * 3), 2).overall.share
    assert (share.flagged.value, share.luck.value, share.excess.value) == (1.0, 1.0, 0.0)


def test_a_small_panel_cannot_reach_a_high_threshold_and_says_so():
    votes = tally([[[0, 0, 0], [0]]] * 4, [2] * 4, [0] * 4)
    made = consensus(votes, 3)
    assert made.checks["check 0"].share.flagged.value == 1.0
    short = made.checks["check 1"].share.flagged
    assert (short.value, short.n, short.total) == (None, 0, 4)
    assert short.degenerate == "the panel has fewer than 3 members"
    assert list(votes.thresholds) == [1, 2, 3]


def test_a_panel_too_small_to_flag_neither_asks_nor_loses():
    """At c = 3 a one-member check can flag nothing: its cases and lost replies do not count."""
    replies = [[[0, 0, 0], [LOST]], [[0, 0, 0], [0]], [[0, 0, 0], [0]]]
    applicable = [[True, True], [True, True], [False, True]]
    made = consensus(tally(replies, [2] * 3, [0] * 3, applicable=applicable), 3).overall
    assert (made.share.flagged.value, made.share.flagged.n, made.share.flagged.total) == (1.0, 2, 3)
    assert (made.complete.n, made.undetermined) == (2, 0)


def test_where_reports_a_category_with_the_whole_benchmarks_positions():
    key = [0, 0, 0, 1, 1, 1, 1, 1]
    votes = tally([[[0]]] * 8, [2] * 8, key)
    first = np.arange(8) < 4
    part = consensus(votes, 1, prior="positions", where=first).overall.share
    assert (part.flagged.value, part.flagged.n, part.flagged.total) == (0.75, 4, 4)
    assert part.luck.value == pytest.approx((3 * 2 + 3) / 7 / 4)
    nothing = consensus(votes, 1, where=np.zeros(8, dtype=bool)).overall.share
    assert (nothing.flagged.value, nothing.flagged.degenerate) == (None, "no such case")


def test_no_case_at_all_is_no_error():
    votes = PanelVotes.of(
        np.zeros((0, 2, 4), dtype=int),
        np.zeros((0, 2), dtype=int),
        np.zeros((0, 2), dtype=bool),
        options=(np.zeros(0, dtype=int), np.zeros(0, dtype=int)),
        panel=[3, 3],
        clusters=np.zeros(0, dtype=int),
        checks=["a", "b"],
    )
    made = consensus(votes, 3, prior="positions", baseline="a")
    assert made.overall.share.excess.value is None
    assert made.overlap.tolist() == [[0, 0], [0, 0]]


def test_results_become_plain_json_with_estimates_inside():
    made = consensus(tally([[[0], [1]]] * 3, [2] * 3, [0, 1, 0]), 1, baseline="check 0").to_json()
    assert set(made) == {"c", "overall", "checks", "unique", "marginal", "overlap"}
    assert isinstance(Estimate.from_json(made["overall"]["excess"]), Estimate)
    assert set(made["checks"]) == {"check 0", "check 1"}


def test_dependence_between_checks_is_kept():
    """Six copies of one check flag no more by luck than one of them."""
    rng = rng_of("copies")
    one = rng.integers(0, 4, (500, 1, 3))
    key, counts = list(rng.integers(0, 4, 500)), [4] * 500
    luck_one = case_luck(tally(one.tolist(), counts, key), 2)
    luck_six = case_luck(tally(np.repeat(one, 6, axis=1).tolist(), counts, key), 2)
    assert luck_six.tolist() == luck_one.tolist()
    assert independent_guessers(counts, [3] * 6, 2).mean() > 2 * luck_six.mean()


GOOD = {
    "votes": np.array([[[1, 1, 0]], [[0, 2, 0]]]),
    "missing": np.array([[1], [0]]),
    "applicable": np.array([[True], [True]]),
    "options": (np.array([3, 2]), np.array([2, 1])),
    "panel": np.array([3]),
    "clusters": np.array(["v", "w"]),
    "checks": ["blind"],
}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"votes": np.zeros((2, 3), dtype=int)}, r"votes has shape \(2, 3\)"),
        ({"votes": -GOOD["votes"]}, "negative count"),
        ({"votes": np.array([[[1, 1, 0]], [[0, 1, 1]]])}, "Case 1 has votes for options"),
        ({"votes": GOOD["votes"] * 0.5}, "whole numbers are allowed"),
        ({"missing": np.array([[2], [0]])}, "Case 0 has more replies than members"),
        ({"missing": np.array([1, 0])}, r"missing has shape \(2,\); \(2, 1\) is needed"),
        ({"applicable": np.array([[1], [1]])}, "booleans are allowed"),
        ({"options": (np.array([3, 2]), np.array([3, 1]))}, "Case 0 has its key beyond"),
        ({"options": (np.array([3, 0]), np.array([2, 0]))}, "Case 1 has no option"),
        ({"options": (np.array([4, 2]), np.array([2, 1]))}, "more options than votes"),
        ({"clusters": np.array(["v"])}, "1 entries for 2 cases"),
        ({"checks": ["a", "b"]}, "1 different names"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(change, words):
    given_ = {**GOOD, **change}
    positional = [given_.pop(name) for name in ("votes", "missing", "applicable")]
    with pytest.raises(UsageError, match=words):
        PanelVotes.of(*positional, **given_)


def test_votes_of_a_check_that_does_not_apply_are_not_counted():
    given_ = {**GOOD, "applicable": np.array([[True], [False]])}
    positional = [given_.pop(name) for name in ("votes", "missing", "applicable")]
    votes = PanelVotes.of(*positional, **given_)
    assert votes.votes[1].sum() == 0
    assert not case_flags(votes, 1)[1][1].any()


def test_wrong_names_and_thresholds_are_refused():
    votes = tally([[[0]]], [2], [0])
    with pytest.raises(UnknownNameError, match=r"Unknown check .chek 0.\. Did you mean .check 0."):
        consensus(votes, 1, baseline="chek 0")
    for call in (lambda: consensus(votes, 0), lambda: independent_guessers([2], [3], 0)):
        with pytest.raises(UsageError, match="threshold = 0"):
            call()
    with pytest.raises(UsageError, match="where has type"):
        consensus(votes, 1, where=[1])
    with pytest.raises(UsageError, match="allowed: uniform, positions"):
        consensus(votes, 1, prior="flat")


def test_luck_ignores_padding_beyond_the_options():
    prior = key_prior("uniform", [0], [2])
    assert luck_of(np.array([[True, False, False, False]]), prior).tolist() == [0.5]
