"""What an import says, as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from vidence.report.untrusted import visible

if TYPE_CHECKING:
    from vidence.imported.compare import Comparison
    from vidence.imported.summary import ImportReport

_SHOWN = 3


def lines(report: ImportReport) -> Iterator[str]:
    """Yield the report line by line; texts of logs are made harmless."""
    for line in _lines(report):
        yield visible(line)


def _lines(report: ImportReport) -> Iterator[str]:
    cases, rows = len(report.benchmark.cases), len(report.matches)
    title = report.benchmark.name
    yield f"import    {report.model} under {report.check}: {title} -> {report.folder}"
    links = ", ".join(f"{n:,} by {link}" for link, n in report.links.items())
    yield f"joined    {len(report.joined):,} of {cases:,} questions, {rows:,} rows ({links})"
    told = ", ".join(f"{name} {n:,}" for name, n in report.verified.items() if n)
    yield f"verified  by {told}"
    yield from _named("missing", report.missing, "not in the log")
    if same := len(report.merged.identical):
        yield f"doubled   {same:,} rows repeat another one"
    yield from _named("conflict", report.conflicting, "with different replies, left out")
    for problem in ("unknown", "ambiguous", "contradicted"):
        if found := report.problem(problem):
            where, why = found[0].prediction.where, found[0].detail
            yield f"{problem:<9} {len(found):,} rows; the first: {where}: {why}"
    for source in report.sources:
        if rejected := source.log.rejected:
            first = rejected[0]
            yield f"unread    {len(rejected):,} rows; the first: {first.where}: {first.reason}"
        for reason, n in source.log.left_out.items():
            yield f"left out  {n:,} rows {reason}"
    statuses = ", ".join(f"{n:,} {status}" for status, n in report.statuses.items())
    kept = report.kept
    counts = f"{kept.added:,} added, {kept.filled:,} filled, {kept.unchanged:,} unchanged"
    yield f"records   {statuses} ({counts})"
    for comparison in report.comparisons:
        yield from _compared(comparison)


def _named(label: str, ids: Sequence[str], what: str) -> Iterator[str]:
    if ids:
        more = f" and {len(ids) - _SHOWN:,} more" if len(ids) > _SHOWN else ""
        names = ", ".join(ids[:_SHOWN])
        yield f"{label:<9} {len(ids):,} {what}: {names}{more}"


def _compared(comparison: Comparison) -> Iterator[str]:
    reading = f" ({comparison.filter})" if comparison.filter else ""
    yield (
        f"accuracy  log {comparison.log.percent(1)}, Vidence {comparison.vidence.percent(1)}, "
        f"n = {comparison.log.n:,}{reading}"
    )
    moved = comparison.difference
    if moved.value is not None:
        ends = (
            ""
            if moved.low is None or moved.high is None
            else (f" ({100 * moved.low:+.1f} to {100 * moved.high:+.1f})")
        )
        yield f"parser    alone moves {100 * moved.value:+.1f} points{ends}"
    for found in comparison.differences:
        yield f"          {len(found.ids):,} {found.reason}: {', '.join(found.ids[:_SHOWN])}"
