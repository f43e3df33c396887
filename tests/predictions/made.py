"""A small benchmark of our own, and logs of it written line by line."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from vidence.benchmark import Benchmark, load_benchmark
from vidence.imported import Import, ImportReport, import_predictions
from vidence.record import Record
from vidence.store import Store

WORDS = ("copper", "walnut", "velvet", "granite", "paper", "amber")
LETTERS = "ABCDEF"


def rows(n: int = 12, ids: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return rows of a case file: three questions a video, four options, keys all over."""
    return [
        {
            "id": ids[i] if ids else f"q{i:02d}",
            "video": f"film{i // 3}.mp4",
            "question": f"Which of the boxes is opened as number {i}?",
            "options": [f"the {WORDS[(i + k) % 6]} box" for k in range(4)],
            "answer": i % 4,
        }
        for i in range(n)
    ]


def case_file(folder: Path, cases: Iterable[Mapping[str, Any]], name: str = "cases") -> Path:
    return lines(folder / f"{name}.jsonl", cases)


def lines(path: Path, rows: Iterable[Any]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def table(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write a CSV with the columns of the first row."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def sample(doc_id: int, reply: Any, **more: Any) -> dict[str, Any]:
    """Return a line of lmms-eval as it writes them now: without the document, `resps` dropped."""
    return {"doc_id": doc_id, "filtered_resps": reply, "doc_hash": f"{doc_id:064x}", **more}


def prompt(case: Mapping[str, Any], order: Sequence[int] = (0, 1, 2, 3)) -> str:
    shown = [f"{LETTERS[i]}. {case['options'][key]}" for i, key in enumerate(order)]
    return "\n".join([case["question"], *shown, "Answer with the letter."])


def read(path: Path) -> Benchmark:
    return load_benchmark("jsonl", path)


def take_in(
    run: Path,
    cases: Path,
    *files: Path,
    form: str = "lmms-eval",
    check: str = "intact",
    model: str = "m",
    columns: Mapping[str, str] | None = None,
) -> ImportReport:
    what = Import(form, files, "jsonl", cases, check, model, columns or {})
    return import_predictions(what, run)


def records(run: Path, model: str = "m", check: str = "intact") -> dict[str, Record]:
    """Return case id -> record of the first repeat."""
    with Store.open(run, read_only=True) as store:
        found = list(store.records())
    mine = (r for r in found if (r.cell.answerer, r.cell.check) == (model, check))
    return {r.cell.case: r for r in mine if r.cell.repeat == 0}
