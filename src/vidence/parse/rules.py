"""The rules in their order. The first that speaks decides; see docs/parsing.md for the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from vidence.parse.layout import Item, first_letter, items, last_letter, verdict_list, without_echo
from vidence.parse.page import Page
from vidence.parse.shown import Found, Shown
from vidence.parse.statements import Statement, passing, sentence, strong
from vidence.parse.values import Choice, ends_clause, none_choice, text_choice
from vidence.parse.words import NEGATION, NONE_OF_THEM, NUMBER, NUMBERS, REFUSAL, WITHDRAWN, WRONG

SHORT = 240
"""Longest reply, in characters, in which an option's text inside a sentence is taken as chosen."""

_QUESTION = re.compile(r"\n[\s#>]{0,6}(?:question|q)(?:\s?\d{1,4})?\s?[:.)]\s", re.IGNORECASE)
_HEDGE = re.compile(
    r"(?<!\w)(?:or|might|may|maybe|perhaps|could|if|whether|either|except|than|unless|unclear|unsure"
    r"|depends|possibly|without|vs|versus|out|trap|seem\w*|tempting|would|only if)(?!\w)|\?",
    re.IGNORECASE,
)
_EQUALS = re.compile(
    r"(?<![\w'])(?:(?:both|either|between)\s)?(?:option\s)?[\"'(\[]{0,2}([A-Z])[\"')\].]{0,3}\s?"
    r"(,|/|&|(?<!\w)(?:or|and|und|oder|et|ou|y|o|e|и|или)(?!\w)|或|和)\s?(?:option\s)?[\"'(\[]{0,2}([A-Z])"
    r"(?![\w'])(\s(?:is|was|has|would|can|does)(?!\w))?",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?<!\w)(?:option|choice|opci[óo]n|op[çc][ãa]o|alternativa|opzione|вариант)\s[\"'(\[]{0,2}([A-Z])"
    r"(?![\w'-])|选项\s?([A-Z])(?![A-Za-z])|選択肢\s?([A-Z])(?![A-Za-z])|\(([A-Z])\)",
)
_FILL = re.compile(
    r"(?:i|think|it|it's|is|say|i'd|would|guess|believe|probably|likely|definitely|sure|okay|ok|yes|well|so"
    r"|option|choice|letter|the|that's|that|my|pick|choose|go|going|with|for|must|be|to|select|selected"
    r"|answer|here|certainly|of|course|hmm|um|looks|like|most|am|a|an|this|shows|video|correct|best|in"
    r"|assistant|clearly|there|final|are|was|were)(?!\w)|[^\w]",
    re.IGNORECASE,
)
_NUMBERS = re.compile(
    rf"(?:(?<!\w)(?:frame|scene|step|option|part|clip|number)\s)?"
    rf"(-?\d[\d.,:/-]{{0,60}}(?<![.,:/-])\w{{0,9}}|(?<!\w)(?:{'|'.join(NUMBERS)})(?![\w-]))",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"=\s?(-?\d{1,15})\s?[.!]?\s{0,9}\Z")
_UNIT = re.compile(r"\s?(?:%|s|sec\w*|min\w*|hours?|am|pm|fps|o'clock)(?!\w)", re.IGNORECASE)
_THEREFORE = re.compile(
    r"\s?(?:so|therefore|thus|hence|accordingly|consequently|overall|finally|in conclusion)(?!\w),?\s",
    re.IGNORECASE,
)
_LATE_QUESTION = re.compile(r"\?\s*\Z")


@dataclass(frozen=True)
class Finding:
    """What a reply says, and the rule that decided.

    Args:
        rule: the rule's name.
        choice: what it read.
    """

    rule: str
    choice: Choice


def decide(page: Page, shown: Shown) -> Finding | None:
    """Return the finding of the first rule that speaks, or None."""
    page, _ = without_echo(page, shown)
    return next(iter(findings(page, shown)), None)


