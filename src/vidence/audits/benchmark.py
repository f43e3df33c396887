"""The benchmark audit: a run in, verdicts and report data out."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from os import PathLike
from pathlib import Path
from typing import Any

from vidence.audits.calibration import calibration_table, planted_table, read_truth, together
from vidence.audits.headline import headline
from vidence.audits.open_questions import open_questions
from vidence.audits.panel_grid import PanelGrid
from vidence.audits.tables import (
    accuracy_table,
    categories_table,
    checks_table,
    costs_table,
    curve_table,
    missing_table,
    noise_table,
)
from vidence.audits.verdicts import LABELS, Verdict, cards, verdicts
from vidence.benchmark import load_benchmark
from vidence.cells import RunPlan
from vidence.check import Check, parse_check, parse_checks
from vidence.errors import StoreError
from vidence.executors import EXECUTORS
from vidence.panel import Panel
from vidence.progress import RunSummary
from vidence.record import Outcome
from vidence.run import RunSettings, run
from vidence.run_config import IMPORTED, refuse_to_overwrite
from vidence.store import Store
from vidence.view import Case
from vidence.whole import json_line, write_whole

FORMAT = "vidence.report/1"
SOURCE = "benchmark"
"""Name under which the store keeps where the cases came from."""
PAPER = "intact,blind,audio,summary,center_frame,frame_shuffle,bag_of_frames"
WITHOUT_VIDEO = ("blind", "audio", "summary", "center_frame", "bag_of_frames")


class BenchmarkAudit:
    """A run, read for its verdicts.

    Args:
        folder: the run's folder; a run that is not complete is read as it stands.
        truth: the truth file of a generated world, None for a real benchmark.

    Raises:
        StoreError: no run there.
    """

    def __init__(
        self, folder: str | PathLike[str], *, truth: str | PathLike[str] | None = None
    ) -> None:
        self.folder = Path(folder)
        with Store.open(self.folder, read_only=True) as store:
            config: dict[str, Any] | None = store.meta("config")
            self.about: dict[str, Any] = {
                name: store.meta(name) for name in ("version", "command", "created")
            }
            source: dict[str, Any] = store.meta(SOURCE, {})
            cases: tuple[Case, ...] = store.cases()
            self.outcomes: list[Outcome] = list(store.outcomes())
            self._costs = store.costs()
            self._attempts = list(store.attempts())
        if config is None:
            raise StoreError(f"{self.folder} holds no run that began. Run `vidence audit` first.")
        self.config = config
        self.title = str(source.get("title") or self.folder.name)
        self.rejected: list[dict[str, str]] = source.get("rejected", [])
        checks = [parse_check(label) for label in config["checks"]]
        self.members: dict[str, list[str]] = config["members"]
        self.panel = PanelGrid.of(cases, checks, self.outcomes, self.members)
        self.truth = None if truth is None else read_truth(Path(truth))

    def verdicts(self, consensus: int | None = None) -> dict[str, Verdict]:
        """Return case id -> verdict; `consensus` None is the panel's size."""
        if not self.panel.by_threshold and consensus is None:
            why = "no check that enters the shortcut ratio was run"
            return {case.id: Verdict("undecided", why, {}) for case in self.panel.cases}
        return verdicts(self.panel, consensus)

    def cards(self) -> Iterator[dict[str, Any]]:
        """Yield one plain dictionary a case; see `vidence.audits.verdicts.cards`."""
        with Store.open(self.folder, read_only=True) as store:
            yield from cards(self.panel, self.verdicts(), store.records_of, store.replies)

    def data(self) -> dict[str, Any]:
        """Return everything that a report prints, as plain values."""
        panel = self.panel
        said = Counter(verdict.label for verdict in self.verdicts().values())
        data: dict[str, Any] = {
            "format": FORMAT,
            "kind": "benchmark-audit",
            "title": self.title,
            "headline": headline(self.title, panel),
            "run": self._run(),
            "cases": self._cases(),
            "checks": checks_table(panel, self.outcomes),
            "accuracy": accuracy_table(panel),
            "open_questions": open_questions(panel.cases, self.outcomes, self.members),
            "curve": curve_table(panel),
            "categories": categories_table(panel),
            "overlap": self._overlap(),
            "costs": costs_table(*self._costs, self._attempts),
            "missing": missing_table(panel, self.outcomes),
            "noise": noise_table(panel),
            "verdicts": {label: said.get(label, 0) for label in LABELS},
            "notes": self._notes(),
            "commands": self._commands(),
            "case_files": {"all": "cases.jsonl", "total": len(panel.cases)},
        }
        if self.truth is not None:
            data["calibration"] = calibration_table(panel, self.truth)
            data["planted"] = planted_table(panel, self.truth)
            data["together"] = together(panel, self.truth, WITHOUT_VIDEO)
        return data

    def _run(self) -> dict[str, Any]:
        panel = self.panel
        return {
            "vidence": self.about["version"],
            "seed": self.config.get("seed"),
            "repeats": self.config.get("repeats", 1),
            "created": self.about["created"],
            "command": self.about["command"],
            "python": platform.python_version(),
            "packages": package_versions(),
            "panel": self.config["panel"],
            "roles": self.config["roles"],
            "settings": {check.label: check.settings for check in panel.checks},
            "complete": self._missing_cells() == 0,
            "missing_cells": self._missing_cells(),
        }

    def _missing_cells(self) -> int:
        wanted = sum(len(names) for names in self.members.values())
        cells = wanted * len(self.panel.cases) * int(self.config.get("repeats", 1))
        return max(0, cells - len(self.outcomes))

    def _cases(self) -> dict[str, Any]:
        cases, rows = self.panel.cases, self.panel.rows
        options = Counter(len(cases[i].view.options) for i in rows)
        return {
            "n": len(cases),
            "scored": len(rows),
            "videos": len({case.cluster or case.id for case in cases}),
            "options": {str(n): options[n] for n in sorted(options)},
            "chance": self.panel.chance.to_json(),
            "no_gold": sum(c.gold is None and bool(c.view.options) for c in cases),
            "open_ended": sum(not c.view.options for c in cases),
            "rejected": self.rejected,
        }

    def _overlap(self) -> dict[str, Any]:
        levels = self.panel.by_threshold
        both = levels[-1].overlap.tolist() if levels else []
        return {"checks": list(self.panel.votes.checks), "both": both}

    def _notes(self) -> list[str]:
        notes: list[str] = []
        cases = self.panel.cases
        if single := sum(len(c.view.options) == 1 for c in cases):
            notes.append(f"{single} questions have one option and are always solved.")
        if lost := self._missing_cells():
            notes.append(f"The run is not complete: {lost:,} cells were not asked yet.")
        if gone := {o.case for o in self.outcomes if o.reason.startswith("media: ")}:
            notes.append(
                f"{len(gone)} of {len(cases)} questions have a video that cannot be used; "
                "they are counted as missing."
            )
        if self.rejected:
            notes.append(
                f"{len(self.rejected)} rows of the case file were rejected and are not here."
            )
        return notes

    def _commands(self) -> list[dict[str, str]]:
        run = str(self.folder)
        size = self.panel.panel_size
        commands = [
            {"title": "Write the kept cases and the removed ones", "command": f"distill {run}"},
            {"title": "Read every reply again with today's parser", "command": f"reparse {run}"},
        ]
        if any(row["identity"].get("kind") != IMPORTED for row in self.config["panel"]):
            commands.append({"title": "Ask what is missing", "command": f"resume {run}"})
        if size > 1:
            commands[0]["command"] += f" --consensus {size}"
        return [{**c, "command": f"vidence {c['command']}"} for c in commands]


