"""Read a letter or an option's text at one place, and what is joined to it as an equal."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from vidence.answer import AnswerStatus
from vidence.parse.page import Page
from vidence.parse.shown import Found, Shown
from vidence.parse.words import ARTICLE, BECAUSE, JOIN, REASON

TOKEN = re.compile(
    r"([A-Za-z])(?![A-Za-z0-9_\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff])"
    r"(?!'(?![dt][ıi]r(?!\w))[A-Za-z])(?![-+#&](?![A-Z](?![\w'&]))[A-Za-z0-9+])"
    r"(?!\.[A-Za-z]\.)(?!\.\d)(?!/[a-z])"
)
"""A letter that is no part of a word, a name or an abbreviation ("T-shirt", "C++", "a.m.")."""
_SEVERAL = re.compile(r"([A-Z]{2,26})(?![\w'])")
_KEY = re.compile(r"[\"']\s?:")
_CLOSERS = re.compile(r"[\"')\]}>]{0,3}")
_DELIMITER = re.compile(r"[\n.,;:!|/–—(<]|\s?-\s|\s[–—>=→(|/]|\Z")
_CLAUSE_END = re.compile(r"[\"')\]]{0,3}(?:[\n.;!?)\]|]|\Z)")
_TEXT_END = re.compile(r"[\"')\]]{0,3}(?:[\n.,;:!?)\]|(<–—]|\s[-–—(=→]|\Z)")
_LINE_END = re.compile(r"[\"')\].!*]{0,4}\s?(?:\n|\Z)")
_AFTER_LETTER = re.compile(r"[.):,;\]\"'>|]{0,3}\s?[-–—:=→]?[ ]?[\"'(\[]{0,2}")
_OPENERS = re.compile(r"[\"'(\[]{0,2}(?:(?:option|choice|answer)\s)?[\"'(\[]{0,2}", re.I)
_VERB = re.compile(
    r"[\"')\]]{0,2}\s(?:is|was|has|would|can|could|does|shows?|seems?|may|might)(?!\w)"
)
_LETTER_AFTER = re.compile(
    r"\s?\((?:[Oo]ption\s)?([A-Z])\)|\s?[,–-]\s(?:[Oo]ption\s)?([A-Z])(?=[.)]?\Z)"
)
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True)
class Choice:
    """What a place says.

    Args:
        start: where it starts in the page.
        end: one past its last character.
        status: `ok`, `ambiguous`, `off_list` or `refused`.
        position: the option's position as shown; None unless status is ok.
        note: why it is not ok.
        kind: what was read: `"letter"`, `"text"`, `"number"` or `"words"`.
    """

    start: int
    end: int
    status: AnswerStatus
    position: int | None = None
    note: str = ""
    kind: str = "words"

    def unclear(self, note: str, end: int | None = None) -> Choice:
        """Return the same place, read as ambiguous for a stated reason."""
        stop = self.end if end is None else end
        return replace(self, end=stop, status="ambiguous", position=None, note=note)


def ends_line(page: Page, end: int) -> bool:
    """Return whether only closing marks follow on the line."""
    return _LINE_END.match(page.text, end) is not None


def ends_clause(page: Page, end: int) -> bool:
    """Return whether nothing that could change the words before follows directly."""
    if _TEXT_END.match(page.text, end) or _UNSPACED.match(page.text, end):
        return True
    return BECAUSE.match(page.text, end) is not None


def text_choice(page: Page, shown: Shown, found: Found) -> Choice:
    """Return what an option's text says, looking at what is joined to it."""
    choice = Choice(found.start, found.end, "ok", found.positions[0], kind="text")
    if len(found.positions) > 1:
        return choice.unclear(f"{len(found.positions)} options have this text")
    letter = _LETTER_AFTER.match(page.text, found.end)
    if letter and shown.position(letter[1] or letter[2]) not in (None, *found.positions):
        return choice.unclear("text and letter name different options", letter.end())
    join = JOIN.match(page.text, found.end)
    other = _text_at(page, shown, join.end()) if join else None
    if not join or not other or found.positions[0] in other.positions:
        return choice
    if join["comma"] and not _TEXT_END.match(page.text, other.end):
        return choice
    return choice.unclear("two options as equals", other.end)


def _text_at(page: Page, shown: Shown, at: int) -> Found | None:
    """Return an option's text at a place, behind an article if need be."""
    article = ARTICLE.match(page.text, at)
    return shown.at(page, at) or (shown.at(page, article.end()) if article else None)


