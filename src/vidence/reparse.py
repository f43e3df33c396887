"""Read the stored replies of a run again with today's parser; no model is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

from vidence.answer import Answer
from vidence.check import Check, parse_check
from vidence.parse import parse
from vidence.record import Record
from vidence.store import Store

_BATCH = 500


@dataclass(frozen=True)
class Changes:
    """What another reading changed.

    Args:
        records: how many were read again; those without a reply are left alone.
        statuses: (before, after) -> number of records with another status.
        values: number of records of the same status with another answer.
    """

    records: int
    statuses: Mapping[tuple[str, str], int] = field(default_factory=dict)
    values: int = 0

    @property
    def changed(self) -> int:
        """Return the number of records whose status or answer changed."""
        return sum(self.statuses.values()) + self.values

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        statuses = [
            {"before": a, "after": b, "n": n} for (a, b), n in sorted(self.statuses.items())
        ]
        return {
            "records": self.records,
            "changed": self.changed,
            "statuses": statuses,
            "values": self.values,
        }

    def __str__(self) -> str:
        """Say it in a few lines."""
        lines = [f"{self.records} records read again, {self.changed} changed."]
        lines += [f"  {a} -> {b}: {n}" for (a, b), n in sorted(self.statuses.items())]
        if self.values:
            lines.append(f"  another answer: {self.values}")
        return "\n".join(lines)


def reparse(folder: str | PathLike[str]) -> Changes:
    """Read every reply of a run again and rewrite its records.

    The options are those that were shown, from the store; neither case file nor videos are needed.

    Raises:
        StoreError: see `vidence.store.Store.open`; the run is locked meanwhile.
        UnknownNameError: a check that is not installed any more.
    """
    checks: dict[str, Check] = {}
    statuses: Counter[tuple[str, str]] = Counter()
    read = values = 0
    with Store.open(folder) as store:
        waiting: list[Record] = []
        for old in list(store.records()):
            if not old.calls:
                continue
            read += 1
            check = checks.setdefault(old.cell.check, parse_check(old.cell.check))
            new = _again(store, old, check)
            if new == old:
                continue
            if new.status != old.status:
                statuses[old.status, new.status] += 1
            elif new.value != old.value:
                values += 1
            waiting.append(new)
            if len(waiting) >= _BATCH:
                store.commit(records=waiting)
                waiting = []
        store.commit(records=waiting)
    return Changes(read, dict(statuses), values)


def _again(store: Store, old: Record, check: Check) -> Record:
    answers: list[Answer] = []
    for key, before in zip(old.calls, old.answers, strict=True):
        call = store.call(key)
        # A request that failed has no reply to read.
        answers.append(before if call is None else parse(call.reply, call.view()))
    folded = check.fold(answers)
    return replace(
        old,
        answers=tuple(answers),
        status=folded.status,
        value=folded.value,
        reason=folded.reason,
    )
