"""Which column of a table is what: as the user says, or by the names that are common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from string import ascii_lowercase

from vidence.annotation.faults import shown
from vidence.benchmark import plain_name
from vidence.errors import CaseError, UsageError

COMMON: dict[str, tuple[str, ...]] = {
    "id": ("id", "question_id", "qid", "uid", "q_uid", "question_idx", "key", "index"),
    "video": ("video", "video_path", "video_name", "video_file", "video_id", "vid", "video_idx"),
    "question": ("question", "question_text", "query"),
    "options": ("options", "choices", "candidates", "option"),
    "answer": ("answer", "gold", "label", "correct_answer", "correct_choice", "ground_truth"),
    "tags": ("category", "task", "task_type", "question_type", "domain"),
}
"""Field -> names by which a column is taken for it where nothing else was said. Times are never
guessed: a clip that is cut by mistake looks like a hard question."""

ANSWERS = ("answer", "answer_letter", "answer_index", "answer_text")
TIMES = ("start", "end", "evidence", "evidence_start", "evidence_end", "seconds", "fps")
FIELDS = (*COMMON, *ANSWERS[1:], *TIMES)
"""What can be named on the left of `what=column`."""
NEEDED = ("question", "video", "options")
NONE = "-"
"""The column of a field that there is not: `options=-` for a table of open questions."""
_SEVERAL = ("options", "tags")


def columns_for(
    given: Mapping[str, str], columns: Sequence[str], file: str
) -> dict[str, tuple[str, ...]]:
    """Return the columns behind each field, the given ones first and common names for the rest.

    Args:
        given: field -> column, or columns joined by `;` for options and tags.
        columns: the file's.
        file: its name, for messages.

    Raises:
        UsageError: a field that there is not, or two ways to say one thing.
        CaseError: the file has no such column, or none for a field that is needed.
    """
    for field in given:
        if field not in FIELDS:
            close = get_close_matches(field, FIELDS, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise UsageError(
                f"--columns names {shown(field)}.{hint} Known: {', '.join(FIELDS)}. "
                "Write each as what=column."
            )
    if len([name for name in ANSWERS if name in given]) > 1:
        raise UsageError(
            f"--columns names {' and '.join(n for n in ANSWERS if n in given)}; "
            "one of them says what the key is. Leave the others out."
        )
    found = {
        field: () if text == NONE else _given(field, text, columns, file)
        for field, text in given.items()
    }
    for field, names in _guesses(columns).items():
        taken = field in found or (field == "answer" and any(n in found for n in ANSWERS))
        if not taken:
            found[field] = names
    for field in NEEDED:
        if field not in found or (field != "options" and not found[field]):
            nothing = " (options=- where the questions are open)" if field == "options" else ""
            raise CaseError(
                f"{file} has no column that is known for the {field}; it has the columns "
                f"{', '.join(map(shown, columns))}. "
                f"Say which it is: --columns {field}=NAME{nothing}."
            )
    return {field: names for field, names in found.items() if names}


def _given(field: str, text: str, columns: Sequence[str], file: str) -> tuple[str, ...]:
    names = [text]
    if text not in columns and field in _SEVERAL:
        names = [name.strip() for name in text.split(";") if name.strip()]
    for name in names:
        if name not in columns:
            close = get_close_matches(name, columns, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise CaseError(
                f"{file} has no column {shown(name)} for the {field}.{hint} It has "
                f"{', '.join(map(shown, columns))}. Name one of them in --columns."
            )
    return tuple(names)


def _guesses(columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    plain: dict[str, str] = {}
    for column in columns:
        plain.setdefault(plain_name(column), column)
    found: dict[str, tuple[str, ...]] = {}
    for field, names in COMMON.items():
        known = [plain[plain_name(name)] for name in names if plain_name(name) in plain]
        if known:
            found[field] = tuple(known) if field == "tags" else (known[0],)
    if "options" not in found and (separate := _separate(plain)):
        found["options"] = separate
    return found


def _separate(plain: Mapping[str, str]) -> tuple[str, ...]:
    """Return columns A, B, C ... or option_0, option_1 ... that hold one option each."""
    for front in ("", "option", "choice", "answerchoice", "candidate"):
        for marks in (ascii_lowercase, "0123456789", "123456789"):
            if not front and marks != ascii_lowercase:
                continue
            names: list[str] = []
            for mark in marks:
                if front + mark not in plain:
                    break
                names.append(plain[front + mark])
            if len(names) > 1:
                return tuple(names)
    return ()
