"""lm-evaluation-harness: `samples_<task>_<date>.jsonl`; a document comes once for each filter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vidence.annotation.reading import read_rows
from vidence.annotation.row import Row
from vidence.benchmark import Rejected
from vidence.errors import CaseError
from vidence.prediction import Log, Prediction, Wanted, prediction_log
from vidence.predictions._fields import Scores, as_count, as_name, names_of, read_json
from vidence.predictions._harness import (
    arguments_of,
    prompts_of,
    replies_of,
    scored_of,
    summaries_of,
    task_of,
)


@prediction_log("lm-eval")
def read(path: Path, wanted: Wanted) -> Log:
    """Read samples of lm-evaluation-harness (JSONL), or its results JSON."""
    if path.suffix.lower() == ".json":
        return _results(path)
    rows = read_rows(path)
    scores = Scores(path.name)
    predictions: list[Prediction] = []
    rejected = list(rows.rejected)
    for row in rows.rows:
        if "resps" not in row.values and "filtered_resps" not in row.values:
            rejected.append(Rejected(row.where, "no field resps or filtered_resps"))
            continue
        predictions += _predictions(row, task_of(path), scores, wanted)
    return Log(
        tuple(predictions),
        tuple(rejected),
        settings={"task": task_of(path)},
        warnings=scores.warnings(),
    )


def _predictions(row: Row, task: str, scores: Scores, wanted: Wanted) -> list[Prediction]:
    sample = row.values
    scored = scored_of(sample, scores, row.where)
    doc = sample.get("doc")
    names = names_of(doc) if isinstance(doc, Mapping) else {}
    if "gold" not in names and sample.get("target") not in (None, ""):
        names["gold"] = sample["target"]
    replies = replies_of(sample, wanted.failures)
    if replies[0].scores is not None:  # each request is the prompt with one option to go on with
        names["options"] = tuple(args[1].strip() for args in arguments_of(sample) if len(args) > 1)
        if len(names["options"]) != len(replies[0].scores):
            del names["options"]
    filtered = sample.get("filtered_resps")
    parsed = filtered[0] if isinstance(filtered, list) and len(filtered) == 1 else filtered
    return [
        Prediction(
            row.where,
            reply,
            row=as_count(sample.get("doc_id")),
            task=task,
            prompt=next(iter(prompts_of(sample)), ""),
            parsed=parsed if isinstance(parsed, str) else None,
            score=scored.score if len(replies) == 1 else None,
            filter=as_name(sample.get("filter")),
            repeat=repeat,
            **names,
        )
        for repeat, reply in enumerate(replies)
    ]


def _results(path: Path) -> Log:
    data: Any = read_json(path)
    if not isinstance(data, dict) or not isinstance(data.get("results"), dict):
        raise CaseError(
            f"{path.name} is no results file of lm-evaluation-harness: an object with `results` "
            "is needed, or a JSONL of samples. Check the file and the format."
        )
    return Log(
        (), model=as_name(data.get("model_name")), summaries=tuple(summaries_of(data["results"]))
    )
