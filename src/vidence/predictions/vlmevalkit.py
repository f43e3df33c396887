"""VLMEvalKit: `<model>_<dataset>.xlsx`, .tsv or .json, the dataset's columns and `prediction`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from vidence.annotation.reading import Rows, read_rows
from vidence.benchmark import Rejected, plain_name
from vidence.errors import CaseError
from vidence.prediction import Log, Prediction, Wanted, prediction_log
from vidence.predictions._fields import Scores, as_count, names_of, reply_of
from vidence.predictions._sheet import read_sheet

_ROTATION = 1_000_000
"""A question shown again with its options moved on has the index plus so many, each time."""
_CELL = 32767
"""Characters that a cell of a spreadsheet holds at most."""
_BUDGETS = {
    "frames": re.compile(r"(\d+)frame"),
    "fps": re.compile(r"(\d+(?:\.\d+)?)fps"),
}
_NOT_SCORED = (-1.0,)
"""The score of a reply that failed, or that no judge could read."""


@prediction_log("vlmevalkit")
def read(path: Path, wanted: Wanted) -> Log:
    """Read VLMEvalKit's predictions, scored or not (xlsx, tsv, csv, json)."""
    if path.suffix.lower() == ".pkl":
        raise CaseError(
            f"{path.name} is a pickle, which can run code when it is read. Write it as xlsx, tsv "
            "or json with VLMEvalKit (PRED_FORMAT), and give that."
        )
    xlsx = path.suffix.lower() == ".xlsx"
    rows = read_sheet(path) if xlsx else _rows(path)
    scores = Scores(path.name, _NOT_SCORED)
    predictions: list[Prediction] = []
    rejected = list(rows.rejected)
    cut = 0
    for row in rows.rows:
        if "prediction" not in row.values:
            rejected.append(Rejected(row.where, "no column prediction"))
            continue
        said = row.values["prediction"]
        cut += xlsx and isinstance(said, str) and len(said) >= _CELL
        index = as_count(row.values.get("index"))
        names = names_of(row.values)
        if index is not None:
            index %= _ROTATION
            names["ids"] = {**names.get("ids", {}), "index": str(index)}
        score = row.values.get("score", row.values.get("hit"))
        predictions.append(
            Prediction(
                row.where,
                _as_it_was(reply_of(said, failures=wanted.failures), said, xlsx=xlsx),
                row=index,
                score=scores.read(score, row.where),
                **names,
            )
        )
    warnings = list(scores.warnings())
    if cut:
        warnings.append(
            f"{path.name}: {cut} replies have {_CELL} characters, the most that a cell holds: "
            "they were cut, and what they said at their end is lost."
        )
    model, settings = _named(path.stem, wanted)
    return Log(tuple(predictions), tuple(rejected), model, settings, warnings=tuple(warnings))


def _as_it_was(reply: Any, said: Any, *, xlsx: bool) -> Any:
    """Mark a reply that a cell cut, so that a letter at its end is not taken for its answer."""
    cut = xlsx and isinstance(said, str) and len(said) >= _CELL and reply.status == "ok"
    return replace(reply, finish_reason="length") if cut else reply


def _rows(path: Path) -> Rows:
    if path.suffix.lower() not in (".tsv", ".csv", ".json", ".jsonl"):
        raise CaseError(f"{path.name} came; VLMEvalKit writes .xlsx .tsv .json. Give one of these.")
    return read_rows(path)


def _named(stem: str, wanted: Wanted) -> tuple[str, Mapping[str, Any]]:
    """Return model and settings from a file's name, where the benchmark's name stands in it."""
    names = sorted({plain_name(name) for name in wanted.benchmark} - {""}, key=len, reverse=True)
    parts = stem.split("_")
    for i in range(1, len(parts)):
        rest = "_".join(parts[i:])
        if any(plain_name(rest).startswith(name) for name in names):
            found = {name: p.search(rest) for name, p in _BUDGETS.items()}
            settings: dict[str, Any] = {n: float(m[1]) for n, m in found.items() if m}
            if re.search(r"(?:^|_)subs?(?:_|$)", rest):
                settings["subtitles"] = True
            return "_".join(parts[:i]), {"dataset": rest, **settings}
    return "", {}
