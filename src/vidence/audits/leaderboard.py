"""Accuracy on the whole video: on all cases, on those a filter kept and on those it removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from vidence.audits.benchmark import BenchmarkAudit
from vidence.audits.entries import Field, field_of
from vidence.audits.kept_set import KeptSet, kept_by_file, kept_by_run
from vidence.audits.standings import Standings
from vidence.errors import NothingMeasuredError, UsageError


def leaderboard(
    folders: Sequence[str | PathLike[str]],
    *,
    kept: str | PathLike[str] | None = None,
    consensus: int | None = None,
    by: str | None = None,
) -> dict[str, Any]:
    """Return everything that the leaderboard prints, as plain values (docs/leaderboard.md).

    Args:
        folders: the runs; their answerers are compared on the cases that all of them hold.
        kept: a run whose verdicts filter the cases, or a `kept.jsonl`; by default the one run
            among `folders` that has a counted check.
        consensus: threshold of those verdicts; None is the panel's size.
        by: a tag by whose values everything is given as well.

    Raises:
        UsageError: no run, a run given twice, runs that do not fit together, a threshold beyond
            the panel or beside a file.
        UnknownNameError: no case has such a tag.
        NothingMeasuredError: nobody was shown the whole video.
        CaseError, StoreError: a file or folder that cannot be read.
    """
    opened: dict[Path, BenchmarkAudit] = {}

    def open_run(path: Path) -> BenchmarkAudit:
        key = path.resolve()
        if key not in opened:
            opened[key] = BenchmarkAudit(path)
        return opened[key]

    paths = [Path(folder) for folder in folders]
    if not paths:
        raise UsageError("No run came. Give the folder of one at least.")
    if len({path.resolve() for path in paths}) < len(paths):
        raise UsageError("A run came twice. Give each folder once.")
    audits = [open_run(path) for path in paths]
    field, silent = _speaking(field_of(audits))
    notes = [*field.notes, *silent]
    keep: KeptSet | None
    if kept is None:
        keep, why = _own_filter(audits, field, consensus)
        notes += [why] * bool(why)
    elif (path := Path(kept)).is_dir():
        keep = kept_by_run(open_run(path), field.cases, consensus)
    elif consensus is not None:
        raise UsageError(
            f"Consensus {consensus} came beside the file {path}, which was made at a consensus of "
            "its own. Leave --consensus out, or give the run instead."
        )
    else:
        keep = kept_by_file(path, field.cases, open_run)
    return Standings(field, keep).data(by, notes)


def _speaking(field: Field) -> tuple[Field, list[str]]:
    """Leave out those of whom nothing could be read: no reply is no low score."""
    if not field.cases:
        raise NothingMeasuredError(f"{field.title}: no question has both options and a key.")
    silent = [entry for entry in field.entries if not entry.read.any()]
    if len(silent) == len(field.entries):
        raise NothingMeasuredError(
            f"{field.title}: not one reply on the whole video could be read. "
            "See what came instead: vidence report RUN."
        )
    notes = [f"{entry.name}: not one reply could be read, so it is not ranked." for entry in silent]
    return replace(field, entries=tuple(e for e in field.entries if e.read.any())), notes


def _own_filter(
    audits: Sequence[BenchmarkAudit], field: Field, consensus: int | None
) -> tuple[KeptSet | None, str]:
    able = [audit for audit in audits if audit.panel.counted]
    if len(able) == 1:
        return kept_by_run(able[0], field.cases, consensus), ""
    if consensus is not None:
        raise UsageError(
            f"Consensus {consensus} came, but {len(able)} of the {len(audits)} runs could filter "
            "the cases. Say which: --kept RUN."
        )
    if not able:
        return None, (
            "No run here has a check that enters the shortcut ratio, so nothing was filtered. "
            "Give one that has: --kept RUN."
        )
    return None, (
        f"{len(able)} of the runs could filter the cases, so nothing was filtered. "
        "Say which: --kept RUN."
    )
