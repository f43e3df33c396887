"""A pilot in words: its steps in the terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from vidence.report import numbers
from vidence.report.text_figures import long, points, short
from vidence.report.untrusted import markdown, visible

Data = Mapping[str, Any]

TITLES = {
    1: "How noisy are replays of intact evidence?",
    2: "Does destroying evidence change more?",
    3: "What can one question's score say?",
    4: "What do more draws change?",
    5: "Would deferring low scores pay?",
}
VERDICTS = {"go": "go on", "care": "with care", "stop": "stop", "skipped": "not done"}
USES = {
    "aggregate": "mean Delta of the agent",
    "questions": "scores of single questions",
    "routing": "deferring by the score",
}
ENDS = {
    "go": "Go on: every step that was taken speaks for a full probe.",
    "care": "Go on with care: read the steps marked so before a full probe.",
    "stop": "Stop: a full probe would not answer the question as things are.",
}
REASONS_1 = {
    "steady": "That leaves room for an effect to show.",
    "noisy": "That is much: a single score needs many draws, the mean many questions.",
    "deterministic": "No two draws of a question differ: k draws are one draw. Give the "
    "answerer or the renderer a temperature, or probe with k = 1.",
    "like_chance": "That is as much as drawing an option: the replays do not reproduce the "
    "agent, so destroying cannot show. Check the answerer, its prompt and its parser.",
    "perhaps_chance": "The interval does not rule out that replays are no better than "
    "drawing an option: take more questions.",
    "no_score": "No question has a valid draw in both conditions. See why no option could "
    "be read: vidence agent report on the run.",
}
NOT_DONE = {
    "stopped": "An earlier step said stop, so nothing was spent on this one.",
    "not_asked": "Not asked for. Extend the first run: --deep 10.",
    "no_fallback": "Nobody was named to answer instead. Name a member of the panel: "
    "--fallback NAME.",
}


def pilot_lines(data: Data) -> list[str]:
    """Return a line a step and the decision.

    Args:
        data: of `vidence.audits.agent_pilot.run_pilot`.
    """
    lines = [_about(data)]
    for step in data["steps"]:
        lines.append(f"{step['step']}  {VERDICTS[step['verdict']]:<9} {TITLES[step['step']]}")
        lines += [f"   {sentence}" for sentence in sentences(step)]
    lines += [_cost(data), ENDS[data["decision"]["verdict"]]]
    lines += [f"   {title}: {VERDICTS[data['decision'][name]]}" for name, title in USES.items()]
    return lines


def pilot_markdown(data: Data) -> str:
    """Return the pilot as GitHub Markdown."""
    parts = [f"# Pilot of {markdown(data['agent'])}", markdown(_about(data), 1000)]
    for step in data["steps"]:
        parts.append(f"## {step['step']}. {TITLES[step['step']]} ({VERDICTS[step['verdict']]})")
        parts += [markdown(sentence, 1000) for sentence in sentences(step)]
    uses = "\n".join(
        f"- {title}: {VERDICTS[data['decision'][name]]}" for name, title in USES.items()
    )
    parts += ["## Whether to go on", ENDS[data["decision"]["verdict"]], uses, _cost(data)]
    return "\n\n".join(parts) + "\n"


def sentences(step: Data) -> list[str]:
    """Return what a step found, and what follows from it.

    Args:
        step: of the pilot.
    """
    if step["reason"] in NOT_DONE:
        return [NOT_DONE[step["reason"]]]
    told = {1: _noise, 2: _effect, 3: _resolution, 4: _budget, 5: _routing}
    return list(told[step["step"]](step["reason"], step["figures"]))


def _noise(reason: str, found: Data) -> list[str]:
    if found["sham"]["value"] is None:
        return [REASONS_1["no_score"]]
    said = [
        f"Intact replays change {long(found['sham'])} of answers, the logged words read again "
        f"{short(found['self'])}; an option drawn at random would change "
        f"{numbers.percent(found['chance'])}."
    ]
    spread = found["sd_of_one_question"]
    if spread:
        by_k = ", ".join(f"{value:.2f} at k = {k}" for k, value in spread.items())
        said.append(f"SD of one question's Delta at the pooled rates: {by_k}.")
    said.append(REASONS_1[reason])
    return said


def _effect(reason: str, found: Data) -> list[str]:
    runs = "; ".join(
        f"run {i + 1}: {points(delta)} points (n = {numbers.of(delta)})"
        for i, delta in enumerate(found["delta"])
    )
    said = [f"Delta, {runs}."]
    over = found["over_runs"]
    if over and over["sd"] is not None:
        said.append(
            f"Over the runs: mean {100 * over['mean']['value']:+.1f}, SD {100 * over['sd']:.1f}."
        )
    said.append(
        {
            "every_run": "The interval lies above 0 in every run.",
            "some_runs": "The interval lies above 0 in some runs only: take more questions.",
            "too_small": "In no run does the interval lie above 0, and none rules out "
            f"{100 * (found['most'] or 0):.0f} points: the pilot is too small to tell. Take more "
            "questions.",
            "no_effect": "In no run does the interval lie above 0: destroying frames changes no "
            "more than showing them again. The agent may answer from words.",
        }[reason]
    )
    return said


def _resolution(reason: str, found: Data) -> list[str]:
    signs = ", ".join(f"{name} {short(value)}" for name, value in found["observed"].items())
    said = [f"Signs: {signs}."]
    if found["homogeneous"]:
        made = ", ".join(
            f"{name} {numbers.percent(value)}" for name, value in found["homogeneous"].items()
        )
        said.append(f"If all questions flipped at the pooled rates: {made}.")
    if found["tie_excess"]["value"] is not None:
        said.append(f"Ties beyond that: {points(found['tie_excess'])} points.")
    for pair in found["pairs"]:
        if "why" in pair:
            said.append(pair["why"])
            continue
        said.append(
            f"Two runs: r = {_r(pair['pearson'])}, same sign {short(pair['sign'])}, Jaccard of "
            f"Delta < 0 {short(pair['strict'])}, of Delta <= 0 {short(pair['inclusive'])}."
        )
    said.append(visible(found["discoveries"]["sentence"], 400))
    value, needed = found["reliability"], found["needed"]
    where = "of two runs" if found["of_runs"] else "of one run's halves, stepped up"
    draws = f" About {ceil(needed - 1e-9)} draws a condition would reach 0.8." if needed else ""
    said.append(
        {
            "reliable": f"Reliability {where}: {value or 0:.2f}; single scores can be ranked.",
            "unreliable": f"Reliability {where}: {value or 0:.2f}. Single scores are mostly noise "
            f"at this budget.{draws} The mean needs questions and not draws.",
            "unknown": "Reliability cannot be told from these draws; trust no single score.",
        }[reason]
    )
    return said


def _budget(reason: str, found: Data) -> list[str]:
    few, many = found["from"], found["to"]
    return [
        f"From k = {few} to {many}, {found['ties_resolved']} of {found['ties']} ties get a sign; "
        f"the sets Delta <= 0 share {short(found['inclusive'])} (Jaccard).",
        {
            "stable": "The deferred set is nearly the same: the smaller budget will do for it.",
            "moves": "The deferred set changes with the budget: a rule fitted at one does not hold "
            "at the other. Choose it at the budget that will be used.",
        }[reason],
    ]


def _routing(reason: str, found: Data) -> list[str]:
    if reason == "no_routing":
        return [found["why"]]
    row, plain = found["policies"]["inclusive"], found["controls"]["plain"]
    rows = "; ".join(
        f"{name} {points(found['policies'][name]['gain'])}"
        for name in ("strict", "inclusive", "always", "oracle")
    )
    return [
        f"Deferring Delta <= 0 at k = {found['k']} moves {row['selected']} of {found['universe']} "
        f"questions to {visible(found['fallback'], 60)}: "
        f"{numbers.plural(row['repairs'], 'repair')}, {numbers.plural(row['harms'], 'harm')}.",
        f"Gain, points: never 0; {rows}. Inclusive minus always: "
        f"{points(found['against_always'])}.",
        f"Random policies of its size: net {plain['mean']:.1f} ({plain['low']:.0f} to "
        f"{plain['high']:.0f}), this one {plain['observed']}, p = {plain['exact_p']:.3f}.",
        {
            "pays": "It gains, beats deferring everything, and beats random policies of its size.",
            "no_gain": "No gain is shown at this size.",
            "always_as_good": "Deferring everything is as good: the probe is not worth its calls.",
            "random_as_good": "Random policies of its size do as well.",
        }[reason],
    ]


def _about(data: Data) -> str:
    chosen, plan = data["chosen"], data["plan"]
    return (
        f"Pilot of {visible(data['agent'], 60)}: {chosen['questions']} of {chosen['of']} questions "
        f"that can be probed, {chosen['videos']} of {chosen['of_videos']} videos; k = {plan['k']}, "
        f"{numbers.plural(plan['runs'], 'run')}."
    )


def _cost(data: Data) -> str:
    whole = data["cost"]["all"]
    return (
        f"A probe of all {numbers.count(data['cost']['questions'])} questions at k = "
        f"{data['plan']['k']} would take about {numbers.count(round(whole['renderings']))} "
        f"renderings, {numbers.count(round(whole['calls']))} answers and "
        f"{numbers.seconds(whole['seconds'])} of calls, as measured here."
    )


def _r(estimate: Data) -> str:
    if estimate["value"] is None:
        return numbers.NONE
    if estimate["low"] is None:
        return f"{estimate['value']:.2f}"
    return f"{estimate['value']:.2f} ({estimate['low']:.2f} to {estimate['high']:.2f})"
