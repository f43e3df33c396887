"""The author's key as a place among the options, or the reason why it is none.

Each function returns None for a key that is not there (null, or blank text).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_uppercase
from typing import Any

from vidence.annotation.faults import RowError, shown
from vidence.annotation.options import letter_of

_LETTER = re.compile(r"\s*[(\[]?\s*([A-Za-z])\s*[)\].:]?\s*")


def by_letter(value: Any, options: Sequence[str]) -> int | None:
    """Return the place of a letter: "C", "(C)", "C." or "c".

    Raises:
        RowError: no letter, or one beyond the options.
    """
    if _absent(value):
        return None
    match = _LETTER.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise _outside(value, options, "a letter")
    place = ascii_uppercase.index(match[1].upper())
    if place >= len(options):
        raise _outside(value, options, "a letter")
    return place


def by_printed_letter(value: Any, printed: Sequence[str]) -> int | None:
    """Return the place of a letter among options that print their letters.

    Where letters skip (A, B, D), those after the gap stand at another place than they say, and a
    key that names one of them is refused: nobody can tell which of both is meant.

    Raises:
        RowError: no letter, one beyond the options, or one that is printed at another place.
    """
    place = by_letter(value, printed)
    if place is not None and letter_of(printed[place]) != ascii_uppercase[place]:
        raise RowError(
            "answer_outside_options",
            f"answer {shown(value)}: the option at this place begins {shown(printed[place][:12])}",
        )
    return place


def by_index(value: Any, options: Sequence[str]) -> int | None:
    """Return a place from 0 that is given as a number or as the text of one.

    Raises:
        RowError: no whole number, or one beyond the options.
    """
    if _absent(value):
        return None
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,4}\s*", value):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < len(options):
        raise _outside(value, options, "a number from 0")
    return value


def by_text(value: Any, options: Sequence[str]) -> int | None:
    """Return the place of the one option whose text is the key's.

    Raises:
        RowError: no option has this text, or several have it.
    """
    if _absent(value) and not (isinstance(value, str) and value in options):
        return None
    text = value if isinstance(value, str) else str(value)
    places = [place for place, option in enumerate(options) if option == text]
    if not places and not isinstance(value, bool):
        places = [place for place, option in enumerate(options) if option.strip() == text.strip()]
    if len(places) > 1:
        raise RowError(
            "ambiguous_answer",
            f"answer {shown(value)} is the text of {len(places)} options "
            f"(places {', '.join(map(str, places))} from 0)",
        )
    if not places:
        raise _outside(value, options, "the text of an option")
    return places[0]


def by_any(value: Any, options: Sequence[str]) -> int | None:
    """Return the place that a key of an unknown form names: text, letter or number from 0.

    A key that names different options by different readings is refused.

    Raises:
        RowError: no reading names an option, or two name different ones.
    """
    if _absent(value) and not (isinstance(value, str) and value in options):
        return None
    places: dict[int, str] = {}
    for form, read in (("text", by_text), ("letter", by_letter), ("number", by_index)):
        try:
            place = read(value, options)
        except RowError as fault:
            if fault.kind == "ambiguous_answer":
                raise
            continue
        if place is not None:
            places.setdefault(place, form)
    if len(places) > 1:
        read_as = " and ".join(f"the {form} of option {place}" for place, form in places.items())
        raise RowError(
            "ambiguous_answer",
            f"answer {shown(value)} is {read_as} (from 0); say which form the key has",
        )
    if not places:
        raise _outside(value, options, "a letter, a number from 0 or the text of an option")
    return next(iter(places))


def _absent(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _outside(value: Any, options: Sequence[str], needed: str) -> RowError:
    if not options:
        return RowError("no_options", f"answer {shown(value)}, and no options")
    last = ascii_uppercase[min(len(options), 26) - 1]
    return RowError(
        "answer_outside_options",
        f"answer {shown(value)} is none of its {len(options)} options (A to {last}); "
        f"{needed} is needed",
    )
