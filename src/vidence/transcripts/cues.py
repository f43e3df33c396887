"""Cues, and the words of a window without what overlapping cues repeat."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

NO_TEXT = "no text"
# Rolling captions repeat a line at the very moment where the cue before it ends.
_TOUCH = 0.05


@dataclass(frozen=True)
class Cue:
    """Words with their time.

    Args:
        start: seconds of play time.
        end: seconds, None where the file does not say.
        text: the words, one or more lines, without tags.
    """

    start: float
    end: float | None
    text: str


@dataclass(frozen=True)
class Line:
    """One line of a cue, as it is shown.

    Args:
        start: seconds of play time.
        until: when the cue gives way: its end, or the next one's start if that is earlier.
        text: the words.
    """

    start: float
    until: float
    text: str


@dataclass(frozen=True)
class Transcript:
    """Cues in the order of the file.

    Args:
        cues: none where the file has no words.
        source: the file's name.
        notes: what was odd about the file; `NO_TEXT` where it has no words.
    """

    cues: tuple[Cue, ...]
    source: str = ""
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """Return all words in one line, each shown once where overlapping cues repeat them."""
        return " ".join(line.text for line in self.lines())

    def lines(self) -> Iterator[Line]:
        """Yield the lines of all cues, without those that overlapping cues repeat."""
        return _lines(self._timed())

    def window(self, start: float, end: float) -> str:
        """Return the words of a window in one line, empty if there are none.

        A cue lasts until its end, or until the next cue begins if that is earlier. It belongs to
        the window if the middle of the one lies in the other, so that windows longer than the
        cues, laid side by side, share no cue and lose none.

        Args:
            start: seconds of play time, included.
            end: seconds of play time, not included.
        """
        middle = (start + end) / 2
        inside = (
            (cue, until)
            for cue, until in self._timed()
            if start <= (cue.start + until) / 2 < end or cue.start <= middle < until
        )
        return " ".join(line.text for line in _lines(inside))

    def _timed(self) -> Iterator[tuple[Cue, float]]:
        """Yield each cue with the time at which it gives way."""
        for cue, after in pairwise((*self.cues, None)):
            if cue is None:
                continue
            until = math.inf if cue.end is None else cue.end
            if after is not None and after.start > cue.start:
                until = min(until, after.start)
            yield cue, (until if math.isfinite(until) else cue.start)


def _lines(cues: Iterable[tuple[Cue, float]]) -> Iterator[Line]:
    """Yield lines, leaving out those that an earlier cue on show at the same time has."""
    shown: list[Cue] = []
    for cue, until in cues:
        shown = [old for old in shown if old.end is not None and old.end >= cue.start - _TOUCH]
        for place, text in enumerate(cue.text.split("\n")):
            if not _repeats(text, place, cue, shown):
                yield Line(cue.start, until, text)
        shown.append(cue)


def _repeats(line: str, place: int, cue: Cue, shown: list[Cue]) -> bool:
    flash = cue.end is not None and cue.end - cue.start <= _TOUCH
    for old in shown:
        lines = old.text.split("\n")
        overlaps = old.end is not None and cue.start < old.end and old.start <= cue.start
        if overlaps and line in lines:
            return True
        # A rolling caption: the last line moves up, or is held for a moment.
        rolls = place == 0 and ("\n" in cue.text or flash)
        if rolls and old.start <= cue.start and line == lines[-1]:
            return True
    return False
