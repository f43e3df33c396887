"""Run folders made from replies written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.audits.made import Replies, records
from vidence.record import Record
from vidence.store import Store
from vidence.view import Case


def write_run(
    folder: Path,
    cases: Sequence[Case],
    made: Replies | Sequence[Record],
    members: Mapping[str, Sequence[str]] | None = None,
    **source: Any,
) -> Path:
    """Write a store as a run leaves it; `members` has m1 to m3 under each check by default."""
    rows = records(made) if isinstance(made, Mapping) else list(made)
    labels = list(made) if isinstance(made, Mapping) else sorted({r.cell.check for r in rows})
    asked = members or {label: ["m1", "m2", "m3"] for label in labels}
    names = sorted({name for mine in asked.values() for name in mine})
    config = {
        "seed": 0,
        "repeats": 1,
        "checks": labels,
        "settings": {},
        "members": {label: list(mine) for label, mine in asked.items()},
        "panel": [{"name": n, "panel": "model", "asked": True, "identity": {}} for n in names],
        "roles": {},
        "source": None,
    }
    with Store.open(folder, create=True) as store:
        store.add(cases, {"config": config, "benchmark": {"title": "Made", **source}})
        store.commit(records=rows)
    return folder
