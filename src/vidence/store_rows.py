"""Calls and records as rows of the store's tables."""

from __future__ import annotations

import json
from typing import Any

from vidence.answer import Answer, Request
from vidence.call import Call, prompt_from_json, reply_from_json, reply_to_json
from vidence.case_json import canonical
from vidence.record import Cell, Record


def call_row(call: Call, prompt: str) -> tuple[Any, ...]:
    """Return a call as a row of the table `calls`; `prompt` is its prompt's key."""
    request = call.request
    return (
        call.key,
        call.kind,
        call.answerer,
        prompt,
        request.seed,
        request.draw,
        canonical(call.shown),
        canonical(call.renderings),
        call.reply.status,
        canonical(reply_to_json(call.reply)),
        call.seconds,
    )


CALL_COLUMNS = (
    "c.key, c.kind, c.answerer, p.body, c.seed, c.draw, c.shown, c.renderings, c.reply, c.seconds"
)
"""Of `calls c` and `prompts p`, as `call_of` reads them."""


def call_of(row: tuple[Any, ...]) -> Call:
    """Return the call of a row of `CALL_COLUMNS`."""
    key, kind, answerer, prompt, seed, draw, shown, renderings, reply, seconds = row
    return Call(
        key=key,
        kind=kind,
        answerer=answerer,
        request=Request(prompt_from_json(json.loads(prompt)), seed, draw),
        reply=reply_from_json(json.loads(reply)),
        shown=tuple(json.loads(shown)),
        renderings=tuple(json.loads(renderings)),
        seconds=seconds,
    )


RECORD_COLUMNS = (
    "case_id, check_label, answerer, repeat, calls, answers, status, value, reason, notes"
)
RECORD_ORDER = "ORDER BY case_id, check_label, answerer, repeat"


def record_row(record: Record) -> tuple[Any, ...]:
    """Return a record as a row of the table `records`."""
    cell = record.cell
    return (
        cell.key(),
        cell.case,
        cell.check,
        cell.answerer,
        cell.repeat,
        int(record.final),
        canonical(record.calls),
        canonical([[a.status, a.value, a.reason] for a in record.answers]),
        record.status,
        canonical(record.value),
        storable(record.reason),
        canonical(record.notes),
    )


def record_of(row: tuple[Any, ...]) -> Record:
    """Return the record of a row of `RECORD_COLUMNS`."""
    case, check, answerer, repeat, calls, answers, status, value, reason, notes = row
    return Record(
        cell=Cell(case, check, answerer, repeat),
        calls=tuple(json.loads(calls)),
        answers=tuple(Answer(*answer) for answer in json.loads(answers)),
        status=status,
        value=json.loads(value),
        reason=reason,
        notes=tuple(json.loads(notes)),
    )


def storable(text: str) -> str:
    """Return text that SQLite takes: half surrogates, which no encoding has, are spelt out."""
    return text.encode("utf-8", "backslashreplace").decode()
