"""The forms in which a run's records can be written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from types import MappingProxyType

from vidence.errors import StoreError, UsageError
from vidence.registry import Registry, first_line


@dataclass(frozen=True)
class Exported:
    """What was written.

    Args:
        files: in the order of their names.
        records: how many stand in them.
        left_out: reason -> records for which the form has no place.
    """

    files: tuple[Path, ...]
    records: int
    left_out: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))


Write = Callable[[Path, Path], Exported]
"""`(run folder, where to) -> Exported`."""


@dataclass(frozen=True)
class Exporter:
    """A form, callable as `form(run, out)`.

    Args:
        name: its id.
        write: the function that writes it.
        suffix: of the one file that it writes; empty for a form that writes a folder of files.
    """

    name: str
    write: Write
    suffix: str = ""

    def __call__(self, run: Path, out: Path | None = None) -> Exported:
        """Write the records of a run.

        Args:
            run: its folder.
            out: the file, or the folder of a form of several files; in the run's folder by default.

        Raises:
            StoreError: no run there, or `out` cannot be written.
            UsageError: `out` is a folder where a file is written, or the other way round.
        """
        target = out or run / (f"records{self.suffix}" if self.suffix else f"export-{self.name}")
        if target.is_dir() if self.suffix else target.is_file():
            raise UsageError(
                f"{target} is a {'folder' if self.suffix else 'file'}; the form {self.name!r} "
                f"writes {'one file' if self.suffix else 'a folder of files'}. Name another place."
            )
        try:
            (target.parent if self.suffix else target).mkdir(parents=True, exist_ok=True)
            return self.write(run, target)
        except OSError as error:
            raise StoreError(
                f"{error.filename or target} cannot be written: {error.strerror or error}. "
                "Choose another place with --out."
            ) from None

    @property
    def description(self) -> str:
        """The first line of the function's docstring."""
        return first_line(self.write)

    @property
    def defaults(self) -> Mapping[str, str]:
        """Nothing can be set."""
        return {}


EXPORTS: Registry[Exporter] = Registry(
    "export", packages=("vidence.exports",), group="vidence.exports"
)


def exporter(name: str, *, suffix: str = "") -> Callable[[Write], Write]:
    """Return a decorator that registers a form; the function itself stays as it is."""

    def register(write: Write) -> Write:
        EXPORTS.add(name, Exporter(name, write, suffix))
        return write

    return register


def export(run: str | PathLike[str], form: str, out: str | PathLike[str] | None = None) -> Exported:
    """Write the records of a run in a form that other tools read.

    Args:
        run: its folder.
        form: a name of `vidence list exports`.
        out: the file or folder to write; in the run's folder by default.

    Raises:
        UnknownNameError: no such form.
        The errors of `Exporter.__call__`.
    """
    return EXPORTS[form](Path(run), None if out is None else Path(out))
