"""Phrases that a recogniser repeats over and over: tandem repeats in the letters of a transcript.

A recogniser that hears nothing it can put into words tends to write one phrase until its window is
full. Letters are compared, not words, so that `AAAAAH` and languages without spaces count too.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from vidence.transcripts.cues import Line

if TYPE_CHECKING:
    from numpy.typing import NDArray

LONGEST = 240
"""Letters of the longest phrase that is looked for."""
FEW, FEW_LETTERS = 4, 80
"""A phrase said so often, with so many letters beyond the first time, is a loop."""
MANY, MANY_LETTERS = 10, 60
"""A short phrase has to be said more often."""


_SIGN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HEAVY = re.compile("[\u2e80-\u9fff\uac00-\ud7a3]")
_WORD = re.compile(rf"[{_SIGN}]|[^\W_{_SIGN}]+(?:['’][^\W_{_SIGN}]+)*")


class Word(NamedTuple):
    """A word and where it stands.

    Args:
        first, last: places of its first letter and behind its last, in `Letters`.
        line: it stands in.
        text: in lower case.
    """

    first: int
    last: int
    line: Line
    text: str


@dataclass(frozen=True)
class Letters:
    """The letters of a transcript, and where each comes from.

    Args:
        text: letters and digits in lower case, without spaces and signs, [N].
        lines: the lines.
        edges: place behind the last letter of each line.
    """

    text: str
    lines: tuple[Line, ...]
    edges: tuple[int, ...]

    @classmethod
    def of(cls, lines: Iterable[Line]) -> Letters:
        """Return the letters of lines; marks of vowels and accents go with their letter."""
        held = tuple(lines)
        parts = ["".join(map(_kept, line.text)) for line in held]
        return cls("".join(parts), held, tuple(accumulate(map(len, parts))))

    def line(self, at: int) -> int:
        """Return the number of the line that a letter stands in."""
        return bisect_right(self.edges, at)

    def seconds(self, at: int) -> float:
        """Return when a letter is said, if its line is said evenly."""
        number = self.line(at)
        line = self.lines[number]
        first = self.edges[number - 1] if number else 0
        share = (at - first) / (self.edges[number] - first)
        return line.start + share * (line.until - line.start)

    def phrase(self, first: int, last: int) -> str:
        """Return the words between two places, as they are written."""
        (one, start), (other, end) = self._written(first), self._written(last - 1)
        if one == other:
            return self.lines[one].text[start : end + 1]
        between = [line.text for line in self.lines[one + 1 : other]]
        head, tail = self.lines[one].text[start:], self.lines[other].text[: end + 1]
        return " ".join((head, *between, tail))

    def word_at(self, first: int, last: int) -> int:
        """Return the first place of a range where a word begins, `first` if none does."""
        for at in range(first, last):
            number, place = self._written(at)
            if place == 0 or not _kept(self.lines[number].text[place - 1]):
                return at
        return first

    def words(self) -> list[Word]:
        """Return the words in order; a sign of Chinese or Japanese is a word of its own."""
        found = []
        first = 0
        for line, edge in zip(self.lines, self.edges, strict=True):
            for begin, end, word in _words_of(line.text):
                found.append(Word(first + begin, first + end, line, word))
            first = edge
        return found

    def _written(self, at: int) -> tuple[int, int]:
        """Return the line of a letter and its place there."""
        number = self.line(at)
        first = self.edges[number - 1] if number else 0
        return number, _places(self.lines[number].text)[at - first]


def _words_of(line: str) -> Iterator[tuple[int, int, str]]:
    """Yield (first letter, behind the last, word) of a line."""
    places = None if line.isascii() else _places(line)
    at = 0
    for match in _WORD.finditer(line):
        word = match[0]
        if places is None:
            end = at + len(word) - word.count("'")
        else:
            at, end = bisect_left(places, match.start()), bisect_left(places, match.end())
        yield at, end, word.casefold()
        at = end


@lru_cache(maxsize=64)
def _places(text: str) -> tuple[int, ...]:
    """Return where each letter stands in a line as it is written."""
    return tuple(place for place, char in enumerate(text) for _ in _kept(char))


@cache
def _kept(char: str) -> str:
    """Return what counts of a character: nothing of signs and spaces."""
    return "".join(c for c in char.casefold() if c.isalnum() or unicodedata.category(c)[0] == "M")


@dataclass(frozen=True)
class Loop:
    """A phrase that is repeated without anything between.

    Args:
        first, last: places of its first letter and behind its last, in `Letters`.
        period: letters of the phrase.
        phrase: as it is written the first time.
    """

    first: int
    last: int
    period: int
    phrase: str

    @property
    def times(self) -> float:
        """How often the phrase is said."""
        return (self.last - self.first) / self.period


def weight(text: str) -> int:
    """Return the number of letters of a text, a sign of Chinese, Japanese or Korean for three."""
    letters = "".join(map(_kept, text))
    return len(letters) + 2 * len(_HEAVY.findall(letters))


def loops(letters: Letters) -> list[Loop]:
    """Return the loops of a transcript in their order.

    A run is where each letter is that `period` letters before. It is a loop if the phrase is said
    4 times with 80 letters beyond the first time (a sign of Chinese, Japanese or Korean counts for
    three), 10 times with 60, or 10 times in 10 lines. The shortest phrase wins: "no no" is no
    other phrase than "no".
    """
    import numpy as np

    codes = np.frombuffer(letters.text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    heavy = ((codes >= 0x2E80) & (codes <= 0x9FFF)) | ((codes >= 0xAC00) & (codes <= 0xD7A3))
    weight = np.concatenate(([0], np.cumsum(1 + 2 * heavy)))
    covered = np.zeros(len(codes), dtype=np.bool_)
    found: list[Loop] = []
    for period in range(1, min(LONGEST, len(codes) // FEW) + 1):
        for first, last in _runs(codes, period):
            times, beyond = (last - first) / period, weight[last] - weight[first + period]
            lines = letters.line(last - 1) - letters.line(first) + 1
            few = times >= FEW and beyond >= FEW_LETTERS
            many = times >= MANY and (beyond >= MANY_LETTERS or lines >= MANY)
            if (few or many) and covered[first:last].mean() < 0.5:
                covered[first:last] = True
                found.append(Loop(first, last, period, _phrase(letters, first, period)))
    return sorted(found, key=lambda loop: loop.first)


def _runs(codes: NDArray[Any], period: int) -> Iterator[tuple[int, int]]:
    """Yield (first, last) of the stretches in which each letter is that `period` before.

    Only stretches of `FEW` phrases are yielded. They hold three multiples of the period in a row
    whose letters are repeated, so most periods need a look at these alone.
    """
    import numpy as np

    if period > 8:
        sample = codes[::period]
        again = sample[1:] == sample[:-1]
        if not (again[:-2] & again[1:-1] & again[2:]).any():
            return
    same = codes[period:] == codes[:-period]
    edges = np.flatnonzero(np.diff(np.concatenate(([False], same, [False]))))
    begins, ends = edges[::2], edges[1::2]
    long = ends - begins >= (FEW - 1) * period
    for begin, end in zip(begins[long].tolist(), ends[long].tolist(), strict=True):
        yield begin, end + period


def _phrase(letters: Letters, first: int, period: int) -> str:
    start = letters.word_at(first, first + period)
    return letters.phrase(start, start + period)