def letter_at(page: Page, shown: Shown, at: int, *, strict: bool) -> Choice | None:
    """Read a single letter that stands alone at a place.

    An article or pronoun is not a letter: "A" and "I" before another word count only if what
    follows is the option's own text or a reason ("A because ...").

    Args:
        page: the reply made plain.
        shown: the options.
        at: where the letter should be.
        strict: nothing announced a letter here, so that any letter before an ordinary word is
            taken for a part of the sentence, and one beyond the options must stand alone.
    """
    token = TOKEN.match(page.text, at)
    if token is None:
        return None if strict else _several_at(page, shown, at)
    letter = token[1]
    closed = _CLOSERS.match(page.text, token.end())
    end = closed.end() if closed else token.end()
    position = shown.position(letter)
    if position is None:
        return _beyond(page, shown, at, end, strict=strict)
    own = _own_text_end(page, shown, end, position)
    if own and letter in "AaIi" and page.text[token.end() : token.end() + 1].isspace():
        # "A boy" is the option's text, with its article, as much as its letter.
        text = text_choice(page, shown, Found(at, own, (position,)))
        if text.status != "ok" or (strict and not ends_clause(page, own)):
            return text if text.status != "ok" else None
    choice = Choice(at, own or end, "ok", position, kind="letter")
    if letter.isupper() or end > token.end():
        joined = _joined(page, shown, choice, end)
        if joined:
            return joined
    if own is None and not _stands_alone(page, letter, token.end(), end, strict=strict):
        return None
    return _contradicted(page, shown, choice, end) or choice


def _stands_alone(page: Page, letter: str, after: int, end: int, *, strict: bool) -> bool:
    text = page.text
    closed = end > after
    if _KEY.match(text, after):
        return False
    if text.startswith("?", end):
        return end + 1 >= len(text.rstrip())
    if letter.islower():
        if closed and text[after] in ")]":
            return True
        tight = (".", ":", "\n") if strict else (".", ":", "\n", ",", ";")
        if end >= len(text) or text.startswith(tight, end):
            return True
        return not strict and letter not in "aeiouy" and not closed
    if _DELIMITER.match(text, end) or _UNSPACED.match(text, end):
        return not (strict and letter == "I" and text.startswith((",", " (", " -"), end))
    if closed and text[after] in ")]>}":
        return True
    if strict:
        return BECAUSE.match(text, end) is not None
    return letter not in "AI" or REASON.match(text, end + 1) is not None


def _own_text_end(page: Page, shown: Shown, end: int, position: int) -> int | None:
    gap = _AFTER_LETTER.match(page.text, end)
    if gap is None or (gap.end() == end and end < len(page.text)):
        return None
    own = shown.own(page, gap.end(), position)
    closed = _CLOSERS.match(page.text, own) if own else None
    return closed.end() if closed else own


def _beyond(page: Page, shown: Shown, at: int, end: int, *, strict: bool) -> Choice | None:
    stated = not strict and (
        page.text.startswith((",", ":"), end)
        or (page.text[at].isupper() and _CLAUSE_END.match(page.text, end) is not None)
    )
    if not shown or not (stated or ends_line(page, end)):
        return None
    note = f"{page.text[at].upper()} is beyond the {len(shown)} options"
    return Choice(at, end, "off_list", note=note, kind="letter")


def _several_at(page: Page, shown: Shown, at: int) -> Choice | None:
    several = _SEVERAL.match(page.text, at)
    if several is None:
        return None
    letters = several[1]
    inside = all(shown.position(letter) is not None for letter in letters)
    if not inside or list(letters) != sorted(set(letters)):
        return None
    return Choice(at, several.end(), "ambiguous", note=f"{len(letters)} letters", kind="letter")


def _joined(page: Page, shown: Shown, choice: Choice, end: int) -> Choice | None:
    """Return an ambiguous choice if another letter follows as an equal ("B or C", "A, B")."""
    for place in sorted({end, choice.end}):
        join = JOIN.match(page.text, place)
        opened = _OPENERS.match(page.text, join.end()) if join else None
        token = TOKEN.match(page.text, opened.end()) if opened else None
        if join is None or opened is None or token is None:
            continue
        other = shown.position(token[1])
        wrapped = opened.end() > join.end()
        if other is None or other == choice.position or not (wrapped or token[1].isupper()):
            continue
        ends = (
            _TEXT_END.match(page.text, token.end())
            or JOIN.match(page.text, token.end())
            or _own_text_end(page, shown, token.end(), other)
        )
        speaks = _VERB.match(page.text, token.end())
        if ends or (not join["comma"] and not speaks and (wrapped or token[1] not in "AI")):
            note = f"{shown.letter(choice.position or 0)} and {token[1].upper()} as equals"
            return choice.unclear(note, token.end())
    return None


def _contradicted(page: Page, shown: Shown, choice: Choice, end: int) -> Choice | None:
    """Return an ambiguous choice if the letter is followed by another option's text or letter."""
    position = choice.position or 0
    if choice.end > end:
        return None
    gap = _AFTER_LETTER.match(page.text, end)
    if gap and gap.end() > end:
        text = _text_at(page, shown, gap.end())
        if text and position not in text.positions and ends_line(page, text.end):
            return choice.unclear("letter and text name different options", text.end)
        other = TOKEN.match(page.text, gap.end())
        if (
            other
            and shown.position(other[1]) not in (None, position)
            and ends_line(page, other.end())
        ):
            return choice.unclear("two letters", other.end())
    if shown.letters_clash(position) and ends_line(page, end):
        letter = shown.letter(position)
        return choice.unclear(f"{letter} is a letter and the text of another option")
    return None
