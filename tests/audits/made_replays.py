"""Probed runs made of letters: what each replay chose, written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from vidence.audits.agent_records import DESTROY, SELF, SHAM, AgentRecords
from vidence.audits.agent_run import Fallback, ProbedRun
from vidence.stats.flip_counts import INVALID, UNDRAWN
from vidence.view import Span

CODES = {"-": INVALID, " ": UNDRAWN}
COMMITTED = "B"


@dataclass(frozen=True)
class Row:
    """One question of four options, answered B.

    Args:
        sham, destroy, own: a letter a draw; `-` could not be read, a space was not asked.
        gold, fallback: letters, "" for none.
    """

    sham: str = "BBB"
    destroy: str = "BBB"
    own: str = "BBB"
    gold: str = "B"
    fallback: str = ""
    video: str = "v"
    looked: tuple[Span, ...] = ()
    spans: tuple[Span, ...] = ()
    items: int = 1
    tags: dict[str, str] = field(default_factory=dict)


def probed(
    rows: Sequence[Row],
    *,
    name: str = "agent",
    aside: dict[str, tuple[str, bool]] | None = None,
    **more: Any,
) -> ProbedRun:
    """Return the run that these rows are; questions are q0, q1, ..."""
    ids = tuple(f"q{i}" for i in range(len(rows)))
    k = max((len(row.sham) for row in rows), default=1)
    records = AgentRecords(
        name=name,
        answerer=name,
        ids=ids,
        clusters=tuple(row.video for row in rows),
        gold=np.array([_place(row.gold) for row in rows], dtype=np.int64),
        committed=np.full(len(rows), _place(COMMITTED), dtype=np.int64),
        options=np.full(len(rows), 4, dtype=np.int64),
        items=np.array([row.items for row in rows], dtype=np.int64),
        looked=tuple(row.looked for row in rows),
        spans=tuple(row.spans for row in rows),
        tags=tuple(row.tags for row in rows),
        chosen={
            label: np.array(
                [_draws(getattr(row, part), k) for row in rows], dtype=np.int64
            ).reshape(-1, k)
            for label, part in ((SELF, "own"), (SHAM, "sham"), (DESTROY, "destroy"))
        },
        aside=aside or {},
    )
    right = {
        qid: row.fallback == row.gold
        for qid, row in zip(ids, rows, strict=True)
        if row.fallback and row.gold
    }
    facts = {
        "name": name,
        "source": "trajectories",
        "checks": {"self": SELF, "sham": SHAM, "destroy": DESTROY},
        "counts": {"eligible": len(rows)},
        "ineligible": [],
    }
    return ProbedRun(
        folder=Path("made"),
        facts=facts,
        config={"seed": 0},
        about={},
        cases=(),
        records=records,
        k=k,
        undone=0,
        fallback=Fallback("second", "widened_evidence", right) if right else None,
        costs=[],
        **more,
    )


def _place(letter: str) -> int:
    return "ABCD".index(letter) if letter else -1


def _draws(letters: str, k: int) -> list[int]:
    return [CODES[c] if c in CODES else _place(c) for c in letters.ljust(k)]
