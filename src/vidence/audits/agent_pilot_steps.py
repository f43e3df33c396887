"""What each step of a pilot finds, and whether it speaks for going on.

The steps are the practitioner protocol of CARVE's appendix. Where the protocol leaves open what is
too much, the bounds are ours, and named here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations

import numpy as np

from vidence.audits.agent_budgets import compare_runs
from vidence.audits.agent_paper import table_1
from vidence.audits.agent_run import ProbedRun
from vidence.audits.agent_scores import SIGNS, Row, Scores, or_why, plain
from vidence.stats import (
    delta_variance,
    flip_effect,
    homogeneous_signs,
    mean_by_cluster,
    replays_for_reliability,
    tie_excess,
    transition,
)
from vidence.stats.flip_counts import FLIPPED

GO, CARE, STOP, SKIPPED = "go", "care", "stop", "skipped"
NOISY = 0.3
"""Sham flip rate above which one question's score needs many draws: SD 0.37 at k = 3 and above."""
RELIABLE = 0.8
"""Correlation of two runs' scores from which single scores are worth ranking."""
STABLE = 0.8
"""Jaccard similarity from which a deferred set counts as the same set at another budget."""
MATTERS = 0.15
"""Delta from which a full probe would be worth its calls; the paper's agent has 0.29."""
SIGNIFICANT = 0.05
CANDIDATES = (1, 3, 5, 10, 20)


def noise_step(run: ProbedRun) -> Row:
    """Step 1: how often does the answer change although nothing was destroyed?

    Stops where intact replays change as many answers as drawing an option would, since nothing
    destroyed can then show; takes care where the interval does not rule that out, where they change
    more than `NOISY`, or where none ever differs from another, so that k draws are one draw.
    """
    scores = Scores(run)
    effect = flip_effect(scores.counts, total=len(run.records))
    chance = float((1 - 1 / run.records.options).mean()) if len(run.records) else np.nan
    sham, destroy = effect.sham, effect.destroy
    verdict, reason = GO, "steady"
    if sham.value is None:
        verdict, reason = STOP, "no_score"
    elif sham.value >= chance:
        verdict, reason = STOP, "like_chance"
    elif sham.high is not None and sham.high >= chance:
        verdict, reason = CARE, "perhaps_chance"
    elif run.k > 1 and _all_alike(run):
        verdict, reason = CARE, "deterministic"
    elif sham.value > NOISY:
        verdict, reason = CARE, "noisy"
    spread = None
    if sham.value is not None and destroy.value is not None:
        spread = {
            str(k): float(np.sqrt(delta_variance(sham.value, destroy.value, k))) for k in CANDIDATES
        }
    figures = {
        "self": _own_flips(run, scores),
        "sham": plain(sham),
        "invalid": plain(effect.sham_invalid),
        "chance": chance,
        "sd_of_one_question": spread,
    }
    return _step(1, verdict, reason, figures)


def effect_step(runs: Sequence[ProbedRun]) -> Row:
    """Step 2: does destroying add to that, in every run?

    Goes on where Delta's interval lies above 0 in every run. Where it does in none, stops if the
    intervals rule out a Delta of `MATTERS`; a pilot that cannot do even that is too small to stop.
    """
    deltas = []
    for run in runs:
        scores = Scores(run)
        deltas.append(flip_effect(scores.counts, total=len(run.records)).delta)
    above = [delta.low is not None and delta.low > 0 for delta in deltas]
    most = max((delta.high for delta in deltas if delta.high is not None), default=None)
    if all(above):
        verdict, reason = GO, "every_run"
    elif any(above):
        verdict, reason = CARE, "some_runs"
    elif most is not None and most >= MATTERS:
        verdict, reason = CARE, "too_small"
    else:
        verdict, reason = STOP, "no_effect"
    counted = [run for run, delta in zip(runs, deltas, strict=True) if delta.value is not None]
    over = [row for row in (table_1(counted) if counted else ()) if row["metric"] == "delta"]
    figures = {
        "delta": [plain(delta) for delta in deltas],
        "most": most,
        "over_runs": over[0] if over else None,
    }
    return _step(2, verdict, reason, figures)


