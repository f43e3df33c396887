"""Any table of replies: CSV, TSV, JSON, JSONL or Parquet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from vidence.annotation.faults import RowError, shown
from vidence.annotation.reading import columns_of, read_rows
from vidence.annotation.row import Row, as_texts
from vidence.benchmark import Rejected
from vidence.errors import CaseError, UnknownNameError
from vidence.prediction import Log, Prediction, Wanted, prediction_log
from vidence.predictions._cells import unescaped, written_by_vidence
from vidence.predictions._fields import Scores, as_count, as_name, reply_of

COLUMNS = (
    *("id", "reply", "row", "task", "video", "question", "options", "gold", "prompt"),
    *("parsed", "score", "repeat", "finish_reason", "error"),
)
_ALSO = {
    "id": ("case", "case_id", "question_id", "qid", "uid", "index"),
    "reply": ("prediction", "response", "output"),
}
"""Columns that are taken where the mapping names none and the plain name is not there."""
_OWN = ("check", "answerer")
"""Columns of a table of records, which may hold more than what is imported."""


@prediction_log("plain", columns=COLUMNS)
def read(path: Path, wanted: Wanted) -> Log:
    """Read any table of replies: an id and a reply a row, more columns by name."""
    rows = read_rows(path)
    chosen = _chosen(path, columns_of(rows), wanted.columns)
    scores = Scores(path.name)
    predictions: list[Prediction] = []
    rejected = list(rows.rejected)
    left_out: dict[str, int] = {}
    for row in rows.rows:
        values: Mapping[str, Any] = row.values
        if written_by_vidence(values):
            values = {name: unescaped(value) for name, value in values.items()}
            other = _other(values, wanted)
            if other:
                left_out[other] = left_out.get(other, 0) + 1
                continue
        try:
            predictions.append(_prediction(row, _getter(values, chosen), scores, wanted))
        except RowError as fault:
            rejected.append(Rejected(row.where, fault.reason))
    return Log(tuple(predictions), tuple(rejected), left_out=left_out, warnings=scores.warnings())


def _chosen(path: Path, names: list[str], columns: Mapping[str, str]) -> dict[str, str]:
    for what, column in columns.items():
        if what not in COLUMNS:
            raise UnknownNameError("column of the form plain", what, COLUMNS)
        if column not in names:
            raise UnknownNameError(f"column of {path.name}", column, names)
    chosen = {what: what for what in COLUMNS if what in names}
    for what, known in _ALSO.items():
        present = [name for name in known if name in names]
        if present and what not in chosen:
            chosen[what] = present[0]
    chosen |= columns
    if "reply" not in chosen:
        raise CaseError(
            f"{path.name} has the columns {', '.join(map(repr, names[:12]))}; none is known to "
            "hold replies. Name it: --columns reply=COLUMN,id=COLUMN."
        )
    return chosen


def _getter(values: Mapping[str, Any], chosen: Mapping[str, str]) -> Callable[[str], Any]:
    return lambda what: values.get(chosen[what]) if what in chosen else None


def _other(values: Mapping[str, Any], wanted: Wanted) -> str:
    """Say of which other check or answerer a row of Vidence's own table is."""
    mine = {"check": wanted.check, "answerer": wanted.model}
    for name in _OWN:
        if values.get(name) not in (None, mine[name]):
            return f"of the {name} {values[name]!r}"
    return ""


def _prediction(row: Row, get: Callable[[str], Any], scores: Scores, wanted: Wanted) -> Prediction:
    value, error = get("reply"), as_name(get("error"))
    if isinstance(value, dict | list):
        raise RowError("unreadable_row", f"the reply is {shown(value)}, a text is needed")
    reply = reply_of(value, failures=wanted.failures, finish=as_name(get("finish_reason")) or None)
    if value is None or (error and not reply.text):
        reply = reply_of(f"failed to obtain answer: {error or 'the reply is null'}")
    name = as_name(get("id"))
    options = get("options")
    return Prediction(
        where=row.where,
        reply=reply,
        ids={"id": name} if name else {},
        row=_count("row", get("row")),
        task=as_name(get("task")),
        video=as_name(get("video")),
        question=as_name(get("question")),
        options=None if options in (None, "") else tuple(as_texts(options, "options")),
        gold=get("gold"),
        prompt=as_name(get("prompt")),
        parsed=get("parsed") if isinstance(get("parsed"), str | int | float) else None,
        score=scores.read(get("score"), row.where),
        repeat=_count("repeat", get("repeat")) or 0,
    )


def _count(what: str, value: Any) -> int | None:
    if value is None or value == "":
        return None
    number = as_count(value)
    if number is None:
        raise RowError("unreadable_row", f"{what} is {shown(value)}; a number from 0 is needed")
    return number