def findings(page: Page, shown: Shown) -> Iterable[Finding]:
    """Yield what each rule finds, the deciding one first."""
    listed = items(page, shown)
    remarks = passing(page, shown)
    stated = next(iter(strong(page, shown)), None)
    if stated:
        yield _settle(page, shown, Finding(f"statement ({stated.rule})", stated.choice), remarks)
    yield from _by_letter(page, shown, listed, remarks)
    rules: tuple[tuple[str, Callable[[Page, Shown], Choice | None]], ...] = (
        ("whole text", _whole),
        ("opening text", _opening),
        ("last line text", _closing),
        ("refusal", _refusal),
        ("only words of assent around it", _bare_sentence),
        ("only option named", _only_named),
        ("text in one sentence", _mention),
        ("number in one sentence", _counted),
        ("concluding sentence", _concluding),
        ("equals", _equal),
    )
    for name, rule in rules:
        choice = rule(page, shown)
        if choice:
            yield _settle(page, shown, Finding(name, choice), [])


def _by_letter(
    page: Page, shown: Shown, listed: list[Item], remarks: list[Statement]
) -> Iterable[Finding]:
    first = first_letter(page, shown, listed)
    last = last_letter(page, shown, listed)
    whole = _whole(page, shown)
    if whole and first and first.status == "off_list":
        first = None
    if whole and first and whole.position != first.position:
        note = "a letter and the text of another option"
        yield Finding("opening letter", replace(whole, status="ambiguous", position=None, note=note))
    if first and last and last.start > first.end and (first.position, first.status) != (
        last.position,
        last.status,
    ):
        note = "first and last line differ"
        yield Finding(
            "opening letter",
            Choice(first.start, last.end, "ambiguous", note=note, kind="letter"),
        )
    elif first:
        yield _settle(page, shown, Finding("opening letter", first), remarks)
    elif last:
        yield Finding("last line", last)
    firm = [remark for remark in remarks if remark.firm] or remarks
    if firm:
        yield _remark(page, firm)
    listed_choice = verdict_list(page, listed)
    if listed_choice:
        yield Finding("verdict list", listed_choice)


def _remark(page: Page, remarks: list[Statement]) -> Finding:
    final = remarks[-1]
    named = {(remark.choice.status, remark.choice.position) for remark in remarks}
    concluding = final.rule in ("conclusion", "choice", "contrast") or len(
        page.text.rstrip()
    ) - final.choice.end < 200
    if len(named) == 1 or (final.firm and concluding):
        return Finding(f"remark ({final.rule})", final.choice)
    note = f"{len(named)} options favoured in passing"
    return Finding("remark", replace(final.choice, status="ambiguous", position=None, note=note))


def _settle(page: Page, shown: Shown, finding: Finding, remarks: list[Statement]) -> Finding:
    """Return the finding, or what became of it if the reply goes on to take it back."""
    choice = finding.choice
    later = [remark for remark in remarks if remark.choice.start > choice.end]
    withdrawn = WITHDRAWN.search(page.text, max(choice.end - 2, 0))
    if withdrawn:
        after = [remark for remark in later if remark.choice.start >= withdrawn.start()]
        if after:
            return Finding(f"remark ({after[-1].rule}) after a withdrawal", after[-1].choice)
        note = "taken back without another answer"
        return Finding(finding.rule, replace(choice, status="ambiguous", position=None, note=note))
    if finding.rule == "opening letter":
        rivals = [r for r in later if r.firm and r.choice.position != choice.position]
        if rivals:
            note = "a later remark favours another option"
            return Finding(
                finding.rule, replace(choice, status="ambiguous", position=None, note=note)
            )
    elif finding.rule.startswith("statement") and _runs_on(page, shown, choice):
        note = "several questions are answered"
        return Finding(finding.rule, replace(choice, status="ambiguous", position=None, note=note))
    return finding


def _runs_on(page: Page, shown: Shown, choice: Choice) -> bool:
    """Return whether a new question was opened after another answer had been stated."""
    questions = [m.start() for m in _QUESTION.finditer(page.text, 0, choice.start)]
    if not questions:
        return False
    before = Page(page.text[: questions[-1]], end=questions[-1])
    earlier = next(iter(strong(before, shown)), None)
    opening = None if earlier else first_letter(before, shown, items(before, shown))
    said = earlier.choice if earlier else opening
    return said is not None and said.position != choice.position


