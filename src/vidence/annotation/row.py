"""One row of an annotation file, read by the names and kinds of its fields."""

from __future__ import annotations

import ast
import json
import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from vidence.annotation.faults import RowError, shown

_CLOSED = {"[": "]", "(": ")", "{": "}"}


@dataclass(frozen=True)
class Row:
    """One row. Fields are asked for by kind, so that a wrong one rejects the row by name.

    Args:
        values: the fields as they stand in the file.
        file: its file's name.
        place: its line or number in the file, for people.
        position: which row of its file it is, from 0.
    """

    values: Mapping[str, Any]
    file: str
    place: str
    position: int

    @property
    def where(self) -> str:
        """The file and the place in it."""
        return f"{self.file}, {self.place}"

    @property
    def stem(self) -> str:
        """The file's name without suffix, a task's name in some benchmarks."""
        return self.file.rpartition(".")[0] or self.file

    def within(self, values: Mapping[str, Any], place: str) -> Row:
        """Return a row nested in this one."""
        return replace(self, values=values, place=f"{self.place}, {place}")

    def get(self, name: str) -> Any:
        """Return a field as it stands.

        Raises:
            RowError: there is none of this name.
        """
        if name not in self.values:
            seen = ", ".join(shown(known, 40) for known in list(self.values)[:20])
            raise RowError("unreadable_row", f"no field {name!r}; it has {seen or 'none'}")
        return self.values[name]

    def text(self, name: str) -> str:
        """Return a text.

        Raises:
            RowError: missing, or of another kind.
        """
        value = self.get(name)
        if isinstance(value, str):
            return value
        raise RowError("unreadable_row", f"{name} is {shown(value)}, a text is needed")

    def name(self, field: str) -> str:
        """Return a name: a text that is not blank, or a whole number.

        Raises:
            RowError: missing, or of another kind.
        """
        value = self.get(field)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str) and value.strip():
            return value
        raise RowError("unreadable_row", f"{field} is {shown(value)}, which is no name")

    def number(self, name: str) -> float:
        """Return a finite number, also one that is written as text.

        Raises:
            RowError: missing, or of another kind.
        """
        value = self.get(name)
        found = as_number(value)
        if found is None:
            raise RowError("unreadable_row", f"{name} is {shown(value)}, a number is needed")
        return found

    def texts(self, name: str) -> list[str]:
        """Return a list of texts; see `as_texts`."""
        return as_texts(self.get(name), name)

    def lettered(self, name: str) -> list[str]:
        """Return the texts of a field letter -> text; see `lettered_texts`."""
        value = self.get(name)
        if not isinstance(value, Mapping):
            raise RowError("unreadable_row", f"{name} is {shown(value)}, an object is needed")
        return lettered_texts(value, name)

    def tags(self, *names: str, **renamed: str) -> dict[str, str]:
        """Return categories, `tag=field` where the tag has another name; null ones are left out."""
        fields = {**{name: name for name in names}, **renamed}
        found = {tag: _tag(self.values.get(field)) for tag, field in fields.items()}
        return {tag: value for tag, value in found.items() if value}


def as_number(value: Any) -> float | None:
    """Return a finite number, also one that is written as text, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    if isinstance(value, str) and "_" in value:  # Python reads 1_000; a file of text does not
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def as_texts(value: Any, name: str) -> list[str]:
    """Return a list of texts, also one that arrives as a single text.

    Numbers become texts. A single text is read as JSON, then as a Python literal, and never as
    code; anything else is refused, so that a text is never taken apart by its characters.

    Args:
        value: the list, or the text that stands for it.
        name: the field's name, for messages.

    Raises:
        RowError: no list, or one that holds other things.
    """
    if isinstance(value, str):
        value = _literal(value, name)
    if isinstance(value, Mapping):
        return lettered_texts(value, name)
    if not isinstance(value, list | tuple):
        raise RowError("unreadable_row", f"{name} is {shown(value)}, a list is needed")
    return [_option(item, name) for item in value]


def lettered_texts(value: Mapping[str, Any], name: str) -> list[str]:
    """Return the texts of a mapping letter -> text, in the order of the letters from A on.

    Raises:
        RowError: keys that are no letters from A on without a gap.
    """
    wanted = [chr(ord("A") + i) for i in range(len(value))]
    keys = {str(key).strip().strip("().").upper(): key for key in value}
    if len(value) > 26 or sorted(keys) != wanted:
        raise RowError(
            "unreadable_row",
            f"the keys of {name} are {shown(list(value))}; the letters from A on are needed",
        )
    return [_option(value[keys[letter]], name) for letter in wanted]


def _option(item: Any, name: str) -> str:
    if isinstance(item, str):
        return item
    if isinstance(item, bool) or not isinstance(item, int | float):
        raise RowError("unreadable_row", f"{name} holds {shown(item)}; texts or numbers are needed")
    try:
        return str(item)
    except ValueError:  # a number of thousands of digits
        raise RowError("unreadable_row", f"{name} holds a number too long to read") from None


def _literal(text: str, name: str) -> Any:
    found: Any = None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        bare = text.strip()
        # Python also reads "0," as a tuple; without brackets it is a text with a comma.
        if len(text) <= 1 << 20 and bare[:1] in _CLOSED and bare[-1] == _CLOSED[bare[0]]:
            try:
                with warnings.catch_warnings(action="ignore"):  # a backslash of a text, as in "\\d"
                    found = ast.literal_eval(bare)
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                found = None
    if not isinstance(found, list | tuple | dict):
        raise RowError(
            "unreadable_row",
            f"{name} is the text {shown(text)}, which is no list in JSON or Python's form; "
            "a list is needed",
        )
    return found


def _tag(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " + ".join(sorted(dict.fromkeys(filter(None, map(_tag, value)))))
    if value is None or isinstance(value, Mapping):
        return ""
    return str(value).strip()
