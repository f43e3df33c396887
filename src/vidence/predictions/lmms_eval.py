"""lmms-eval: `<date>_samples_<task>.jsonl`, written with `--log_samples`; a document once."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from vidence.annotation.reading import read_rows
from vidence.annotation.row import Row
from vidence.benchmark import Rejected
from vidence.errors import CaseError
from vidence.prediction import Log, Prediction, Wanted, prediction_log
from vidence.predictions._fields import Scores, as_count, as_name, names_of, read_json
from vidence.predictions._harness import (
    prompts_of,
    replies_of,
    scored_of,
    summaries_of,
    task_of,
)


@prediction_log("lmms-eval")
def read(path: Path, wanted: Wanted) -> Log:
    """Read samples of lmms-eval (JSONL), old and new, or its results JSON."""
    if path.suffix.lower() == ".json":
        return _results(path)
    rows = read_rows(path)
    scores = Scores(path.name)
    predictions: list[Prediction] = []
    rejected = list(rows.rejected)
    task = task_of(path)
    seen: dict[Any, list[str]] = {}
    for row in rows.rows:
        if "resps" not in row.values and "filtered_resps" not in row.values:
            rejected.append(Rejected(row.where, "no field resps or filtered_resps"))
            continue
        filtered = as_name(row.values.get("filter")) or _reading(row, seen)
        predictions += [
            replace(found, filter=filtered, task=task)
            for found in _predictions(row, scores, wanted)
        ]
    return Log(
        tuple(predictions),
        tuple(rejected),
        settings={"task": task},
        warnings=scores.warnings(),
    )


def _reading(row: Row, seen: dict[Any, list[str]]) -> str:
    """Name the filter of a document that comes again: the log repeats it without naming them.

    Rows that are equal in everything have one name, as they are one row twice.
    """
    body = json.dumps(row.values, sort_keys=True, ensure_ascii=False)
    bodies = seen.setdefault(as_name(row.values.get("doc_id")) or row.where, [])
    if body not in bodies:
        bodies.append(body)
    number = bodies.index(body)
    return f"reading {number + 1}" if number else ""


def _predictions(row: Row, scores: Scores, wanted: Wanted) -> list[Prediction]:
    sample = row.values
    scored = scored_of(sample, scores, row.where)
    doc = sample.get("doc")
    names = {**scored.names, **(names_of(doc) if isinstance(doc, Mapping) else {})}
    names["ids"] = {**scored.names.get("ids", {}), **names.get("ids", {})}
    gold = sample.get("target")
    names["gold"] = scored.gold if gold in (None, "") else gold
    # The document has the benchmark's order of options; the prompt has the order shown.
    prompt = next(iter(prompts_of(sample)), "")
    replies = replies_of(sample, wanted.failures)
    return [
        Prediction(
            row.where,
            reply,
            row=as_count(sample.get("doc_id")),
            prompt=prompt,
            parsed=scored.parsed,
            score=scored.score if len(replies) == 1 else None,
            repeat=repeat,
            **names,
        )
        for repeat, reply in enumerate(replies)
    ]


def _results(path: Path) -> Log:
    data: Any = read_json(path)
    if not isinstance(data, dict) or not isinstance(data.get("results"), dict):
        raise CaseError(
            f"{path.name} is no results file of lmms-eval: an object with `results` is needed, or "
            "a JSONL of samples. Check the file and the format."
        )
    return Log(
        (), model=as_name(data.get("model_name")), summaries=tuple(summaries_of(data["results"]))
    )
