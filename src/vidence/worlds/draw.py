"""Rasterise shapes and backgrounds of the shapes world into RGB frames."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from numpy.random import Generator

Mask = NDArray[np.float32]
Pixels = NDArray[np.float32]
Axis = NDArray[np.floating[Any]]

_FINE = 4  # subsamples a pixel and axis, for soft edges


@lru_cache(maxsize=512)
def mask(shape: str, diameter: int) -> Mask:
    """Return the coverage of a shape, float32 [d, d] from 0 to 1.

    Raises:
        KeyError: no such shape.
    """
    n = diameter * _FINE
    axis = (np.arange(n, dtype=np.float32) + 0.5) / n * 2 - 1
    x, y = np.meshgrid(axis, axis)
    inside = _SHAPES[shape](x, y).astype(np.float32)
    soft: Mask = inside.reshape(diameter, _FINE, diameter, _FINE).mean(axis=(1, 3))
    soft.setflags(write=False)
    return soft


def _star(x: Axis, y: Axis) -> NDArray[np.bool_]:
    angle = np.arctan2(x, -y) % (2 * np.pi / 5)
    angle = np.minimum(angle, 2 * np.pi / 5 - angle)
    # The edge from an outer point (radius 1, angle 0) to an inner one (radius 0.42, angle pi/5).
    tip, notch = np.array([1.0, 0.0]), 0.42 * np.array([np.cos(np.pi / 5), np.sin(np.pi / 5)])
    across = np.array([notch[1] - tip[1], tip[0] - notch[0]])
    radius = np.hypot(x, y)
    reach = across[0] * radius * np.cos(angle) + across[1] * radius * np.sin(angle)
    inside: NDArray[np.bool_] = reach <= across @ tip
    return inside


def _cross(x: Axis, y: Axis) -> NDArray[np.bool_]:
    near, far = np.minimum(abs(x), abs(y)), np.maximum(abs(x), abs(y))
    inside: NDArray[np.bool_] = (near <= 0.3) & (far <= 0.95)
    return inside


_SHAPES: dict[str, Callable[[Axis, Axis], NDArray[np.bool_]]] = {
    "circle": lambda x, y: x**2 + y**2 <= 1,
    "square": lambda x, y: np.maximum(abs(x), abs(y)) <= 0.84,
    "triangle": lambda x, y: (y <= 0.82) & (abs(x) <= (y + 0.95) * 0.55),
    "diamond": lambda x, y: abs(x) + abs(y) <= 1,
    "cross": _cross,
    "star": _star,
    "ring": lambda x, y: (x**2 + y**2 <= 1) & (x**2 + y**2 >= 0.36),
}


def paint(frame: Pixels, cover: Mask, centre: tuple[float, float], colour: Pixels) -> None:
    """Blend a colour into `frame` [h, w, 3] in place; what falls outside is cut off."""
    d = cover.shape[0]
    left, top = round(centre[0] - d / 2), round(centre[1] - d / 2)
    h, w = frame.shape[:2]
    x0, x1, y0, y1 = max(left, 0), min(left + d, w), max(top, 0), min(top + d, h)
    if x0 >= x1 or y0 >= y1:
        return
    part = cover[y0 - top : y1 - top, x0 - left : x1 - left, None]
    area = frame[y0:y1, x0:x1]
    area += part * (colour - area)


def background(tone: str, pattern: str, size: tuple[int, int], rng: Generator) -> Pixels:
    """Return a muted background, float32 [h, w, 3], for a tone and a pattern word."""
    width, height = size
    base = rng.uniform(34, 56) if tone == "dark" else rng.uniform(186, 206)
    tint = rng.uniform(-7, 7, size=3)
    step, period = rng.uniform(22, 28), int(rng.integers(14, 20))
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    phase = int(rng.integers(0, period))
    columns, rows = (x + phase) // period % 2, (y + phase) // period % 2
    bright = {
        "plain": np.zeros((height, width)),
        "striped": columns if rng.random() < 0.5 else rows,
        "checkered": columns ^ rows,
    }[pattern]
    slope = rng.uniform(-6, 6) * (x / width - 0.5) + rng.uniform(-6, 6) * (y / height - 0.5)
    picture: Pixels = (base + step * bright + slope)[..., None].astype(np.float32) + tint.astype(
        np.float32
    )
    return picture


def noise(count: int, size: tuple[int, int], rng: Generator, *, sigma: float) -> NDArray[np.int16]:
    """Return `count` pictures of pixel noise, int16 [count, h, w, 3]."""
    width, height = size
    return np.rint(rng.normal(0, sigma, size=(count, height, width, 3))).astype(np.int16)
