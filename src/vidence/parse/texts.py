"""Rules for replies that state nothing: the option's own words, refusals, letters in passing."""

from __future__ import annotations

import re

from vidence.parse.letters import TOKEN, Choice, ends_clause, text_choice
from vidence.parse.page import Page
from vidence.parse.shown import Found, Shown
from vidence.parse.statements import sentence
from vidence.parse.values import none_choice
from vidence.parse.words import (
    NEGATION,
    NONE_OF_THEM,
    NOT_GIVEN,
    NUMBER,
    NUMBERS,
    REFUSAL,
    WRONG,
    spoken,
)

SHORT = 240
"""Longest reply, in characters, in which an option's text inside a sentence is taken as chosen."""
LONG = 20_000

_HEDGE = re.compile(
    spoken(
        "or|might|may|maybe|perhaps|could|if|whether|either|except|than|unless|unclear|unsure",
        r"depends|possibly|without|vs|versus|out|trap|seem\w{0,3}|tempting|would",
    )
    + r"|\?",
    re.I,
)
_EQUALS = re.compile(
    r"(?<![\w'])(?:(?:both|either|between)\s)?(?:option\s)?[\"'(\[]{0,2}([A-Z])[\"')\].]{0,3}\s?"
    r"(,|/|&|(?<!\w)(?:or|and|und|oder|et|ou|y|o|e|и|или)(?!\w)|或|和)\s?(?:option\s)?"
    r"[\"'(\[]{0,2}([A-Z])(?![\w'])(\s(?:is|was|has|would|can|does)(?!\w))?",
    re.I,
)
_NAMED = re.compile(
    r"(?<!\w)(?i:option|choice|opci[óo]n|op[çc][ãa]o|alternativa|opzione|вариант)\s[\"'(\[]{0,2}"
    r"([A-Z])(?![\w'-])|(?:选项|選択肢)\s?([A-Z])(?![A-Za-z])|\(([A-Z])\)"
)
_CAPITAL = re.compile(r"(?<![\w'.])(?=[A-Z])(?![AI]\s?[a-z'])" + TOKEN.pattern)
_FILL = re.compile(
    "(?:i|think|it|it's|is|say|i'd|would|guess|believe|probably|likely|definitely|sure|okay|ok|yes"
    "|well|so|option|choice|letter|the|that's|that|my|pick|choose|go|going|with|for|must|be|to"
    "|select|selected|answer|here|certainly|of|course|hmm|um|looks|like|most|am|a|an|this|shows"
    r"|video|correct|best|in|assistant|clearly|there|final|are|was|were)(?!\w)|[^\w]",
    re.I,
)
_NUMBERS = re.compile(
    r"(?:(?<!\w)(?:frame|scene|step|option|part|clip|number)\s)?(-?\d[\d.,:/-]{0,60}"
    rf"(?<![.,:/-])\w{{0,9}}|{spoken(*NUMBERS)}(?!-))",
    re.I,
)
_TOTAL = re.compile(r"=\s?(-?\d{1,15})\s?[.!]?\s{0,9}\Z")
_UNIT = re.compile(r"\s?(?:%|s|sec\w*|min\w*|hours?|am|pm|fps|o'clock)(?!\w)", re.I)
_THEREFORE = re.compile(
    r"\s?(?:so|therefore|thus|hence|accordingly|consequently|overall|finally|in conclusion)"
    r"(?!\w),?\s",
    re.I,
)
_YES_NO = re.compile(r"(yes|no)(?=[.,;:!\n]|\s[–-]|\Z)", re.I)
_LATE_QUESTION = re.compile(r"\?\s*\Z")


def whole(page: Page, shown: Shown) -> Choice | None:
    """Read a reply that is an option's text and nothing else."""
    start, end = _bounds(page)
    positions = shown.whole(page.text) if len(page.text) < LONG else ()
    if not positions:
        words = page.text.strip(" \n.!\"'")
        if NONE_OF_THEM.fullmatch(words):
            return none_choice(shown, start, end)
        if NOT_GIVEN.fullmatch(words):
            return Choice(start, end, "refused", note="declines to choose")
        return None
    if len(positions) > 1:
        note = f"{len(positions)} options have this text"
        return Choice(start, end, "ambiguous", note=note, kind="text")
    if shown.position(page.text.strip()) not in (None, *positions):
        return None
    return Choice(start, end, "ok", positions[0], kind="text")


def opening(page: Page, shown: Shown) -> Choice | None:
    """Read an option's text that opens the reply and ends a clause there."""
    start, end = _bounds(page)
    places = range(max(0, start - 40), start + 1)
    found = next((f for q in places if (f := shown.at(page, q))), None)
    if found:
        choice = text_choice(page, shown, found)
        if choice.status != "ok" or ends_clause(page, found.end):
            return _list_of_texts(page, shown, found, end) or choice
    word = _YES_NO.match(page.text, start)
    positions = shown.by_yes_no(word[1].lower()) if word else ()
    if word is None or not positions:
        return None
    choice = Choice(word.start(), word.end(), "ok", positions[0], kind="text")
    if len(positions) == 1:
        return choice
    return choice.unclear(f"{len(positions)} options open with {word[1].lower()}")


def _list_of_texts(page: Page, shown: Shown, found: Found, end: int) -> Choice | None:
    if not page.text.startswith("\n", found.end):
        return None
    line = page.text.find("\n", found.end + 1, end)
    second = page.text[found.end + 1 : line if line >= 0 else end]
    positions = shown.whole(second) if len(second) < LONG else ()
    if not positions or positions == found.positions:
        return None
    return Choice(found.start, found.end, "ambiguous", note="a list of options", kind="text")


