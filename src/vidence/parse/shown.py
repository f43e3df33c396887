"""The options as a prompt showed them: letters by position, and texts to be found in a reply."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase

from vidence.parse.page import Page, lower, plain
from vidence.parse.words import NONE_OF_THEM, NUMBER, NUMBERS
from vidence.view import Option

_ARTICLE = re.compile(r"(?:an?|the) (?=\S)")
_OUTER = " \"'.,;:!?()[]"
_DIGITS = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_WORDS = re.compile(r"[a-z]+")
_YES_NO = re.compile(r"(yes|no)\b")


@dataclass(frozen=True)
class Found:
    """An option's text somewhere in a page.

    Args:
        start: where it starts.
        end: one past its last character.
        positions: the options that have this text, by position shown; several if it is repeated.
    """

    start: int
    end: int
    positions: tuple[int, ...]


@dataclass(frozen=True)
class Shown:
    """Options in the order shown.

    Args:
        options: A first.
    """

    options: Sequence[Option]
    texts: tuple[str, ...] = field(init=False)
    _names: dict[str, tuple[int, ...]] = field(init=False, repr=False)
    _by_first: dict[str, tuple[str, ...]] = field(init=False, repr=False)
    _numbers: dict[float, int] = field(init=False, repr=False)
    numeric: bool = field(init=False)

    def __post_init__(self) -> None:
        texts = tuple(_trim(lower(plain(option.text))) for option in self.options)
        names: dict[str, list[int]] = defaultdict(list)
        for position, text in enumerate(texts):
            if text:
                names[text].append(position)
        # "red cup" names the option "the red cup", unless another option is called just that.
        for position, text in enumerate(texts):
            short = _ARTICLE.sub("", text, count=1)
            if short not in texts and len(short) > 1:
                names[short].append(position)
        by_first: dict[str, list[str]] = defaultdict(list)
        for name in sorted(names, key=len, reverse=True):
            by_first[name[0]].append(name)
        numbers = [_only_number(text) for text in texts]
        distinct = None not in numbers and len(set(numbers)) == len(numbers)
        set_ = object.__setattr__
        set_(self, "texts", texts)
        set_(self, "_names", {name: tuple(where) for name, where in names.items()})
        set_(self, "_by_first", {first: tuple(them) for first, them in by_first.items()})
        set_(
            self,
            "_numbers",
            {n: i for i, n in enumerate(numbers) if n is not None} if distinct else {},
        )
        set_(self, "numeric", bool(numbers) and distinct)

    def __len__(self) -> int:
        """Return how many options there are."""
        return len(self.options)

    def letter(self, position: int) -> str:
        """Return the letter of a position."""
        return ascii_uppercase[position]

    def position(self, letter: str) -> int | None:
        """Return the position of a letter in either case, or None if it is no letter shown."""
        at = ascii_uppercase.find(letter.upper()) if len(letter) == 1 else -1
        return at if 0 <= at < len(self.options) else None

    def at(self, page: Page, start: int) -> Found | None:
        """Return the longest option text that starts exactly there and ends at a word's end."""
        if start >= len(page.flat) or not _opens(page.flat, start):
            return None
        for name in self._by_first.get(page.flat[start], ()):
            if page.flat.startswith(name, start) and _closes(page.flat, start + len(name)):
                return Found(start, start + len(name), self._names[name])
        return None

    def inside(self, page: Page, start: int, stop: int) -> list[Found]:
        """Return the option texts in [start, stop), longest first at each place, no overlaps."""
        found: list[Found] = []
        at = start
        while at < stop:
            hit = self.at(page, at)
            if hit and hit.end <= stop:
                found.append(hit)
                at = hit.end
            else:
                at += 1
        return found

    def own(self, page: Page, start: int, position: int) -> int | None:
        """Return where the text of one option ends if it starts there, or None."""
        name = self.texts[position]
        for text in (name, _ARTICLE.sub("", name, count=1) if _ARTICLE.match(name) else name):
            end = start + len(text)
            if text and page.flat.startswith(text, start) and _closes(page.flat, end):
                return end
        return None

    def whole(self, text: str) -> tuple[int, ...]:
        """Return the options whose text is the given words and nothing else."""
        name = _trim(lower(text).replace("\n", " "))
        exact = self._names.get(name) or self._names.get(_ARTICLE.sub("", name, count=1), ())
        if exact or not NUMBER.fullmatch(name):
            return exact
        position = self.by_number(name)
        return () if position is None else (position,)

    def by_number(self, number: str) -> int | None:
        """Return the one option that holds this number and no other, or None."""
        value = _only_number(number)
        return None if value is None else self._numbers.get(value)

    def by_none(self) -> int | None:
        """Return the one option that says that no other option fits, or None."""
        hits = [i for i, text in enumerate(self.texts) if NONE_OF_THEM.fullmatch(text)]
        return hits[0] if len(hits) == 1 else None

    def by_yes_no(self, word: str) -> tuple[int, ...]:
        """Return the options that open with "yes" or "no", where all options open with either."""
        heads = [m[1] if (m := _YES_NO.match(text)) else None for text in self.texts]
        if len(heads) < 2 or None in heads:
            return ()
        return tuple(i for i, head in enumerate(heads) if head == word)

    def letters_clash(self, position: int) -> bool:
        """Return whether a bare letter is also the text of another option."""
        where = self._names.get(chr(97 + position), ())
        return bool(where) and position not in where

    def letter_in_texts(self, position: int) -> bool:
        """Return whether another option's text holds the letter as a word ("team B")."""
        letter = re.compile(rf"(?<!\w){chr(97 + position)}(?!\w)")
        return any(
            letter.search(text) and (position or not text.startswith("a "))
            for i, text in enumerate(self.texts)
            if i != position
        )


def _trim(text: str) -> str:
    inner = text.strip(_OUTER)
    # Brackets that belong to the text stay: "f(x)", "(a) and (b)".
    for pair in ("()", "[]"):
        if inner.count(pair[0]) != inner.count(pair[1]):
            return text.strip(" \"'.,;:!?")
    return inner or text.strip()


def _only_number(text: str) -> float | None:
    found = _DIGITS.findall(text) if len(text) < 200 else []
    spoken = (
        [NUMBERS[word] for word in _WORDS.findall(text) if word in NUMBERS] if not found else []
    )
    if len(found) + len(spoken) != 1:
        return None
    return float(found[0].replace(",", "")) if found else float(spoken[0])


def _word(c: str) -> bool:
    # Scripts without spaces have no word boundary to respect.
    return c == "_" or (c.isalnum() and (c < "\u0e00" or "\u1e00" <= c < "\u2000"))


def _opens(flat: str, start: int) -> bool:
    if start == 0:
        return True
    before, first = flat[start - 1], flat[start]
    if _word(before) and _word(first):
        return False
    if first.isdigit():
        earlier = flat[start - 2] if start > 1 else " "
        return not (
            (before in ".," and earlier.isdigit())
            or (before == "-" and (earlier == " " or earlier.isdigit()))
        )
    return not (before in "-'" and _word(first) and start > 1 and _word(flat[start - 2]))


def _closes(flat: str, end: int) -> bool:
    if end >= len(flat):
        return True
    last, after = flat[end - 1], flat[end]
    if _word(last) and _word(after):
        return False
    following = flat[end + 1] if end + 1 < len(flat) else " "
    if last.isdigit():
        return not (after in ".,:/-" and following.isdigit()) and after != "%"
    return not (after in "-'" and _word(following))
