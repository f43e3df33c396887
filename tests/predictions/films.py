"""A small benchmark of invented questions, and logs of it as other tools write them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from vidence.imported import Import, ImportReport, import_predictions
from vidence.store import Store

WORDS = ("cat", "dog", "bird", "fish")
KEYS = "ABCDABCD"
COUNT = len(KEYS)


def question(i: int) -> str:
    return f"What is in film {i}?"


def benchmark(folder: Path) -> Path:
    """Write eight questions on four films, q0 to q7, keys A B C D A B C D."""
    path = folder / "films.jsonl"
    rows = [
        {
            "id": f"q{i}",
            "video": f"film{i // 2}.mp4",
            "question": question(i),
            "options": list(WORDS),
            "answer": KEYS[i],
            "tags": {"half": "first" if i < 4 else "second"},
        }
        for i in range(COUNT)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def bring(
    log: str, files: Path | Sequence[Path], path: Path, out: Path, **how: Any
) -> ImportReport:
    """Import files as the replies of `m` under intact, unless `how` says otherwise."""
    what: dict[str, Any] = {"form": "jsonl", "check": "intact", "model": "m", **how}
    found = (files,) if isinstance(files, Path) else tuple(files)
    return import_predictions(Import(log, found, path=path, **what), out)


def kept(folder: Path) -> dict[str, tuple[str, Any]]:
    """Return case -> (status, value) of what the log holds; one check, one model, repeat 0."""
    with Store.open(folder, read_only=True) as store:
        there = [o for o in store.outcomes() if o.repeat == 0 and o.reason != "not in the log"]
        return {o.case: (o.status, o.value) for o in there}


def replies(folder: Path) -> dict[str, list[str]]:
    """Return case -> the raw replies behind its records."""
    with Store.open(folder, read_only=True) as store:
        found: dict[str, list[str]] = {}
        for record in store.records():
            texts = [reply.text for reply, _ in store.replies(record.calls).values()]
            found.setdefault(record.cell.case, []).extend(texts)
        return found