@dataclass(frozen=True)
class Source:
    """Where the cases of an audit come from.

    Args:
        path: the annotation file.
        videos: folder of the videos; the file's own by default.
        form: a registered benchmark form.
        title: for the report; the file's name by default.
        columns: which column is what, for a general form (`vidence.benchmark.load_benchmark`).
    """

    path: Path
    videos: Path | None = None
    form: str = "jsonl"
    title: str = ""
    columns: str | None = None


def default_checks(panel: Panel) -> tuple[Check, ...]:
    """Return intact and the paper's six checks, without those that the panel has nobody for."""
    makers = {"audio": "transcriber", "summary": "captioner"}
    return tuple(
        check
        for check in parse_checks(PAPER)
        if panel.members(check.panel) and makers.get(check.probe, "") in ("", *panel.roles)
    )


def audit(
    source: Source,
    panel: Panel,
    folder: str | PathLike[str],
    *,
    checks: Sequence[Check] | None = None,
    seed: int | str = 0,
    repeats: int = 1,
    settings: RunSettings | None = None,
) -> RunSummary:
    """Run a panel over the cases of a file, or go on with such a run.

    Args:
        source: the cases.
        panel: who is asked.
        folder: of the run.
        checks: intact and the paper's six where the panel allows them, by default.
        seed: the run's; every permutation and every answerer's seed is named from it.
        repeats: how often each cell is asked; from 2 on the report has a noise floor.
        settings: how it is carried out.

    Raises:
        CaseError, PanelError, UsageError: nothing was asked.
        UnreachableError, RejectedError: a member cannot be asked; what came back is kept.
        RunMismatchError, RunLockedError, StoreFullError: the folder.
        StoreError: it holds no run, but a file that the report would overwrite.
    """
    read = load_benchmark(source.form, source.path, source.videos, source.columns)
    facts = {
        "title": source.title or read.name,
        "path": str(source.path),
        "rejected": [{"where": r.where, "reason": r.reason} for r in read.rejected],
    }
    chosen = default_checks(panel) if checks is None else tuple(checks)
    how = settings or RunSettings()
    refuse_to_overwrite(folder)
    RunPlan(read.cases, chosen, panel, seed, repeats)  # a run that cannot begin leaves no folder
    EXECUTORS[how.executor]
    with Store.open(folder, create=True) as store:
        if store.meta("config") is None:
            store.set_meta({SOURCE: facts})
    return run(read.cases, chosen, panel, folder, seed=seed, repeats=repeats, settings=how)


