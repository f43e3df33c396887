"""What an import says: joined, missing, doubled, unknown, and how the log's own reading differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from vidence.benchmark import Benchmark
from vidence.imported.compare import Comparison
from vidence.imported.join import LINKS, Match
from vidence.imported.keep import Kept
from vidence.imported.merge import Merged
from vidence.imported.records import Made
from vidence.prediction import Log

SHOWN = 20
"""Ids that are named of each kind; the counts are of all."""


@dataclass(frozen=True)
class Source:
    """One file of an import.

    Args:
        name: the file's.
        digest: of its bytes.
        log: what was read.
    """

    name: str
    digest: str
    log: Log

    def identity(self, form: str, check: str) -> dict[str, Any]:
        """Return what the answerer's identity keeps of the file."""
        found = {"check": check, "format": form, "name": self.name, "digest": self.digest}
        if self.log.model:
            found["model"] = self.log.model
        settings = {name: value for name, value in self.log.settings.items() if value}
        return {**found, **({"settings": settings} if settings else {})}


@dataclass(frozen=True)
class ImportReport:
    """The result of an import.

    Args:
        folder: of the run.
        format, form, check, model: as asked for.
        sources: the files.
        benchmark: the cases.
        matches: one a row of the logs.
        merged, made, kept: what became of them.
        comparisons: the log's own readings against Vidence's.
    """

    folder: Path
    format: str
    form: str
    check: str
    model: str
    sources: tuple[Source, ...]
    benchmark: Benchmark
    matches: tuple[Match, ...]
    merged: Merged
    made: Made
    kept: Kept
    comparisons: tuple[Comparison, ...]

    @cached_property
    def joined(self) -> tuple[str, ...]:
        """Cases that have a record now, in the benchmark's order."""
        there = {record.cell.case for record in self.made.records}
        return tuple(case.id for case in self.benchmark.cases if case.id in there)

    @cached_property
    def conflicting(self) -> tuple[str, ...]:
        """Cases with several different replies, none of which was taken."""
        found = [place.case for place, _ in self.merged.conflicting]
        return tuple(dict.fromkeys([*found, *(case for case, _ in self.made.several)]))

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """Cases that the log does not speak of."""
        spoken = {*self.joined, *self.conflicting}
        return tuple(case.id for case in self.benchmark.cases if case.id not in spoken)

    def problem(self, name: str) -> list[Match]:
        """Return the rows that were not joined for one problem."""
        return [match for match in self.matches if match.problem == name]

    @cached_property
    def statuses(self) -> dict[str, int]:
        """Return how many records have each status."""
        return dict(Counter(record.status for record in self.made.records).most_common())

    @cached_property
    def verified(self) -> dict[str, int]:
        """Return how many joined rows show the question, the options, the key, or nothing."""
        found = [match.evidence.shown for match in self.matches if match.case is not None]
        counts = {
            name: sum(name in shown for shown in found) for name in ("question", "options", "gold")
        }
        return {**counts, "nothing": sum(not shown for shown in found)}

    @cached_property
    def links(self) -> dict[str, int]:
        """Return how many rows were joined by what."""
        counts = Counter(match.link for match in self.matches if match.case is not None)
        return {link: counts[link] for link in LINKS if counts[link]}

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Return what should be known before the numbers are believed, in sentences."""
        found: list[str] = []
        for source in self.sources:
            found += source.log.warnings
            for summary in source.log.summaries:
                if summary.inconsistent:
                    found.append(
                        f"{source.name}: inconsistent: {summary.name} is {summary.value:g} with "
                        "an error of 0, which no score between none and all can have."
                    )
        if unseen := sum(m.link == "row number" and not m.verified for m in self.matches):
            found.append(
                f"{unseen} rows were joined by their row number alone, and nothing in the log can "
                "verify it: no question, no options, no key. A log of another benchmark, or of "
                "another order, would look the same."
            )
        strangers = len(self.problem("unknown"))
        if strangers > sum(match.case is not None for match in self.matches):
            found.append(
                f"{strangers} of {len(self.matches)} rows name no question of "
                f"{self.benchmark.name}: a log of more questions, or of another benchmark."
            )
        if numbered := sum(_number_alone(match) for match in self.matches):
            found.append(
                f"{numbered} rows were joined by ids that are plain numbers, and nothing in the "
                "log can verify them: another benchmark may have the same numbers."
            )
        if beyond := sum(_no_share(match) for match in self.matches):
            found.append(
                f"{beyond} scores of the log lie outside 0 to 1 and are compared with nothing."
            )
        if by_number := sum(_as_number(match) for match in self.matches):
            found.append(
                f"{by_number} ids agree as numbers, not as texts ('1' for '001'). "
                "A spreadsheet drops leading zeros."
            )
        if lost := sum(bool(m.evidence.lost) for m in self.matches if m.case is not None):
            found.append(
                f"{lost} rows show one option empty: the model may not have been shown it."
            )
        if keys := sum(m.evidence.gold is False for m in self.matches if m.case is not None):
            found.append(
                f"{keys} rows have another key than the benchmark's file. Vidence counts by the "
                "file."
            )
        return tuple(found)

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        merged = self.merged
        return {
            "run": str(self.folder),
            "format": self.format,
            "benchmark": self.form,
            "title": self.benchmark.name,
            "check": self.check,
            "model": self.model,
            "files": [
                {
                    "name": source.name,
                    "digest": source.digest,
                    "rows": len(source.log.predictions),
                    "unreadable": [
                        {"where": r.where, "reason": r.reason} for r in source.log.rejected[:SHOWN]
                    ],
                    "left_out": dict(source.log.left_out),
                    "model": source.log.model,
                    "settings": dict(source.log.settings),
                    "stated": [
                        {"name": s.name, "value": s.value, "error": s.error}
                        for s in source.log.summaries
                    ],
                }
                for source in self.sources
            ],
            "cases": len(self.benchmark.cases),
            "rows": len(self.matches),
            "joined": len(self.joined),
            "links": self.links,
            "verified": self.verified,
            "missing": _ids(self.missing),
            "duplicated": {
                "identical": len(merged.identical),
                "readings": len(merged.readings),
                "conflicting": _ids(self.conflicting),
            },
            **{name: _rows(self.problem(name)) for name in ("unknown", "ambiguous")},
            "contradicted": _rows(self.problem("contradicted")),
            "unreadable": sum(len(source.log.rejected) for source in self.sources),
            "statuses": self.statuses,
            "records": {
                "added": self.kept.added,
                "unchanged": self.kept.unchanged,
                "filled": self.kept.filled,
                "older": self.kept.older,
            },
            "compared": [comparison.to_json() for comparison in self.comparisons],
            "warnings": list(self.warnings),
        }


def _number_alone(match: Match) -> bool:
    names = [name for name in match.prediction.ids.values() if name]
    return match.link == "id" and not match.verified and all(map(str.isdecimal, names))


def _no_share(match: Match) -> bool:
    score = match.prediction.score
    return match.case is not None and score is not None and not 0 <= score <= 1


def _as_number(match: Match) -> bool:
    """Say whether an id agrees with the case's as a number only."""
    if match.case is None or match.link != "id":
        return False
    known = {match.case.id, *(str(v).strip() for v in match.case.row.values())}
    return not known & set(match.prediction.ids.values())


def _ids(ids: Sequence[str]) -> dict[str, Any]:
    return {"n": len(ids), "ids": list(ids[:SHOWN])}


def _rows(matches: Iterable[Match]) -> dict[str, Any]:
    found = list(matches)
    rows = [{"where": m.prediction.where, "detail": m.detail} for m in found[:SHOWN]]
    return {"n": len(found), "rows": rows}
