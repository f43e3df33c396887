"""lmms-eval: `<date>_samples_<task>.jsonl`, written with `--log_samples`; a document once."""

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
    for row in rows.rows:
        if "resps" not in row.values and "filtered_resps" not in row.values:
            rejected.append(Rejected(row.where, "no field resps or filtered_resps"))
        else:
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
            task=task,
            prompt=prompt,
            parsed=scored.parsed,
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
            f"{path.name} is no results file of lmms-eval: an object with `results` is needed, or "
            "a JSONL of samples. Check the file and the format."
        )
    return Log(
        (), model=as_name(data.get("model_name")), summaries=tuple(summaries_of(data["results"]))
    )
