"""Numbers written in English words."""

from __future__ import annotations

import re

_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    *("ten", "eleven", "twelve", "thirteen", "fourteen"),
    *("fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALL = {
    "zero": 0,
    **{word: 1 + i for i, word in enumerate(_UNITS)},
    **{word: 10 + i for i, word in enumerate(_TEENS)},
    **{word: 20 + 10 * i for i, word in enumerate(_TENS)},
}
_LARGE = {"thousand": 10**3, "million": 10**6, "billion": 10**9}

_UNIT = f"(?:{'|'.join(_UNITS)})"
_BELOW_100 = rf"(?:(?:{'|'.join(_TENS)})(?:[- ]{_UNIT}(?!\w))?|{'|'.join(_TEENS)}|{_UNIT}|zero)"
_BELOW_1000 = rf"(?:(?:{_UNIT}|an?) hundred(?!\w)(?: (?:and )?{_BELOW_100}(?!\w))?|{_BELOW_100})"
_WHOLE = (
    rf"(?:(?:{_BELOW_1000}|an?) (?:{'|'.join(_LARGE)})(?!\w)(?:,? (?:and )?{_BELOW_1000}(?!\w))?"
    rf"|(?:{_BELOW_100}|an?) dozen|{_BELOW_1000})"
)
_AFTER = (
    rf"(?: point(?: (?:{_UNIT}|zero)(?!\w)){{1,9}}|[ -]quarters"
    r"| and (?:an? |one |three )?(?:half|quarters?))"
)
SPELT = re.compile(
    rf"(?<![\w'’-])(?:(?:minus|negative) )?(?:{_WHOLE}(?!\w){_AFTER}?"
    r"|(?<!and )(?:an?|one)[ -](?:half|quarter)|half an?(?= ))(?![\w'’])",
    re.IGNORECASE,
)
"""A number in words: "twenty-one", "a hundred and five", "two and a half", "three point five"."""


def spelt_value(words: str) -> float:
    """Return what a match of `SPELT` is worth."""
    text = words.lower()
    sign = -1.0 if text.startswith(("minus ", "negative ")) else 1.0
    text = re.sub(r"^(?:minus|negative) ", "", text)
    parts = re.split(r" and (?:an? |one )?(?=half|quarter)| and (?=three quarter)", text)
    if len(parts) == 2:
        return sign * (_whole(parts[0]) + _part(parts[1]))
    whole, _, decimals = text.partition(" point ")
    if decimals:
        digits = "".join(str(_SMALL[word]) for word in decimals.split())
        return sign * float(f"{_whole(whole):.0f}.{digits}")
    if text.startswith("half "):
        return sign * 0.5
    if text.endswith(("half", "quarter", "quarters")):
        return sign * _part(text)
    return sign * _whole(text)


def _part(text: str) -> float:
    *count, piece = re.split(r"[ -]", text)
    size = 0.5 if piece == "half" else 0.25
    return size * (_whole(" ".join(count)) if count else 1.0)


def _whole(text: str) -> float:
    total, group = 0.0, 0.0
    for word in re.findall(r"[a-z]+", text):
        if word in _SMALL:
            group += _SMALL[word]
        elif word in ("a", "an"):
            group = 1.0
        elif word in ("hundred", "dozen"):
            group *= 100 if word == "hundred" else 12
        elif word in _LARGE:
            total, group = total + group * _LARGE[word], 0.0
    return total + group
