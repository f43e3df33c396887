"""Seeds from names.

A seed is a keyed hash of what it is for, so that a run repeats on any machine, in any order and
with any number of workers. Nothing here reads a clock, a global generator or `hash()`.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.random import Generator

Name = str | int | float | bool | None


def digest(*names: Name) -> str:
    """Return 32 hexadecimal digits that stand for a sequence of names.

    Each name enters with its type and its length, so `("ab", "c")`, `("a", "bc")` and `(1,)`,
    `("1",)` differ.
    """
    h = blake2b(digest_size=16)
    for name in names:
        data = f"{type(name).__name__}:{name}".encode("utf-8", "surrogatepass")
        h.update(len(data).to_bytes(8, "big"))
        h.update(data)
    return h.hexdigest()


def seed_of(*names: Name) -> int:
    """Return a seed in [0, 2**63) for a sequence of names."""
    return int(digest(*names)[:16], 16) >> 1


def rng_of(*names: Name) -> Generator:
    """Return a numpy generator (PCG64) seeded from names."""
    from numpy.random import default_rng

    return default_rng(seed_of(*names))
