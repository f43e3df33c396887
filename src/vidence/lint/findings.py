"""Lint a benchmark: every fault by id and kind, those of the loader and those of the rules."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vidence.benchmark import Benchmark
from vidence.lint.rule import RULES, SEVERITIES, Rule, Severity
from vidence.lint.subject import Subject
from vidence.media.errors import MissingVideoError
from vidence.media.video import VideoInfo

FIRST = ("missing_video", "unreadable_video", "ambiguous_video")
"""Kinds that are named before any other of their severity: without a video nothing can be asked."""
_PLACE_FIRST = re.compile(r"(line \d+) \(id (.*)\)", re.DOTALL)
_ID_FIRST = re.compile(r"(.+) \(([^()]+, [^()]+)\)", re.DOTALL)


@dataclass(frozen=True)
class Fault:
    """One fault.

    Args:
        kind: what it is, a name of `RULES`.
        severity: how grave.
        id: of the case, of the rejected row, or the name of a video.
        detail: what came.
    """

    kind: str
    severity: Severity
    id: str
    detail: str


@dataclass(frozen=True)
class Linted:
    """What was found in a benchmark.

    Args:
        subject: the benchmark.
        faults: errors first, then warnings, then notes; videos first among each, and each kind in
            the order of the file.
    """

    subject: Subject
    faults: tuple[Fault, ...]

    def counts(self) -> dict[str, int]:
        """Return kind -> number of faults, the gravest kinds first."""
        return dict(Counter(fault.kind for fault in self.faults))

    def by_severity(self) -> dict[Severity, int]:
        """Return severity -> number of faults, zero included."""
        count = Counter(fault.severity for fault in self.faults)
        return {severity: count[severity] for severity in SEVERITIES}

    @property
    def passed(self) -> bool:
        """Whether there is no error."""
        return not self.by_severity()["error"]


def lint(subject: Subject) -> Linted:
    """Look for every fault of a benchmark; nothing is changed.

    A row that the loader rejected is an error, since its question is lost. A remark on a case that
    is kept has the severity of its kind.
    """
    order = {severity: place for place, severity in enumerate(SEVERITIES)}
    faults = [*_of_loader(subject.benchmark), *_of_rules(subject, RULES.values())]
    faults.sort(key=lambda fault: (order[fault.severity], fault.kind not in FIRST))
    return Linted(subject, tuple(faults))


def _of_loader(benchmark: Benchmark) -> Iterable[Fault]:
    for row in benchmark.rejected:
        name, place = id_and_place(row.where)
        yield Fault(row.kind, "error", name, f"{place}: {row.reason}" if place else row.reason)
    for remark in benchmark.remarks:
        known = RULES[remark.kind].severity if remark.kind in RULES else "warning"
        yield Fault(remark.kind, known, remark.case, remark.detail)


def id_and_place(where: str) -> tuple[str, str]:
    """Return the id and the place that a rejected row's `where` holds.

    `"q7 (file.json, row 3)"` and `"line 3 (id 'q7')"` have both; anything else is a name alone.
    """
    match = _PLACE_FIRST.fullmatch(where)
    if match:
        with suppress(ValueError, SyntaxError):
            return str(ast.literal_eval(match[2])), match[1]
    match = _ID_FIRST.fullmatch(where)
    return (match[1], match[2]) if match else (where, "")


def _of_rules(subject: Subject, rules: Iterable[Rule]) -> Iterable[Fault]:
    for each in rules:
        for found in each.look(subject):
            yield Fault(each.name, found.severity or each.severity, found.id, found.detail)


def to_json(linted: Linted, path: Path) -> dict[str, Any]:
    """Return what `vidence lint --json` prints.

    `cases` and `rejected` count questions with options: kept and lost. Together they are the
    multiple-choice rows of the file.
    """
    benchmark, subject = linted.subject.benchmark, linted.subject
    counts = linted.counts()
    return {
        "title": benchmark.name,
        "path": str(path),
        "rows": benchmark.rows,
        "cases": len(benchmark.multiple_choice),
        "open_ended": len(benchmark.open_ended),
        "rejected": sum(not row.open_ended for row in benchmark.rejected),
        "videos": len(counted_videos(benchmark)),
        "all_videos": len({case.cluster for case in benchmark.cases}),
        "probed": probed(subject),
        "transcripts": coverage(subject),
        "passed": linted.passed,
        "severities": linted.by_severity(),
        "faults": counts,
        "found": [
            {"kind": f.kind, "severity": f.severity, "id": f.id, "detail": f.detail}
            for f in linted.faults
        ],
        "kinds": {
            kind: {"what": RULES[kind].what, "why": RULES[kind].why}
            for kind in counts
            if kind in RULES
        },
    }


def counted_videos(benchmark: Benchmark) -> frozenset[str]:
    """Return the videos of the questions that are scored without a judge.

    Those are questions with options, and open ones where every key is a number. In a file without
    either they are all videos.
    """
    numeric = all(isinstance(case.gold, int | float) for case in benchmark.open_ended)
    scored = benchmark.cases if numeric else benchmark.multiple_choice
    return frozenset(case.cluster for case in scored or benchmark.cases)


def probed(subject: Subject) -> dict[str, int] | None:
    """Return how many videos there are, how many are missing, and how many cannot be read."""
    if subject.probed is None:
        return None
    found = subject.probed.values()
    missing = sum(isinstance(each, MissingVideoError) for each in found)
    broken = sum(
        each.truncated if isinstance(each, VideoInfo) else not isinstance(each, MissingVideoError)
        for each in found
    )
    return {"videos": len(found), "missing": missing, "unreadable": broken}


def coverage(subject: Subject) -> dict[str, int] | None:
    """Return how many videos there are, have a transcript, and have one with usable words."""
    if subject.heard is None:
        return None
    examined = [heard.examined for heard in subject.heard.values() if heard.examined is not None]
    return {
        "videos": len(subject.heard),
        "with_transcript": len(examined),
        "usable": sum(each.usable for each in examined),
    }
