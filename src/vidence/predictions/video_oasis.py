"""Video-Oasis: one JSON file a sample, `OUTPUT/MODEL/<db>**@@**<qid>.json`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vidence.annotation.faults import shown
from vidence.annotation.reading import decode, row_fault
from vidence.answer import Reply
from vidence.benchmark import Rejected, plain_name
from vidence.errors import CaseError
from vidence.prediction import Log, Prediction, Wanted, prediction_log
from vidence.predictions._fields import as_name, names_of, reply_of

_MARK = "**@@**"
"""Between the name of the benchmark and that of the question, in a file's name."""
_TESTS = {"consistency": "intact"}
"""Their test -> the check of Vidence, where the names differ."""


@dataclass(frozen=True)
class _Sample:
    where: str
    body: Mapping[str, Any]
    db: str
    qid: str


@prediction_log("video-oasis", folders=True)
def read(path: Path, wanted: Wanted) -> Log:
    """Read Video-Oasis' predictions: a folder of samples, one of them, or a list (JSON, JSONL)."""
    samples: list[_Sample] = []
    rejected: list[Rejected] = []
    for where, value, stem in _values(path):
        fault = str(value) if isinstance(value, Exception) else row_fault(value)
        if fault or "pred" not in value:
            reason = fault or _no_pred(value)
            rejected.append(Rejected(where, reason))
        else:
            db, _, qid = stem.partition(_MARK)
            db = as_name(value.get("db")) or (db if qid else "")
            samples.append(_Sample(where, value, db, as_name(value.get("qid")) or qid))
    wanted_dbs = _wanted_dbs(samples, wanted)
    models = {_told(s, "model") for s in samples} - {""}
    left_out: Counter[str] = Counter()
    predictions: list[Prediction] = []
    for sample in samples:
        reason = _other(sample, wanted, wanted_dbs, models)
        if reason:
            left_out[reason] += 1
        else:
            predictions.append(_prediction(sample, wanted))
    if left_out and not predictions:
        there = ", ".join(f"{n} {reason}" for reason, n in left_out.items())
        raise CaseError(
            f"{path.name} holds nothing of the check {wanted.check!r} by {wanted.model!r}: "
            f"{there}. Say what is meant with --check and --model."
        )
    return Log(
        tuple(predictions),
        tuple(rejected),
        model=next(iter(models)) if len(models) == 1 else "",
        settings=_settings(samples),
        left_out=dict(left_out),
    )


def _values(path: Path) -> Iterator[tuple[str, Any, str]]:
    """Yield (where, value, the file's stem); the value is an `Exception` where nothing is read."""
    files = sorted(p for p in path.rglob("*.json") if p.is_file()) if path.is_dir() else [path]
    for file in files:
        where = str(file.relative_to(path)) if path.is_dir() else file.name
        try:
            text = file.read_text(encoding="utf-8-sig", errors="surrogateescape")
        except OSError as error:
            raise CaseError(f"{file} cannot be read: {error.strerror}. Check the file.") from None
        lines = text.split("\n") if file.suffix.lower() in (".jsonl", ".ndjson") else [text]
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            place = f"{where}, line {number}" if len(lines) > 1 else where
            try:
                value = decode(line)
            except (ValueError, RecursionError) as error:
                value = ValueError(f"no JSON: {error}")
            if isinstance(value, list):
                yield from ((f"{place}, row {i}", one, "") for i, one in enumerate(value, 1))
            else:
                yield place, value, file.stem


def _no_pred(value: Mapping[str, Any]) -> str:
    if isinstance(value.get("chunks"), list):
        return "a sample of the redundancy test, which has a reply a segment and no `pred`"
    return f"no field pred; it has {', '.join(shown(name, 40) for name in list(value)[:12])}"


def _told(sample: _Sample, name: str) -> str:
    told = sample.body.get("diagnostic")
    return as_name(told.get(name)) if isinstance(told, Mapping) else ""


def _wanted_dbs(samples: list[_Sample], wanted: Wanted) -> set[str]:
    """Return the benchmarks in the log that are meant: all, where there is one only."""
    dbs = {sample.db for sample in samples}
    if len(dbs) < 2:
        return dbs
    names = {plain_name(name) for name in wanted.benchmark}
    found = {db for db in dbs if plain_name(db) in names}
    if not found:
        raise CaseError(
            f"The log holds predictions on {', '.join(map(repr, sorted(dbs)))}, and none of these "
            f"is called {' or '.join(map(repr, filter(None, wanted.benchmark)))}. "
            "Give the files of one benchmark."
        )
    return found


def _other(sample: _Sample, wanted: Wanted, dbs: set[str], models: set[str]) -> str:
    """Say why a sample is not meant, "" where it is."""
    if sample.db not in dbs:
        return f"of the benchmark {sample.db}"
    test, model = _told(sample, "test"), _told(sample, "model")
    if test and _TESTS.get(test, test) != wanted.check.partition(":")[0]:
        return f"of the test {test}"
    if len(models) > 1 and model != wanted.model:
        return f"of the model {model or 'without a name'}"
    return ""


def _prediction(sample: _Sample, wanted: Wanted) -> Prediction:
    body = sample.body
    names = names_of(body)
    reply = reply_of(body.get("pred"), failures=wanted.failures)
    told = body.get("diagnostic")
    scores = told.get("option_scores") if isinstance(told, Mapping) else None
    return Prediction(
        sample.where,
        _scored(reply, scores, len(names.get("options") or ())),
        **{**names, "ids": {**names.get("ids", {}), **({"qid": sample.qid} if sample.qid else {})}},
    )


def _scored(reply: Reply, scores: Any, options: int) -> Reply:
    """Return a reply with the score of each option, where an encoder chose by them."""
    while isinstance(scores, list) and len(scores) == 1 and isinstance(scores[0], list):
        scores = scores[0]
    if not isinstance(scores, list) or len(scores) != options or reply.status != "ok":
        return reply
    if not all(type(s) in (int, float) and math.isfinite(s) for s in scores):
        return reply
    return replace(reply, scores=tuple(map(float, scores)))


def _settings(samples: list[_Sample]) -> dict[str, Any]:
    """Return what all samples say alike about how they were made."""
    found: dict[str, Any] = {}
    for name in ("test", "axis", "top_k", "aggregation", "context_source"):
        values = {_told(sample, name) for sample in samples}
        if len(values) == 1 and values != {""}:
            found[name] = values.pop()
    return found
