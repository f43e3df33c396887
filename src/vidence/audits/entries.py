"""The answerers of one or several runs, side by side on the cases that the runs share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vidence.audits.benchmark import BenchmarkAudit
from vidence.check import parse_check
from vidence.errors import NothingMeasuredError, UsageError
from vidence.pairs import CheckReplies, codes
from vidence.view import Case

FULL = "intact"
"""The probe under which an answerer sees the whole video."""
_SHOWN = 3


@dataclass(frozen=True, eq=False)
class Entry:
    """One answerer under one full-video check.

    Args:
        name: unique on the leaderboard: the answerer's, with its check or run where needed.
        answerer: its name in the run.
        check: label of the check.
        run: the run's folder.
        identity: what the run keeps about it.
        right: bool [S], it chose the key.
        read: bool [S], its reply says what it chose.
        asked: bool [S], the check applied.
        statuses: status -> how many of the S cases.
    """

    name: str
    answerer: str
    check: str
    run: str
    identity: Mapping[str, Any]
    right: NDArray[np.bool_]
    read: NDArray[np.bool_]
    asked: NDArray[np.bool_]
    statuses: Mapping[str, int]


@dataclass(frozen=True, eq=False)
class Field:
    """All entries on the same scored cases.

    Args:
        title: of the benchmark.
        cases: multiple choice with a key, in every run; S of them.
        entries: in the order of the runs.
        shared: cases of every kind that all runs hold.
        runs: a row a run: `run`, `title`, `cases`, `lacks` (cases of the others that it lacks).
        notes: what was left out, in words.
    """

    title: str
    cases: tuple[Case, ...]
    entries: tuple[Entry, ...]
    shared: int
    runs: tuple[dict[str, Any], ...]
    notes: tuple[str, ...]

    @property
    def clusters(self) -> NDArray[np.int64]:
        """Videos, int [S]."""
        return codes([case.cluster or case.id for case in self.cases])

    @property
    def n_options(self) -> NDArray[np.int64]:
        """Options a case, int [S]."""
        return np.array([len(case.view.options) for case in self.cases], dtype=np.int64)


def field_of(audits: Sequence[BenchmarkAudit]) -> Field:
    """Put the entries of runs side by side.

    Raises:
        UsageError: runs that share no case, or hold another question under one id.
        NothingMeasuredError: no run shows anybody the whole video.
    """
    shared, notes = _shared(audits)
    ids = [case.id for case in shared if case.gold_position() is not None]
    if len(ids) < len(shared):
        notes.append(
            f"{len(shared) - len(ids):,} of {len(shared):,} questions have no options or no key "
            "and are not on the leaderboard."
        )
    entries = _named([entry for audit in audits for entry in _entries(audit, ids)])
    if not entries:
        folders = ", ".join(str(audit.folder) for audit in audits)
        raise NothingMeasuredError(
            f"No answerer of {folders} was shown the whole video (check {FULL!r}), so there is "
            f"nothing to rank. Run it with --checks {FULL},... and the same cases."
        )
    by_id = {case.id: case for case in shared}
    rows = [
        {
            "run": str(audit.folder),
            "title": audit.title,
            "cases": len(audit.panel.cases),
            "lacks": _union(audits) - len(audit.panel.cases),
        }
        for audit in audits
    ]
    return Field(
        title=audits[0].title,
        cases=tuple(by_id[name] for name in ids),
        entries=tuple(entries),
        shared=len(shared),
        runs=tuple(rows),
        notes=tuple(notes),
    )


def _union(audits: Sequence[BenchmarkAudit]) -> int:
    return len({case.id for audit in audits for case in audit.panel.cases})


def _shared(audits: Sequence[BenchmarkAudit]) -> tuple[list[Case], list[str]]:
    """Return the cases that all runs hold, in the first one's order, and what was left out."""
    held = [{case.id: case for case in audit.panel.cases} for audit in audits]
    shared = [case for case in audits[0].panel.cases if all(case.id in mine for mine in held)]
    if not shared and any(held):
        folders = ", ".join(str(audit.folder) for audit in audits)
        raise UsageError(
            f"The runs {folders} have no case id in common. A leaderboard compares answerers on "
            "the same cases; give runs of one benchmark, read by one loader."
        )
    other = [
        case.id
        for case in shared
        if any(_question(mine[case.id]) != _question(case) for mine in held[1:])
    ]
    if other:
        raise UsageError(
            f"{len(other)} of {len(shared)} shared ids stand for another question, other options "
            f"or another key in another run ({_some(other)}). Give runs of one benchmark in one "
            "version."
        )
    notes = []
    every = list(dict.fromkeys(case.id for audit in audits for case in audit.panel.cases))
    for audit, mine in zip(audits, held, strict=True):
        if lacking := [name for name in every if name not in mine]:
            notes.append(
                f"{audit.folder} lacks {len(lacking):,} of {len(every):,} cases "
                f"({_some(lacking)}); they are left out for all."
            )
    return shared, notes


def _question(case: Case) -> tuple[Any, ...]:
    return case.view.question, case.view.options, case.gold


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(repr(name) for name in names[:_SHOWN]) + more


def _entries(audit: BenchmarkAudit, ids: Sequence[str]) -> list[Entry]:
    grid = audit.panel.grid
    place = {name: i for i, name in enumerate(grid.ids)}
    rows = np.array([place[name] for name in ids], dtype=np.int64)
    identities = {row["name"]: row.get("identity", {}) for row in audit.config.get("panel", ())}
    found = []
    for check in audit.panel.checks:
        if parse_check(check.label).probe != FULL:
            continue
        every = grid.checks[check.label]
        replies = CheckReplies(every.members, every.choice[rows], every.status[rows])
        right, asked = grid.right(check.label)[rows], ~replies.skipped
        for j, name in enumerate(replies.members):
            found.append(
                Entry(
                    name=name,
                    answerer=name,
                    check=check.label,
                    run=str(audit.folder),
                    identity=identities.get(name, {}),
                    right=right[:, j],
                    read=asked & ~replies.missing[:, j],
                    asked=asked,
                    statuses=replies.count(j),
                )
            )
    return found


def _named(entries: Sequence[Entry]) -> list[Entry]:
    """Give entries of one name their check, their folder's name or its path as well."""
    several = len({entry.check for entry in entries}) > 1
    named = [replace(e, name=f"{e.answerer} {e.check}" if several else e.answerer) for e in entries]
    for tell in (lambda e: Path(e.run).name, lambda e: e.run):
        often = Counter(entry.name for entry in named)
        named = [
            replace(e, name=f"{e.name} ({tell(e)})") if often[e.name] > 1 else e for e in named
        ]
    return named