def resolution_step(runs: Sequence[ProbedRun]) -> Row:
    """Step 3: what can the score of one question say at this budget?

    Reliability is the mean correlation of two runs, or where there is one run that of its halves.
    """
    scores = [Scores(run) for run in runs]
    first = scores[0]
    effect = flip_effect(first.counts, total=len(runs[0].records))
    pairs = [or_why(partial(compare_runs, a, b)) for a, b in combinations(scores, 2)]
    found = [pair["pearson"]["value"] for pair in pairs if "pearson" in pair]
    known = [value for value in found if value is not None]
    blocks = first.blocks()
    halves = blocks["reliability"]["split_half"]
    reliability = float(np.mean(known)) if known else halves.get("full", {}).get("value")
    verdict, reason = CARE, "unknown"
    if reliability is not None:
        verdict, reason = (GO, "reliable") if reliability >= RELIABLE else (CARE, "unreliable")
    figures = {
        "observed": {name: plain(getattr(effect, name)) for name in SIGNS},
        "homogeneous": homogeneous_signs(first.counts) if first.scored.any() else None,
        "tie_excess": plain(tie_excess(first.counts, rng=first.rng("pilot ties"))),
        "pairs": pairs,
        "reliability": reliability,
        "of_runs": bool(known),
        "needed": _draws_for(reliability, first.run.k),
        "discoveries": blocks["discoveries"],
    }
    return _step(3, verdict, reason, figures)


def budget_step(run: ProbedRun, few: int) -> Row:
    """Step 4: what do more draws of the same questions change, in scores and in the deferred set?

    Args:
        run: with all its draws.
        few: draws before it was extended.
    """
    before, after = Scores(run.first(few)), Scores(run)
    moved = transition(before.counts, after.counts, rng=after.rng("pilot budgets"))
    same = moved.inclusive.value
    verdict, reason = (GO, "stable") if same is None or same >= STABLE else (CARE, "moves")
    ties = int(moved.counts[1].sum())
    figures = {
        "from": few,
        "to": run.k,
        "counts": plain(moved.counts),
        "ties": ties,
        "ties_resolved": int(moved.counts[1, 0] + moved.counts[1, 2]),
        "inclusive": plain(moved.inclusive),
        "left": plain(moved.left),
    }
    return _step(4, verdict, reason, figures)


def routing_step(routing: Row, k: int) -> Row:
    """Step 5: does the score find the questions that the fallback repairs?

    Goes on where the inclusive policy gains, beats deferring everything, and beats random policies
    of its size.

    Args:
        routing: the routing block of a report.
        k: draws that it was made with.
    """
    if "why" in routing:
        return _step(5, SKIPPED, "no_routing", {"why": routing["why"]})
    rows = {row["policy"]: row for row in routing["rows"]}
    plainly = routing["controls"]["inclusive"]["plain"]
    gain, against = rows["inclusive"]["gain"], routing["against_always"]
    verdict, reason = GO, "pays"
    if not _above_zero(gain):
        verdict, reason = CARE, "no_gain"
    elif not _above_zero(against):
        verdict, reason = CARE, "always_as_good"
    elif plainly["exact_p"] >= SIGNIFICANT:
        verdict, reason = CARE, "random_as_good"
    names = ("selected", "repairs", "harms", "net", "accuracy", "gain", "yielded")
    figures = {
        "k": k,
        "universe": routing["universe"],
        "fallback": routing["fallback"],
        "policies": {
            name: {part: rows[name][part] for part in names}
            for name in ("never", "strict", "inclusive", "always", "oracle")
        },
        "against_always": against,
        "controls": routing["controls"]["inclusive"],
    }
    return _step(5, verdict, reason, figures)


def left_out(number: int, reason: str) -> Row:
    """Return a step that was not taken, and why."""
    return _step(number, SKIPPED, reason, {})


def _step(number: int, verdict: str, reason: str, figures: Row) -> Row:
    return {"step": number, "verdict": verdict, "reason": reason, "figures": figures}


def _own_flips(run: ProbedRun, scores: Scores) -> Row:
    flips = run.records.flips(run.label("self"))
    valid = (flips >= 0).sum(axis=1)
    use = valid > 0
    rates = (flips == FLIPPED).sum(axis=1)[use] / valid[use]
    groups = run.records.groups.where(use)
    return dict(plain(mean_by_cluster(rates, groups, bounds=(0.0, 1.0), total=len(run.records))))


def _all_alike(run: ProbedRun) -> bool:
    """Say whether no question has two different answers in any condition."""
    for name in ("self", "sham", "destroy"):
        chosen = run.records.chosen[run.label(name)]
        if (chosen != chosen[:, :1]).any():
            return False
    return True


def _draws_for(reliability: float | None, k: int) -> float | None:
    """Return the draws for `RELIABLE`, by Spearman-Brown backwards to a single draw."""
    if reliability is None or not 0 < reliability < 1:
        return None
    single = reliability / (k - (k - 1) * reliability)
    return replays_for_reliability(RELIABLE, single)


def _above_zero(estimate: Row) -> bool:
    return estimate["low"] is not None and estimate["low"] > 0
