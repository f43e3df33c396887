"""Read what stands at one place of a page: a letter, an option's text, a number, a refusal."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from vidence.answer import AnswerStatus
from vidence.parse.page import Page
from vidence.parse.shown import Found, Shown
from vidence.parse.words import (
    ALL_OF_THEM,
    FILLER,
    JOIN,
    NONE_OF_THEM,
    NOT_GIVEN,
    NUMBER,
    REASON,
    REFUSAL,
    WRAP,
)

TOKEN = re.compile(
    r"([A-Za-z])(?![A-Za-z0-9_\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff])"
    r"(?!'(?![dt][ıi]r(?!\w))[A-Za-z])(?![-+#&](?![A-Z](?![\w'&]))[A-Za-z0-9+])"
    r"(?!\.[A-Za-z]\.)(?!\.\d)(?!/[a-z])"
)
_SEVERAL = re.compile(r"([A-Z]{2,26})(?![\w'])")
_KEY = re.compile(r"[\"']\s?:")
_CLOSERS = re.compile(r"[\"')\]}>]{0,3}")
_DELIMITER = re.compile(r"[\n.,;:!|/–—(<]|\s?-\s|\s[–—>=→(|/]|\Z")
_CLAUSE_END = re.compile(r"[\"')\]]{0,3}(?:[\n.;!?)\]|]|\Z)")
_TEXT_END = re.compile(r"[\"')\]]{0,3}(?:[\n.,;:!?)\]|(<–—]|\s[-–—(=→]|\Z)")
_LINE_END = re.compile(r"[\"')\].!*]{0,4}\s?(?:\n|\Z)")
_AFTER_LETTER = re.compile(r"[.):,;\]\"'>|]{0,3}\s?[-–—:=→]?[ ]?[\"'(\[]{0,2}")
_OPENERS = re.compile(r"[\"'(\[]{0,2}(?:(?:option|choice|answer)\s)?[\"'(\[]{0,2}", re.IGNORECASE)
_VERB = re.compile(r"[\"')\]]{0,2}\s(?:is|was|has|would|can|could|does|shows?|seems?|may|might)(?!\w)")
_ARTICLE = re.compile(r"(?:an?|the|un|une|una|uno|ein|eine|um|uma)\s", re.IGNORECASE)
_BECAUSE = re.compile(r"\s(?:because|since|as|due|for|given|based|weil|da|denn|car|porque|pois)(?!\w)")
_NAMES_LETTER = re.compile(
    r"option|choice|letter|alternative|statement|opci|op[çc]|opz|lettre|letra|lettera|buchstabe"
    r"|вариант|букв|选项|選項|選択肢|الخيار|विकल्प|phương|lựa|seçenek",
    re.IGNORECASE,
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
        return _several_at(page, shown, at) if not strict else None
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
    if letter.isupper() or closed and end > token.end():
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
    if strict or letter in "AI":
        pattern = _BECAUSE if strict else REASON
        return bool(pattern.match(text, end if strict else end + 1))
    return True


def _own_text_end(page: Page, shown: Shown, end: int, position: int) -> int | None:
    gap = _AFTER_LETTER.match(page.text, end)
    if gap is None or (gap.end() == end and end < len(page.text)):
        return None
    own = shown.own(page, gap.end(), position)
    closed = _CLOSERS.match(page.text, own) if own else None
    return closed.end() if closed else own


def _beyond(page: Page, shown: Shown, at: int, end: int, *, strict: bool) -> Choice | None:
    alone = _LINE_END.match(page.text, end) is not None
    stated = not strict and (_CLAUSE_END if page.text[at].isupper() else _LINE_END).match(
        page.text, end
    )
    if not shown or not (alone or stated or (not strict and page.text.startswith((",", ":"), end))):
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
        ends = _TEXT_END.match(page.text, token.end()) or JOIN.match(page.text, token.end())
        speaks = _VERB.match(page.text, token.end())
        if ends or (not join["comma"] and not speaks and (wrapped or token[1] not in "AI")):
            note = f"{shown.letter(choice.position or 0)} and {token[1].upper()} as equals"
            return replace(choice, end=token.end(), status="ambiguous", position=None, note=note)
    return None


def _contradicted(page: Page, shown: Shown, choice: Choice, end: int) -> Choice | None:
    """Return an ambiguous choice if the letter is followed by another option's text or letter."""
    position = choice.position or 0
    if choice.end > end:
        return None
    gap = _AFTER_LETTER.match(page.text, end)
    if gap is None or gap.end() == end:
        if shown.letters_clash(position) and _LINE_END.match(page.text, end):
            note = f"{shown.letter(position)} is a letter and the text of another option"
            return replace(choice, status="ambiguous", position=None, note=note)
        return None
    text = shown.at(page, gap.end())
    other = TOKEN.match(page.text, gap.end())
    if text and position not in text.positions and _LINE_END.match(page.text, text.end):
        note, stop = "letter and text name different options", text.end
    elif (
        other
        and shown.position(other[1]) not in (None, position)
        and _LINE_END.match(page.text, other.end())
    ):
        note, stop = "two letters", other.end()
    elif shown.letters_clash(position) and _LINE_END.match(page.text, end):
        note, stop = f"{shown.letter(position)} is a letter and the text of another option", end
    else:
        return None
    return replace(choice, end=stop, status="ambiguous", position=None, note=note)


