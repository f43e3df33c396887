"""Which cases a filter kept, and whose replies filtered them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vidence.audits.benchmark import BenchmarkAudit
from vidence.audits.entries import FULL, Entry
from vidence.check import parse_check
from vidence.errors import CaseError, UsageError
from vidence.stats.selection import Pivots, guess_after_filter, pivots
from vidence.store_file import FILE
from vidence.view import Case

Open = Callable[[Path], BenchmarkAudit]


@dataclass(frozen=True, eq=False)
class KeptSet:
    """A filter, laid over the cases of a leaderboard.

    Args:
        source: the run or file that it comes from.
        consensus: members that had to be right; None where the file does not say.
        kept, removed: bool [S]; neither where the filter did not see the case.
        guess: panel member -> chance [S] of a guesser in its place, given what was kept; empty
            where the panel is not known.
        identities: panel member -> what its run keeps about it.
        run: folder of the panel's run, "" where it is not known.
        notes: what could not be told, in words.
    """

    source: str
    consensus: int | None
    kept: NDArray[np.bool_]
    removed: NDArray[np.bool_]
    guess: Mapping[str, NDArray[np.float64]] = field(default_factory=lambda: MappingProxyType({}))
    identities: Mapping[str, Mapping[str, Any]] = field(
        default_factory=lambda: MappingProxyType({})
    )
    run: str = ""
    notes: tuple[str, ...] = ()

    def member(self, entry: Entry) -> str | None:
        """Return the panel member that an entry is, None if it is outside the panel.

        The same answerer of the same run; or one with the same `model`, or with the same name and
        identity, since then the filter selected by its replies all the same.
        """
        if entry.run == self.run and entry.answerer in self.identities:
            return entry.answerer
        for name, identity in self.identities.items():
            model = identity.get("model")
            known = bool(identity) and dict(identity) == dict(entry.identity)
            if (known and name == entry.answerer) or (
                model and model == entry.identity.get("model")
            ):
                return name
        return None


def kept_by_run(
    audit: BenchmarkAudit, cases: Sequence[Case], consensus: int | None = None
) -> KeptSet:
    """Lay the verdicts of a run over cases; what is not a shortcut is kept, as `distill` does.

    Raises:
        UsageError: the run has no check that enters the shortcut ratio, or a threshold beyond the
            panel.
        CaseError: the run has a verdict on none of the cases, or asks something else under their
            names.
    """
    c = audit.panel.panel_size if consensus is None else consensus
    said = audit.verdicts(c)
    kept = np.array([c.id in said and said[c.id].label != "shortcut" for c in cases], np.bool_)
    gone = np.array([c.id in said and said[c.id].label == "shortcut" for c in cases], np.bool_)
    source = str(audit.folder)
    if not (kept | gone).any():
        raise CaseError(
            f"The run {source} has no verdict on any of the {len(cases):,} cases, so it can filter "
            "none of them. Give a run of the same benchmark, read by the same loader."
        )
    theirs = {case.id: case for case in audit.panel.cases}
    other = [c.id for c in cases if c.id in theirs and _asked(c) != _asked(theirs[c.id])]
    if other:
        raise CaseError(
            f"The run {source} has another question, other options or another key for "
            f"{len(other):,} of the cases ({', '.join(map(repr, other[:3]))}). Its verdicts are of "
            "other questions. Give a run of the same benchmark in one version."
        )
    return KeptSet(source, c, kept, gone, **_panel(audit, cases, c, gone), notes=())


def _asked(case: Case) -> tuple[object, ...]:
    return case.view.question, case.view.options, case.gold


def kept_by_file(path: Path, cases: Sequence[Case], open_run: Open) -> KeptSet:
    """Lay a `kept.jsonl` over cases, with the panel of the run in its folder if it is there.

    A `removed.jsonl` beside it says what was removed; without one, that is every other case.

    Raises:
        CaseError: the file cannot be read, or names none of the cases.
    """
    ids, consensus = _read(path)
    kept = np.array([case.id in ids for case in cases], dtype=np.bool_)
    if not kept.any():
        raise CaseError(
            f"None of the {len(ids):,} lines of {path} names a case of the runs. A line needs the "
            "case's id under vidence.id or id; write the file with: vidence distill RUN."
        )
    beside = path.with_name("removed.jsonl")
    notes = []
    if beside != path and beside.is_file():
        others, _ = _read(beside)
        gone = np.array([case.id in others for case in cases], dtype=np.bool_) & ~kept
    else:
        gone = ~kept
        notes.append(f"No removed.jsonl beside {path.name}: every other case counts as removed.")
    panel: dict[str, Any] = {}
    if consensus is not None and (path.parent / FILE).is_file():
        audit = open_run(path.parent)
        known = {case.id for case in audit.panel.cases}
        if ids <= known and audit.panel.counted:
            panel = _panel(audit, cases, consensus, gone)
    if not panel:
        notes.append(
            f"The panel behind {path.name} is not known, so no member of it is marked. "
            "Give its run instead: --kept RUN."
        )
    return KeptSet(str(path), consensus, kept, gone, **panel, notes=tuple(notes))


def _read(path: Path) -> tuple[set[str], int | None]:
    """Return the case ids of a distilled file and the consensus it was made at."""
    ids: set[str] = set()
    thresholds: set[int] = set()
    try:
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if not line.strip():
                continue
            row = json.loads(line)
            about = row.get("vidence") or {}
            name = about.get("id", row.get("id"))
            if name is None:
                raise ValueError(f"line {number} has neither vidence.id nor id")
            ids.add(str(name))
            if isinstance(c := about.get("consensus"), int):
                thresholds.add(c)
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        raise CaseError(
            f"{path} cannot be read as kept cases ({error}). Give a run, or the kept.jsonl that "
            "vidence distill RUN writes."
        ) from None
    return ids, thresholds.pop() if len(thresholds) == 1 else None


def _panel(
    audit: BenchmarkAudit, cases: Sequence[Case], c: int, gone: NDArray[np.bool_]
) -> dict[str, Any]:
    """Return what `KeptSet` says about the panel."""
    if not 1 <= c <= audit.panel.panel_size:
        raise UsageError(
            f"Consensus {c} came; 1 to {audit.panel.panel_size} (the panel's size) is allowed."
        )
    grid, counted = audit.panel.grid, audit.panel.counted
    place = {name: i for i, name in enumerate(grid.ids)}
    rows = np.array([place.get(case.id, 0) for case in cases], dtype=np.int64)
    right = []
    for check in counted:
        replies = grid.checks[check.label]
        applies = ~replies.skipped[:, None]
        right.append((grid.right(check.label) & applies)[rows])
    members = dict.fromkeys(name for check in counted for name in audit.panel.members(check.label))
    full = {
        name
        for check in audit.panel.checks
        if parse_check(check.label).probe == FULL
        for name in audit.panel.members(check.label)
    }
    ranked = [name for name in members if name in full] or list(members)
    n_options = np.array([len(case.view.options) for case in cases], dtype=np.int64)
    guess = {
        name: guess_after_filter(gone, n_options, _pivots(audit, right, name, c)) for name in ranked
    }
    identities = {row["name"]: row.get("identity", {}) for row in audit.config.get("panel", ())}
    return {
        "guess": guess,
        "identities": {name: identities.get(name, {}) for name in members},
        "run": str(audit.folder),
    }


def _pivots(audit: BenchmarkAudit, right: Sequence[NDArray[np.bool_]], name: str, c: int) -> Pivots:
    asked = [audit.panel.members(check.label) for check in audit.panel.counted]
    columns = [mine.index(name) if name in mine else None for mine in asked]
    return pivots(right, columns, c)
