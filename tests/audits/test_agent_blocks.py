"""The blocks of an agent's report on questions written out by hand."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.audits.made_replays import Row, probed
from vidence.audits.agent_budgets import agreement_block, budgets_block
from vidence.audits.agent_coverage import coverage_block
from vidence.audits.agent_routing import routing_block, selective_block
from vidence.audits.agent_scores import Scores
from vidence.audits.agent_stopping import stopping_block

# Delta of each: +1, +1/3, 0, 0, -1/3; two of them have no key or no valid sham draw besides.
ROWS = [
    Row("BBB", "AAA", "BBB", gold="B", fallback="A", video="a"),
    Row("BBB", "ABB", "BBB", gold="B", fallback="B", video="a"),
    Row("ABB", "BAB", "AAB", gold="A", fallback="A", video="b"),
    Row("BB-", "BBB", "BCB", gold="B", fallback="C", video="b"),
    Row("ABB", "BBB", "CCC", gold="C", fallback="C", video="c", items=2),
    Row("---", "AAA", "BBB", gold="A", fallback="A", video="c"),
    Row("BBB", "ABB", "BBB", gold="", video="d"),
]
ASIDE = {"left": ("e", True), "out": ("e", False)}


@pytest.fixture(scope="module")
def scores() -> Scores:
    return Scores(probed(ROWS, aside=ASIDE))


def value(estimate: dict[str, Any]) -> float:
    return estimate["value"]


def test_delta_counts_each_scored_question_once(scores: Scores) -> None:
    found = scores.blocks()
    deltas = [1, 1 / 3, 0, 0, -1 / 3, 1 / 3]
    assert value(found["delta"]) == pytest.approx(sum(deltas) / 6)
    assert (found["delta"]["n"], found["delta"]["total"]) == (6, 7)
    shares = {name: value(found["signs"][name]) for name in ("negative", "tie", "positive")}
    assert shares == pytest.approx({"negative": 1 / 6, "tie": 2 / 6, "positive": 3 / 6})
    # The one lost question could have gone from 1 - 1 to 1 - 0; the half lost one from -1/3 to 0.
    effect = found["effect"]
    assert effect["highest"] == pytest.approx((sum(deltas) + 1) / 7)
    assert effect["lowest"] == pytest.approx((sum(deltas) + 0 - 1 / 3) / 7)
    assert value(effect["sham_invalid"]) == pytest.approx((1 + 1 / 3) / 7)


def test_the_distribution_has_every_score_there_can_be_and_sums_to_the_questions(
    scores: Scores,
) -> None:
    rows = scores.blocks()["distribution"]
    assert sum(row["n"] for row in rows) == 6
    at = {round(row["score"], 4): row["n"] for row in rows}
    assert {k: v for k, v in at.items() if v} == {1.0: 1, 0.3333: 2, 0.0: 2, -0.3333: 1}


def test_noise_is_split_between_answerer_renderer_and_effect(scores: Scores) -> None:
    noise = scores.blocks()["noise"]
    own = [0, 0, 2 / 3, 1 / 3, 1, 0, 0]
    assert value(noise["answerer"]) == pytest.approx(sum(own) / 7)
    sham = [0, 0, 1 / 3, 0, 1 / 3, 0]
    theirs = [0, 0, 2 / 3, 1 / 3, 1, 0]
    assert value(noise["renderer"]) == pytest.approx((sum(sham) - sum(theirs)) / 6)


def test_policies_over_all_keyed_questions_those_aside_included(scores: Scores) -> None:
    """Eight have a key: six probed, two aside, which keep the agent's answer.

    Right before: q0, q1, q3 and `left`. The fallback repairs q2, q4, q5 and harms q0, q3.
    """
    found = routing_block(scores)
    rows = {row["policy"]: row for row in found["rows"]}
    assert (found["universe"], found["aside"], found["answered"]) == (8, 2, 6)

    def facts(name: str) -> tuple[int, int, int, float]:
        row = rows[name]
        return row["selected"], row["repairs"], row["harms"], value(row["accuracy"])

    assert facts("never") == (0, 0, 0, 4 / 8)
    assert facts("inclusive") == (3, 2, 1, 5 / 8)  # q2, q3, q4; q5 has no score
    assert facts("strict") == (1, 1, 0, 5 / 8)  # q4
    assert facts("always") == (8, 3, 2, 5 / 8)
    assert facts("oracle") == (3, 3, 0, 7 / 8)
    assert facts("self_disagrees") == (2, 2, 0, 6 / 8)  # q2 by 2 of 3, q4 by 3 of 3
    assert rows["always"]["kept"] == 2
    assert value(rows["inclusive"]["yielded"]) == pytest.approx(1 / 3)
    changed, repaired = (value(rows["inclusive"][p]) for p in ("changed", "repair_share"))
    assert changed * (2 * repaired - 1) == pytest.approx(1 / 3)
    assert value(found["against_always"]) == 0
    # Seven pieces of evidence over six keyed questions: 2 k 7/6 renderings and 2 k answers each.
    cost = found["cost"]
    assert (cost["renderings"], cost["answers"], cost["probed"]) == (pytest.approx(7), 6, 6)
    assert rows["strict"]["calls"] == pytest.approx(6 * 13 + 1)
    assert rows["strict"]["net_per_call"] == pytest.approx(1 / 79)
    assert rows["always"]["net_per_call"] == pytest.approx(1 / 8)
    assert rows["self_disagrees"]["calls"] == 6 * 3 + 2


def test_the_majority_of_the_replays_changes_what_it_changes(scores: Scores) -> None:
    """AAB makes q2 A, its key; CCC makes q4 C, its key; BCB leaves q3; nothing else differs."""
    found = routing_block(scores)["self_consistency"]
    assert (found["selected"], found["repairs"], found["harms"]) == (2, 2, 0)
    assert value(found["accuracy"]) == 6 / 8


def test_controls_have_the_law_of_all_subsets(scores: Scores) -> None:
    """Of the five scored questions with a key every three are listed: changes -1, 0, 1, -1, 1."""
    control = routing_block(scores)["controls"]["inclusive"]["plain"]
    nets = [sum(three) for three in itertools.combinations([-1, 0, 1, -1, 1], 3)]
    assert control["observed"] == 1
    assert control["mean"] == pytest.approx(sum(nets) / len(nets))
    assert control["exact_p"] == pytest.approx(sum(net >= 1 for net in nets) / len(nets))


def test_the_curve_begins_at_nothing_and_ends_at_everybody(scores: Scores) -> None:
    curve = routing_block(scores)["curve"]
    assert curve[0]["score"] == 0
    assert curve[-1]["score"] == curve[-1]["random"] == pytest.approx(0)
    best = max(point["oracle"] for point in curve)
    assert best == 2
    by = {point["deferred"]: point["score"] for point in curve}
    assert by[1] == 1  # the one negative score is a repair
    assert by[2] == pytest.approx(1 + (1 - 1) / 2)  # of two ties one is a repair, one a harm


def test_trust_is_ranked_over_the_questions_that_have_both(scores: Scores) -> None:
    """By Delta: right, right, then two ties of which one is right, then wrong."""
    found = selective_block(scores)
    assert found["questions"] == 5
    delta = found["scores"]["delta"]
    assert value(delta["aurc"]) == pytest.approx((0 + 0 + 0.5 / 3 + 1 / 4 + 2 / 5) / 5)
    assert value(delta["accuracy_at"]["1"]) == pytest.approx(3 / 5)
    # By agreement of the self replays: 1, 1, 2/3 right, then 1/3 and 0 wrong.
    own = found["scores"]["self_agreement"]
    assert value(own["aurc"]) == pytest.approx((1 / 4 + 2 / 5) / 5)


def test_budgets_are_prefixes() -> None:
    found = budgets_block(Scores(probed(ROWS)))
    first, whole = found["rows"][0], found["rows"][-1]
    assert (first["k"], whole["k"]) == (1, 3)
    # First draws: sham B B A B A - B, destroy A A B B B A A.
    assert value(first["delta"]) == pytest.approx((1 + 1 - 1 + 0 - 1 + 1) / 6)
    assert found["transition"]["from"] == 1
    assert sum(map(sum, found["transition"]["counts"])) == 6


def test_two_runs_agree_over_the_questions_that_both_have() -> None:
    one = probed(ROWS)
    block = agreement_block({"one": Scores(one), "two": Scores(one.named("two"))})
    (pair,) = block["pairs"]
    assert pair["questions"] == 7
    assert value(pair["pearson"]) == pytest.approx(1)
    assert value(pair["inclusive"]) == 1
    assert block["runs"]["sd"] == 0
    assert agreement_block({"one": Scores(one)}) is None


def test_nothing_to_compare_says_why() -> None:
    found = routing_block(Scores(probed([Row(), Row()])))
    assert "--fallback NAME" in found["why"]
    assert "why" in routing_block(Scores(probed([Row("---", fallback="A"), Row("---")])))
    assert coverage_block(Scores(probed([Row()]))) is None
    looks = {"looked": ((0.0, 5.0),), "spans": ((1.0, 2.0),)}
    all_met = coverage_block(Scores(probed([Row(**looks), Row(**looks)])))
    assert "meets the annotated time" in all_met["roc_auc"]["why"]
    empty = Scores(probed([])).blocks()
    assert empty["delta"]["value"] is None
    assert empty["delta"]["degenerate"]


def test_single_signs_are_claimed_where_questions_differ_and_an_effect_is_shown() -> None:
    """Where nothing is shown on the whole, few questions name no sign; alike ones never do."""
    effect = [Row("BBB", "AAA", video=f"v{i}") for i in range(30)]
    effect += [Row("BBB", "BBB", video=f"w{i}") for i in range(30)]
    assert "share" in Scores(probed(effect)).blocks()["resolved"]
    none = [Row("AAA", "BBB", video=f"v{i}") for i in range(30)]
    none += [Row("BBB", "AAA", video=f"w{i}") for i in range(30)]
    few = Scores(probed(none))
    assert "below 100" in few.blocks()["resolved"]["why"]
    assert few.chance_positive is None
    assert [row["rule"] for row in stopping_block(few)] == ["e_value"]
    assert "share" in Scores(probed(none * 2)).blocks()["resolved"]
    flips = ["AAB", "ABB", "BBB", "ABB", "BAB", "BBA", "ABA", "BBB"]
    alike = [Row(s, d, video=f"v{i}") for i, (s, d) in enumerate(itertools.product(flips, flips))]
    assert "not shown to differ" in Scores(probed(alike * 2)).blocks()["resolved"]["why"]


def test_the_tie_excess_stays_between_all_and_nothing() -> None:
    """Two videos: a t interval with one degree of freedom, cut to what there can be."""
    rows = [Row("BBB", "BBB", video="a")] * 6 + [Row("BBB", "AAB", video="b")] * 6
    excess = Scores(probed(rows)).blocks()["signs"]["tie_excess"]
    assert -1 <= excess["low"] < excess["value"] < excess["high"] <= 1
