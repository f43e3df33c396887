"""What a reader of a text-only report should know beside its figures."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vidence.audits.text import TextSource

FEW_VIDEOS = 30


def notes(data: Mapping[str, Any]) -> list[str]:
    """Return sentences about what was left out, what was looked at, and how to read it."""
    found = [*_cases(data["cases"]), *_priors(data["priors"])]
    if data["learner"] is not None:
        found.append(
            "The learner was taught on other videos of this very benchmark: it shows what can be "
            "learned from the text, not what a given model knows. Finding nothing is no proof."
        )
    return [*found, *_categories(data["categories"]), *_overlap(data["overlap"])]


def _cases(cases: Mapping[str, Any]) -> list[str]:
    said = {
        "rejected": "{} could not be read as questions and {} left out; `vidence lint` names each.",
        "no_gold": "{} without a key {} left out.",
        "open_ended": "{} without options {} not asked here.",
    }
    found = [
        text.format(*_rows(cases[name])) for name, text in said.items() if cases.get(name, 0) > 0
    ]
    if one := cases["one_option"]:
        found.append(f"{one} of the questions scored have one option and are always right.")
    if 0 < cases["videos"] < FEW_VIDEOS:
        found.append(f"Few videos ({cases['videos']}): intervals are wide, read with care.")
    return found


def _rows(n: int) -> tuple[str, str]:
    return (f"{n:,} rows", "are") if n != 1 else ("1 row", "is")


def _priors(priors: Mapping[str, Any]) -> list[str]:
    tested = {name: one for name, one in priors.items() if one["over_chance"] is not None}
    if not tested or not next(iter(tested.values()))["accuracy"]["n"]:
        return []
    sure = [one["title"] for one in tested.values() if one["claimed"]]
    named = ", ".join(sure) if sure else "none"
    found = [
        f"{len(tested)} guessing rules were looked at; above chance at a level that they all "
        f"share (95 % for the family): {named}."
    ]
    picked = [one["title"] for one in tested.values() if one["in_sample"]]
    if picked:
        found.append(
            f"The rule {', '.join(picked)} is picked on the same keys that it is judged by, so "
            "its figure and interval are optimistic; the held-out row is not."
        )
    return found


def _categories(rows: list[Mapping[str, Any]]) -> list[str]:
    if not rows:
        return []
    sure = [f"{row['tag']} = {row['value']}" for row in rows if row["claimed"]]
    named = ", ".join(sure[:8]) + (f" and {len(sure) - 8} more" if len(sure) > 8 else "")
    return [
        f"{len(rows)} categories were looked at; the learner is above chance at a level that "
        f"they all share in {named or 'none'}."
    ]


def _overlap(found: Mapping[str, Any] | None) -> list[str]:
    if found is None:
        return []
    notes = []
    covered = found["coverage"]
    if covered["usable"] < covered["videos"]:
        notes.append(
            f"Transcripts cover {covered['usable']:,} of {covered['videos']:,} videos; the "
            "figures of the transcript check are about the questions of those."
        )
    if found["over_swapped"] is not None:
        notes.append(
            "The transcript check is also done with the transcripts of other videos; only what "
            "it reaches beyond that is owed to what is said in the video."
        )
    return notes


def commands(source: TextSource, seed: int | str) -> list[dict[str, str]]:
    """Return what to do next, ready to copy."""
    where = [source.form, str(source.path)]
    if source.columns is not None:
        where += ["--columns", source.columns]
    heard = [] if source.transcripts is None else ["--transcripts", str(source.transcripts)]
    name = f"{source.form}-debiased"
    lines = [
        ("Repeat this report", ["audit-text", *where, *heard, "--seed", str(seed)]),
        ("Find faults of the annotations", ["lint", *where, *heard]),
        (
            "Leave out what the text gives away",
            ["debias", *where, "--method", "prune", "--max-removed", "0.25", "--out", name],
        ),
        (
            "Balance where the right answer stands",
            ["debias", *where, "--method", "balance", "--out", name],
        ),
    ]
    return [{"title": title, "command": shlex.join(["vidence", *words])} for title, words in lines]
