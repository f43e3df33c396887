"""The words of the shapes world, and what they look like.

Writers (the generator) and readers (answerers, captioner, encoders) share these words as people
share a language. Nothing here knows any video or any key.
"""

from __future__ import annotations

from dataclasses import dataclass

Rgb = tuple[int, int, int]

COLOURS: dict[str, Rgb] = {
    "red": (222, 38, 38),
    "orange": (244, 124, 22),
    "yellow": (240, 228, 40),
    "green": (38, 178, 64),
    "cyan": (40, 204, 214),
    "blue": (46, 84, 232),
    "purple": (138, 52, 214),
    "pink": (246, 92, 196),
}
SHAPES = ("circle", "square", "triangle", "diamond", "cross", "star", "ring")
TONES = ("dark", "light")
PATTERNS = ("plain", "striped", "checkered")

SIZES: dict[str, int] = {"small": 20, "medium": 32, "large": 46}
"""Diameter in pixels of a film that is 160 pixels high."""

WIDTH, HEIGHT, FPS, SEGMENTS = 224, 160, 8, 8


@dataclass(frozen=True)
class Sight:
    """One thing that is seen or said to be seen.

    Args:
        colour: a word of `COLOURS`.
        shape: a word of `SHAPES`.
        size: diameter as a share of the picture's height.
        x: centre, from 0 (left) to 1 (right).
        y: centre, from 0 (top) to 1 (bottom).
        contrast: strength of the colour, 0 to 255; words have full strength.
    """

    colour: str
    shape: str
    size: float
    x: float
    y: float
    contrast: float = 255.0


@dataclass(frozen=True)
class Glimpse:
    """One frame as it was seen, or one description of a frame.

    Args:
        sights: the largest first.
        tone: a word of `TONES`, or "" where nothing was said.
        pattern: a word of `PATTERNS`, or "".
    """

    sights: tuple[Sight, ...]
    tone: str = ""
    pattern: str = ""


def size_word(size: float) -> str:
    """Return the size word for a diameter given as a share of the height."""
    if size < 0.147:
        return "small"
    return "medium" if size < 0.225 else "large"


def place_words(x: float, y: float) -> str:
    """Return the corner of the picture that a centre lies in."""
    return f"{'top' if y < 0.5 else 'bottom'} {'left' if x < 0.5 else 'right'}"
