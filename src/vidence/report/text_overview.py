"""Text-only audits of several benchmarks side by side: what the table and the picture hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vidence.report import numbers, text_figures
from vidence.report.numbers import Estimate, number

Overview = Mapping[str, Any]

TOGETHER = {
    "pooled": "all questions as one",
    "macro": "mean of benchmarks",
}
RULES = ("chance", "majority_position", "longest_option")
ALPHA = 0.05
"""Level of a claim, shared by all benchmarks of an overview."""


@dataclass(frozen=True)
class Line:
    """A benchmark, or all of them together.

    Args:
        name: of the benchmark's folder or form; of the way of taking them together.
        title: for people.
        n, videos: scored questions and their videos.
        chance, majority, longest, learner, over_chance: estimates; None where there is none.
        p, permutations: of the learner.
        together: it is about all benchmarks.
    """

    name: str
    title: str
    n: Any
    videos: Any
    chance: Estimate | None
    majority: Estimate | None
    longest: Estimate | None
    learner: Estimate | None
    over_chance: Estimate | None
    p: Any = None
    permutations: Any = None
    together: bool = False


def lines(overview: Overview) -> list[Line]:
    """Return a line a benchmark, most over chance first."""
    found = [_line(name, data) for name, data in overview["benchmarks"].items()]
    return sorted(found, key=lambda line: -_or_lowest(line.over_chance))


def together(overview: Overview) -> list[Line]:
    """Return what all benchmarks reach together, each way of counting under its name."""
    found = []
    for name, given in (overview.get("together") or {}).items():
        if not isinstance(given, Mapping) or not text_figures.is_estimate(given.get("learner")):
            continue
        rules = given.get("priors") or {}
        chance, majority, longest = (_accuracy(rules.get(rule)) for rule in RULES)
        learner = given["learner"]
        found.append(
            Line(
                name,
                str(given.get("title") or TOGETHER.get(name, name.replace("_", " "))),
                given.get("n", learner["n"]),
                given.get("videos", learner.get("clusters")),
                chance or _accuracy(given.get("chance")),
                majority,
                longest,
                learner,
                given.get("over_chance"),
                given.get("p"),
                given.get("permutations"),
                together=True,
            )
        )
    return found


def sentence(overview: Overview) -> str:
    """Return the one sentence that the overview opens with."""
    mine = lines(overview)
    measured = [line for line in mine if line.learner and number(line.learner["value"]) is not None]
    start = f"{numbers.plural(len(mine), 'benchmark')}, " + numbers.plural(
        sum(number(line.n) or 0 for line in mine), "question"
    )
    if not measured:
        return f"{start}: nothing could be scored."
    leaky = beyond_luck(measured)
    many = numbers.count(len(leaky)) if leaky else "none"
    told = (
        f"{start}: a learner that sees only the text is beyond luck in "
        f"{many} of {numbers.count(len(measured))}"
    )
    first = (leaky or measured)[0]
    if not leaky:
        return f"{told}."
    gain = text_figures.gain(first.over_chance)
    return f"{told}, furthest in {first.title} ({gain} points over chance)."


def beyond_luck(lines: Sequence[Line]) -> list[Line]:
    """Return the benchmarks whose learner is above chance and beyond shuffled keys.

    p is adjusted for the number of benchmarks by Holm's method.
    """
    from vidence.stats import holm

    tested = [line for line in lines if number(line.p) is not None]
    adjusted = holm([float(line.p) for line in tested])
    return [
        line
        for line, p in zip(tested, adjusted, strict=True)
        if passes(p) and _or_lowest(line.over_chance) > 0
    ]


def passes(p: Any) -> bool:
    """Return whether a p value is there and luck does not explain the figure."""
    given = number(p)
    return given is not None and given <= ALPHA


def notes(overview: Overview) -> list[str]:
    """Return sentences on how to read the lines together."""
    tested = [line for line in lines(overview) if number(line.p) is not None]
    told = []
    if len(tested) > 1:
        told.append(
            f"Beyond luck: p is at most {ALPHA} with Holm's correction over the {len(tested)} "
            "benchmarks tested. In the table every p stands alone."
        )
    told += _strings((overview.get("together") or {}).get("notes"))
    return told + _strings(overview.get("notes"))


def failed(overview: Overview) -> list[tuple[str, str]]:
    """Return the folders that could not be audited, with the reason."""
    return [(str(one["name"]), str(one["reason"])) for one in overview.get("failed") or ()]


def unknown(overview: Overview) -> list[str]:
    """Return the folders in which no known benchmark was found."""
    given: Sequence[Any] = overview.get("unknown") or ()
    return [str(one.get("name") if isinstance(one, Mapping) else one) for one in given]


def _line(name: str, data: Mapping[str, Any]) -> Line:
    learner = data["learner"] or {}
    chance, majority, longest = (_accuracy(data["priors"].get(rule)) for rule in RULES)
    return Line(
        name,
        str(data["title"]),
        data["cases"]["scored"],
        data["cases"]["videos"],
        chance,
        majority,
        longest,
        learner.get("accuracy"),
        learner.get("over_chance"),
        learner.get("p"),
        learner.get("permutations"),
    )


def _accuracy(given: Any) -> Estimate | None:
    """Return an estimate, be it bare or the accuracy of a row."""
    if text_figures.is_estimate(given):
        found: Estimate = given
        return found
    return given["accuracy"] if isinstance(given, Mapping) and "accuracy" in given else None


def _or_lowest(estimate: Estimate | None) -> float:
    value = number((estimate or {}).get("value"))
    return -1.0 if value is None else value


def _strings(given: Any) -> list[str]:
    return [str(one) for one in given] if isinstance(given, list | tuple) else []
