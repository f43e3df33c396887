"""Plug-ins: one file and one decorator each, found without a central list.

A registry learns its members from two places: the modules of packages of Vidence, and the
entry points of other packages (`[project.entry-points."vidence.probes"]`). Both are imported at
the first look-up only, so `import vidence` stays cheap.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import Generic, TypeVar

from vidence.errors import UnknownNameError, UsageError

T = TypeVar("T")


class Registry(Generic[T], Mapping[str, T]):
    """Names and what they stand for.

    Args:
        kind: singular noun for messages, `"probe"`.
        packages: packages whose modules register themselves when imported.
        group: the entry-point group of plug-ins in other packages, or None.
    """

    def __init__(
        self, kind: str, *, packages: tuple[str, ...] = (), group: str | None = None
    ) -> None:
        self.kind = kind
        self._packages, self._group = packages, group
        self._members: dict[str, T] = {}
        self._loaded = False
        self.broken: dict[str, str] = {}

    def add(self, name: str, member: T) -> T:
        """Register a member; the same name twice is an error unless it is the same thing."""
        old = self._members.get(name)
        if old is not None and _origin(old) != _origin(member):
            raise UsageError(
                f"Two {self.kind}s are called {name!r}: {_origin(old)} and {_origin(member)}. "
                "Names are unique. Rename one."
            )
        self._members[name] = member
        return member

    def register(self, name: str | None = None) -> Callable[[T], T]:
        """Return a decorator that registers a function or class under its own or another name."""

        def decorate(member: T) -> T:
            return self.add(name or str(getattr(member, "__name__", member)), member)

        return decorate

    def load(self) -> None:
        """Import every module that may hold members. A broken plug-in is kept in `broken`."""
        if self._loaded:
            return
        self._loaded = True
        for name in self._packages:
            for module in iter_modules(import_module(name).__path__):
                if not module.name.startswith("_"):
                    import_module(f"{name}.{module.name}")
        for point in entry_points(group=self._group) if self._group else ():
            try:
                point.load()
            except Exception as error:
                self.broken[point.name] = f"{type(error).__name__}: {error}"

    def __getitem__(self, name: str) -> T:
        self.load()
        try:
            return self._members[name]
        except KeyError:
            if name in self.broken:
                raise UsageError(
                    f"The {self.kind} plug-in {name!r} does not import: {self.broken[name]}. "
                    "Update or remove the package that brings it."
                ) from None
            raise UnknownNameError(
                self.kind, name, self._members, f"vidence list {self.kind}s"
            ) from None

    def __contains__(self, name: object) -> bool:
        self.load()
        return name in self._members

    def __iter__(self) -> Iterator[str]:
        self.load()
        return iter(sorted(self._members))

    def __len__(self) -> int:
        self.load()
        return len(self._members)

    def describe(self, name: str) -> str:
        """Return the first docstring line of a member."""
        member = self[name]
        return getattr(member, "description", None) or first_line(member)


def first_line(thing: object) -> str:
    """Return the first line of a docstring, empty if there is none."""
    return (inspect.getdoc(thing) or "").split("\n", 1)[0]


def _origin(member: object) -> str:
    return f"{getattr(member, '__module__', '?')}.{getattr(member, '__qualname__', repr(member))}"
