"""A probe's folder as it stands: whom it probed, every replay, the fallback's own answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from vidence.audits.agent_cases import AGENT
from vidence.audits.agent_probe import FALLBACK
from vidence.audits.agent_records import AgentRecords
from vidence.audits.tables import costs_table
from vidence.errors import StoreError, UsageError
from vidence.record import Outcome
from vidence.stats.arrays import Ints
from vidence.stats.flip_counts import FlipDraws
from vidence.stats.routing import NO_ANSWER
from vidence.store import Store
from vidence.store_file import FILE
from vidence.view import Case

NO_PROBE = (
    "{folder} holds no probe. Probe the run first: vidence agent probe {folder} --panel FILE "
    "(docs/agent-audit.md)."
)


@dataclass(frozen=True, eq=False)
class Fallback:
    """What routing may fall back on.

    Args:
        name: of the member that was asked.
        check: what it was shown.
        right: question -> whether its answer is the key; without those that it did not answer.
    """

    name: str
    check: str
    right: Mapping[str, bool]

    def codes(self, ids: Sequence[str]) -> Ints:
        """Int [N]: 1 right, 0 wrong, -1 no valid answer."""
        found = [self.right.get(name) for name in ids]
        return np.array([NO_ANSWER if r is None else int(r) for r in found], dtype=np.int64)


@dataclass(frozen=True, eq=False, kw_only=True)
class ProbedRun:
    """Hold the replays of one agent by one answerer, and what is known of the run.

    Args:
        folder: of the probe.
        facts: whom it probes (`vidence.audits.agent_cases.ProbeCases`).
        config, about: of the run.
        cases: questions probed.
        records: their replays, the first `k` draws of each condition.
        k: draws a condition.
        undone: cells of the run that were not asked yet.
        fallback: None where nobody was asked.
        costs: a row an answerer, as in a benchmark audit's report.
    """

    folder: Path
    facts: Mapping[str, Any]
    config: Mapping[str, Any]
    about: Mapping[str, Any]
    cases: tuple[Case, ...]
    records: AgentRecords
    k: int
    undone: int
    fallback: Fallback | None
    costs: list[dict[str, Any]]

    @property
    def name(self) -> str:
        """Name of the agent."""
        return self.records.name

    def label(self, name: str) -> str:
        """Label of the check that stands for `self`, `sham` or `destroy`."""
        return str(self.facts["checks"][name])

    def draws(self) -> FlipDraws:
        """Return the draws that the score is made of."""
        return self.records.draws(self.label("sham"), self.label("destroy"))

    def first(self, k: int) -> ProbedRun:
        """Return the run with the first k draws of each condition: a budget nested in its own.

        Raises:
            UsageError: more draws than there are.
        """
        if not 1 <= k <= self.k:
            raise UsageError(
                f"k = {k}; {self.name} holds {self.k} draws a condition, 1 to {self.k} are allowed."
            )
        chosen = {label: draws[:, :k] for label, draws in self.records.chosen.items()}
        return replace(self, k=k, records=replace(self.records, chosen=chosen))

    def named(self, name: str) -> ProbedRun:
        """Return the same run under another name."""
        return replace(self, records=replace(self.records, name=name))


def probed_runs(folder: str | PathLike[str], *, k: int | None = None) -> list[ProbedRun]:
    """Return the probe in a folder, one entry for each answerer of its replays.

    Args:
        folder: of the probe.
        k: only the first k draws of each condition; all by default.

    Raises:
        StoreError: no probe lies there, or none that began.
        UsageError: more draws than there are.
    """
    place = Path(folder)
    if not (place / FILE).is_file():
        raise StoreError(NO_PROBE.format(folder=folder))
    with Store.open(place, read_only=True) as store:
        facts: dict[str, Any] | None = store.meta(AGENT)
        config: dict[str, Any] | None = store.meta("config")
        about = {name: store.meta(name) for name in ("version", "command", "created")}
        if facts is None or config is None:
            raise StoreError(NO_PROBE.format(folder=folder))
        cases = store.cases()
        outcomes = list(store.outcomes())
        costs = costs_table(*store.costs(), store.attempts())
    held = int(config.get("repeats", 1))
    if k is not None and not 1 <= k <= held:
        raise UsageError(
            f"k = {k}; {folder} holds {held} draws a condition, 1 to {held} are allowed. "
            f"For more: vidence agent probe {folder} --k {k}."
        )
    fallback = _fallback(place / FALLBACK)
    wanted = len(cases) * held * sum(len(names) for names in config["members"].values())
    answerers = config["members"][facts["checks"]["destroy"]]
    return [
        ProbedRun(
            folder=place,
            facts=facts,
            config=config,
            about=about,
            cases=cases,
            records=AgentRecords.of(
                cases,
                outcomes,
                answerer,
                name=facts["name"] if len(answerers) == 1 else f"{facts['name']} by {answerer}",
                checks=config["checks"],
                repeats=k or held,
                aside=_aside(facts["ineligible"]),
            ),
            k=k or held,
            undone=max(0, wanted - len(outcomes)),
            fallback=fallback,
            costs=costs,
        )
        for answerer in answerers
    ]


def is_probe(folder: str | PathLike[str]) -> bool:
    """Say whether a folder holds a probe."""
    if not (Path(folder) / FILE).is_file():
        return False
    with Store.open(folder, read_only=True) as store:
        return store.meta(AGENT) is not None


def _aside(left: Sequence[Mapping[str, Any]]) -> dict[str, tuple[str, bool]]:
    """Return the keyed questions that could not be probed: they keep the agent's answer."""
    return {
        one["qid"]: (one["video"], one["committed"] == one["gold"])
        for one in left
        if one["gold"] is not None
    }


def _fallback(folder: Path) -> Fallback | None:
    if not (folder / FILE).is_file():
        return None
    with Store.open(folder, read_only=True) as store:
        config: dict[str, Any] | None = store.meta("config")
        cases = store.cases()
        outcomes = list(store.outcomes())
    if config is None:
        return None
    check = config["checks"][0]
    name = config["members"][check][0]
    return Fallback(name, check, _right(cases, outcomes, check, name))


def _right(
    cases: Sequence[Case], outcomes: Sequence[Outcome], check: str, name: str
) -> dict[str, bool]:
    gold = {case.id: case.gold for case in cases if case.gold_position() is not None}
    keys = {case.id: {option.key for option in case.view.options} for case in cases}
    return {
        o.case: o.value == gold[o.case]
        for o in outcomes
        if (o.check, o.answerer, o.repeat, o.status) == (check, name, 0, "ok")
        and o.case in gold
        and o.value in keys[o.case]
    }