def _bounds(page: Page) -> tuple[int, int]:
    text = page.text
    start = len(text) - len(text.lstrip(" \n\"'([<#>-•"))
    return start, len(text.rstrip())


def _whole(page: Page, shown: Shown) -> Choice | None:
    positions = shown.whole(page.text) if len(page.text) < 20_000 else ()
    if not positions:
        none = NONE_OF_THEM.fullmatch(page.text.strip(" \n.!\"'"))
        return none_choice(shown, *_bounds(page)) if none else None
    start, end = _bounds(page)
    if len(positions) > 1:
        note = f"{len(positions)} options have this text"
        return Choice(start, end, "ambiguous", note=note, kind="text")
    if len(page.text.strip()) == 1 and shown.position(page.text.strip()) not in (None, *positions):
        return None
    return Choice(start, end, "ok", positions[0], kind="text")


def _opening(page: Page, shown: Shown) -> Choice | None:
    start, end = _bounds(page)
    found = next((f for q in range(max(0, start - 40), start + 1) if (f := shown.at(page, q))), None)
    if found and (ends_clause(page, found.end) or text_choice(page, shown, found).status != "ok"):
        rest = page.text[found.end : found.end + 1]
        if rest == "\n" and len(shown.inside(page, found.end, min(end, found.end + 400))) > 0:
            return _list_of_texts(page, shown, found)
        return text_choice(page, shown, found)
    word = re.compile(r"(yes|no)(?=[.,;:!\n]|\s[–-]|\Z)", re.IGNORECASE).match(page.text, start)
    if word is None:
        return None
    positions = shown.by_yes_no(word[1].lower())
    if len(positions) == 1:
        return Choice(word.start(), word.end(), "ok", positions[0], kind="text")
    note = f"{len(positions)} options open with {word[1].lower()}"
    return Choice(word.start(), word.end(), "ambiguous", note=note) if positions else None


def _list_of_texts(page: Page, shown: Shown, found: Found) -> Choice | None:
    line = page.text.find("\n", found.end + 1)
    second = page.text[found.end + 1 : line if line >= 0 else len(page.text)]
    if shown.whole(second) and shown.whole(second) != found.positions:
        return Choice(found.start, found.end, "ambiguous", note="a list of options", kind="text")
    return text_choice(page, shown, found)


def _closing(page: Page, shown: Shown) -> Choice | None:
    start, end = page.text.rstrip().rfind("\n") + 1, len(page.text.rstrip())
    positions = shown.whole(page.text[start:end]) if 0 < start and end - start < 5_000 else ()
    previous = page.text.rfind("\n", 0, max(start - 1, 0)) + 1
    if not positions or shown.whole(page.text[previous : max(start - 1, 0)][:5_000]):
        return None
    return text_choice(page, shown, Found(start, end, positions))


def _refusal(page: Page, shown: Shown) -> Choice | None:
    size = len(page.text)
    spans = ((0, size),) if size <= 2 * 500 else ((0, 500), (size - 500, size))
    for begin, stop in spans:
        refusal = REFUSAL.search(page.text, begin, stop)
        if refusal is None:
            continue
        for found in shown.inside(page, max(refusal.start() - 40, 0), min(refusal.end() + 80, size)):
            if found.start < refusal.end() and found.end > refusal.start() + 3:
                return text_choice(page, shown, found)
        if NONE_OF_THEM.match(page.text, refusal.start()):
            return none_choice(shown, refusal.start(), refusal.end())
        note = "declines to choose"
        return Choice(refusal.start(), refusal.end(), "refused", note=note)
    return None