def analyse(
    folder: str | PathLike[str], *, truth: str | PathLike[str] | None = None
) -> dict[str, Any]:
    """Return everything that the report of a run prints, as plain values (docs/report.md)."""
    return BenchmarkAudit(folder, truth=truth).data()


def distill(
    folder: str | PathLike[str],
    *,
    consensus: int | None = None,
    out: str | PathLike[str] | None = None,
) -> dict[str, int]:
    """Write the kept cases and the removed ones, each as it stood in its file, with its verdict.

    Kept is what is no shortcut: `needs_video`, and `undecided`, which is never removed on a guess.
    Each line is the case's own row with a field `vidence`: id, verdict, because, votes, consensus.

    Args:
        folder: the run.
        consensus: members that must be right; None is the panel's size.
        out: where `kept.jsonl` and `removed.jsonl` go; the run's folder by default.

    Returns:
        How many cases have each verdict.

    Raises:
        UsageError: a threshold beyond the panel.
        StoreError: a file cannot be written.
    """
    audit = BenchmarkAudit(folder)
    c = audit.panel.panel_size if consensus is None else consensus
    said = verdicts(audit.panel, c)
    target = Path(out) if out is not None else audit.folder
    lines: dict[str, list[str]] = {"kept": [], "removed": []}
    for case in audit.panel.cases:
        verdict = said[case.id]
        row = {
            **(case.row or {"id": case.id}),
            "vidence": {
                "id": case.id,
                "verdict": verdict.label,
                "because": verdict.because,
                "votes": dict(verdict.votes),
                "consensus": c,
            },
        }
        file = "removed" if verdict.label == "shortcut" else "kept"
        lines[file].append(json_line(row))
    for name, rows in lines.items():
        write_whole(target / f"{name}.jsonl", "".join(rows))
    counts = Counter(verdict.label for verdict in said.values())
    return {label: counts.get(label, 0) for label in LABELS}


def package_versions() -> dict[str, str | None]:
    """Return the versions of the packages that figures may depend on."""
    return {name: _version(name) for name in ("numpy", "scipy", "av", "pillow")}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
