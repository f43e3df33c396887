"""Small generated worlds whose truth is known."""

from collections.abc import Callable
from typing import Any

from vidence.registry import Registry

WORLDS: Registry[Callable[..., Any]] = Registry(
    "world", packages=("vidence.worlds",), group="vidence.worlds"
)
"""Generators by name: `WORLDS["shapes"](folder, seed="dev-0")` returns a `World` of paths."""
world = WORLDS.register
"""Decorator for a generator called as `generator(folder, *, seed, **settings)`."""
