"""Several files that are written side by side, and appear together."""

from __future__ import annotations

import re
from pathlib import Path
from types import TracebackType
from typing import TextIO

from vidence.seeds import digest

_UNSAFE = re.compile(r"[^\w.,=+@-]+")


def file_name(name: str) -> str:
    """Return a name for a file: without separators and blanks, at most 150 characters.

    Two names stay two: one that had to be changed gets a few digits of what it was.
    """
    safe = _UNSAFE.sub("-", name).strip(".-") or "records"
    return safe if safe == name and len(name) <= 150 else f"{safe[:140]}-{digest(name)[:8]}"


class Parts:
    """Files of one folder, each begun at its first line and renamed to its own name at the end.

    Args:
        folder: where they go.
        suffix: of each.
    """

    def __init__(self, folder: Path, suffix: str) -> None:
        self._folder, self._suffix = folder, suffix
        self._open: dict[Path, TextIO] = {}
        self.files: tuple[Path, ...] = ()

    def write(self, name: str, text: str) -> None:
        """Append to a file."""
        path = self._folder / f"{file_name(name)}{self._suffix}"
        file = self._open.get(path)
        if file is None:
            # Half a surrogate in a reply becomes its escape, which JSON reads as the same half.
            file = path.with_name(f"{path.name}.part").open(
                "w", encoding="utf-8", errors="backslashreplace"
            )
            self._open[path] = file
        file.write(text)

    def __enter__(self) -> Parts:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the files; rename them where nothing went wrong, else take them away."""
        for path, file in self._open.items():
            file.close()
            part = path.with_name(f"{path.name}.part")
            part.replace(path) if kind is None else part.unlink(missing_ok=True)
        self.files = tuple(sorted(self._open)) if kind is None else ()
