"""See coloured shapes in the pixels of one frame.

Everything that reads pictures in this world (readers, captioner, encoders) looks through these
eyes: saturated areas are things, the rest is background. No file name, time or order comes in.
"""

from __future__ import annotations

from collections.abc import Callable
from colorsys import rgb_to_hsv
from functools import lru_cache
from hashlib import blake2b
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vidence.worlds.draw import mask
from vidence.worlds.vocabulary import COLOURS, SHAPES, Glimpse, Sight

VERSION = 1
_STRONG = 46  # max - min over the channels; backgrounds and distractors stay under 30
_GRID = 20

Picture = NDArray[np.uint8]


_MOST_KEPT = 20_000
_kept: dict[bytes, Glimpse] = {}


def look(image: bytes) -> Glimpse:
    """Return what an encoded picture shows; equal bytes are looked at once."""
    from PIL import Image

    return _once(image, lambda: _see(np.asarray(Image.open(BytesIO(image)).convert("RGB"))))


def see(picture: Picture) -> Glimpse:
    """Return what an RGB picture, uint8 [h, w, 3], shows; equal pixels are looked at once."""
    return _once(repr(picture.shape).encode() + picture.tobytes(), lambda: _see(picture))


def _once(content: bytes, view: Callable[[], Glimpse]) -> Glimpse:
    key = blake2b(content, digest_size=16).digest()
    glimpse = _kept.get(key)
    if glimpse is None:
        glimpse = view()
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        _kept[key] = glimpse
    return glimpse


def _see(picture: Picture) -> Glimpse:
    from scipy import ndimage

    red, green, blue = np.moveaxis(picture, 2, 0)
    chroma = np.maximum(np.maximum(red, green), blue) - np.minimum(np.minimum(red, green), blue)
    strong = chroma > _STRONG
    sights = []
    labels, _ = ndimage.label(strong, structure=np.ones((3, 3)))
    for number, box in enumerate(ndimage.find_objects(labels), 1):
        sight = _sight(picture, chroma, labels[box] == number, box)
        if sight is not None:
            sights.append(sight)
    sights.sort(key=lambda s: (-s.size, s.x, s.y))
    return Glimpse(tuple(sights), *_backdrop(green, ~strong))


def _sight(
    picture: Picture,
    chroma: NDArray[np.uint8],
    inside: NDArray[np.bool_],
    box: tuple[slice, slice],
) -> Sight | None:
    height, width = chroma.shape
    if inside.sum() < (0.045 * height) ** 2:
        return None
    depth = chroma[box]
    depths = np.sort(depth[inside])
    core = inside & (depth >= depths[int(0.6 * len(depths))])
    contrast = float(depths[int(0.8 * len(depths))])
    # Chroma is stored at half resolution: half of the core's strength marks the edge.
    body = inside & (depth >= 0.5 * contrast)
    ys, xs = np.flatnonzero(body.any(axis=1)), np.flatnonzero(body.any(axis=0))
    top, left = int(ys[0]), int(xs[0])
    body = body[top : ys[-1] + 1, left : xs[-1] + 1]
    y = (box[0].start + top + body.shape[0] / 2) / height
    x = (box[1].start + left + body.shape[1] / 2) / width
    r, g, b = picture[box][core].mean(axis=0) / 255
    return Sight(_colour_of(r, g, b), _shape_of(body), max(body.shape) / height, x, y, contrast)


def _colour_of(r: float, g: float, b: float) -> str:
    hue = rgb_to_hsv(r, g, b)[0]
    return min(_HUES, key=lambda word: min(abs(hue - _HUES[word]), 1 - abs(hue - _HUES[word])))


def _shape_of(body: NDArray[np.bool_]) -> str:
    seen = _resample(body.astype(np.float32))
    distances = np.abs(_templates() - seen).mean(axis=(1, 2))
    return SHAPES[int(distances.argmin())]


def _resample(body: NDArray[Any]) -> NDArray[np.float32]:
    """Stretch a box onto a fixed grid by averaging a fine nearest-neighbour copy."""
    fine = _GRID * 4
    ys = (np.arange(fine) * body.shape[0]) // fine
    xs = (np.arange(fine) * body.shape[1]) // fine
    grid: NDArray[np.float32] = body[np.ix_(ys, xs)].reshape(_GRID, 4, _GRID, 4).mean(axis=(1, 3))
    return grid


@lru_cache(maxsize=1)
def _templates() -> NDArray[np.float32]:
    found = []
    for shape in SHAPES:
        whole = mask(shape, 64) >= 0.5
        ys, xs = np.nonzero(whole)
        found.append(_resample(whole[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1] * 1.0))
    return np.stack(found).astype(np.float32)


def _backdrop(grey: NDArray[np.uint8], calm: NDArray[np.bool_]) -> tuple[str, str]:
    """Name the tone, and the pattern by how much columns, rows and the rest vary in blocks."""
    block = max(1, grey.shape[0] // 40)
    h, w = (side // block * block for side in grey.shape)
    shape = (h // block, block, w // block, block)
    known = calm[:h, :w].reshape(shape).sum(axis=(1, 3), dtype=np.float32)
    good = known > 0.9 * block * block
    if good.sum() < 0.1 * good.size:
        return "", ""
    cells = (grey * calm)[:h, :w].reshape(shape).sum(axis=(1, 3), dtype=np.float32)
    cells /= np.maximum(known, 1)
    level = float(np.median(cells[good]))
    cells = np.where(good, cells - level, 0)
    columns = cells.sum(axis=0) / np.maximum(good.sum(axis=0), 1)
    rows = cells.sum(axis=1) / np.maximum(good.sum(axis=1), 1)
    rest = (cells - columns[None, :] - rows[:, None])[good].std()
    stripes = max(float(columns.std()), float(rows.std()))
    kinds = {"striped": stripes, "checkered": float(rest)}
    strongest = max(kinds, key=kinds.__getitem__)
    pattern = strongest if kinds[strongest] > 6 else "plain"
    return ("dark" if level < 120 else "light"), pattern


_HUES = {word: rgb_to_hsv(*(c / 255 for c in rgb))[0] for word, rgb in COLOURS.items()}
