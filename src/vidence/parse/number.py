"""Read the number that an open answer commits to, at the time of scoring.

`vidence.parse.parse` keeps the words of a reply to an open question; that a number is wanted shows
in the key alone, which no view holds. So the number is read where the key is, from the stored words
and the question, and nothing that a run stores depends on these rules. They are in docs/parsing.md;
like the others they never guess.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from vidence.parse.marks import HEADING, LABEL, NOT_THE, SUPPOSED, TAG, WITHDRAWN
from vidence.parse.numerals import APPROX, Numeral, numerals
from vidence.parse.quantity import fitting, meant
from vidence.parse.words import REFUSAL

NumberStatus = Literal["ok", "ambiguous", "unparsed", "refused"]

_SAYS = re.compile(
    r"(?<![\w-])(?:(?:final|best|total|overall|estimated|correct|approximate)\s){0,3}"
    r"(?:answer|estimate|total|count|result|guess|prediction|sum)"
    r"(?:\s(?:of|for|number|count|length|distance|size|area)(?:\s[\w'-]{1,30}){0,6}?)?"
    r"\s?(?:is|are|was|would be|comes (?:out )?to|equals|=|:)\s?|\{\s?"
    r"|(?<![\w-])(?:final|total|overall|estimated|approximate)\s(?:distance|length|size|area|number"
    r"|value|width|height|dimension)\s?(?:is|=|:)\s?",
    re.IGNORECASE,
)
_TO_VALUE = re.compile(
    r"[\s\"'(\[<{$:=~≈>*-]{0,8}(?:[A-Za-z'-]{1,20}[\s:]{1,3}){0,7}[~≈($\"']{0,3}\Z"
)
_EQUALS_OF_IT = re.compile(r"\s?(?:,|;|/|&|and)\s?\Z", re.IGNORECASE)
_TOTAL_AFTER = re.compile(
    r"\s?(?:[\w()'-]{1,30}\s){0,3}(?:in total|altogether|overall|total|in all)(?!\w)", re.IGNORECASE
)
_TOTAL_BEFORE = re.compile(
    rf"(?<!\w)(?:total|sum)(?:s|ing|ling)?(?:\s(?:of|to))?:?\s{APPROX}\Z", re.IGNORECASE
)
_CONCLUDES = re.compile(
    r"(?:\A|[.,;:!?\n(-]\s?|\sand\s)(?:but\s)?(?:so(?! (?:that|far|many|much)(?!\w))|therefore|thus"
    r"|hence|overall|altogether|in (?:total|conclusion|summary)|consequently|finally"
    r"|to (?:conclude|sum up)|based on (?:this|that|these|the above)|i\.e\.|that (?:is|makes)"
    r"|i(?:'d| would| will|'ll)? (?:estimate|guess|say|go (?:with|for)|settle on)"
    r"|my (?:best )?(?:estimate|guess))(?!\w)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(])|\n+")
_ITEM = re.compile(r"(?:^|\n) {0,8}(?:[-*#>] )?(?P<at>\d{1,3})[.)](?= \S)")
_ALONE_BEFORE = re.compile(rf"[\s#>*•\"'(\[$:=-]*(?:the\s)?{APPROX}\Z", re.IGNORECASE)
_ALONE_AFTER = re.compile(r"[\s)\]\"'.!*$]*\Z")
_BEFORE = 60
HEAD, TAIL = 2_000, 6_000
"""Words longer than both together are read at their first HEAD and last TAIL characters."""


@dataclass(frozen=True)
class NumberRead:
    """What a reply says when a number is wanted.

    Args:
        value: in the unit that the question asks for; None unless status is ok.
        status: `ambiguous`: several numbers as equals, a range, or a bound. `refused`: it
            declines. `unparsed`: no number, or none that the question can mean.
        reason: the rule that decided, in words.
        span: characters of the words that decided, [start, end); None where nothing did.
        converted: the reply had another unit of the same kind.
    """

    value: float | None
    status: NumberStatus
    reason: str
    span: tuple[int, int] | None = None
    converted: bool = False


def number_of(words: str, question: str = "", *, cut: bool = False) -> NumberRead:
    """Return the number that the words of an open answer commit to, without ever guessing.

    Never raises for any text; takes time linear in its length.

    Args:
        words: the value that `parse` keeps for an open question.
        question: its unit ("in meters") and noun ("how many tables") tell numbers apart.
        cut: the reply was cut off, so that a number at its very end may not be whole.
    """
    text, left_out = _ends(words)
    found = fitting(_without_items(text, numerals(text)), question)
    read = _decide(text, found, question)
    if cut and read.span and read.span[1] == len(text) and text[-1].isdigit():
        return NumberRead(None, "unparsed", "cut off, perhaps inside the number")
    if read.span and read.span[0] > HEAD:
        return replace(read, span=(read.span[0] + left_out, read.span[1] + left_out))
    return read


def _ends(words: str) -> tuple[str, int]:
    """Return the beginning and the end of long words, and by how much the end has moved."""
    if len(words) <= HEAD + TAIL:
        return words, 0
    tail = words[-TAIL:].lstrip("0123456789.,")
    return f"{words[:HEAD]}\n{tail}", len(words) - HEAD - len(tail) - 1


def _decide(words: str, found: Sequence[Numeral], question: str) -> NumberRead:
    stated, found = _stated(words, found)
    if stated and stated.status == "ok":
        return stated
    if alone := _alone(words, found):
        return alone
    values = [n for n in found if n.role == "value" and not n.one]
    totals = [n for n in values if _is_total(words, n)]
    for rule, some in (("total", totals), ("concluding sentence", _concluding(words, values))):
        if len({n.value for n in some}) == 1:
            return _ok(rule, some[-1], words)
    if stated:
        return stated
    if REFUSAL.search(words):
        return NumberRead(None, "refused", "declines to give a number")
    return _only(words, found, question)


def _ok(rule: str, n: Numeral, words: str) -> NumberRead:
    quoted = " ".join(words[n.start : n.end].split())
    # Adding zero makes a plain 0.0 of -0.0.
    return NumberRead(n.value + 0.0, "ok", f"{rule}: {quoted[:40]}", (n.start, n.end), n.converted)


def _unclear(why: str, n: Numeral | None = None) -> NumberRead:
    return NumberRead(None, "ambiguous", why, (n.start, n.end) if n else None)


def _without_items(words: str, found: Sequence[Numeral]) -> list[Numeral]:
    """Leave out the numbers of a numbered list: 1, 2, 3 at the beginnings of lines."""
    items = list(_ITEM.finditer(words))
    if [int(m["at"]) for m in items] != list(range(1, len(items) + 1)) or len(items) < 2:
        return list(found)
    starts = {m.start("at") for m in items}
    return [n for n in found if n.start not in starts]


def _stated(words: str, found: Sequence[Numeral]) -> tuple[NumberRead | None, Sequence[Numeral]]:
    """Read the last statement: a box, a label, a tag, "the answer is".

    Returns too the numbers without those that are stated of something else ("my first guess was
    3", "if the answer is 3").
    """
    ends: dict[int, bool] = {}
    for pattern in (_SAYS, LABEL, TAG, HEADING):
        for m in pattern.finditer(words):
            begin = max(0, m.start() - _BEFORE)
            before = NOT_THE.search(words, begin, m.start())
            meant_so = not (before or SUPPOSED.search(words, begin, m.start()))
            ends[m.end()] = ends.get(m.end(), True) and meant_so
    starts = [n.start for n in found]
    others: set[int] = set()
    stated: NumberRead | None = None
    for end in sorted(ends, reverse=True):
        place = bisect_left(starts, end)
        if ends[end]:
            stated = stated or _value_at(words, found, place, end)
        elif place < len(found) and _TO_VALUE.fullmatch(words, end, starts[place]):
            others.add(place)
    return stated, [n for i, n in enumerate(found) if i not in others]


def _value_at(words: str, found: Sequence[Numeral], place: int, at: int) -> NumberRead | None:
    """Read the number at a place of `found`, if a statement that ends at `at` leads to it."""
    if place == len(found) or not _TO_VALUE.fullmatch(words, at, found[place].start):
        return None
    while found[place].role == "factor" and place + 1 < len(found):
        place += 1  # the answer is 3 x 4 = 12
    first = found[place]
    if first.role in ("denied", "label"):
        return None
    if first.role in ("range", "bound", "factor"):
        return _unclear(f"a {first.role} is stated", first)
    after = found[place + 1] if place + 1 < len(found) else None
    if (
        after
        and after.role == "value"
        and after.value != first.value
        and _EQUALS_OF_IT.fullmatch(words, first.end, after.start)
    ):
        return _unclear("several numbers as equals are stated", first)
    if back := WITHDRAWN.search(words, first.end):
        later = {n.value: n for n in found if n.start >= back.start() and n.role == "value"}
        if len(later) != 1:
            return _unclear("taken back", first)
        return _ok("statement", next(iter(later.values())), words)
    return _ok("statement", first, words)


def _alone(words: str, found: Sequence[Numeral]) -> NumberRead | None:
    """Read a number that is all of the first line, or all of the last one."""
    lines = [m.span() for m in re.finditer(r"[^\n]*\S[^\n]*", words)]
    if not lines:
        return None
    single: dict[tuple[int, int], Numeral] = {}
    for start, end in {lines[0], lines[-1]}:
        inside = [n for n in found if start <= n.start < end]
        if (
            len(inside) == 1
            and inside[0].role in ("value", "ordinal")
            and _ALONE_BEFORE.fullmatch(words, start, inside[0].start)
            and _ALONE_AFTER.fullmatch(words, inside[0].end, end)
        ):
            single[start, end] = inside[0]
    if len({n.value for n in single.values()}) > 1:
        return _unclear("the first line and the last one differ")
    rule = "whole reply" if len(lines) == 1 else "a line of its own"
    return _ok(rule, single.popitem()[1], words) if single else None


def _is_total(words: str, n: Numeral) -> bool:
    before = _TOTAL_BEFORE.search(words, max(0, n.start - _BEFORE), n.start)
    return bool(before or _TOTAL_AFTER.match(words, n.end, n.end + _BEFORE))


def _concluding(words: str, values: Sequence[Numeral]) -> list[Numeral]:
    """Return the values after the last word that concludes, in the last sentence."""
    text = words.rstrip()
    start = max([0, *(m.end() for m in _SENTENCE.finditer(text))])
    ends = [m.end() for m in _CONCLUDES.finditer(text, max(0, start - 3))]
    return [n for n in values if n.start >= ends[-1]] if ends else []


def _only(words: str, found: Sequence[Numeral], question: str) -> NumberRead:
    """Read the one number that there is, of those that the question can mean."""
    some = meant(words, found, question)
    values = {n.value: n for n in some if n.role == "value"}
    direct = [n for n in values.values() if not n.converted]
    if len(direct) == 1 and all(abs(v - direct[0].value) <= 0.05 * abs(v) for v in values):
        values = {direct[0].value: direct[0]}  # 2.5 m (about 8.2 ft)
    unsure = [n for n in some if n.role in ("range", "bound")]
    if len(values) == 1 and not unsure:
        return _ok("only number", next(iter(values.values())), words)
    if len(values) > 1:
        return _unclear(f"{len(values)} numbers as equals")
    for n in (*unsure, *(n for n in some if n.role == "factor")):
        return _unclear(f"only a {n.role}", n)
    return NumberRead(None, "unparsed", "no number that the question can mean")
