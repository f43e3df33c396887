"""Units that stand behind a number, and the one that a question asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass

_METER = r"met(?:er|re)s?|metros?|mètres?|метр(?:а|ов)?"
_SQUARE = r"(?:square|sq\.?)[ -]?"
_TWO = r" ?(?:\^?2|²)"
_TABLE = (
    # kind, factor to the kind's base, pattern; the longer ones first.
    ("area", 1e-6, rf"{_SQUARE}(?:milli(?:{_METER})|mm)|mm{_TWO}"),
    ("area", 1e-4, rf"{_SQUARE}(?:centi(?:{_METER})|cm)|cm{_TWO}|平方厘米"),
    ("area", 1e6, rf"{_SQUARE}(?:kilo(?:{_METER})|km)|km{_TWO}"),
    (
        "area",
        1.0,
        rf"{_SQUARE}(?:{_METER}|m)|sqm|(?:{_METER}) (?:squared|cuadrados)|m{_TWO}|平方米",
    ),
    ("area", 0.3048**2, rf"{_SQUARE}(?:feet|foot|ft)|sqft|(?:feet|foot) squared|ft{_TWO}"),
    ("volume", 1.0, rf"cubic (?:{_METER})|m ?(?:\^?3|³)"),
    ("length", 1e-3, rf"milli(?:{_METER})|mm"),
    ("length", 1e-2, rf"centi(?:{_METER})|cms?|厘米"),
    ("length", 1e3, rf"kilo(?:{_METER})|kms?"),
    ("length", 1.0, rf"{_METER}|m|米"),
    ("length", 0.0254, r"inch(?:es)?"),
    ("length", 0.3048, r"feet|foot|ft"),
    ("length", 0.9144, r"yards?|yds?"),
    ("length", 1609.344, r"miles?"),
    ("time", 1e-3, r"milliseconds?|ms"),
    ("time", 1.0, r"seconds?|secs?|s"),
    ("time", 60.0, r"minutes?|mins?"),
    ("time", 3600.0, r"hours?|hrs?|h"),
    ("share", 1.0, r"percent|per cent|%"),
    ("angle", 1.0, r"degrees?|°"),
    ("mass", 1.0, r"kilograms?|kgs?"),
    ("mass", 1e-3, r"grams?"),
    ("mass", 0.45359237, r"pounds?|lbs?"),
)


@dataclass(frozen=True)
class Unit:
    """A unit of measure.

    Args:
        kind: what it measures.
        factor: how many base units of its kind it is.
        name: as it was written.
    """

    kind: str
    factor: float
    name: str


_ENDS = r"(?:(?<=[%°米])|(?![\w²³^]|/\w))"
"""A unit in letters ends with its word; "m/s" is another unit, which is not known here."""
UNIT = re.compile(
    "|".join(f"(?P<u{i}>(?:{pattern}){_ENDS})" for i, (_, _, pattern) in enumerate(_TABLE)),
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"(?<!\w)(?:(?:measured|expressed|given|answer(?:ed)?|reported|stated)\s)?in\s(?=\w)"
    r"|how many\s(?=\w)|____+\s(?=\w)|(?<!\w)(?:number|amount) of\s(?=\w)",
    re.IGNORECASE,
)


def unit_at(text: str, at: int) -> tuple[Unit, int] | None:
    """Return the unit that stands at a place, and one past its end."""
    found = UNIT.match(text, at)
    if found is None:
        return None
    kind, factor, _ = _TABLE[int(str(found.lastgroup)[1:])]
    return Unit(kind, factor, found[0]), found.end()


def unit_asked(question: str) -> Unit | None:
    """Return the unit that a question asks for ("in square meters"), None if it names none.

    None too where it names several.
    """
    found: list[Unit] = []
    for announced in _ASKED.finditer(question):
        if unit := unit_at(question, announced.end()):
            found.append(unit[0])
    kinds = {(unit.kind, unit.factor) for unit in found}
    return found[0] if len(kinds) == 1 else None
