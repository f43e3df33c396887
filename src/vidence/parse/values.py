"""Read the value that an announcement announces: a letter, a text, a number, none, a refusal."""

from __future__ import annotations

from dataclasses import replace

from vidence.parse.letters import Choice, ends_clause, letter_at, text_choice
from vidence.parse.page import Page
from vidence.parse.shown import Found, Shown
from vidence.parse.words import (
    ALL_OF_THEM,
    ARTICLE,
    FILLER,
    NAMES_LETTER,
    NONE_OF_THEM,
    NOT_GIVEN,
    NUMBER,
    REFUSAL,
    WRAP,
)


def value_at(page: Page, shown: Shown, at: int, *, letters_only: bool = False) -> Choice | None:
    """Read the value that an announcement ("the answer is") announces at a place.

    Wrappers and words such as "option", "clearly", "la" are passed over. At each stop an option's
    text is tried before a letter, since "A dog" may be both.

    Args:
        page: the reply made plain.
        shown: the options.
        at: one past the announcement.
        letters_only: the announcement is weak, so that only letters that cannot be words count.
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
            article = ARTICLE.match(page.text, stop)
            found = shown.at(page, article.end()) if article and not letters_only else None
            return _text_or_letter(page, shown, found) if found else None
        named = NAMES_LETTER.match(filler[0]) is not None
        at = filler.end()
    return None


def _text_or_letter(page: Page, shown: Shown, found: Found) -> Choice | None:
    letter = letter_at(page, shown, found.start, strict=False)
    if letter and letter.position is not None and letter.position in found.positions:
        return replace(letter, end=max(letter.end, found.end))
    if letter and (letter.end >= found.end or page.text[found.start + 1] in ".):"):
        if letter.status != "ok":
            return letter
        return letter.unclear("a letter and the text of another option")
    choice = text_choice(page, shown, found)
    return choice if choice.status != "ok" or ends_clause(page, found.end) else None


def _words_at(page: Page, shown: Shown, at: int) -> Choice | None:
    every = ALL_OF_THEM.match(page.text, at)
    if every and ends_clause(page, every.end()):
        return Choice(at, every.end(), "ambiguous", note="all options as equals")
    none = NONE_OF_THEM.match(page.text, at)
    if none and ends_clause(page, none.end()):
        return none_choice(shown, at, none.end())
    given = NOT_GIVEN.match(page.text, at)
    refusal = REFUSAL.match(page.text, at) or given
    if refusal and (refusal is not given or ends_clause(page, refusal.end())):
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
