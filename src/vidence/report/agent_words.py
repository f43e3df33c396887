"""An agent's figures in words: charts for readers who do not see them, and what to make of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vidence.report import numbers, text_figures
from vidence.report.agent_policy_tables import POLICIES
from vidence.report.agent_tables import correlation, p_value, rung_name
from vidence.report.heat import STEPS, Cell, Heat
from vidence.report.numbers import count
from vidence.report.tables import FEW
from vidence.report.text_figures import is_estimate, points
from vidence.report.untrusted import visible

Data = Mapping[str, Any]

TAGS = 4
"""Tags with a coloured table of their own."""


def deltas(data: Data) -> str:
    """Say what the chart of all agents shows."""
    mine = (f"{visible(name, 60)}: {points(b['delta'])}" for name, b in data["agents"].items())
    return f"Delta of each agent in points. {'; '.join(mine)}."


def labels(block: Data) -> dict[str, str]:
    """Return a text for each chart, with its numbers."""
    bins = "; ".join(
        f"{numbers.difference(one['score'])}: {count(one['n'])}" for one in block["distribution"]
    )
    rungs = "; ".join(
        f"{visible(rung_name(rung), 80)}: {numbers.value(rung['flips'])} flips, "
        f"{numbers.value(rung['accuracy'])} right"
        for rung in block["ladder"]
    )
    rows = "; ".join(
        f"{POLICIES.get(row['policy'], row['policy'])}: {numbers.value(row['accuracy'])} right, "
        f"{count(row['selected'])} deferred"
        for row in block["routing"].get("rows", ())
    )
    trusts = "; ".join(
        f"{name.replace('_', ' ')}: AURC {correlation(facts['aurc'])}"
        for name, facts in block["selective"].get("scores", {}).items()
    )
    return {
        "distribution": f"Questions by Delta in points. {bins}.",
        "ladder": f"Flips and right answers under each condition. {rungs}.",
        "routing": f"Accuracy against the share deferred. {rows}.",
        "trust": f"Accuracy of the most trusted answers against the share kept. {trusts}.",
    }


def words(block: Data) -> dict[str, str]:
    """Return the sentences that stand beside tables and charts."""
    return {
        "signs": _signs(block),
        "discoveries": block["discoveries"]["sentence"],
        "fit": _fit(block),
        "routing": _routing(block),
        "yield": _yield(block),
        "guarantees": _guarantees(block),
        "consistency": _consistency(block),
        "coverage": _coverage(block),
    }


def agreement(data: Data) -> str:
    """Say what several runs of one agent have in the mean; empty where agents differ."""
    runs = (data["agreement"] or {}).get("runs")
    if not runs or numbers.number(runs["mean"]["value"]) is None:
        return ""
    spread = numbers.number(runs["sd"])
    beside = "" if spread is None else f", SD over runs {100 * spread:.1f} points"
    return (
        f"Mean Delta over {numbers.plural(runs['mean']['n'], 'run')}: {points(runs['mean'])} "
        f"points{beside}. Runs are replications; their draws are not pooled."
    )


def heats(block: Data, number: int) -> list[Heat]:
    """Return a table a tag: Delta and the flips by value."""
    tags = list(dict.fromkeys(row["tag"] for row in block["categories"]))[:TAGS]
    return [_heat(block, number, place, tag) for place, tag in enumerate(tags)]


def _heat(block: Data, number: int, place: int, tag: str) -> Heat:
    mine = [row for row in block["categories"] if row["tag"] == tag]
    rows, used = [], []
    for row in mine:
        used += [row["delta"], row["sham"], row["destroy"]]
        rows.append((row["value"] or "(no value)", tuple(_cells(row))))
    head = ("Delta, points", "sham flips", "destroy flips")
    caption = f"Delta by {tag}"
    methods = numbers.methods(used)
    return Heat(f"where-{number}-{place}", caption, tag, head, tuple(rows), methods)


def _cells(row: Data) -> list[Cell]:
    delta, n = row["delta"], row["delta"]["n"]
    under, few = f"n = {count(n)}", n < FEW
    value = numbers.number(delta["value"])
    step = None if value is None else min(STEPS, round(STEPS * abs(value)))
    told = f"{row['value']}: {points(delta)} points, {under}"
    first = Cell(points(delta), under, step, few, told, below=value is not None and value < 0)
    return [
        first,
        *(
            Cell(text_figures.value(row[part]), under, None, few, text_figures.long(row[part]))
            for part in ("sham", "destroy")
        ),
    ]


def _signs(block: Data) -> str:
    excess = block["signs"]["tie_excess"]
    if not is_estimate(excess) or numbers.number(excess["value"]) is None:
        return ""
    return (
        f"Ties beyond what pooled rates give: {points(excess)} points. An excess says that "
        "questions differ; it is no property of a single tie."
    )


def _fit(block: Data) -> str:
    fit = block["fit"]
    if "why" in fit:
        return f"How questions differ was not fitted: {fit['why']}"
    edge = f" On the edge of what is allowed: {', '.join(fit['edge'])}." if fit["edge"] else ""
    return (
        f"Of the models of how questions differ, {fit['best']} has the least AIC.{edge} Posteriors "
        "take the fitted prior as known."
    )


def _routing(block: Data) -> str:
    given = block["routing"]
    if "why" in given:
        return str(given["why"])
    aside = f", {count(given['aside'])} of them not probed" if given["aside"] else ""
    return (
        f"Over {numbers.plural(given['universe'], 'question')} with a key{aside}. The fallback is "
        f"{given['fallback']} under {given['check']}; it gave an answer to "
        f"{count(given['answered'])}. A question without a score, or without the fallback's "
        "answer, keeps the agent's."
    )


def _yield(block: Data) -> str:
    """Compare the policy with deferring everything: the row that is so often left out."""
    given = block["routing"]
    if "why" in given:
        return ""
    against = given["against_always"]
    known = numbers.number(against["low"]), numbers.number(against["high"])
    if known[0] is not None and known[1] is not None and known[1] < 0:
        verdict = "deferring everything is better"
    elif known[0] is not None and known[0] > 0:
        verdict = "the score earns its place"
    else:
        verdict = "which of the two is better is not shown"
    area = given["uplift"]
    beside = ""
    if is_estimate(area) and numbers.number(area["value"]) is not None:
        beside = f" Averaged over all budgets, the score gains {points(area)} points over random."
    return f"Inclusive minus always: {points(against)} points, paired by video: {verdict}.{beside}"


def _guarantees(block: Data) -> str:
    given = block["routing"].get("guarantees")
    if not given:
        return ""
    harms, gain = given["harms"], given["gain"]
    parts = []
    if "why" not in harms:
        parts.append(
            f"No threshold keeps the expected harm on a new video at {100 * harms['alpha']:.0f} %."
            if harms["threshold"] is None
            else f"Deferring where Delta <= {harms['threshold']:.3g} keeps the expected share of a "
            f"new video's questions that are harmed at {100 * harms['alpha']:.0f} % or less."
        )
    if "why" not in gain:
        parts.append(
            f"No gain is proved at any of {numbers.plural(gain['tried'], 'threshold')} (p at the "
            f"first {p_value(gain['p'])})."
            if gain["best"] is None
            else f"A gain on new videos is proved for {count(gain['proved'])} of "
            f"{numbers.plural(gain['tried'], 'threshold')}, best at Delta <= {gain['best']:.3g}."
        )
    return " ".join(parts)


def _consistency(block: Data) -> str:
    given = block["routing"].get("self_consistency")
    if not given:
        return ""
    return (
        "Without a fallback, the most frequent answer of the self replays would change "
        f"{numbers.plural(given['selected'], 'answer')}: {count(given['repairs'])} repairs, "
        f"{count(given['harms'])} harms, gain {points(given['gain'])} points."
    )


def _coverage(block: Data) -> str:
    given = block["coverage"]
    if given is None:
        return ""
    return (
        f"Of {numbers.plural(given['questions'], 'question')} with an annotated span and a known "
        f"look, the agent looked at the annotated time in {numbers.short(given['covered'])}."
    )
