"""An import from end to end: files in, a run folder and a report of what was joined out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from types import MappingProxyType

from vidence.benchmark import BENCHMARKS, Benchmark, load_benchmark
from vidence.check import Check, parse_check
from vidence.errors import CaseError, UsageError
from vidence.imported.compare import Comparison, compare
from vidence.imported.join import MOST_CONTRADICTED, Match, join
from vidence.imported.keep import Kept, Target, keep
from vidence.imported.keying import CaseIndex
from vidence.imported.merge import Merged, merge
from vidence.imported.records import Made, lost_records, records_of
from vidence.imported.summary import ImportReport, Source
from vidence.prediction import PREDICTIONS, Log, Wanted, file_digest


@dataclass(frozen=True)
class Import:
    """What is imported.

    Args:
        format: a name of `vidence list predictions`.
        files: of one check and one model.
        form: the benchmark's, a name of `vidence list benchmarks`.
        path: its annotation file, or the folder that holds it.
        check: label of the check under which the replies were given.
        model: name that the answerer gets.
        columns: for a format without columns of its own: what=column.
        failures: beginnings of replies that stand for a failure.
        videos: folder of the videos, for pictures in the report; they need not exist.
        benchmark_columns: for a general form of benchmark.
    """

    format: str
    files: tuple[Path, ...]
    form: str
    path: Path
    check: str
    model: str
    columns: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    failures: tuple[str, ...] = ()
    videos: Path | None = None
    benchmark_columns: str | None = None


def import_predictions(
    what: Import, folder: str | PathLike[str], *, command: str = ""
) -> ImportReport:
    """Join the predictions of a log to a benchmark's cases, and keep them as records of a run.

    Further logs (another check, another model) may be added to the same folder; the same log again
    changes nothing.

    Args:
        what: see `Import`.
        folder: of the run; made if needed.
        command: kept with a new run, for people.

    Raises:
        UnknownNameError: no such format, benchmark or check.
        CaseError: a file that cannot be read, or that speaks of another benchmark.
        RunMismatchError: the folder holds another run, or other replies to the same cells.
        StoreError: see `vidence.store.Store.open`.
    """
    form = PREDICTIONS[what.format]
    check = parse_check(what.check)
    if not what.model.strip() or not what.model.isprintable():
        raise UsageError(f"The model's name {what.model!r} came. Give one that can be read.")
    benchmark = load_benchmark(what.form, what.path, what.videos, what.benchmark_columns)
    index = CaseIndex(benchmark, what.form)
    wanted = Wanted(
        check=check.label,
        model=what.model,
        benchmark=_names(what.form, benchmark),
        columns=what.columns,
        failures=what.failures,
    )
    logs = [(path, form(path, wanted)) for path in what.files]
    matches = [match for path, log in logs for match in _joined(path, log, index, benchmark)]
    merged = merge(matches)
    made = records_of(merged.said, check, what.model)
    if not made.records:
        raise CaseError(_nothing(what, benchmark, matches, made, [log for _, log in logs]))
    sources = tuple(Source(path.name, file_digest(path), log) for path, log in logs)
    target = Target(
        folder,
        benchmark,
        {
            "title": benchmark.name,
            "path": str(what.path),
            "form": what.form,
            "rejected": [{"where": r.where, "reason": r.reason} for r in benchmark.rejected],
        },
        command,
    )
    identities = [source.identity(what.format, check.label) for source in sources]
    lost = lost_records(benchmark.cases, check, what.model, merged, made)
    kept = keep(target, made, lost, check, what.model, identities)
    return _report(what, Path(folder), check, benchmark, sources, (matches, merged, made, kept))


def _joined(path: Path, log: Log, index: CaseIndex, benchmark: Benchmark) -> list[Match]:
    """Join one file, and refuse it where too much of it speaks of other questions."""
    matches = join(log.predictions, index)
    wrong = [match for match in matches if match.problem == "contradicted"]
    told = len(wrong) + sum(match.case is not None for match in matches)
    if wrong and len(wrong) > MOST_CONTRADICTED * told:
        first = wrong[0]
        raise CaseError(
            f"{path.name} speaks of other questions than {benchmark.name}: {len(wrong)} of {told} "
            f"rows disagree with the question that they name. The first: "
            f"{first.prediction.where}: {first.detail}. Nothing was written. Check --benchmark, "
            "its version, and the order of its rows."
        )
    return matches


def _report(
    what: Import,
    folder: Path,
    check: Check,
    benchmark: Benchmark,
    sources: tuple[Source, ...],
    parts: tuple[Sequence[Match], Merged, Made, Kept],
) -> ImportReport:
    matches, merged, made, kept = parts
    comparisons: tuple[Comparison, ...] = compare(made.records, made.said)
    return ImportReport(
        folder=folder,
        format=what.format,
        form=what.form,
        check=check.label,
        model=what.model,
        sources=sources,
        benchmark=benchmark,
        matches=tuple(matches),
        merged=merged,
        made=made,
        kept=kept,
        comparisons=comparisons,
    )


def _nothing(
    what: Import,
    benchmark: Benchmark,
    matches: Sequence[Match],
    made: Made,
    logs: Sequence[Log],
) -> str:
    problems = Counter(match.problem or "in conflict" for match in matches)
    for log in logs:
        problems.update(log.left_out)
    rejected = [fault for log in logs for fault in log.rejected]
    if rejected:
        problems[f"unreadable, the first {rejected[0].where}: {rejected[0].reason}"] = len(rejected)
    counts = ", ".join(f"{n} {problem}" for problem, n in problems.most_common())
    first = next((match for match in matches if match.case is None), None)
    said = f" The log names {first.detail}." if first is not None else ""
    if made.several:
        said = (
            f" {len(made.several)} questions were shown with their options in several orders: "
            "import such a log with --check rotated_options."
        )
    ids = ", ".join(repr(case.id) for case in benchmark.cases[:3])
    return (
        f"No row of {', '.join(path.name for path in what.files[:3])} could be joined to "
        f"{benchmark.name} ({counts or 'no row'}).{said} Its questions are called {ids}, ... "
        "Nothing was written. Check --benchmark and the format."
    )


def _names(form: str, benchmark: Benchmark) -> tuple[str, ...]:
    loader = BENCHMARKS[form]
    return (form, benchmark.name, loader.title, *loader.aliases)