def _bare_sentence(page: Page, shown: Shown) -> Choice | None:
    """Read the one letter or option text of a short reply that holds nothing else of weight."""
    text = page.text
    if len(text) > SHORT or _LATE_QUESTION.search(text):
        return None
    found = shown.inside(page, 0, len(text))
    letters = [
        m
        for m in re.compile(r"(?<![\w'])([B-HJ-Z]|[AI](?!\s?[a-z']))(?![\w'])").finditer(text)
        if shown.position(m[1]) is not None and not any(f.start <= m.start() < f.end for f in found)
    ]
    spans = [(f.start, f.end, f.positions) for f in found]
    spans += [(m.start(), m.end(), (shown.position(m[1]) or 0,)) for m in letters]
    named = {positions for _, _, positions in spans}
    if len(named) != 1:
        return None
    start, end, positions = min(spans)
    rest = text
    for begin, stop, _ in sorted(spans, reverse=True):
        rest = rest[:begin] + " " + rest[stop:]
    if _FILL.sub("", rest).strip():
        return None
    return text_choice(page, shown, Found(start, end, positions))


def _only_named(page: Page, shown: Shown) -> Choice | None:
    if len(page.text) > 20_000:
        return None
    hits = [m for m in _NAMED.finditer(page.text)]
    letters = {next(filter(None, m.groups())) for m in hits}
    position = shown.position(letters.pop()) if len(letters) == 1 else None
    if position is None or shown.letter_in_texts(position):
        return None
    sentences = (page.text[slice(*sentence(page, m.start(), 300))] for m in hits[:20])
    if not all(_assertive(words) for words in sentences):
        return None
    return Choice(hits[0].start(), hits[0].end(), "ok", position, kind="letter")


def _mention(page: Page, shown: Shown) -> Choice | None:
    text = page.text.strip()
    if len(text) > SHORT or "\n" in text or re.search(r"[.!?]\s", text) or not _assertive(text):
        return None
    found = [f for f in shown.inside(page, 0, len(page.text)) if f.end - f.start > 2]
    if len({f.positions for f in found}) != 1:
        return None
    if page.flat[found[0].start : found[0].end] in {"yes", "not", "none", "the", "all", "and"}:
        return None
    return text_choice(page, shown, found[0])


def _counted(page: Page, shown: Shown) -> Choice | None:
    """Read the only number of a short sentence where every option is a number."""
    text = page.text.strip()
    if not shown.numeric or len(text) > SHORT or "\n" in text or not _assertive(text):
        return None
    total = _TOTAL.search(page.text)
    hits = [total] if total else list(_NUMBERS.finditer(page.text))
    if len(hits) != 1 or _UNIT.match(page.text, hits[0].end(1)):
        return None
    position = shown.by_number(hits[0][1].lower()) if hits[0][0] == hits[0][1] or total else None
    position = position if NUMBER.fullmatch(hits[0][1]) else None
    return None if position is None else Choice(*hits[0].span(1), "ok", position, kind="number")


def _concluding(page: Page, shown: Shown) -> Choice | None:
    """Read the only option text of a last sentence that draws the conclusion."""
    body = page.text.rstrip(" \n.!\"')")
    begin, _ = sentence(page, len(body) - 1, 300)
    opening = _THEREFORE.match(page.text, begin)
    if opening is None:
        return None
    found = shown.at(page, opening.end())
    if found and ends_clause(page, found.end):
        return text_choice(page, shown, found)
    hits = [f for f in shown.inside(page, begin, len(body)) if f.end - f.start > 2]
    if len({f.positions for f in hits}) != 1 or not _assertive(page.text[begin : len(body)]):
        return None
    return text_choice(page, shown, hits[0])


def _assertive(text: str) -> bool:
    return not (_HEDGE.search(text) or NEGATION.search(text) or WRONG.search(text))


def _equal(page: Page, shown: Shown) -> Choice | None:
    spans = ((0, len(page.text)),) if len(page.text) < 600 else ((len(page.text) - 300, len(page.text)),)
    for begin, stop in spans:
        for m in _EQUALS.finditer(page.text, begin, stop):
            pair = (shown.position(m[1]), shown.position(m[3]))
            if m[2] == "," and m[4]:
                continue
            if None not in pair and pair[0] != pair[1] and m[1].isupper() and m[3].isupper():
                note = f"{m[1]} and {m[3]} as equals"
                return Choice(m.start(), m.end(), "ambiguous", note=note, kind="letter")
    return None
