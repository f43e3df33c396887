"""Lint files: one benchmark, or every one under a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vidence.audits.shared import Shared, shared
from vidence.benchmark import (
    Benchmark,
    Loader,
    NoCaseError,
    find_benchmarks,
    load_benchmark,
    plain_name,
)
from vidence.errors import CaseError, UsageError
from vidence.lint.findings import Linted, lint, to_json
from vidence.lint.measure import hear_all, probe_all
from vidence.lint.subject import Subject
from vidence.progress import OnProgress, Progress

EXAMPLES = 5


@dataclass(frozen=True)
class Source:
    """Where a benchmark is.

    Args:
        form: its form, a registered name.
        path: the annotation file, or the folder that holds it.
        videos: the folder of its videos; they are opened if it is given.
        transcripts: the folder of its transcripts.
        columns: for a general form, which column is what.
    """

    form: str
    path: Path
    videos: Path | None = None
    transcripts: Path | None = None
    columns: str | Mapping[str, str] | None = None


@dataclass(frozen=True)
class LintedFolder:
    """What was found under a folder.

    Args:
        runs: name -> where it is, and what was found.
        unreadable: name -> why it cannot be read as a benchmark.
        unknown: names of files and folders that no benchmark is called like.
        unused: folders of videos or transcripts that no benchmark is called like.
        shared: videos and questions that several benchmarks have.
    """

    runs: Mapping[str, tuple[Source, Linted]]
    unreadable: Mapping[str, str]
    unknown: tuple[str, ...]
    unused: tuple[str, ...]
    shared: Shared

    @property
    def passed(self) -> bool:
        """Whether every benchmark can be read and none has an error."""
        return not self.unreadable and all(linted.passed for _, linted in self.runs.values())

    def to_json(self) -> dict[str, Any]:
        """Return what `vidence lint --all --json` prints."""
        return {
            "passed": self.passed,
            "benchmarks": {
                name: {"benchmark": source.form, **to_json(linted, source.path)}
                for name, (source, linted) in self.runs.items()
            },
            "shared": self.shared.to_json(EXAMPLES),
            "unreadable": dict(self.unreadable),
            "unknown": list(self.unknown),
            "unused": list(self.unused),
        }


def lint_source(source: Source, progress: OnProgress = lambda progress: None) -> Linted:
    """Load a benchmark, open its videos, read its transcripts, and look for every fault.

    A file of which every row is rejected is linted too: the reasons are what is looked for.

    Raises:
        UnknownNameError: no such form.
        CaseError: the file cannot be read as rows, or holds none.
        UsageError: no such folder, or columns that cannot be used.
    """
    try:
        benchmark = load_benchmark(source.form, source.path, source.videos, source.columns)
    except NoCaseError as error:
        if not error.rejected:
            raise
        benchmark = Benchmark(error.title, (), error.rejected)
    subject = Subject(benchmark)

    def each(stage: str) -> Callable[[int, int], None]:
        return lambda done, total: progress(Progress(stage, done, total))  # type: ignore[arg-type]

    probed = heard = None
    if source.videos is not None:
        probed = probe_all(subject.videos, each("videos"))
    if source.transcripts is not None:
        heard = hear_all(subject.videos, source.transcripts, each("renderings"))
    return lint(Subject(benchmark, probed, heard))


def lint_folder(
    folder: Path,
    *,
    videos: Path | None = None,
    transcripts: Path | None = None,
    progress: Callable[[str], OnProgress] = lambda name: lambda progress: None,
) -> LintedFolder:
    """Lint every benchmark under a folder; one that cannot be read is named, the others go on.

    Args:
        folder: holds a folder or file a benchmark, called like it.
        videos: holds a folder of videos a benchmark, called like it.
        transcripts: the same for transcripts.
        progress: gives, for the name of a benchmark, what is told how far it is.

    Raises:
        UsageError: no such folder.
        CaseError: no benchmark in it that a loader is called like.
    """
    for given in (folder, videos, transcripts):
        if given is not None and not given.is_dir():
            raise UsageError(f"{given} is no folder. Give one that has a folder a benchmark.")
    found = list(find_benchmarks(folder))
    known = [(path, loader) for path, loader in found if loader is not None]
    unknown = tuple(path.name for path, loader in found if loader is None)
    if not known:
        seen = ", ".join(unknown[:12]) or "nothing"
        raise CaseError(
            f"No benchmark was found in {folder}; it holds {seen}. Files or folders called like a "
            "benchmark are looked for. See: vidence list benchmarks."
        )
    folders = _folders(videos), _folders(transcripts)
    used: set[Path | None] = set()
    runs: dict[str, tuple[Source, Linted]] = {}
    unreadable: dict[str, str] = {}
    for path, loader in known:
        twice = sum(other is loader for _, other in known) > 1
        name = path.name if twice else loader.name
        own, heard = (_called(loader, each) for each in folders)
        used |= {own, heard}
        source = Source(loader.name, path, own, heard)
        try:
            runs[name] = (source, lint_source(source, progress(name)))
        except CaseError as error:
            unreadable[name] = str(error)
    unused = tuple(p.name for each in folders for p in each if p not in used)
    together = shared({name: linted.subject.benchmark for name, (_, linted) in runs.items()})
    return LintedFolder(runs, unreadable, unknown, unused, together)


def _folders(given: Path | None) -> list[Path]:
    return [] if given is None else sorted(p for p in given.iterdir() if p.is_dir())


def _called(loader: Loader, folders: Iterable[Path]) -> Path | None:
    names = loader.names()
    return next((path for path in folders if plain_name(path.name) in names), None)
