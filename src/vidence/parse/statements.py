"""Find what a reply states to be its answer ("the answer is B", `\\boxed{B}`, "B is correct")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from vidence.parse.letters import TOKEN, Choice, letter_at
from vidence.parse.marks import (
    COPULA_EN,
    COPULA_OTHER,
    FIELD,
    HEADING,
    IF,
    LABEL,
    MAKES,
    MARK_EN,
    MARK_OTHER,
    NOT_THE,
    POST_NEGATED,
    PREDICATE,
    SUPPOSED,
    TAG,
    UNLESS,
)
from vidence.parse.page import Page
from vidence.parse.shown import Shown
from vidence.parse.values import value_at
from vidence.parse.words import BUT, NEGATION, WRONG

MOST = 400
"""How many announcements of a reply are looked at, from its end backwards."""

_SENTENCE_END = re.compile(r"[.!?;](?=\s|\Z|[\"')\]])|\n")
_NOT = re.compile(r"\s(?:\w{1,12}\s)?(?:not|n't|never)(?!\w)|n't")
_ITEM = re.compile(r"[\s#>|•(\-]{0,6}(?:[Oo]ption )?([A-Z])[.):]")
_BARE_END = re.compile(
    r"[\"')\]]{0,3}(?:[\n.,;!)\]]|\Z|です|である|だ|입니다|이다|번"
    r"|\s?(?:है|seçene|şıkk|olmal)|'[dt][ıi]r)"
)
_DIRECT = re.compile(
    r"[\])]?[\s:\"'(\[]{0,4}(?:под буквой|вариант|option|буква|선택지|विकल्प|الخيار)?"
    r"[\s\"'(\[]{0,3}",
    re.I,
)
_LETTER_BEFORE = re.compile(r"(?<![\w'.-])([A-Z])[\"')\].:,]{0,3}\s?\Z")
_LETTER_OF_TEXT = re.compile(r"(?<!\w)([A-Z])[.):,]?\s[\"'(]?\Z")
_JOINED_BEFORE = re.compile(
    r"(?<!\w)(?:or|and|nor|oder|und|ou|et|o|y|e|или|и|not|than)\s[\"'(\[]{0,2}(?:option\s)?"
    r"[\"'(\[]{0,2}\Z|[A-Z][\"')\]]{0,2},\s?[\"'(]{0,2}\Z|[或和]\Z",
    re.I,
)
# What may stand before a letter that is called right: "seat B is correct" is about a seat.
_FREE_BEFORE = re.compile(
    r"(?:\A|[^\w\s]\s?|\n\s?|[\u3040-\u9fff\uac00-\ud7af]\s?"
    r"|(?<!\w)(?:option|choice|answer|letter|statement|alternative|so|therefore|thus|hence|that"
    "|only|think|believe|say|conclude|then|clearly|although|because|since|while|as|but|and|now"
    "|here|is|antwort|r[ée]ponse|l'option|respuesta|opci[óo]n|resposta|op[çc][ãa]o|alternativa"
    "|risposta|opzione|вариант|ответ|donc|daher|also|la|il|luego|portanto|quindi|поэтому|optie"
    r"|dus)\s)[\"'(\[]{0,3}\Z",
    re.I,
)


@dataclass(frozen=True)
class Statement:
    """A place where a reply commits itself.

    Args:
        rule: which pattern found it, in words.
        choice: what it says.
        firm: False for a remark that compares options and does not conclude.
    """

    rule: str
    choice: Choice
    firm: bool = True


def sentence(page: Page, at: int, most: int) -> tuple[int, int]:
    """Return the sentence around a place, at most `most` characters to either side."""
    low, high = max(0, at - most), min(len(page.text), at + most)
    ends = [m.end() for m in _SENTENCE_END.finditer(page.text, low, at)]
    after = _SENTENCE_END.search(page.text, at, high)
    return (ends[-1] if ends else low), (after.start() if after else high)


def statements(page: Page, shown: Shown) -> Iterator[Statement]:
    """Yield what a reply states to be its answer, the last first."""
    marks: list[tuple[int, str, re.Match[str]]] = []
    for rule, pattern in (
        ("label", LABEL),
        ("field", FIELD),
        ("tag", TAG),
        ("box", re.compile(r"\{")),
        ("heading", HEADING),
        ("sentence", MARK_EN),
        ("sentence, other languages", MARK_OTHER),
        ("verdict", PREDICATE),
        ("made the answer", MAKES),
    ):
        marks += [
            (m.start(), rule, m)
            for m in pattern.finditer(page.text)
            if rule != "verdict" or m["noun"] or m["after"]
        ]
    marks.sort(key=lambda mark: mark[0], reverse=True)
    for _, rule, mark in marks[:MOST]:
        choice = _read(page, shown, rule, mark)
        if choice:
            yield Statement(rule, choice)


def _read(page: Page, shown: Shown, rule: str, mark: re.Match[str]) -> Choice | None:
    if rule == "verdict":
        return before(page, shown, mark)
    if rule == "made the answer":
        position = shown.position(mark["letter"]) if mark["letter"].isupper() else None
        if position is None:
            return None
        return Choice(*mark.span("letter"), "ok", position, kind="letter")
    if rule == "sentence":
        return _sentence(page, shown, mark)
    if rule == "sentence, other languages":
        return _other(page, shown, mark)
    if rule in ("label", "field") and _not_this(page, mark):
        return None
    choice = value_at(page, shown, mark.end())
    if choice is None or POST_NEGATED.match(page.text, choice.end):
        return _contrast(page, shown, choice.end if choice else mark.end())
    if UNLESS.match(page.text, choice.end) or opens_list(page, shown, mark.end(), choice):
        return None
    return choice


def _not_this(page: Page, mark: re.Match[str]) -> bool:
    early = max(0, mark.start() - 60)
    return bool(
        SUPPOSED.search(page.text, early, mark.start())
        or NOT_THE.search(page.text, early, mark.start())
    )


def opens_list(page: Page, shown: Shown, at: int, choice: Choice) -> bool:
    """Return whether a letter on a new line is the first of a list of options."""
    if choice.position is None or "\n" not in page.text[at : choice.start]:
        return False
    line = page.text.find("\n", choice.start)
    while 0 <= line < choice.start + 2_000:
        item = _ITEM.match(page.text, line)
        if item:
            return shown.position(item[1]) == choice.position + 1
        line = page.text.find("\n", line + 1)
    return False


def _sentence(page: Page, shown: Shown, mark: re.Match[str]) -> Choice | None:
    if _not_this(page, mark):
        return None
    text, start = page.text, mark.end()
    begin, stop = sentence(page, start, 90)
    for number, copula in enumerate(COPULA_EN.finditer(text, start, stop)):
        gap = text[start : copula.start()]
        if number > 2 or NEGATION.search(gap) or WRONG.search(gap):
            return None
        if copula["would"] and IF.search(text, begin, sentence(page, copula.end(), 120)[1]):
            return None
        negated = _NOT.match(text, copula.end())
        if negated:
            return _contrast(page, shown, negated.end())
        choice = value_at(page, shown, copula.end())
        if choice and (number == 0 or choice.kind == "letter"):
            doubted = POST_NEGATED.match(text, choice.end) or UNLESS.match(text, choice.end)
            return None if doubted or opens_list(page, shown, start, choice) else choice
    return None


def _other(page: Page, shown: Shown, mark: re.Match[str]) -> Choice | None:
    text, start = page.text, mark.end()
    if SUPPOSED.search(text, max(0, mark.start() - 40), mark.start()):
        return None
    stop = min(sentence(page, start, 60)[1] + 1, len(text))
    for copula in COPULA_OTHER.finditer(text, start, stop):
        if NEGATION.search(text, start, copula.start()):
            return _contrast(page, shown, copula.end())
        if NEGATION.match(text, copula.end()) or NEGATION.match(text, copula.end() + 1):
            return _contrast(page, shown, copula.end() + 1)
        choice = value_at(page, shown, copula.end())
        if choice and POST_NEGATED.match(text, choice.end):
            return _contrast(page, shown, choice.end)
        if choice:
            return None if opens_list(page, shown, start, choice) else choice
    # No copula: "Правильный ответ C", "Doğru cevap C seçeneğidir", "सही उत्तर D है".
    gap = _DIRECT.match(text, start)
    token = TOKEN.match(text, gap.end()) if gap else None
    if token is None or not token[1].isupper():
        return None
    if POST_NEGATED.match(text, token.end()):
        return _contrast(page, shown, token.end())
    if _BARE_END.match(text, token.end()):
        return letter_at(page, shown, token.start(), strict=False)
    return None


def _contrast(page: Page, shown: Shown, at: int) -> Choice | None:
    """Read the second half of "not A but C"."""
    stop = sentence(page, at, 80)[1]
    but = BUT.search(page.text, at, stop)
    gap = re.compile(r"\s?,?").match(page.text, but.end()) if but else None
    return value_at(page, shown, gap.end()) if gap else None


def before(page: Page, shown: Shown, mark: re.Match[str]) -> Choice | None:
    """Read the letter or text that a predicate ("is the correct answer") speaks of."""
    text, end = page.text, mark.start()
    stop = sentence(page, mark.end(), 160)[1]
    if IF.search(text, mark.end(), stop) or text.startswith("?", stop):
        return None
    begin = sentence(page, end, 160)[0]
    letter = _LETTER_BEFORE.search(text, max(begin, end - 8), end)
    position = shown.position(letter[1]) if letter else None
    if letter and position is not None:
        choice = Choice(letter.start(1), letter.end(1), "ok", position, kind="letter")
        if not _FREE_BEFORE.search(text[begin : choice.start]):
            return None
    else:
        ending = (f for q in range(begin, end) if (f := shown.at(page, q)) and f.end >= end - 3)
        found = next(ending, None)
        if found is None or len(found.positions) > 1 or found.end - found.start < 3:
            return None
        choice = Choice(found.start, found.end, "ok", found.positions[0], kind="text")
        named = _LETTER_OF_TEXT.search(text, begin, found.start)
        if named and shown.position(named[1]) not in (None, found.positions[0]):
            return None
    head = text[begin : choice.start]
    if _JOINED_BEFORE.search(head) or SUPPOSED.search(head) or NEGATION.search(head[-24:]):
        return None
    return choice
