"""Scripts of short films, and their frames.

Time is cut so that every check of the audit sees what it should, whatever the phase of its
sampling. A film of `n` seconds at 8 frames a second has 8 segments of `n` frames. Between the
middles of two neighbouring segments lies a *slot*: a bit more than a second, so that sampling at
1 fps meets every slot, while captions of segment middles meet none. Slot 4 holds the film's centre.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vidence.seeds import rng_of
from vidence.worlds.draw import background, mask, noise, paint
from vidence.worlds.vocabulary import COLOURS, FPS, HEIGHT, SEGMENTS, WIDTH

OUTER_SLOTS = (1, 2, 3, 5, 6, 7)
CENTRE_SLOT = 4


@dataclass(frozen=True)
class Interval:
    """Frames `first` to `last`, both shown."""

    first: int
    last: int

    def seconds(self) -> tuple[float, float]:
        """Return when it begins and ends, in seconds."""
        return self.first / FPS, (self.last + 1) / FPS


@dataclass(frozen=True)
class Timeline:
    """The slots of a film.

    Args:
        seconds: its length, a whole number; also the number of frames in a segment.
    """

    seconds: int

    @property
    def frames(self) -> int:
        """Return the number of frames."""
        return self.seconds * FPS

    def slot(self, number: int) -> Interval:
        """Return the frames between segment middles `number - 1` and `number`, 1 to 7.

        One frame on each side of a middle is left out too: samplers may round either way.
        """
        first = math.ceil((number - 0.5) * self.seconds) + 2
        return Interval(first, math.floor((number + 0.5) * self.seconds) - 2)

    def segments(self, first: int, last: int) -> Interval:
        """Return the frames of segments `first` to `last`, 0 to 7."""
        return Interval(first * self.seconds, (last + 1) * self.seconds - 1)

    def whole(self) -> Interval:
        """Return all frames."""
        return self.segments(0, SEGMENTS - 1)


@dataclass(frozen=True)
class Thing:
    """A coloured shape for some frames.

    Args:
        shape: a word of `SHAPES`.
        colour: a word of `COLOURS`.
        diameter: pixels.
        x: centre, pixels.
        y: centre, pixels.
        when: the frames it is shown in.
        drift: pixels it moves to and fro.
        strength: how much of its colour covers the background, 0 to 1.
    """

    shape: str
    colour: str
    diameter: int
    x: float
    y: float
    when: Interval
    drift: float = 2.0
    strength: float = 1.0


@dataclass(frozen=True)
class Scene:
    """A film's script.

    Args:
        timeline: its length and slots.
        tone: of the background.
        pattern: of the background.
        things: what is shown.
        seed: of everything that does not matter (noise, drift, grey distractors).
    """

    timeline: Timeline
    tone: str
    pattern: str
    things: tuple[Thing, ...]
    seed: int

    def frames(self) -> Iterator[NDArray[np.uint8]]:
        """Yield the frames, uint8 [h, w, 3]."""
        rng = rng_of("scene", self.seed)
        size = (WIDTH, HEIGHT)
        still = background(self.tone, self.pattern, size, rng)
        grain = noise(8, size, rng, sigma=rng.uniform(2, 6))
        clutter = [_Clutter.random(rng) for _ in range(int(rng.integers(2, 6)))]
        phases = rng.uniform(0, 2 * np.pi, size=(len(self.things), 2))
        for number in range(self.timeline.frames):
            picture = still.copy()
            for piece in clutter:
                piece.draw(picture, number)
            for thing, phase in zip(self.things, phases, strict=True):
                if thing.when.first <= number <= thing.when.last:
                    x, y = thing.drift * np.sin(number / 9 + phase)
                    colour = np.array(COLOURS[thing.colour], dtype=np.float32)
                    cover = mask(thing.shape, thing.diameter) * np.float32(thing.strength)
                    paint(picture, cover, (thing.x + x, thing.y + y), colour)
            yield np.clip(picture + grain[rng.integers(len(grain))], 0, 255).astype(np.uint8)


@dataclass(frozen=True)
class _Clutter:
    """A grey bar that drifts through the picture and means nothing."""

    width: int
    height: int
    x: float
    y: float
    dx: float
    shade: float

    @classmethod
    def random(cls, rng: np.random.Generator) -> _Clutter:
        w, h = (int(v) for v in rng.integers(3, 16, size=2))
        x, y = rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT - h)
        return cls(w, h, x, y, rng.uniform(-1.5, 1.5), float(rng.choice([-22, 22])))

    def draw(self, picture: NDArray[np.float32], number: int) -> None:
        left = int(self.x + self.dx * number) % WIDTH
        top = int(self.y)
        picture[top : top + self.height, left : left + self.width] += self.shade
