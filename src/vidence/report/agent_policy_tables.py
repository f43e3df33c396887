"""The tables of an agent's report on what its score is good for: routing and trust."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from vidence.report import numbers
from vidence.report.agent_tables import correlation, p_value
from vidence.report.numbers import NONE, count
from vidence.report.tables import Table, build
from vidence.report.text_figures import points, short

Data = Mapping[str, Any]

POLICIES = {
    "never": "never",
    "always": "always",
    "oracle": "oracle: exactly the repairs",
    "inclusive": "inclusive: Delta <= 0",
    "strict": "strict: Delta < 0",
    "posterior": "posterior: P(Delta > 0) <= 1/2",
    "self_disagrees": "most self replays differ",
}
MEASURES = {
    "aurc": "Area under risk-coverage (AURC)",
    "e_aurc": "AURC over the best order (E-AURC)",
    "augrc": "Area under generalised risk (AUGRC)",
    "aurc_70": "AURC over coverages 70-100 %",
}
TRUSTS = {
    "delta": "Delta",
    "self_agreement": "self replays that agree",
    "confidence": "the agent's confidence",
}
VOTES = {
    "self_consistency": "majority of all runs",
    "soft_self_consistency": "... weighted by evidence and agreement",
}


def policies(block: Data) -> Table:
    """Tabulate every policy on one universe; never, always and oracle among them."""
    rows, used = [], []
    for row in block["routing"].get("rows", ()):
        exact = row["selected"] == 0
        used += [row["accuracy"], *(() if exact else (row["gain"],))]
        rows.append(
            (
                POLICIES.get(row["policy"], row["policy"]),
                count(row["selected"]),
                count(row["repairs"]),
                count(row["harms"]),
                short(row["accuracy"]),
                "0" if exact else points(row["gain"]),
                per_call(row["net_per_call"]),
            )
        )
    head = ("Defer", "Deferred", "Repairs", "Harms", "Right", "Gain, points", "Net per 100 calls")
    why = block["routing"].get("why", "")
    return build("policies", "Policies", head, rows, used, (0,), why)


def yields(block: Data) -> Table:
    """Tabulate the yield of every policy that defers, split into how often and which way."""
    rows, used = [], []
    for row in block["routing"].get("rows", ()):
        if not row["selected"]:
            continue
        parts = [row["yielded"], row["changed"], row["repair_share"]]
        used += parts
        rows.append(
            (
                POLICIES.get(row["policy"], row["policy"]),
                points(parts[0]),
                *map(short, parts[1:]),
                numbers.of(parts[0]),
            )
        )
    head = (
        *("Defer", "Net per 100 deferred", "Correctness changes", "Of changes, repairs"),
        "n",
    )
    return build("yields", "Yield", head, rows, used)


def controls(block: Data) -> Table:
    """Tabulate the policies beside random ones that defer as many questions."""
    names = {
        "plain": "any questions",
        "video": "as many in each video",
        "evidence": "as many with as much evidence",
    }
    rows = []
    for policy, kinds in block["routing"].get("controls", {}).items():
        for kind, given in kinds.items():
            if "why" not in given:
                rows.append(
                    (
                        f"{policy}, {names[kind]}",
                        count(given["observed"]),
                        f"{given['mean']:.1f} ({given['low']:.0f} to {given['high']:.0f})",
                        numbers.percent(given["percentile"]),
                        p_value(given["p"]),
                        p_value(given["exact_p"]),
                    )
                )
    head = ("Against random", "Net", "Random net", "Percentile", "p, drawn", "p, exact")
    how = "Random nets: mean and central 95 % of 10,000 draws of the exact law; no interval"
    return replace(build("controls", "Matched random deferral", head, rows, []), methods=(how,))


def rivals(block: Data) -> Table:
    """Tabulate what other runs make of the same questions, paired with the agent's answers."""
    given = block["rivals"] or {}
    rows, used = [], []
    for row in given.get("rows", ()):
        used += [row["accuracy"], row["gain"]]
        calls = numbers.number(row["calls"])
        rows.append(
            (
                VOTES.get(row["method"], row["method"]),
                short(row["accuracy"]),
                points(row["gain"]),
                count(row["repairs"]),
                count(row["harms"]),
                p_value(row["p"]),
                NONE if calls is None else f"{calls:.1f}",
                numbers.of(row["accuracy"]),
            )
        )
    for one in given.get("left_out", ()):
        rows.append((f"{one['method']}: {one['why']}", *(NONE,) * 6, "0"))
    head = ("Answered by", "Right", "Gain, points", "Repairs", "Harms", "p", "Tool calls", "n")
    why = given.get("why", "")
    return build("rivals", "Other runs on the same questions", head, rows, used, (0,), why)


def selective(block: Data) -> Table:
    """Tabulate how well a score keeps right answers."""
    given = block["selective"].get("scores", {})
    rows, used = [], []
    for name, facts in given.items():
        parts = [(MEASURES[m], facts[m]) for m in MEASURES]
        parts += [
            (f"Right among the most trusted {100 * float(share):.0f} %", estimate)
            for share, estimate in facts["accuracy_at"].items()
        ]
        for title, estimate in parts:
            used.append(estimate)
            right = title.startswith("Right")
            shown = short(estimate) if right else correlation(estimate)
            rows.append((f"{TRUSTS.get(name, name)}: {title}", shown, numbers.of(estimate)))
    why = block["selective"].get("why", "")
    return build("selective", "Trust by score", ("What", "How much", "n"), rows, used, (0,), why)


def per_call(value: Any) -> str:
    """Write net repairs per 100 calls."""
    given = numbers.number(value)
    return NONE if given is None else f"{100 * given:.2f}".replace("-", numbers.MINUS)
