"""Records of a log file: JSON, JSONL, or a JSON file that was cut off while it was written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from vidence.agent_log import Found, Unread
from vidence.annotation.faults import RowError, shown
from vidence.annotation.reading import decode, row_fault
from vidence.errors import CaseError, VidenceError
from vidence.trajectory import Trajectory

Record = Mapping[str, Any]
Make = Callable[[Record, str, str], Trajectory]
"""`(record, key, where)`; the key is the record's name in an object of records, else ""."""

_LISTS = ("processed_results", "results", "records", "trajectories", "data")
_LIST = re.compile(rf'\s*(?:\{{.{{0,200}}?"(?:{"|".join(_LISTS)})"\s*:\s*)?\[', re.DOTALL)
_SINGLE = ("messages", "steps", "reasoning", "conversations")


def found_in(path: Path, make: Make) -> Iterator[Found]:
    """Yield a trajectory, or what could not be read and why, for each record of a file.

    Raises:
        CaseError: the file cannot be opened.
    """
    for place, key, value in _records(path):
        where = f"{path.name}, {place}" if place else path.name
        fault = row_fault(value)
        if fault:
            yield Unread(where, fault, key)
            continue
        yield guarded(value, key, where, make)


def guarded(record: Record, key: str, where: str, make: Make) -> Found:
    """Return a record's trajectory, or why it has none."""
    try:
        return make(record, key, where)
    except NoTraceError as error:
        return Unread(where, str(error), key or error.qid, error.scored)
    except RowError as error:
        return Unread(where, error.reason, key)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        return Unread(where, f"{place}: {first['msg']}" if place else str(first["msg"]), key)
    except VidenceError as error:
        return Unread(where, str(error), key)
    except RecursionError:
        return Unread(where, "nested too deeply", key)


class NoTraceError(VidenceError):
    """A record has no messages.

    Args:
        qid: the question.
        result: what the log says of it none the less, "" for nothing.
    """

    def __init__(self, qid: str, result: str) -> None:
        self.qid, self.scored = qid, bool(result)
        super().__init__("no messages" + (f", but {result}" if result else ""))


def file_text(path: Path) -> str:
    """Return a file's text; bytes that are no UTF-8 stay visible as faults.

    Raises:
        CaseError: it cannot be opened.
    """
    try:
        return path.read_text(encoding="utf-8-sig", errors="surrogateescape")
    except OSError as error:
        raise CaseError(f"{path} cannot be read: {error.strerror}. Check the file.") from None


def _records(path: Path) -> Iterator[tuple[str, str, Any]]:
    """Yield (place, key, value); a value is an exception where nothing can be read."""
    text = file_text(path)
    try:
        value = decode(text)
    except (ValueError, RecursionError) as error:
        yield from _broken(text, error)
        return
    yield from _of(value)


def _of(value: Any) -> Iterator[tuple[str, str, Any]]:
    if isinstance(value, list):
        for number, item in enumerate(value, 1):
            yield f"row {number}", "", item
        if not value:
            yield "", "", ValueError("an empty list")
        return
    if not isinstance(value, dict) or any(name in value for name in _SINGLE):
        yield "", "", value
        return
    for name in _LISTS:
        if isinstance(value.get(name), list | dict):
            yield from _of(value[name])
            return
    if value and all(isinstance(item, dict | None | str) for item in value.values()):
        for key, item in value.items():
            yield shown(key, 60), key, item
        return
    yield "", "", value


def _broken(text: str, error: Exception) -> Iterator[tuple[str, str, Any]]:
    """Yield the lines of a JSONL file, or the records of a list before the place where it ends."""
    lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    read = [_value(line) for _, line in lines]
    good = [value for value in read if isinstance(value, dict)]
    if good and (len(good) > 1 or len(lines) <= 2):
        for (number, _), value in zip(lines, read, strict=True):
            yield f"line {number}", "", value
        return
    began = _LIST.match(text)
    number, at = 0, began.end() if began else 0
    while 0 < at < len(text):
        part = text[at:].lstrip(" \t\r\n,")
        at = len(text) - len(part)
        end = _object_end(part)
        value = _value(part[:end]) if end else None
        if not isinstance(value, dict):
            break
        number += 1
        yield f"row {number}", "", value
        at += end
    yield f"row {number + 1}" if number else "", "", ValueError(f"no JSON: {error}")


def _value(text: str) -> Any:
    try:
        return decode(text)
    except (ValueError, RecursionError) as error:
        return ValueError(f"no JSON: {error}")


def _object_end(text: str) -> int:
    """Return where the object ends with which a text begins, 0 where none does."""
    depth, quoted, escaped = 0, False, False
    for place, sign in enumerate(text if text.startswith("{") else ""):
        if escaped:
            escaped = False
        elif quoted:
            escaped, quoted = sign == "\\", sign != '"'
        elif sign == '"':
            quoted = True
        elif sign in "{[":
            depth += 1
        elif sign in "}]":
            depth -= 1
            if depth == 0:
                return place + 1
    return 0