def text_choice(page: Page, shown: Shown, found: Found) -> Choice:
    """Return what an option's text says, looking at what is joined to it."""
    choice = Choice(found.start, found.end, "ok", found.positions[0], kind="text")
    if len(found.positions) > 1:
        note = f"{len(found.positions)} options have this text"
        return replace(choice, status="ambiguous", position=None, note=note)
    join = JOIN.match(page.text, found.end)
    other = shown.at(page, join.end()) if join else None
    if join and other and found.positions[0] not in other.positions:
        if not join["comma"] or _TEXT_END.match(page.text, other.end):
            note = "two options as equals"
            return replace(choice, end=other.end, status="ambiguous", position=None, note=note)
    return choice


def ends_clause(page: Page, end: int) -> bool:
    """Return whether nothing that could change the words before follows directly."""
    if _TEXT_END.match(page.text, end) or _UNSPACED.match(page.text, end):
        return True
    return _BECAUSE.match(page.text, end) is not None


def ends_line(page: Page, end: int) -> bool:
    """Return whether only closing marks follow on the line."""
    return _LINE_END.match(page.text, end) is not None


def value_at(page: Page, shown: Shown, at: int, *, letters_only: bool = False) -> Choice | None:
    """Read the value that an announcement ("the answer is") announces at a place.

    Wrappers and words such as "option", "clearly", "la" are passed over. At each stop an option's
    text is tried before a letter, since "A dog" may be both.
    """
    named = False
    for _ in range(8):
        wrapped = WRAP.match(page.text, at)
        stop = wrapped.end() if wrapped else at
        if not letters_only:
            found = next((f for q in range(at, stop + 1) if (f := shown.at(page, q))), None)
            if found and (choice := _text_or_letter(page, shown, found)):
                return choice
        letter = letter_at(page, shown, stop, strict=letters_only and not named)
        if letter:
            return letter
        if not letters_only and (words := _words_at(page, shown, stop)):
            return words
        filler = FILLER.match(page.text, stop)
        if filler is None or filler.end() == at:
            article = _ARTICLE.match(page.text, stop)
            found = shown.at(page, article.end()) if article and not letters_only else None
            return _text_or_letter(page, shown, found) if found else None
        named = _NAMES_LETTER.match(filler[0]) is not None
        at = filler.end()
    return None


def _text_or_letter(page: Page, shown: Shown, found: Found) -> Choice | None:
    letter = letter_at(page, shown, found.start, strict=False)
    if letter and letter.position is not None and letter.position in found.positions:
        return replace(letter, end=max(letter.end, found.end))
    if letter and (letter.end >= found.end or page.text[found.start + 1] in ".):"):
        if letter.status != "ok":
            return letter
        note = "a letter and the text of another option"
        return replace(letter, status="ambiguous", position=None, note=note)
    choice = text_choice(page, shown, found)
    return choice if choice.status != "ok" or ends_clause(page, found.end) else None


def _words_at(page: Page, shown: Shown, at: int) -> Choice | None:
    """Read what is neither letter nor text: a number, none or all of them, a refusal."""
    if (every := ALL_OF_THEM.match(page.text, at)) and ends_clause(page, every.end()):
        return Choice(at, every.end(), "ambiguous", note="all options as equals")
    none = NONE_OF_THEM.match(page.text, at)
    if none and ends_clause(page, none.end()):
        return none_choice(shown, at, none.end())
    given = NOT_GIVEN.match(page.text, at)
    refusal = REFUSAL.match(page.text, at) or (given if given and ends_clause(page, given.end()) else None)
    if refusal:
        return Choice(at, refusal.end(), "refused", note="declines to choose")
    number = NUMBER.match(page.text, at)
    if number is None or not ends_clause(page, number.end()):
        return None
    position = shown.by_number(number[0].lower())
    if position is not None:
        return Choice(at, number.end(), "ok", position, kind="number")
    if shown.numeric:
        note = f"{number[0]} is none of the numbers offered"
        return Choice(at, number.end(), "off_list", note=note, kind="number")
    return None


def none_choice(shown: Shown, start: int, end: int) -> Choice:
    """Return what "none of them" means: the one option that says so, or a refusal."""
    position = shown.by_none()
    if position is None:
        return Choice(start, end, "refused", note="none of the options")
    return Choice(start, end, "ok", position, kind="text")