def closing(page: Page, shown: Shown) -> Choice | None:
    """Read a last line that is an option's text and nothing else."""
    body = page.text.rstrip()
    start = body.rfind("\n") + 1
    if start == 0 or len(body) - start > LONG:
        return None
    positions = shown.whole(body[start:])
    previous = body.rfind("\n", 0, start - 1) + 1
    if not positions or shown.whole(body[previous : start - 1][:LONG]):
        return None
    return text_choice(page, shown, Found(start, len(body), positions))


def refusal(page: Page, shown: Shown) -> Choice | None:
    """Read words that decline to choose, unless an option says just that."""
    size = len(page.text)
    for begin, stop in ((0, size),) if size <= 1_000 else ((0, 500), (size - 500, size)):
        words = REFUSAL.search(page.text, begin, stop)
        if words is None:
            continue
        near = shown.inside(page, max(words.start() - 40, 0), min(words.end() + 80, size))
        for found in near:
            if found.start < words.end() and found.end > words.start() + 3:
                return text_choice(page, shown, found)
        if NONE_OF_THEM.match(page.text, words.start()):
            return none_choice(shown, words.start(), words.end())
        return Choice(words.start(), words.end(), "refused", note="declines to choose")
    return None


def bare_sentence(page: Page, shown: Shown) -> Choice | None:
    """Read the one letter or option text of a short reply that holds nothing else of weight."""
    text = page.text
    if len(text) > SHORT or _LATE_QUESTION.search(text):
        return None
    found = shown.inside(page, 0, len(text))
    spans = [(f.start, f.end, f.positions) for f in found]
    for m in _CAPITAL.finditer(text):
        position = shown.position(m[1])
        if position is not None and not any(f.start <= m.start() < f.end for f in found):
            spans.append((m.start(), m.end(), (position,)))
    if len({positions for _, _, positions in spans}) != 1:
        return None
    rest = text
    for begin, stop, _ in sorted(spans, reverse=True):
        rest = f"{rest[:begin]} {rest[stop:]}"
    return None if _FILL.sub("", rest).strip() else text_choice(page, shown, Found(*min(spans)))


def only_named(page: Page, shown: Shown) -> Choice | None:
    """Read the only letter that is spoken of as an option, in sentences without a doubt."""
    hits = list(_NAMED.finditer(page.text)) if len(page.text) < LONG else []
    letters = {next(filter(None, m.groups())) for m in hits}
    position = shown.position(letters.pop()) if len(letters) == 1 else None
    if position is None or shown.letter_in_texts(position):
        return None
    around = (page.text[slice(*sentence(page, m.start(), 300))] for m in hits[:20])
    if not all(_assertive(words) for words in around):
        return None
    return Choice(*hits[0].span(), "ok", position, kind="letter")


def mention(page: Page, shown: Shown) -> Choice | None:
    """Read the only option text in a reply of one short sentence without a doubt."""
    if not _one_sentence(page) or re.search(r"[.!?]\s\w", page.text):
        return None
    found = [f for f in shown.inside(page, 0, len(page.text)) if f.end - f.start > 2]
    if len({f.positions for f in found}) != 1:
        return None
    if page.flat[found[0].start : found[0].end] in {"yes", "not", "none", "the", "all", "and"}:
        return None
    return text_choice(page, shown, found[0])


def counted(page: Page, shown: Shown) -> Choice | None:
    """Read the only number of one short sentence where every option is a number."""
    if not shown.numeric or not _one_sentence(page):
        return None
    total = _TOTAL.search(page.text)
    hits = [total] if total else list(_NUMBERS.finditer(page.text))
    if len(hits) != 1 or _UNIT.match(page.text, hits[0].end(1)):
        return None
    number = hits[0][1].lower()
    if (not total and hits[0][0].lower() != number) or not NUMBER.fullmatch(number):
        return None
    position = shown.by_number(number)
    return None if position is None else Choice(*hits[0].span(1), "ok", position, kind="number")


def concluding(page: Page, shown: Shown) -> Choice | None:
    """Read the only option text of a last sentence that draws the conclusion."""
    body = page.text.rstrip(" \n.!\"')")
    begin, _ = sentence(page, len(body) - 1, 300)
    therefore = _THEREFORE.match(page.text, begin)
    if therefore is None:
        return None
    found = shown.at(page, therefore.end())
    if found and ends_clause(page, found.end):
        return text_choice(page, shown, found)
    hits = [f for f in shown.inside(page, begin, len(body)) if f.end - f.start > 2]
    if len({f.positions for f in hits}) != 1 or not _assertive(page.text[begin : len(body)]):
        return None
    return text_choice(page, shown, hits[0])


def equals(page: Page, shown: Shown) -> Choice | None:
    """Read two letters named as equals near the end of a reply that says nothing clearer."""
    size = len(page.text)
    for m in _EQUALS.finditer(page.text, size - 300 if size >= 600 else 0):
        one, two = shown.position(m[1]), shown.position(m[3])
        listed = m[2] == "," and m[4]
        if listed or not (m[1].isupper() and m[3].isupper()) or None in (one, two) or one == two:
            continue
        note = f"{m[1]} and {m[3]} as equals"
        return Choice(*m.span(), "ambiguous", note=note, kind="letter")
    return None


def _bounds(page: Page) -> tuple[int, int]:
    text = page.text
    return len(text) - len(text.lstrip(" \n\"'([<#>-•")), len(text.rstrip())


def _one_sentence(page: Page) -> bool:
    text = page.text.strip()
    return len(text) <= SHORT and "\n" not in text and _assertive(text)


def _assertive(text: str) -> bool:
    return not (_HEDGE.search(text) or NEGATION.search(text) or WRONG.search(text))
