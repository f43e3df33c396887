"""Look at generated films without any code of the world: PyAV and counts of coloured pixels."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

# Colour words as (red, green, blue) after the grey part is taken out and the rest is stretched.
PURE = {
    "red": (1, 0, 0),
    "orange": (1, 0.45, 0),
    "yellow": (1, 0.95, 0),
    "green": (0, 1, 0.2),
    "cyan": (0, 0.95, 1),
    "blue": (0, 0.2, 1),
    "purple": (0.5, 0, 1),
    "pink": (1, 0, 0.65),
}
SIZES = ("small", "medium", "large")


@dataclass(frozen=True)
class Spot:
    """The coloured pixels of one frame: their main colour, how many, and where."""

    colour: str
    pixels: int
    x: float
    y: float
    wide: int
    high: int


@dataclass(frozen=True)
class Film:
    """Decoded frames with their times."""

    times: tuple[float, ...]
    frames: NDArray[np.uint8]

    @property
    def duration(self) -> float:
        return len(self.times) / 8

    def at(self, second: float) -> int:
        """Return the number of the frame on screen at a time."""
        return max(i for i, t in enumerate(self.times) if t <= second + 1e-6)

    def middles(self) -> list[int]:
        """Return the frames in the middles of eight equal parts."""
        return [self.at((i + 0.5) * self.duration / 8) for i in range(8)]

    def centre(self) -> int:
        return self.at(self.duration / 2)

    def every_second(self, phase: float) -> list[int]:
        return [self.at(t) for t in np.arange(phase, self.duration, 1.0)]

    def spots(self) -> list[Spot | None]:
        return [spot(frame) for frame in self.frames]


def decode(path: Path) -> Film:
    with av.open(str(path)) as container:
        found = [(float(f.time), f.to_ndarray(format="rgb24")) for f in container.decode(video=0)]
    return Film(tuple(t for t, _ in found), np.stack([f for _, f in found]))


def spot(frame: NDArray[np.uint8]) -> Spot | None:
    """Return the coloured pixels of a frame that holds one thing at most, None if it holds none."""
    red, green, blue = (frame[..., i] for i in range(3))
    high = np.maximum(np.maximum(red, green), blue)
    ys, xs = np.nonzero(high - np.minimum(np.minimum(red, green), blue) > 90)
    if len(ys) < 40:
        return None
    values = frame[ys, xs].astype(float)
    low, high = values.min(axis=1, keepdims=True), values.max(axis=1, keepdims=True)
    pure = (values - low) / (high - low)
    words = list(PURE)
    away = np.abs(pure[:, None] - np.array([PURE[w] for w in words])).sum(axis=2)
    votes = np.bincount(away.argmin(axis=1), minlength=len(words))
    assert votes.max() > 0.6 * len(ys), f"no main colour: {dict(zip(words, votes, strict=True))}"
    wide, tall = int(np.ptp(xs)) + 1, int(np.ptp(ys)) + 1
    return Spot(words[votes.argmax()], len(ys), xs.mean(), ys.mean(), wide, tall)


def runs(spots: list[Spot | None]) -> list[list[Spot]]:
    """Return the showings: runs of frames with something coloured."""
    return [
        [s for s in group if s] for seen, group in groupby(spots, lambda s: s is not None) if seen
    ]


def colour_words(text: str) -> list[str]:
    return [w for w in re.findall(r"[a-z]+", text) if w in PURE]


def said(path: Path) -> str:
    """Return the spoken words of an SRT file in lower case."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return " ".join(x for x in lines if "-->" not in x and not x.strip().isdigit()).lower()
