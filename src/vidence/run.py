"""Run checks over cases: the only caller of models.

    views -> renderings -> requests -> replies -> answers -> records

Each reply is committed in the driver's thread before the next one is taken, so that a kill loses
nothing that was acknowledged; `resume` asks only what is missing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from vidence.cells import RunPlan, Seed
from vidence.check import Check
from vidence.driver import Driver, RunSettings
from vidence.executors import EXECUTORS
from vidence.panel import Panel
from vidence.progress import RunSummary
from vidence.run_config import open_run, plan_of
from vidence.store import Store
from vidence.view import Case


def run(
    cases: Sequence[Case],
    checks: Sequence[Check],
    panel: Panel,
    folder: str | os.PathLike[str],
    *,
    seed: Seed,
    repeats: int = 1,
    settings: RunSettings | None = None,
) -> RunSummary:
    """Ask a panel every check of every case, and store what comes back.

    A folder that holds this run already is gone on with. Cases, checks, answerers, roles and
    repeats may be added to it; nothing may be changed or left out.

    Args:
        cases: ids unique.
        checks: labels unique.
        panel: who is asked.
        folder: of the run; made if needed.
        seed: names every random choice of the run.
        repeats: how often each question is asked.
        settings: how to carry it out.

    Raises:
        UsageError: nothing to ask, nobody to ask it, or an unknown executor.
        RunMismatchError: the folder holds another run.
        StoreError: see `vidence.store.Store.open`.
        UnreachableError, RejectedError: a service cannot be used; what came before is stored.
        NothingMeasuredError: no reply could be used.
        RunInterrupted: Ctrl-C; a KeyboardInterrupt that says how far the run is.
    """
    how = settings or RunSettings()
    EXECUTORS[how.executor]  # a run that cannot begin leaves no folder
    plan = RunPlan(tuple(cases), tuple(checks), panel, seed, repeats)
    with open_run(folder, plan, resume=how.resume, command=how.command) as store:
        return Driver(plan_of(store, panel), store, how).carry_out()


def resume(
    folder: str | os.PathLike[str],
    *,
    panel: Panel | None = None,
    settings: RunSettings | None = None,
) -> RunSummary:
    """Go on with a run from what its folder holds.

    Args:
        folder: of the run.
        panel: needed where the panel was built in Python.
        settings: how to carry it out.

    Raises:
        The errors of `run`.
    """
    if panel is None:
        with Store.open(folder) as store:
            return Driver(plan_of(store), store, settings or RunSettings()).carry_out()
    with Store.open(folder, read_only=True) as store:
        plan = plan_of(store, panel)
    return run(
        plan.cases,
        plan.checks,
        panel,
        folder,
        seed=plan.seed,
        repeats=plan.repeats,
        settings=settings,
    )


__all__ = ["RunPlan", "RunSettings", "RunSummary", "resume", "run"]
