"""The agent audit: probed runs in, scores, routing and report data out."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from vidence.audits.agent_budgets import agreement_block, budgets_block
from vidence.audits.agent_cards import agent_cards
from vidence.audits.agent_coverage import coverage_block
from vidence.audits.agent_paper_routing import transfer_block
from vidence.audits.agent_rivals import rivals_block
from vidence.audits.agent_rollouts import Rival, load_rival
from vidence.audits.agent_routing import routing_block, selective_block
from vidence.audits.agent_run import ProbedRun, probed_runs
from vidence.audits.agent_scores import Row, Scores, or_why, plain
from vidence.audits.agent_stopping import stopping_block
from vidence.audits.agent_words import commands, headline, notes
from vidence.audits.benchmark import FORMAT, package_versions
from vidence.audits.tables import MOST_VALUES, UNTAGGED
from vidence.check import parse_check
from vidence.errors import UsageError
from vidence.stats import flip_effect

KIND = "agent-audit"


class AgentAudit:
    """One or several probes, read for what their scores say.

    A probe that is not complete is read as it stands.

    Args:
        folders: of probes; where one was answered by several, each is an agent of its own.
        k: only the first k draws of each condition; all by default.
        rivals: other frozen runs on the same questions: name -> folder.

    Raises:
        StoreError: a folder without a probe.
        UsageError: no folder, or a k that a probe does not have.
    """

    def __init__(
        self,
        folders: Sequence[str | PathLike[str]] | str | PathLike[str],
        *,
        k: int | None = None,
        rivals: Mapping[str, str | PathLike[str]] | None = None,
    ) -> None:
        given = [folders] if isinstance(folders, str | PathLike) else folders
        if not given:
            raise UsageError("An agent's report needs the folder of a probe.")
        self.folders = list({Path(folder).resolve(): Path(folder) for folder in given}.values())
        runs = [run for folder in self.folders for run in probed_runs(folder, k=k)]
        self.runs = _unique(runs)
        self.rivals = [load_rival(name, folder) for name, folder in (rivals or {}).items()]

    @cached_property
    def scores(self) -> dict[str, Scores]:
        """Name of each agent -> its scores."""
        return {run.name: Scores(run) for run in self.runs}

    @cached_property
    def blocks(self) -> dict[str, Row]:
        """Name of each agent -> what the report says about it."""
        return {name: _block(scores, self.rivals) for name, scores in self.scores.items()}

    def data(self) -> dict[str, Any]:
        """Return everything that a report prints, as plain values (docs/report.md)."""
        return {
            "format": FORMAT,
            "kind": KIND,
            "title": " and ".join(self.scores),
            "headline": headline(self.blocks),
            "run": self._run(),
            "agents": self.blocks,
            "agreement": agreement_block(self.scores),
            "transfer": transfer_block(self.runs),
            "notes": notes(self.blocks),
            "commands": commands(self.blocks),
            "case_files": {"all": "cases.jsonl", "total": sum(len(run.cases) for run in self.runs)},
        }

    def cards(self) -> Iterator[dict[str, Any]]:
        """Yield one plain dictionary a question and agent; see `agent_cards`."""
        for scores in self.scores.values():
            yield from agent_cards(scores)

    def _run(self) -> Row:
        first = self.runs[0]
        return {
            "vidence": first.about["version"],
            "seed": first.config.get("seed"),
            "created": first.about["created"],
            "command": first.about["command"],
            "python": platform.python_version(),
            "packages": package_versions(),
            "complete": not any(run.undone for run in self.runs),
        }


def _block(scores: Scores, rivals: Sequence[Rival]) -> Row:
    run = scores.run
    reasons = Counter(one["reason"] for one in run.facts["ineligible"])
    counts = {
        **run.facts["counts"],
        "probed": len(run.cases),
        "valid": int(scores.scored.sum()),
        "videos": len(set(run.records.clusters)),
    }
    return {
        "name": run.name,
        "answerer": run.records.answerer,
        "folder": str(run.folder),
        "source": run.facts["source"],
        "k": run.k,
        "undone": run.undone,
        "panel": run.config["panel"],
        "roles": run.config["roles"],
        "settings": {label: parse_check(label).settings for label in run.config["checks"]},
        "counts": counts,
        "ineligible": dict(reasons.most_common()),
        **scores.blocks(),
        "budgets": budgets_block(scores),
        "stopping": stopping_block(scores),
        "coverage": coverage_block(scores),
        "routing": routing_block(scores),
        "rivals": or_why(lambda: rivals_block(run, rivals)) if rivals else None,
        "selective": selective_block(scores),
        "categories": _categories(scores),
        "costs": run.costs,
    }


def _categories(scores: Scores) -> list[Row]:
    """Return a row a tag and value: Delta where each category stands alone."""
    tags = scores.records.tags
    rows: list[Row] = []
    for tag in dict.fromkeys(name for mine in tags for name in mine):
        values = [mine.get(tag) or UNTAGGED for mine in tags]
        names = sorted(set(values))
        if not 2 <= len(names) <= MOST_VALUES:
            continue
        for name in names:
            where = np.array([value == name for value in values], dtype=np.bool_)
            effect = flip_effect(scores.counts.where(where))
            rows.append(
                {
                    "tag": tag,
                    "value": name,
                    "n": int(where.sum()),
                    **{part: plain(getattr(effect, part)) for part in ("delta", "sham", "destroy")},
                }
            )
    return rows


def _unique(runs: Sequence[ProbedRun]) -> list[ProbedRun]:
    """Return runs whose names differ: one that comes again gets a number."""
    taken: set[str] = set()
    found = []
    for run in runs:
        name, times = run.name, 1
        while name in taken:
            times += 1
            name = f"{run.name} ({times})"
        taken.add(name)
        found.append(run.named(name))
    return found
