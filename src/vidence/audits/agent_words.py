"""What a probe's figures say in sentences: the headline, and what to know beside it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

Data = Mapping[str, Any]

FEW_VIDEOS = 20
LOST = 0.05
"""Share of invalid draws from which it is said."""


def headline(blocks: Mapping[str, Data]) -> dict[str, Any]:
    """Return the report's sentence: Delta of the one agent, or of each of several."""
    parts = {name: _sentence(block) for name, block in blocks.items()}
    if len(parts) == 1:
        ((name, block),) = blocks.items()
        return {"sentence": parts[name], "agent": name, **_figures(block)}
    lines = "; ".join(f"{name}: {_points(block['delta'])}" for name, block in blocks.items())
    return {"sentence": f"Delta, points by which destroying frames changes answers more: {lines}."}


def notes(blocks: Mapping[str, Data]) -> list[str]:
    """Return what a reader should know beside the figures."""
    found = []
    for name, block in blocks.items():
        mine = f"{name}: " if len(blocks) > 1 else ""
        found += [mine + note for note in _notes(block)]
    return found


def commands(blocks: Mapping[str, Data]) -> list[dict[str, str]]:
    """Return what to do next."""
    found = []
    for block in blocks.values():
        run = shlex.quote(block["folder"])
        wanted = (block["reliability"].get("needed") or {}).get("0.8")
        more = max(block["k"] + 1, min(50, round(wanted + 0.5))) if wanted else 3 * block["k"]
        found += [
            (f"Draw more: k = {more}; the draws that are there stay", f"probe {run} --k {more}"),
            (
                "See what is left without any evidence, and with another video's",
                f"probe {run} --condition no_evidence --condition swapped_evidence",
            ),
        ]
        if "why" in block["routing"]:
            found.append(("Ask who could answer instead", f"probe {run} --fallback NAME"))
        found.append(("Write this report again", f"report {run}"))
    unique = dict.fromkeys(found)
    return [{"title": title, "command": f"vidence agent {words}"} for title, words in unique]


def _figures(block: Data) -> dict[str, Any]:
    return {"delta": block["delta"], "k": block["k"], "resolved": block["resolved"]}


def _sentence(block: Data) -> str:
    delta, counts = block["delta"], block["counts"]
    if delta["value"] is None:
        return (
            f"No question has a valid draw in both conditions ({counts['probed']} probed), so "
            "there is no score."
        )
    said = _effect(delta)
    share = block["resolved"].get("share") or {}
    if share.get("value") is None:
        return f"{said} At k = {block['k']} no single question's sign is claimed."
    return (
        f"{said} At k = {block['k']} the sign is resolved for "
        f"{100 * share['value']:.0f} % of questions."
    )


def _effect(delta: Data) -> str:
    """Say what the interval allows: more often, less often, or neither."""
    rests = f"{_interval(delta)}{delta['n']:,} questions, {_videos(delta['clusters'])}"
    value = 100 * delta["value"]
    if _certain(delta) and value > 0:
        return (
            f"Destroying the retrieved frames changes the answer {value:.1f} points more often "
            f"than replaying them as they were ({rests})."
        )
    if _certain(delta):
        return (
            f"Destroying the retrieved frames changes the answer {-value:.1f} points less often "
            f"than replaying them as they were (Delta {value:.1f}, {rests})."
        )
    return (
        "It is not shown that destroying the retrieved frames changes the answer more often than "
        f"replaying them as they were: Delta {value:+.1f} points ({rests})."
    )


def _points(delta: Data) -> str:
    if delta["value"] is None:
        return "no score"
    return f"{100 * delta['value']:+.1f} ({_interval(delta)}{delta['n']:,} questions)"


def _interval(estimate: Data) -> str:
    low, high = estimate["low"], estimate["high"]
    if low is None or high is None:
        return "no interval; "
    level = 100 * (estimate.get("level") or 0.95)
    return f"{level:.0f} % interval {100 * low:.1f} to {100 * high:.1f}; "


def _videos(n: int | None) -> str:
    return "1 video" if n == 1 else f"{n or 0:,} videos"


def _notes(block: Data) -> list[str]:
    counts, effect = block["counts"], block["effect"]
    found = []
    if block["undone"]:
        found.append(f"The probe is not complete: {block['undone']:,} cells were not asked yet.")
    if waiting := counts["eligible"] - counts["probed"]:
        found.append(f"{waiting:,} eligible questions were not probed and are in no table.")
    if gone := counts["probed"] - counts["valid"]:
        found.append(
            f"{gone:,} of {counts['probed']:,} questions have no valid draw in one of the two "
            "conditions and no score."
        )
    lost = max(effect[name]["value"] or 0.0 for name in ("sham_invalid", "destroy_invalid"))
    if lost > LOST:
        found.append(
            f"Up to {100 * lost:.0f} % of a condition's draws name no option. If all of them had "
            f"fallen one way, Delta would lie between {100 * effect['lowest']:+.1f} and "
            f"{100 * effect['highest']:+.1f} points."
        )
    if _certain(effect["invalid_difference"]):
        found.append(
            "More draws are lost in one condition than in the other, so the flip rates are not "
            "over the same draws; read Delta with its bounds."
        )
    if 0 < (block["delta"]["clusters"] or 0) < FEW_VIDEOS:
        videos = _videos(block["delta"]["clusters"])
        found.append(f"Few videos ({videos}): intervals are wide, read with care.")
    if block["noise"]["answerer"]["value"] == 0 and block["k"] > 1:
        found.append(
            "No self replay changed an answer: the answerer has no noise of its own here, and "
            "several draws of a deterministic answerer are one draw."
        )
    return found


def _certain(estimate: Data) -> bool:
    low, high = estimate["low"], estimate["high"]
    return low is not None and high is not None and (low > 0 or high < 0)
