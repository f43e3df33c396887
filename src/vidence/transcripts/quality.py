"""What is wrong with a transcript, with times, and whether its words can be used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from vidence.transcripts.cues import Cue, Transcript
from vidence.transcripts.doubles import at_one_time, repeated
from vidence.transcripts.loops import Letters, Word, loops, weight
from vidence.transcripts.phrases import credits, fillers

FaultKind = Literal["empty", "noise", "loop", "double", "rate", "long_cue", "no_end"]

DIFFERENT_WORDS, DIFFERENT_SHARE, ENOUGH_WORDS = 5, 0.05, 50
"""A usable transcript has so many different words outside loops, credits and fillers: the first
number or that share of all its words, whichever is more; the last number is enough for any."""
SOUND_SHARE = 0.08
"""Share of all words that must be outside them."""
MANY_WORDS = 150
"""With so many, fillers are not looked for: they cannot be all there is."""
FASTEST, FAST_FROM = 40.0, 80
"""Letters a second that nobody says, in a cue of so many letters."""
LONGEST_CUE = 120.0
"""Seconds of a cue whose words cannot be placed in time."""
SLOWEST, SLOW_FROM = 4.0, 60.0
"""Words a minute, over at least so many seconds, that are too few for speech."""


@dataclass(frozen=True)
class TranscriptFault:
    """One thing that is wrong.

    Args:
        kind: `empty` (no words), `noise` (credits of subtitlers, or little but thanks and cries),
            `loop` (a phrase over and over), `double` (words that stand twice, as of two chunks),
            `rate` (faster or slower than speech), `long_cue` (minutes that words cannot be placed
            in), `no_end` (a cue without an end).
        start, end: seconds of play time.
        detail: what came.
    """

    kind: FaultKind
    start: float
    end: float
    detail: str


@dataclass(frozen=True)
class Examined:
    """What a look at a transcript found.

    Args:
        faults: by kind, each in the order of time.
        words: how many words there are.
        sound: the words outside loops, credits and fillers.
    """

    faults: tuple[TranscriptFault, ...]
    words: int
    sound: tuple[Word, ...]

    @property
    def different(self) -> int:
        """How many different words are sound."""
        return len({word.text for word in self.sound})

    @property
    def usable(self) -> bool:
        """Whether enough is sound: all words, or 8 % of them and 5 different (more of many)."""
        if len(self.sound) == self.words:
            return bool(self.words)
        needed = max(DIFFERENT_WORDS, min(ENOUGH_WORDS, DIFFERENT_SHARE * self.words))
        return self.different >= needed and len(self.sound) >= SOUND_SHARE * self.words

    def between(self, start: float, end: float) -> tuple[Word, ...]:
        """Return the sound words of a window: their line lies in it or reaches into it."""
        return tuple(w for w in self.sound if w.line.start < end and w.line.until >= start)

    @property
    def kinds(self) -> frozenset[FaultKind]:
        """The kinds of its faults."""
        return frozenset(fault.kind for fault in self.faults)


def faults(transcript: Transcript) -> tuple[TranscriptFault, ...]:
    """Return what is wrong with a transcript, with times; see `examine`."""
    return examine(transcript).faults


def examine(transcript: Transcript) -> Examined:
    """Look for loops, noise, doubles, rates that nobody speaks at, and cues without an end.

    Words that overlapping cues show twice count once, so rolling captions are no loop. A transcript
    is usable if all its words stand outside loops, credits and fillers, or 8 % of them do and
    enough different ones among these: 5, or 5 % of all words where that is more (50 are enough for
    any).
    """
    letters = Letters.of(transcript.lines())
    found: list[TranscriptFault] = []
    mask = bytearray(len(letters.text))
    for loop in loops(letters):
        mask[loop.first : loop.last] = b"\1" * (loop.last - loop.first)
        span = _span(letters, loop.first, loop.last)
        found.append(TranscriptFault("loop", *span, f"{loop.times:.0f} times {loop.phrase[:80]!r}"))
    for first, last in credits(letters.text):
        if not all(mask[first:last]):
            mask[first:last] = b"\1" * (last - first)
            phrase = letters.phrase(first, last)
            span = _span(letters, first, last)
            found.append(TranscriptFault("noise", *span, f"nobody says {phrase[:80]!r}"))
    found += _doubles(transcript, letters, bytes(mask))
    words = letters.words()
    sound = [word for word in words if not any(mask[word.first : word.last])]
    if len({word.text for word in sound}) < MANY_WORDS:
        for first, last in fillers(letters.text):
            mask[first:last] = b"\1" * (last - first)
        sound = [word for word in sound if not any(mask[word.first : word.last])]
    examined = Examined((), len(words), tuple(sound))
    if not words:
        found.append(_whole("empty", transcript, "no words"))
    elif not examined.usable:
        left = f"{examined.different} different words of {len(words)} are left"
        found.append(
            _whole("noise", transcript, f"{left} without loops, credits, thanks and cries")
        )
    found += _rates(transcript, len(words))
    found += _no_ends(transcript)
    found.sort(key=lambda fault: fault.start)
    return Examined(tuple(found), len(words), tuple(sound))


def _whole(kind: FaultKind, transcript: Transcript, detail: str) -> TranscriptFault:
    ends = [_end(cue) for cue in transcript.cues]
    return TranscriptFault(kind, 0.0, max(ends, default=0.0), detail)


def _doubles(
    transcript: Transcript, letters: Letters, mask: Sequence[int]
) -> Iterator[TranscriptFault]:
    for first, last in repeated(letters, mask):
        span = _span(letters, first, last)
        yield TranscriptFault(
            "double", *span, f"stands twice: {letters.phrase(first, last)[:80]!r}"
        )
    for cues, words in at_one_time(transcript):
        span = cues[0].start, max(map(_end, cues))
        count = f"{len(cues)} cues repeat" if len(cues) > 1 else "a cue repeats"
        yield TranscriptFault("double", *span, f"{count} words of the same time: {words[:80]!r}")


def _rates(transcript: Transcript, words: int) -> Iterator[TranscriptFault]:
    for cue in transcript.cues:
        seconds, letters = _end(cue) - cue.start, weight(cue.text)
        if cue.end is not None and letters >= FAST_FROM and letters > FASTEST * seconds:
            detail = f"{letters} letters in {seconds:.1f} s; nobody speaks so fast"
            yield TranscriptFault("rate", cue.start, cue.end, detail)
        elif seconds > LONGEST_CUE:
            yield TranscriptFault("long_cue", cue.start, _end(cue), f"one cue of {seconds:.0f} s")
    last = max(map(_end, transcript.cues), default=0.0)
    if words and last >= SLOW_FROM and words < SLOWEST * last / 60:
        yield TranscriptFault("rate", 0.0, last, f"{words} words in {last:.0f} s")


def _no_ends(transcript: Transcript) -> Iterator[TranscriptFault]:
    missing = [cue for cue in transcript.cues if cue.end is None]
    if missing:
        count = "a cue has" if len(missing) == 1 else f"{len(missing)} cues have"
        span = missing[0].start, missing[-1].start
        yield TranscriptFault("no_end", *span, f"{count} no end")


def _span(letters: Letters, first: int, last: int) -> tuple[float, float]:
    start, end = sorted((letters.seconds(first), letters.seconds(last - 1)))
    return start, end


def _end(cue: Cue) -> float:
    return cue.start if cue.end is None else cue.end
