"""Benchmark files by format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from vidence.registry import Registry
from vidence.view import Case


@dataclass(frozen=True)
class Rejected:
    """A row that is not a case.

    Args:
        where: file and line, or the row's own id.
        reason: what is wrong with it.
    """

    where: str
    reason: str


@dataclass(frozen=True)
class Benchmark:
    """What a loader read.

    Args:
        name: for titles.
        cases: in the file's order.
        rejected: rows left out, each with its reason; never patched.
    """

    name: str
    cases: tuple[Case, ...]
    rejected: tuple[Rejected, ...] = field(default=())


Loader = Callable[[Path, Path | None], Benchmark]
"""`(annotations, videos) -> Benchmark`; `videos` is the folder that holds the video files."""

BENCHMARKS: Registry[Loader] = Registry(
    "benchmark", packages=("vidence.benchmarks",), group="vidence.benchmarks"
)
benchmark = BENCHMARKS.register
