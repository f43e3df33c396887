"""Any table of replies: CSV, TSV, JSON, JSONL or Parquet; also what `vidence export` writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast, get_args

from vidence.annotation.faults import RowError, shown
from vidence.annotation.reading import columns_of, read_rows
from vidence.annotation.row import Row, as_number, as_texts
from vidence.answer import Reply, ReplyStatus
from vidence.benchmark import Rejected
from vidence.errors import CaseError, UnknownNameError
from vidence.prediction import Log, Prediction, Wanted, prediction_log
from vidence.predictions._cells import own_values, written_by_vidence
from vidence.predictions._fields import Scores, as_count, as_name, reply_of

COLUMNS = (
    *("id", "reply", "row", "task", "video", "question", "options", "gold", "prompt"),
    *("parsed", "score", "filter", "repeat", "finish_reason", "status", "error", "scores"),
    *("check", "model"),
)
_ALSO = {
    "id": ("case", "case_id", "question_id", "qid", "uid", "index"),
    "reply": ("prediction", "response", "output"),
}
"""Columns that are taken where the mapping names none and the plain name is not there."""
_EXPORTED = {
    "reply": "reply",
    "prompt": "prompt",
    "repeat": "repeat",
    "finish_reason": "finish_reason",
    "error": "error",
    "check": "check",
    "id": "case",
    "options": "shown",
    "model": "answerer",
    "status": "reply_status",
    "scores": "option_scores",
}
"""The columns of a table that `vidence export` wrote."""
_ASKED = frozenset(("check", "model", "status", "scores", "filter"))
"""Columns that mean something only where they are named: others use these words differently."""
_STATUSES: tuple[str, ...] = get_args(ReplyStatus)

Get = Callable[[str], Any]


@prediction_log("plain", columns=COLUMNS)
def read(path: Path, wanted: Wanted) -> Log:
    """Read any table of replies: an id and a reply a row, more columns by name."""
    rows = read_rows(path)
    names = columns_of(rows)
    chosen = _chosen(path, names, wanted.columns)
    scores = Scores(path.name)
    predictions: list[Prediction] = []
    rejected = list(rows.rejected)
    left_out: dict[str, int] = {}
    for row in rows.rows:
        get = _getter(row.values, chosen)
        if written_by_vidence(row.values) and not wanted.columns:
            get = _getter(own_values(row.values), _EXPORTED)
        if other := _other(get, wanted):
            left_out[other] = left_out.get(other, 0) + 1
            continue
        try:
            predictions.append(_prediction(row, get, scores, wanted))
        except RowError as fault:
            rejected.append(Rejected(row.where, fault.reason))
    return Log(tuple(predictions), tuple(rejected), left_out=left_out, warnings=scores.warnings())


def _chosen(path: Path, names: list[str], columns: Mapping[str, str]) -> dict[str, str]:
    for what, column in columns.items():
        if what not in COLUMNS:
            raise UnknownNameError("column of the form plain", what, COLUMNS)
        if column not in names:
            raise UnknownNameError(f"column of {path.name}", column, names)
    chosen = {what: what for what in COLUMNS if what in names and what not in _ASKED}
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


def _getter(values: Mapping[str, Any], chosen: Mapping[str, str]) -> Get:
    return lambda what: values.get(chosen[what]) if what in chosen else None


def _other(get: Get, wanted: Wanted) -> str:
    """Say of which other check or model a row is; a cell that names none is of any."""
    for name, mine in (("check", wanted.check), ("model", wanted.model)):
        if (theirs := as_name(get(name))) and theirs != mine:
            return f"of the {name} {theirs!r}"
    return ""


def _prediction(row: Row, get: Get, scores: Scores, wanted: Wanted) -> Prediction:
    name = as_name(get("id"))
    options, parsed = get("options"), get("parsed")
    return Prediction(
        where=row.where,
        reply=_reply(get, wanted),
        ids={"id": name} if name else {},
        row=_count("row", get("row")),
        task=as_name(get("task")),
        video=as_name(get("video")),
        question=as_name(get("question")),
        options=None if options in (None, "") else tuple(as_texts(options, "options")),
        gold=get("gold"),
        prompt=get("prompt") if isinstance(get("prompt"), str) else "",
        parsed=parsed if isinstance(parsed, str | int | float) else None,
        score=scores.read(get("score"), row.where),
        filter=as_name(get("filter")),
        repeat=_count("repeat", get("repeat")) or 0,
    )


def _reply(get: Get, wanted: Wanted) -> Reply:
    value, error, status = get("reply"), as_name(get("error")), as_name(get("status")) or "ok"
    if isinstance(value, dict | list):
        raise RowError("unreadable_row", f"the reply is {shown(value)}, a text is needed")
    if status not in _STATUSES:
        raise RowError(
            "unreadable_row", f"the status is {status!r}; {', '.join(_STATUSES)} are allowed"
        )
    if status != "ok":
        words = value if isinstance(value, str) else ""
        return Reply(text=words, status=cast(ReplyStatus, status), error=error)
    given = get("scores")
    if given not in (None, ""):
        return Reply(text=value or "", scores=_scores(given))
    if value is None:
        return Reply(status="failed", error=error or "the reply is null")
    if error and value == "":
        return Reply(status="failed", error=error)
    finish = as_name(get("finish_reason")) or None
    if as_name(get("status")) and isinstance(value, str):  # a status says so, no beginning does
        return Reply(text=value, finish_reason=finish)
    return reply_of(value, failures=wanted.failures, finish=finish)


def _scores(value: Any) -> tuple[float, ...]:
    numbers = [as_number(text) for text in as_texts(value, "scores")]
    if None in numbers:
        raise RowError("unreadable_row", f"the scores are {shown(value)}; numbers are needed")
    return tuple(number for number in numbers if number is not None)


def _count(what: str, value: Any) -> int | None:
    if value is None or value == "":
        return None
    number = as_count(value)
    if number is None:
        raise RowError("unreadable_row", f"{what} is {shown(value)}; a number from 0 is needed")
    return number
