"""Words that stand twice because a recogniser heard them twice, in two overlapping chunks.

Unlike a loop they are repeated once, and they are long: nobody says forty letters again, to the
letter, within half a minute. Refrains of songs are; a double is a note, no reason to leave words
out.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence

from vidence.transcripts.cues import Cue, Transcript
from vidence.transcripts.loops import Letters, weight

SAME_LETTERS = 40
"""Letters that have to stand again; a sign of Chinese, Japanese or Korean counts for three."""
NEAR = 500
"""Letters between the two, at most."""
SAME_WORDS = 3
"""Words that are enough where both cues are on at one time."""
STILL_ON = 8
"""Cues back to which one is compared."""
_TOUCH = 0.1
_BASE = 0x9E3779B97F4A7C15
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def repeated(letters: Letters, mask: Sequence[int]) -> list[tuple[int, int]]:
    """Return (first, last) of the stretches that stand a second time soon after the first.

    Args:
        letters: of a transcript.
        mask: nonzero for letters that are in a loop or a credit, [N].
    """
    text = letters.text
    signs = (weight(text) - len(text)) / 2
    width = SAME_LETTERS if signs < len(text) / 2 else SAME_LETTERS // 3
    found: list[tuple[int, int]] = []
    apart = 0
    for at, before in _again(text, width):
        if mask[at] or mask[before] or text[at : at + width] != text[before : before + width]:
            continue
        if found and at < found[-1][1] and at - before == apart:
            found[-1] = (found[-1][0], at + width)
        elif not found or at >= found[-1][1]:
            found.append((at, at + width))
            apart = at - before
    return found


def _again(text: str, width: int) -> list[tuple[int, int]]:
    """Return (place, place before) where so many letters seem to stand again, by their hash.

    The hash of letters i to i + width is the sum of code x base^j over them, without base^i
    (modulo 2^64), so that one running sum has those of all places.
    """
    import numpy as np

    if len(text) < 2 * width:
        return []
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    powers = np.full(len(codes), _BASE, dtype=np.uint64).cumprod(dtype=np.uint64)
    sums = np.concatenate((np.zeros(1, np.uint64), (codes * powers).cumsum(dtype=np.uint64)))
    back = np.full(len(codes), pow(_BASE, -1, 1 << 64), dtype=np.uint64).cumprod(dtype=np.uint64)
    hashes = (sums[width:] - sums[:-width]) * back[: len(codes) - width + 1]
    order = np.argsort(hashes, kind="stable")
    apart = np.diff(order)
    near = (hashes[order][1:] == hashes[order][:-1]) & (apart >= width) & (apart <= NEAR)
    pairs = np.stack((order[1:][near], order[:-1][near]), axis=1)
    return [(at, before) for at, before in pairs[pairs[:, 0].argsort()].tolist()]


def at_one_time(transcript: Transcript) -> Iterator[tuple[list[Cue], str]]:
    """Yield cues in a row that repeat words of a cue that is still on, and their first words."""
    again: list[Cue] = []
    words = ""
    recent: deque[tuple[float, tuple[str, ...]]] = deque(maxlen=STILL_ON)
    for cue in transcript.cues:
        mine = tuple(_WORD.findall(cue.text.casefold()))
        on = [theirs for until, theirs in recent if until > cue.start + _TOUCH]
        shared = max((_shared(theirs, mine) for theirs in on), key=len, default=())
        if shared:
            words = words if again else " ".join(shared)
            again.append(cue)
        elif again:
            yield again, words
            again = []
        if cue.end is not None:
            recent.append((cue.end, mine))
    if again:
        yield again, words


def _shared(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words that end one text and begin the other, at least `SAME_WORDS`."""
    for length in range(min(len(before), len(after)), SAME_WORDS - 1, -1):
        if before[-length:] == after[:length]:
            return after[:length]
    return after if before == after else ()
