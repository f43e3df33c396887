"""Pictures in words, for readers who do not see them, and small facts about a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vidence.report import numbers
from vidence.report.tables import at
from vidence.report.untrusted import visible

Data = Mapping[str, Any]


def labels(
    data: Data, rates: Sequence[Mapping[str, Any]], kinds: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """Return a text for each chart, with its numbers."""
    points = "; ".join(
        f"at least {point['c']} right: {numbers.short(point['shortcut'])} flagged, luck alone "
        f"{numbers.value(point['luck'])}"
        for point in data["curve"]
    )
    return {
        "curve": f"Share of questions flagged against the number of models right. {points}.",
        "accuracy": "Right answers of each model under each check, with intervals and chance. "
        + _ranges(data),
        "flags": f"Share flagged by each check at {data['headline']['threshold']} right. "
        + _flags(data),
        "calibration": "Found and wrongly flagged, by check. " + _pairs(rates, "found", "wrong"),
        "planted": "Flagged and excess over luck, by kind. " + _pairs(kinds, "flagged", "excess"),
    }


def bounded(data: Data) -> float:
    """Return how far apart missing replies could put a point of the curve, as a share."""
    ends = [point["bounds"] for point in data["curve"] if point.get("bounds")]
    return max((high - low for low, high in ends if None not in (low, high)), default=0.0)


def together(data: Data) -> str:
    """Say what several checks together find of what was planted; empty where it is not known."""
    given = data.get("together")
    if not given or not given.get("planted"):
        return ""
    names = [visible(check, 60) for check in given["checks"]]
    whole = f"{' and '.join([', '.join(names[:-1]), names[-1]])}" if len(names) > 1 else names[0]
    return (
        f"Together, {whole} find {numbers.count(given['found'])} of "
        f"{numbers.count(given['planted'])} cases planted for any of them: "
        f"{numbers.short(given['found_rate'])}."
    )


def versions(data: Data) -> list[tuple[str, str]]:
    """Return names and words for the table of versions."""
    run = data["run"]
    rows = [
        ("Vidence", run.get("vidence")),
        ("Seed", run.get("seed")),
        ("Created", run.get("created")),
        ("Python", run.get("python")),
        *(run.get("packages") or {}).items(),
        *((f"Role: {role}", name) for role, name in (run.get("roles") or {}).items()),
    ]
    return [(str(name), numbers.NONE if word is None else str(word)) for name, word in rows]


def sentence(words: str) -> str:
    """Return words as a sentence."""
    return f"{words[:1].upper()}{words[1:].rstrip('.')}."


def _ranges(data: Data) -> str:
    found: dict[str, list[float]] = {}
    for row in data["accuracy"]:
        value = numbers.number(row["accuracy"]["value"])
        if value is not None:
            found.setdefault(row["check"], []).append(value)
    return "; ".join(
        f"{visible(check, 60)}: {numbers.percent(min(mine))} to {numbers.percent(max(mine))}"
        for check, mine in found.items()
    )


def _flags(data: Data) -> str:
    chosen = data["headline"]["threshold"]
    return "; ".join(
        f"{visible(row['check'], 60)}: {numbers.value(at(row['flagged'], chosen, row))}"
        for row in data["checks"]
    )


def _pairs(rows: Sequence[Mapping[str, Any]], first: str, second: str) -> str:
    return "; ".join(
        f"{visible(row['name'], 60)}: {first} {numbers.value(row['first'])}, "
        f"{second} {numbers.value(row['second'])}"
        for row in rows
    )
