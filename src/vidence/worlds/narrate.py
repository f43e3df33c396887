"""What is said in a film: lines, their SRT file, and the tones of the sound track."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vidence.worlds.grammar import FORMS
from vidence.worlds.vocabulary import SHAPES

if TYPE_CHECKING:
    from numpy.random import Generator

RATE = 16_000
_OPENING = (
    "Welcome to another short film.",
    "Let us begin without any delay.",
    "Thank you for being here again.",
    "We filmed this on a quiet day.",
)
_PLAIN = (
    "Take a moment to look around.",
    "Keep your eyes open now.",
    "That is worth a second look.",
    "Nothing here was rehearsed.",
    "Do not blink, it goes quickly.",
)
_NAMING = (
    "I like what the {shape} does here.",
    "Have you noticed the {shape}?",
    "Somebody asked me about the {shape}s.",
)


def speech(form: str, shape: str, answer: str, rng: Generator, *, clear: float = 1.0) -> str:
    """Return a sentence that tells an answer aloud.

    Args:
        form: of the question.
        shape: that the question is about.
        answer: the text of the option that is told.
        rng: for the wording and the lost words.
        clear: chance of each word of the answer to be understood.
    """
    wordings = FORMS[form].speech
    told = " ".join(w if rng.random() < clear else "(noise)" for w in answer.split(" "))
    return wordings[int(rng.integers(len(wordings)))].format(shape=shape, answer=told)


def chatter(count: int, rng: Generator) -> list[str]:
    """Return an opening and `count` sentences that tell nothing.

    Some name a shape, any shape, whether or not the film shows it.
    """
    pool = [*_PLAIN, *(line.format(shape=shape) for shape in SHAPES for line in _NAMING)]
    chosen = [pool[i] for i in rng.permutation(len(pool))[:count]]
    return [_OPENING[int(rng.integers(len(_OPENING)))], *chosen]


def srt(lines: list[str], seconds: float) -> str:
    """Return an SRT file that spreads lines evenly over a film."""
    step = seconds / max(len(lines), 1)
    cues = []
    for i, line in enumerate(lines):
        begin, end = _stamp(i * step), _stamp((i + 0.9) * step)
        cues.append(f"{i + 1}\n{begin} --> {end}\n{line}\n")
    return "\n".join(cues)


def tones(lines: list[str], seconds: float) -> NDArray[np.float32]:
    """Return a sound track, float32 [n] at 16 kHz: a short tone as each line begins."""
    time = np.arange(round(seconds * RATE), dtype=np.float32) / RATE
    track: NDArray[np.float32] = np.zeros_like(time)
    step = seconds / max(len(lines), 1)
    for i, line in enumerate(lines):
        inside = (time >= i * step) & (time < i * step + 0.3)
        pitch = 220 + 6 * len(line)
        track[inside] = 0.2 * np.sin(np.float32(2 * np.pi * pitch) * time[inside])
    return track


def _stamp(seconds: float) -> str:
    ms = round(seconds * 1000)
    return f"{ms // 3_600_000:02d}:{ms // 60_000 % 60:02d}:{ms // 1000 % 60:02d},{ms % 1000:03d}"
