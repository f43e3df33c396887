"""What the readers share: replies, scores and names of questions, read by the kind of a field."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from vidence.annotation.faults import RowError, shown
from vidence.annotation.reading import decode
from vidence.annotation.row import as_texts
from vidence.answer import Reply
from vidence.benchmark import plain_name
from vidence.errors import CaseError

FAILURES = ("failed to obtain answer", "api error")
"""Beginnings of texts that tools write in place of a reply that never came."""
_IDS = frozenset(
    (
        *("id", "questionid", "qid", "uid", "quid", "key", "index", "questionidx", "videoidx"),
        *("sampleid", "caseid", "itemid", "case"),
    )
)
_VIDEOS = ("videoid", "videoidx", "video", "videoname", "videopath", "videofile", "vid")
_QUESTIONS = ("question", "questiontext", "query")
_OPTIONS = ("candidates", "options", "choices", "option")
_GOLDS = (
    *("answer", "gtanswer", "correctchoice", "groundtruth", "answerid", "gt", "gold", "label"),
    *("correctanswer", "answerchoice", "target"),
)
_LONG = 60


def reply_of(text: Any, *, failures: Sequence[str] = (), finish: str | None = None) -> Reply:
    """Return a reply as a log has it; a failure marker is no reply.

    Args:
        text: what stands in the log; None is an empty reply, other values are spelt as JSON.
        failures: beginnings that stand for a failure, beside `FAILURES`.
        finish: the finish reason.
    """
    if text is None:
        words = ""
    elif isinstance(text, str):
        words = text
    else:
        words = json.dumps(text, ensure_ascii=False)
    start = words.strip()[:200].casefold()
    for marker in (*FAILURES, *(f.casefold() for f in failures if f.strip())):
        if start.startswith(marker):
            return Reply(status="failed", error=f"the log says: {words.strip()[:80]}")
    return Reply(text=words, finish_reason=finish)


class Scores:
    """The column of a log's own scores, read as one type.

    Args:
        file: the log's name, for messages.
        no_score: values that stand for "not scored".
    """

    def __init__(self, file: str, no_score: Iterable[float] = ()) -> None:
        self._file, self._none = file, frozenset(no_score)
        self._kinds: dict[str, str] = {}

    def read(self, value: Any, where: str) -> float | None:
        """Return a score as a number: true is 1, "1" is 1; None where there is none.

        Raises:
            CaseError: it is neither a number nor true or false, so nobody can count it.
        """
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        number = self._number(value)
        if number is None:
            raise CaseError(
                f"{where}: the score {shown(value)} came; numbers, true and false are allowed. "
                "A column of scores has one type. Correct it, or leave the column out."
            )
        kind = {bool: "true or false", str: "texts"}.get(type(value), "numbers")
        self._kinds.setdefault(kind, shown(value, 20))
        return None if math.isnan(number) or number in self._none else number

    @staticmethod
    def _number(value: Any) -> float | None:
        if isinstance(value, str):
            word = value.strip().lower()
            if word in ("true", "false"):
                return float(word == "true")
            try:
                return float(word)
            except ValueError:
                return None
        return float(value) if isinstance(value, bool | int | float) else None

    def warnings(self) -> tuple[str, ...]:
        """Say so where a column mixes types."""
        if len(self._kinds) < 2:
            return ()
        kinds = ", ".join(f"{kind} ({example})" for kind, example in self._kinds.items())
        return (f"{self._file}: the scores are of several types: {kinds}; read as numbers.",)


@lru_cache(maxsize=4096)
def field_name(name: str) -> str:
    """Return a field's name without capitals, hyphens and underscores; a log has few of them."""
    return plain_name(name)


def names_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what tells a question in a row or a document, as fields of `Prediction`.

    Fields are known by their names without capitals, hyphens and underscores; of two names for one
    thing the first in the lists above counts.
    """
    by_name: dict[str, Any] = {}
    for name, value in row.items():
        by_name.setdefault(field_name(str(name)), value)
    found: dict[str, Any] = {}
    ids: dict[str, str] = {}
    for name, value in by_name.items():
        text = as_name(value) if name in _IDS else ""
        if _is_text(text):
            found.setdefault("question", text)
        elif text:
            ids[name] = text
    if ids:
        found["ids"] = ids
    for field, names in (("video", _VIDEOS), ("question", _QUESTIONS)):
        text = next((as_name(by_name[n]) for n in names if as_name(by_name.get(n))), "")
        if text and (field == "video" or isinstance(text, str)):
            found.setdefault(field, text)
    options = options_of(by_name)
    if options is not None:
        found["options"] = options
    gold = next((by_name[n] for n in _GOLDS if not _blank(by_name.get(n))), None)
    if gold is not None:
        found["gold"] = gold
    return found


def options_of(by_name: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return options from a field that holds a list, or from one field a letter; None for none."""
    for name in _OPTIONS:
        if by_name.get(name) is not None:
            try:
                return tuple(as_texts(by_name[name], name))
            except RowError:
                continue
    letters = [letter for letter in "abcdefghijklmnopqrstuvwxyz" if letter in by_name]
    if letters[:2] != ["a", "b"]:
        return None
    cells = [by_name[letter] for letter in letters]
    while cells and _blank(cells[-1]):
        cells.pop()
    return tuple("" if _blank(cell) else str(cell) for cell in cells) or None


def as_name(value: Any) -> str:
    """Return a name as text: 3 and 3.0 are "3"; "" for what is no name."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value).strip()
    return ""


def as_count(value: Any) -> int | None:
    """Return a whole number from 0 up, also one that is written as text, or None."""
    text = as_name(value)
    return int(text) if re.fullmatch(r"[0-9]{1,12}", text) else None


def read_json(path: Path) -> Any:
    """Return what a JSON file holds.

    Raises:
        CaseError: it cannot be read, or is no JSON.
    """
    try:
        return decode(path.read_text(encoding="utf-8-sig", errors="surrogateescape"))
    except OSError as error:
        raise CaseError(f"{path} cannot be read: {error.strerror}. Check the file.") from None
    except (ValueError, RecursionError) as error:
        raise CaseError(f"{path.name} is no JSON: {error}. Fetch it again.") from None


def _is_text(name: str) -> bool:
    """Say whether an id is the question itself, as one tool has it."""
    return " " in name and (len(name) > _LONG or "?" in name or "\n" in name)


def _blank(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())
