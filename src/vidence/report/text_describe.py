"""Sentences of a text-only report: pictures in words, and what its numbers rest on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vidence.report import numbers, text_figures, text_tables
from vidence.report.untrusted import visible

Data = Mapping[str, Any]


def labels(data: Data) -> dict[str, str]:
    """Return a text for each chart, with its numbers."""
    return {
        "guesses": "Share right by rule, with intervals, and chance as a line. "
        + _rows(text_tables.guesses(data)),
        "families": "Share right with one family of features alone, and without it. "
        + _rows(text_tables.families(data)),
        "calibration": "How often the learner is right against how sure it was. "
        + _rows(text_tables.calibration(data)),
        "scores": "Questions by held-out probability of the key. " + _scores(data),
        "overlap": "Share right by the words of transcripts. " + _rows(text_tables.overlap(data)),
        "pruning": "Share right on the rest against the share removed. "
        + _rows(text_tables.pruning(data)),
    }


def trust(data: Data) -> list[str]:
    """Return sentences on how the learner was judged."""
    learner = text_tables.measured(data)
    if not learner:
        return [f"Nothing was learned. {text_tables.nothing(data)}"]
    accuracy = learner["accuracy"]
    told = [
        "Every question is answered by a learner that has seen no question about the same video."
    ]
    if numbers.interval(accuracy):
        level = numbers.percent(accuracy.get("level") or 0.95)
        told.append(
            f"The {level} interval says how far the share could lie from this one if other "
            "videos of the same kind had been asked about; questions about one video count as "
            "one group."
        )
    else:
        told.append(describe_missing(accuracy))
    null = learner.get("null") or {}
    if numbers.number(learner.get("p")) is None or not learner.get("permutations"):
        told.append("Whether the learner is better than luck was not tested.")
    else:
        told.append(
            f"Keys were shuffled {numbers.count(learner['permutations'])} times; then the learner "
            f"reaches {text_figures.share(null.get('mean'))} on average, and more than "
            f"{text_figures.share(null.get('high'))} once in twenty times. "
            f"With the real keys: {text_figures.p_value(learner['p'])}."
        )
    error = (learner.get("calibration") or {}).get("error")
    if numbers.number(error) is not None:
        told.append(
            "What it says about its own chances is off by "
            f"{numbers.difference(error, 1).lstrip('+')} points on average."
        )
    return told


def sizes(data: Data) -> str:
    """Say how many questions the points of the calibration stand for."""
    found = [one["n"] for one in text_tables.bins_of(data)]
    if not found:
        return ""
    few, many = numbers.count(min(found)), numbers.count(max(found))
    return f"n = {few} a point" if few == many else f"n = {few} to {many} a point"


def describe_missing(estimate: Data) -> str:
    """Say why there is no interval, as a sentence."""
    words = numbers.why_no_interval(estimate)
    return f"{words[:1].upper()}{words[1:]}."


def coverage(data: Data) -> str:
    """Say how many videos have a transcript that can be used; empty without transcripts."""
    given = (data.get("overlap") or {}).get("coverage")
    if not given:
        return ""
    faults = (data.get("overlap") or {}).get("faults") or {}
    found = "; ".join(
        f"{visible(kind, 60).replace('_', ' ')}: {numbers.count(n)}" for kind, n in faults.items()
    )
    return (
        f"{numbers.count(given['usable'])} of {numbers.plural(given['videos'], 'video')} have a "
        f"transcript that can be used ({numbers.count(given['with_transcript'])} have a file)."
        + (f" By fault: {found}." if found else "")
    )


def settings(data: Data) -> list[tuple[str, str]]:
    """Return the settings of the run and of the learner, as names and words."""
    rows = []
    for given in (data["run"].get("settings"), (data["learner"] or {}).get("settings")):
        for name, word in (given or {}).items():
            rows.append((visible(name, 60).replace("_", " "), _word(word)))
    return list(dict(rows).items())


def _word(word: Any) -> str:
    if isinstance(word, list | tuple):
        return ", ".join(map(_word, word))
    if isinstance(word, Mapping):
        return ", ".join(f"{key}: {_word(one)}" for key, one in word.items())
    return numbers.NONE if word is None else str(word)


def _rows(table: Any) -> str:
    if table is None or not table.rows:
        return ""
    return "; ".join(f"{visible(row[0], 60)}: {row[1]}" for row in table.rows) + "."


def _scores(data: Data) -> str:
    bins = (data.get("scores") or {}).get("histogram") or ()
    return "; ".join(f"{text_tables.span(one)}: {numbers.count(one['n'])}" for one in bins)
