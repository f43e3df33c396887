"""Changes of frames, by name. Each is a function of the frames, in play order and at their size.

A new one is a function under `@edit` in a module of `vidence.media`, or an entry point of the
group `vidence.edits`:

    @edit()
    def mirror(images, *, rng):
        "Swap left and right."
        return images[:, :, ::-1]
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from vidence.errors import UsageError
from vidence.media.clip import Edit
from vidence.registry import Registry
from vidence.seeds import rng_of

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

EditFunction = Callable[..., "NDArray[np.uint8]"]
"""`fn(images, *, rng, **params) -> images`: uint8 [n, h, w, 3] in and out, as many as came. `rng`
is named by the edit and its parameters, so a parameter `seed` gives another draw."""

EDITS: Registry[EditFunction] = Registry("edit", packages=("vidence.media",), group="vidence.edits")
edit = EDITS.register
"""Decorator for an edit function."""


def apply_edits(images: NDArray[np.uint8], edits: tuple[Edit, ...]) -> NDArray[np.uint8]:
    """Return frames [n, h, w, 3] after all edits, in their order.

    Raises:
        UnknownNameError: no edit has this name.
        UsageError: parameters that the edit does not take, or an edit that changes the number of
            frames.
    """
    for one in edits:
        function, params = EDITS[one.name], dict(one.params)
        rng = rng_of("edit", one.name, *(x for pair in one.params for x in pair))
        try:
            inspect.signature(function).bind(images, rng=rng, **params)
        except TypeError as error:
            raise UsageError(f"The edit {one.name!r} was given {params}: {error}.") from None
        count = len(images)
        images = np.ascontiguousarray(function(images, rng=rng, **params), dtype=np.uint8)
        if len(images) != count or images.ndim != 4:
            raise UsageError(
                f"The edit {one.name!r} made {images.shape} of {count} frames; "
                "an edit returns as many frames as it is given, [n, h, w, 3]."
            )
    return images


def draws(name: str) -> bool:
    """Return whether an edit draws at random and takes a `seed`."""
    return "seed" in inspect.signature(EDITS[name]).parameters


@edit()
def identity(images: NDArray[np.uint8], *, rng: Generator) -> NDArray[np.uint8]:
    """Change nothing: the recorded control of an edit that does."""
    return images


@edit()
def blank(images: NDArray[np.uint8], *, rng: Generator, level: int = 128) -> NDArray[np.uint8]:
    """Make every pixel mid grey."""
    return np.full_like(images, level)


@edit()
def noise(images: NDArray[np.uint8], *, rng: Generator, seed: int = 0) -> NDArray[np.uint8]:
    """Replace every pixel by an independent uniform value, drawn by `seed`."""
    return rng.integers(0, 256, size=images.shape, dtype=np.uint8)


@edit()
def freeze(images: NDArray[np.uint8], *, rng: Generator) -> NDArray[np.uint8]:
    """Replace all frames by the middle one, of two middle ones the later."""
    return np.repeat(images[len(images) // 2 : len(images) // 2 + 1], len(images), axis=0)
