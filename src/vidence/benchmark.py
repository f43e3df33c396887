"""Benchmark files by format."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Any

from vidence.errors import CaseError, UsageError
from vidence.registry import Registry, first_line
from vidence.view import Case


@dataclass(frozen=True)
class Rejected:
    """A row that is not a case.

    Args:
        where: the row's own id, and its file and line or place.
        reason: what is wrong with it.
        kind: the fault's kind, a name that `vidence lint` counts by.
        open_ended: the row has no options by its nature, so it is no lost multiple-choice question.
    """

    where: str
    reason: str
    kind: str = "unreadable_row"
    open_ended: bool = False


@dataclass(frozen=True)
class Remark:
    """A fault of a case that is kept: something of its row could not be used.

    Args:
        case: the case's id.
        kind: the fault's kind, a name that `vidence lint` counts by.
        detail: what came and what was done.
    """

    case: str
    kind: str
    detail: str


@dataclass(frozen=True)
class Benchmark:
    """What a loader read.

    Args:
        name: for titles.
        cases: in the file's order, open-ended ones included.
        rejected: rows left out, each with its reason; never patched.
        remarks: faults of cases that are kept.
        seconds: cluster -> length of the video as the file states it.
    """

    name: str
    cases: tuple[Case, ...]
    rejected: tuple[Rejected, ...] = field(default=())
    remarks: tuple[Remark, ...] = field(default=())
    seconds: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def rows(self) -> int:
        """Questions in the file, rejected ones included."""
        return len(self.cases) + len(self.rejected)

    @property
    def multiple_choice(self) -> tuple[Case, ...]:
        """The cases that have options."""
        return tuple(case for case in self.cases if case.view.options)

    @property
    def open_ended(self) -> tuple[Case, ...]:
        """The cases that have none: an answer in words, or a number."""
        return tuple(case for case in self.cases if not case.view.options)


class NoCaseError(CaseError):
    """A file holds rows, and not one of them is a case.

    Args:
        title: the benchmark's name.
        message: what came and what to do.
        rejected: the rows, each with its reason.
    """

    def __init__(self, title: str, message: str, rejected: Sequence[Rejected]) -> None:
        self.title, self.rejected = title, tuple(rejected)
        super().__init__(message)


Load = Callable[[Path, Path | None], Benchmark]
"""`(annotations, videos) -> Benchmark`; `videos` is the folder that holds the video files."""


@dataclass(frozen=True)
class Loader:
    """A form of annotation files, callable as `loader(annotations, videos)`.

    Args:
        name: its id.
        title: the benchmark's name as its authors write it; empty for a general form.
        aliases: other names of the folder or file that holds it; capitals, hyphens and underscores
            do not count.
        load: the function that reads it.
        mapped: for a general form: a mapping of columns -> the function that reads such a file.
    """

    name: str
    title: str
    aliases: tuple[str, ...]
    load: Load
    mapped: Callable[[Mapping[str, str]], Load] | None = None

    def __call__(self, path: Path, videos: Path | None = None) -> Benchmark:
        """Read annotations: the file, or the folder that holds it."""
        return self.load(path, videos)

    @property
    def description(self) -> str:
        """The first line of the function's docstring."""
        return first_line(self.load)

    def names(self) -> frozenset[str]:
        """Return the plain names under which a folder may hold it."""
        return frozenset(plain_name(name) for name in (self.name, self.title, *self.aliases))


BENCHMARKS: Registry[Loader] = Registry(
    "benchmark", packages=("vidence.benchmarks",), group="vidence.benchmarks"
)


def benchmark(
    name: str,
    *,
    title: str = "",
    aliases: tuple[str, ...] = (),
    mapped: Callable[[Mapping[str, str]], Load] | None = None,
) -> Callable[[Load], Load]:
    """Return a decorator that registers a loader; the function itself stays as it is."""

    def register(load: Load) -> Load:
        BENCHMARKS.add(name, Loader(name, title, aliases, load, mapped))
        return load

    return register


def load_benchmark(
    form: str,
    path: str | PathLike[str],
    videos: str | PathLike[str] | None = None,
    columns: str | Mapping[str, str] | None = None,
) -> Benchmark:
    """Read annotations, as every command does.

    Args:
        form: a registered name (`vidence list benchmarks`).
        path: the file, or the folder that holds it.
        videos: the folder of the videos.
        columns: for a general form, which column is what: `"question=q,options=a;b;c,answer=gold"`,
            the same as a JSON object (for names with a comma or an equals sign), or a mapping.

    Raises:
        UnknownNameError: no such form.
        CaseError: the file cannot be read as cases.
        UsageError: columns for a form that has its own, or a mapping that cannot be read.
    """
    loader = BENCHMARKS[form]
    load = loader.load
    if columns is not None:
        if loader.mapped is None:
            general = ", ".join(sorted(n for n, other in BENCHMARKS.items() if other.mapped))
            raise UsageError(
                f"Columns came for the form {form!r}, whose columns are known. They are for: "
                f"{general}. Leave --columns out, or choose another form."
            )
        mapping = parse_columns(columns) if isinstance(columns, str) else columns
        load = loader.mapped(mapping)
    return load(Path(path), None if videos is None else Path(videos))


def parse_columns(text: str) -> dict[str, str]:
    """Return `"question=q,options=a;b"` as {"question": "q", "options": "a;b"}.

    A text that begins with a brace is read as a JSON object of texts.

    Raises:
        UsageError: neither of both forms.
    """
    found: Any
    if text.lstrip().startswith("{"):
        try:
            found = json.loads(text, object_pairs_hook=_named_once)
        except (ValueError, RecursionError) as error:
            found = f"no JSON: {error}"
    else:
        pairs = [part.partition("=") for part in text.split(",") if part.strip()]
        found = {field.strip(): column.strip() for field, _, column in pairs}
        if len(found) < len(pairs):
            found = _TWICE
    good = isinstance(found, dict) and found
    if not good or not all(isinstance(v, str) and k and v for k, v in found.items()):
        raise UsageError(
            f"The columns {text[:80]!r} came ({found if isinstance(found, str) else 'no pairs'}); "
            "pairs like question=q,options=a;b;c,answer=gold are needed, or a JSON object of "
            "texts. Write each as what=column."
        )
    return dict(found)


_TWICE = "a name stands twice"


def _named_once(pairs: Sequence[tuple[str, Any]]) -> Any:
    return dict(pairs) if len(dict(pairs)) == len(pairs) else _TWICE


def plain_name(name: str) -> str:
    """Return a name without capitals, hyphens, underscores, dots and spaces."""
    return re.sub(r"[\W_]+", "", name.casefold())


def find_benchmarks(folder: Path) -> Iterator[tuple[Path, Loader | None]]:
    """Yield what lies in a folder, by name, with the loader that is named like it.

    A folder or file that no loader is named like comes with None, so that nothing is passed over
    in silence; hidden ones are left out.
    """
    by_name = {
        name: loader for loader in BENCHMARKS.values() if loader.title for name in loader.names()
    }
    for path in sorted(folder.iterdir()):
        if not path.name.startswith("."):
            name = path.name if path.is_dir() else path.stem
            yield path, by_name.get(plain_name(name))
