"""The numbers that stand in a text: what each is worth, its unit, and what it is not.

A number may be one end of a range, a bound, a factor of a product or a label ("frame 3").
`vidence.parse.number` decides which of them a reply commits to. Linear in the length of the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isfinite
from typing import Literal

from vidence.parse.spelt import SPELT, spelt_value
from vidence.parse.units import Unit, unit_at

Role = Literal["value", "range", "bound", "factor", "denied", "label", "ordinal"]

_VULGAR = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
_DIGITS = re.compile(
    rf"""(?:(?<![A-Za-zÀ-ɏ0-9_.,^\\])|(?<=\d[xX])) (?:(?<![\w)\]%°'"{_VULGAR}-])(?P<sign>[-+]))?
    (?: (?P<grouped>[1-9]\d{{0,2}}(?:,\d{{3}})+(?:\.\d+)?(?!,?\d))
      | (?P<spaced>[1-9]\d{{0,2}}(?:[ '’]\d{{3}})+(?:\.\d+)?(?![,.]?\d))
      | (?P<pointed>[1-9]\d{{0,2}}(?:(?:\.\d{{3}})+,\d+|(?:\.\d{{3}}){{2,}})(?![.,]?\d))
      | (?P<listed>\d+(?:,\d+){{2,}})
      | (?P<comma>\d+,\d+)
      | (?P<mixed>\d+\ \d{{1,3}}[/⁄]\d{{1,3}}(?!/?\d))
      | (?P<over>\d+\ ?[/⁄]\ ?\d+(?!/?\d))
      | (?P<vulgar>\d*\ ?[{_VULGAR}])
      | (?P<plain>\d+(?:\.\d+)?|\.\d+) )""",
    re.VERBOSE,
)
_RAISED = {ord(c): str(i) for i, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")} | {ord("⁻"): "-", ord("⁺"): ""}
_POWER = r"(?:\^ ?[({]?(?P<power>[-+]?\d{1,3})[)}]?|(?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))(?!\w)"
_SCALE = re.compile(rf"[eE](?P<e>[-+]?\d{{1,3}})(?!\w)| ?(?:[x×*·]|\\times) ?10 ?{_POWER}")
_TEN_TO = re.compile(_POWER)
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "dozen": 12.0}
_SCALE_WORD = re.compile(rf" ({'|'.join(_SCALES)})(?!\w)", re.IGNORECASE)
_ORDINAL = re.compile(r"(?:st|nd|rd|th)(?!\w)", re.IGNORECASE)
_GLUED = re.compile(r"[A-Za-zÀ-ɏ_](?!\s?\d)|[A-WYZa-wyz_]|-(?=[A-Za-z])")
_NOT_A_NUMBER = re.compile(
    r"(?<![\d:])\d+(?::\d+)+(?:\.\d+)?"  # 0:35, 16:9
    r"|(?<![\d.])(?!\d{1,3}(?:\.\d{3})+(?![\d.]))\d+(?:\.\d+){2,}(?![\d,])"  # 1.2.3
    r"|(?<!\d)\d{1,4}(?:([-/])\d{1,2})\1\d{1,4}(?!\d)"  # dates
    r"|(?<!\d)\d+'\s?\d+"  # feet and inches
)

APPROX = (
    r"(?:(?:about|approximately|approx\.?|around|roughly|some|nearly|almost|exactly|precisely|just"
    r"|only|an? estimated|estimated at|circa|ca\.?|close to|likely|probably)\s|[~≈]\s?){0,3}"
)
_BOUND = re.compile(
    r"(?:(?<!\w)(?:(?:less|more|fewer|greater|larger|smaller|longer|shorter|higher|lower|bigger)"
    r" than|at (?:least|most)|up to|over|under|above|below|exceed(?:s|ing)?"
    r"|m(?:inimum|aximum)(?: of)?|beyond|as (?:many|much) as)\s|(?<!\S)[<>≤≥]=?\s?)"
    rf"{APPROX}\Z",
    re.IGNORECASE,
)
_BOUNDED = re.compile(r"\+(?!\s?\d)|\s?or (?:more|less|fewer|higher|lower|above|below)(?!\w)", re.I)
_DENIED = re.compile(
    rf"(?:(?<!\w)(?:not|never|rather than|instead of)|n't)\s(?:an?\s)?{APPROX}\Z", re.IGNORECASE
)
_LABEL = re.compile(
    r"(?<!\w)(?:(?:steps?|frames?|images?|pictures?|clips?|videos?|views?|options?|fig(?:ure)?s?"
    r"|scenes?|shots?|questions?|items?|parts?|sections?|pages?|number|segments?|at|timestamp)\s"
    r"|no\.\s?|#)[#(]?\Z",
    re.IGNORECASE,
)
_BETWEEN = re.compile(rf"(?<!\w)between\s{APPROX}\Z", re.IGNORECASE)
_AND = re.compile(rf"\s?(?:and|&)\s{APPROX}\Z", re.IGNORECASE)
_RANGE = re.compile(
    rf"\s?(?:[-–—~]|\.\.+|(?:to|or|through)\s)\s?(?:(?:maybe|even|perhaps)\s)?{APPROX}\Z", re.I
)
_JOIN = re.compile(r"\s?(?:[+*/×÷·x−-]|by|times|plus|minus|\\times|\\cdot)\s?\Z", re.IGNORECASE)
_EQUALS = re.compile(rf"\s?(?:=|≈|equals|is|makes|\\approx)\s?{APPROX}\Z", re.IGNORECASE)
_TOLERANCE = re.compile(r"\s?\(?\s?(?:±|\+/-|\\pm|plus or minus)\s?\Z", re.IGNORECASE)
_BEFORE, _GAP = 60, 40
"""Characters before a number, and between two, that may say what they are."""


@dataclass(frozen=True)
class Numeral:
    """A number in a text.

    Args:
        value: what it is worth, finite; a percentage is not divided by a hundred.
        start, end: its characters, the unit included.
        unit: behind it, None if there is none.
        role: `value`, or why no reply commits to it: one end of a `range` (or of "3 or 4"), a
            `bound` ("at least 3"), a `factor` of a product or sum, `denied` ("not 3"), a `label`
            ("frame 3"), an `ordinal`.
        one: the word "one", which is a pronoun more often than a number.
        converted: the value is in another unit than the one written.
    """

    value: float
    start: int
    end: int
    unit: Unit | None = None
    role: Role = "value"
    one: bool = False
    converted: bool = False


def numerals(text: str) -> list[Numeral]:
    """Return the numbers of a plain text in their order, each with its role."""
    found = sorted([*_digits(text), *_spelt(text)], key=lambda n: (n.start, -n.end))
    apart: list[Numeral] = []
    for numeral in found:
        if not apart or numeral.start >= apart[-1].end:
            apart.append(_alone(text, numeral))
    return _joined(text, apart)


def _digits(text: str) -> Iterator[Numeral]:
    skip = [m.span() for m in _NOT_A_NUMBER.finditer(text)]
    at = 0
    for m in _DIGITS.finditer(text):
        while at < len(skip) and skip[at][1] <= m.start():
            at += 1
        if at < len(skip) and skip[at][0] <= m.end() - 1:
            continue
        if m["listed"]:
            start = m.start("listed")
            for part in re.finditer(r"\d+", m["listed"]):
                yield Numeral(float(part[0]), start + part.start(), start + part.end())
            continue
        value = _worth(str(m.lastgroup), m[str(m.lastgroup)])
        if value is not None:
            sign = -1.0 if m["sign"] == "-" else 1.0
            yield from _complete(text, Numeral(sign * value, m.start(), m.end()))


def _worth(form: str, digits: str) -> float | None:
    if form in ("grouped", "spaced"):
        return float(re.sub(r"[, '’]", "", digits))
    if form == "pointed":
        return float(digits.replace(".", "").replace(",", "."))
    if form == "comma":
        return float(digits.replace(",", "."))
    if form == "vulgar":
        return float(digits[:-1].strip() or 0) + unicodedata.numeric(digits[-1])
    if form in ("mixed", "over"):
        *whole, top, bottom = map(float, re.findall(r"\d+", digits))
        return sum(whole) + top / bottom if bottom else None
    return float(digits)


def _complete(text: str, numeral: Numeral) -> Iterator[Numeral]:
    """Add the power, the scale and the unit; nothing where letters are glued to the digits."""
    value, end = numeral.value, numeral.end
    ten = value == 10 and text[numeral.start : end] == "10"
    if (m := _SCALE.match(text, end)) or (ten and (m := _TEN_TO.match(text, end))):
        given = m.groupdict()
        raised = (given["raised"] or "").translate(_RAISED)
        power = int(given.get("e") or given["power"] or raised or 0)
        value, end = float(f"{1.0 if m.re is _TEN_TO else value}e{power}"), m.end()
    if m := _SCALE_WORD.match(text, end):
        value, end = value * _SCALES[m[1].lower()], m.end()
    if not isfinite(value):
        return
    numeral = _with_unit(text, replace(numeral, value=value, end=end))
    if numeral.unit is None:
        if m := _ORDINAL.match(text, end):
            numeral = replace(numeral, end=m.end(), role="ordinal")
        elif _GLUED.match(text, end):
            return
    yield numeral


def _spelt(text: str) -> Iterator[Numeral]:
    for m in SPELT.finditer(text):
        one = m[0].lower() == "one"
        yield _with_unit(text, Numeral(spelt_value(m[0]), m.start(), m.end(), one=one))


def _with_unit(text: str, numeral: Numeral) -> Numeral:
    gap = 1 if text[numeral.end : numeral.end + 1] in (" ", "-") else 0
    found = unit_at(text, numeral.end + gap)
    return numeral if found is None else replace(numeral, unit=found[0], end=found[1])


def _alone(text: str, numeral: Numeral) -> Numeral:
    if numeral.role != "value":
        return numeral
    before = text[max(0, numeral.start - _BEFORE) : numeral.start]
    if _LABEL.search(before) and numeral.unit is None:
        return replace(numeral, role="label")
    if _DENIED.search(before):
        return replace(numeral, role="denied")
    if _BOUND.search(before) or _BOUNDED.match(text, numeral.end):
        return replace(numeral, role="bound")
    return numeral


def _joined(text: str, found: list[Numeral]) -> list[Numeral]:
    """Give the members of ranges, products and sums their roles; drop tolerances."""
    links = [_link(text, a, b) for a, b in pairwise(found)]
    dropped = {i + 1 for i, link in enumerate(links) if link == "tolerance"}
    units = {i - 1: found[i].unit for i in dropped}
    roles: dict[int, Role] = {}
    begin = 0
    while begin < len(links):
        stop = begin
        while stop < len(links) and links[stop] in ("range", "join", "equals"):
            stop += 1
        if stop > begin:
            roles |= _chain(links[begin:stop], begin)
        begin = stop + 1
    return [
        replace(
            n,
            role=roles[i] if i in roles and n.role in ("value", "label") else n.role,
            unit=n.unit or units.get(i),
        )
        for i, n in enumerate(found)
        if i not in dropped
    ]


def _link(text: str, a: Numeral, b: Numeral) -> str:
    if b.start - a.end > _GAP:
        return ""
    gap = text[a.end : b.start]
    if gap == "" and b.value < 0 and text[b.start] == "-":
        gap = "-"
    for pattern, name in ((_TOLERANCE, "tolerance"), (_EQUALS, "equals"), (_RANGE, "range")):
        if pattern.match(gap):
            return name
    compound = a.unit and b.unit and a.unit.kind == b.unit.kind and a.unit.factor > b.unit.factor
    if _JOIN.match(gap) or (compound and gap in (" ", ", ", " and ")):
        return "join"
    between = _BETWEEN.search(text[max(0, a.start - _BEFORE) : a.start])
    return "range" if between and _AND.match(gap) else ""


def _chain(links: list[str], first: int) -> dict[int, Role]:
    """Return the roles of a chain such as 3 x 4 = 12: factors before the last equals sign.

    "12 = 3 x 4" has its factors behind it; a chain of equals signs alone has none.
    """
    if "equals" not in links:
        role: Role = "range" if "range" in links else "factor"
        return dict.fromkeys(range(first, first + len(links) + 1), role)
    last = len(links) - 1 - links[::-1].index("equals")
    ahead, behind = links[: links.index("equals")], links[last + 1 :]
    if ahead:
        roles: dict[int, Role] = dict.fromkeys(range(first, first + last + 1), "factor")
        if behind:
            rest: Role = "range" if "range" in behind else "factor"
            roles |= dict.fromkeys(range(first + last + 1, first + len(links) + 1), rest)
        return roles
    if behind:
        return dict.fromkeys(range(first + last + 1, first + len(links) + 1), "factor")
    return {}
