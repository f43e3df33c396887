"""What other tools log of a model's replies, before it is joined to the cases of a benchmark."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from vidence.answer import Reply
from vidence.benchmark import Rejected
from vidence.errors import CaseError, UsageError
from vidence.registry import Registry, first_line


@dataclass(frozen=True)
class Prediction:
    """One logged reply.

    Args:
        where: file and place in it, for people.
        reply: verbatim; its status is `failed` where the log holds a mark of a failure instead.
        ids: names of the question in the log, field -> value.
        row: number of the question in the order of the benchmark's file, from 0.
        task: name of the task in whose file `row` counts.
        video, question: as the log has them, empty where it does not.
        options: texts in the order shown; None where the log does not show them.
        gold: the key as the log has it: a letter, a number or a text.
        prompt: what was sent.
        parsed: what the log's own reader made of the reply.
        score: what that was worth in the log.
        filter: name of the log's way of reading, where one reply is read in several ways.
        repeat: which of several replies to the question, from 0.
        notes: facts about how it was asked, kept with the record.
    """

    where: str
    reply: Reply
    ids: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    row: int | None = None
    task: str = ""
    video: str = ""
    question: str = ""
    options: tuple[str, ...] | None = None
    gold: Any = None
    prompt: str = ""
    parsed: int | float | str | None = None
    score: float | None = None
    filter: str = ""
    repeat: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Summary:
    """A number by which a log sums itself up.

    Args:
        name: of the metric.
        value: from 0 to 1 where it is a share.
        error: its standard error, None where the log gives none.
    """

    name: str
    value: float
    error: float | None = None

    @property
    def inconsistent(self) -> bool:
        """Say whether an error of 0 stands beside a share that is neither none nor all."""
        return self.error == 0 and 0 < self.value < 1


@dataclass(frozen=True)
class Log:
    """What a reader found in a file.

    Args:
        predictions: in the file's order.
        rejected: rows that are no prediction, each with its reason.
        model: the model that the log names.
        settings: what else it says about how the model was asked.
        summaries: numbers by which it sums itself up.
        left_out: reason -> rows that are predictions of something else than was asked for.
        warnings: what should be known about the file, in sentences.
    """

    predictions: tuple[Prediction, ...]
    rejected: tuple[Rejected, ...] = ()
    model: str = ""
    settings: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    summaries: tuple[Summary, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wanted:
    """What is imported, for logs that hold more than one thing.

    Args:
        check, model: label and name under which the replies will be kept.
        benchmark: names of the benchmark.
        columns: for a form without columns of its own: what -> column.
        failures: beginnings of replies that stand for a failure, beside those known.
    """

    check: str = "intact"
    model: str = ""
    benchmark: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    failures: tuple[str, ...] = ()


Read = Callable[[Path, Wanted], Log]


@dataclass(frozen=True)
class Reader:
    """A form of logs, callable as `reader(path, wanted)`.

    Args:
        name: its id.
        read: the function that reads it.
        columns: what `--columns` may name; empty for a form whose fields are known.
        folders: whether a log may be a folder of files.
    """

    name: str
    read: Read
    columns: tuple[str, ...] = ()
    folders: bool = False

    def __call__(self, path: Path, wanted: Wanted) -> Log:
        """Read a log.

        Raises:
            CaseError: it cannot be read.
            UsageError: columns for a form whose fields are known.
        """
        if wanted.columns and not self.columns:
            general = ", ".join(name for name, other in PREDICTIONS.items() if other.columns)
            raise UsageError(
                f"Columns came for the form {self.name!r}, whose fields are known. They are for: "
                f"{general}. Leave --columns out, or choose another form."
            )
        if not path.exists():
            raise CaseError(f"{path} is not there. Check the path.")
        if path.is_dir() and not self.folders:
            raise CaseError(
                f"{path} is a folder; a log of the form {self.name!r} is a file. Name its files."
            )
        return self.read(path, wanted)

    @property
    def description(self) -> str:
        """The first line of the function's docstring."""
        return first_line(self.read)

    @property
    def defaults(self) -> Mapping[str, Any]:
        """What `vidence list predictions` shows beside the description."""
        return {"columns": ";".join(self.columns)} if self.columns else {}


PREDICTIONS: Registry[Reader] = Registry(
    "prediction", packages=("vidence.predictions",), group="vidence.predictions"
)


def prediction_log(
    name: str, *, columns: tuple[str, ...] = (), folders: bool = False
) -> Callable[[Read], Read]:
    """Return a decorator that registers a reader; the function itself stays as it is.

    Args:
        name: of the form, as the command line has it.
        columns: what `--columns` may name, for a form whose fields are not known.
        folders: whether a log may be a folder of files.
    """

    def register(read: Read) -> Read:
        PREDICTIONS.add(name, Reader(name, read, columns, folders))
        return read

    return register


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal digits.

    That of a folder is the digest of its files' names and digests, in the order of the names.

    Raises:
        CaseError: it cannot be read.
    """
    try:
        if path.is_dir():
            files = sorted(file for file in path.rglob("*") if file.is_file())
            named = [f"{file.relative_to(path).as_posix()} {file_digest(file)}" for file in files]
            return hashlib.sha256("\n".join(named).encode("utf-8", "surrogateescape")).hexdigest()
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise CaseError(f"{path} cannot be read: {error.strerror}. Check the path.") from None
