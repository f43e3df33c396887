"""Imported records in a run folder, beside those that are there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

from vidence.answer import Reply
from vidence.benchmark import Benchmark
from vidence.case_json import canonical, case_to_json
from vidence.check import Check
from vidence.errors import RunMismatchError, UsageError
from vidence.imported.records import SEED, Made
from vidence.record import Cell, Record
from vidence.run_config import IMPORTED, began, refuse_to_overwrite
from vidence.store import Store
from vidence.view import Case

SOURCE = "benchmark"
"""Name under which the store keeps where the cases came from, as `vidence audit` does."""
_SHOWN = 3


@dataclass(frozen=True)
class Kept:
    """What became of an import's records.

    Args:
        added: records that are new.
        unchanged: records that were there with the same reply.
        filled: records in place of failures.
        older: failures of the log that were passed over, since a reply is there.
    """

    added: int = 0
    unchanged: int = 0
    filled: int = 0
    older: int = 0


@dataclass(frozen=True)
class Target:
    """A run folder and what an import says about it.

    Args:
        folder: of the run.
        benchmark: whose cases it holds.
        source: facts on where the cases came from.
        command: for people.
    """

    folder: str | PathLike[str]
    benchmark: Benchmark
    source: Mapping[str, Any]
    command: str = ""


def keep(
    target: Target,
    made: Made,
    lost: Sequence[Record],
    check: Check,
    model: str,
    files: Sequence[Mapping[str, Any]],
) -> Kept:
    """Add records to a run, begun if there is none; nothing is written where anything disagrees.

    Args:
        target: where to.
        made: calls and records.
        lost: records of cases without a reply, for cells that the run does not have.
        check: of the records.
        model: name of the answerer.
        files: what the answerer's identity says of each file.

    Raises:
        RunMismatchError: the folder holds a run that was asked, another benchmark, or other
            replies to the same cells.
        UsageError: the name stands for an encoder there and a model here, or the other way round.
        StoreError: the folder holds a file that the report would overwrite; see `Store.open`.
    """
    refuse_to_overwrite(target.folder)
    with Store.open(target.folder, create=True) as store:
        stored: dict[str, Any] | None = store.meta("config")
        _check_cases(store, target.benchmark.cases, stored)
        config = _config(stored, check, model, files, made)
        _check_imported(store, config)
        kept, records = _to_write(store, made)
        there = {record.cell for record in store.records()}
        records += [record for record in lost if record.cell not in there]
        facts: dict[str, Any] = {"config": config}
        if stored is None:
            facts |= {**began(target.command), SOURCE: dict(target.source)}
        if stored is None or canonical(stored) != canonical(config):
            store.add(target.benchmark.cases if stored is None else (), facts)
        wanted = {key for record in records for key in record.calls}
        store.commit(calls=[call for call in made.calls if call.key in wanted], records=records)
        return kept


def _check_cases(store: Store, cases: Sequence[Case], stored: Mapping[str, Any] | None) -> None:
    """Compare questions, options and keys; where the videos lie does not matter here."""
    if stored is None:
        return
    before = {name: _told(json.loads(body)) for name, body in store.case_bodies().items()}
    now = {case.id: _told(json.loads(canonical(case_to_json(case)))) for case in cases}
    if before == now:
        return
    lost, new = sorted(set(before) - set(now)), sorted(set(now) - set(before))
    other = [name for name in now if name in before and before[name] != now[name]]
    found = [
        f"{len(names)} {what} ({', '.join(map(repr, names[:_SHOWN]))})"
        for names, what in ((lost, "are not here"), (new, "are not there"), (other, "differ"))
        if names
    ]
    raise RunMismatchError(
        f"{store.folder} holds other questions: of {len(before)} there and {len(now)} here "
        f"{', '.join(found)}. One run is of one benchmark. Choose another folder."
    )


def _told(body: dict[str, Any]) -> str:
    return canonical({name: value for name, value in body.items() if name != "parts"})


def _check_imported(store: Store, config: Mapping[str, Any]) -> None:
    asked = [row["name"] for row in config["panel"] if row["identity"].get("kind") != IMPORTED]
    if asked:
        raise RunMismatchError(
            f"{store.folder} holds a run in which {', '.join(map(repr, asked))} "
            "answered on request. Replies are not imported into it. Choose another folder."
        )


def _config(
    stored: Mapping[str, Any] | None,
    check: Check,
    model: str,
    files: Sequence[Mapping[str, Any]],
    made: Made,
) -> dict[str, Any]:
    """Return what the run says about itself, with the import in it; see `run_config.config_of`."""
    empty = {"seed": SEED, "repeats": 1, "checks": [], "settings": {}, "members": {}}
    empty |= {"panel": [], "roles": {}, "source": None}
    config: dict[str, Any] = json.loads(canonical(dict(stored) if stored else empty))
    label = check.label
    if label not in config["checks"]:
        config["checks"].append(label)
        config["settings"][label] = check.settings
        config["members"][label] = []
    if model not in config["members"][label]:
        config["members"][label].append(model)
    row = next((row for row in config["panel"] if row["name"] == model), None)
    if row is None:
        identity = {"kind": IMPORTED, "model": model, "files": []}
        row = {"name": model, "panel": check.panel, "asked": True, "identity": identity}
        config["panel"].append(row)
    if row["panel"] != check.panel:
        raise UsageError(
            f"{model!r} is kept as the answerer of a check that asks a {row['panel']}; "
            f"{label} asks a {check.panel}. Give the two different names with --model."
        )
    mine = row["identity"].setdefault("files", [])
    mine += [dict(file) for file in files if dict(file) not in mine]
    repeats = max((record.cell.repeat for record in made.records), default=0) + 1
    config["repeats"] = max(config["repeats"], repeats)
    return config


def _to_write(store: Store, made: Made) -> tuple[Kept, list[Record]]:
    """Compare with what is there.

    Raises:
        RunMismatchError: other replies are there.
    """
    there = {record.cell: record for record in store.records()}
    kept = Kept()
    records: list[Record] = []
    differing: list[Cell] = []
    said = {call.key: _said(call.reply, call.shown) for call in made.calls}
    for record in made.records:
        old = there.get(record.cell)
        if old is None:
            kept = replace(kept, added=kept.added + 1)
            records.append(record)
        elif not old.calls:
            same = old == record
            kept = replace(kept, unchanged=kept.unchanged + same, filled=kept.filled + (not same))
            records += [] if same else [record]
        elif not record.calls:
            kept = replace(kept, older=kept.older + 1)
        elif _replies(store, old) == [said[key] for key in record.calls]:
            kept = replace(kept, unchanged=kept.unchanged + 1)
        else:
            differing.append(record.cell)
    if differing:
        names = ", ".join(repr(cell.case) for cell in differing[:_SHOWN])
        cell = differing[0]
        raise RunMismatchError(
            f"{store.folder} holds other replies of {cell.answerer!r} to {len(differing)} "
            f"questions under {cell.check} ({names}). Nothing was written. Give this log another "
            "name with --model, or choose another folder."
        )
    return kept, records


def _replies(store: Store, record: Record) -> list[Any]:
    found = store.replies(record.calls)
    return [_said(*found[key]) if key in found else None for key in record.calls]


def _said(reply: Reply, shown: tuple[int, ...]) -> tuple[Any, ...]:
    """Return what makes two replies the same one; tools differ in why they say that it ended."""
    return (reply.status, reply.text, reply.scores, shown)
