"""What a run folder says about its run: compared when it is gone on with, rebuilt for a resume."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from os import PathLike
from pathlib import Path
from typing import Any

from vidence.answer import TOO_LONG
from vidence.case_json import canonical, case_to_json
from vidence.cells import RunPlan
from vidence.check import parse_check
from vidence.errors import RunMismatchError, StoreError, UsageError
from vidence.panel import Panel, load_panel
from vidence.progress import RunSummary
from vidence.renderings import no_maker
from vidence.store import Store
from vidence.store_file import FILE
from vidence.view import Case

REPORT_FILES = ("cases.jsonl", "report.html", "report.md", "report.json")
"""What a report writes into the folder of its run."""
IMPORTED = "imported"
"""The kind, in its identity, of an answerer whose replies were logged elsewhere."""
_SHOWN = 3
"""How many differences a message names."""


def refuse_to_overwrite(folder: str | PathLike[str]) -> None:
    """Keep a file in the folder of a new run from becoming the report's file of the same name.

    Raises:
        StoreError: the folder holds such a file and no run.
    """
    place = Path(folder)
    if (place / FILE).exists():
        return
    for name in REPORT_FILES:
        if (place / name).exists():
            raise StoreError(
                f"{folder} holds a file {name} and no run; the report would overwrite it. "
                "Choose another folder for the run."
            )


def open_run(
    folder: str | PathLike[str],
    plan: RunPlan,
    *,
    resume: bool = True,
    command: str = "",
) -> Store:
    """Open the folder of a run, begin the run, or add to it what is new.

    Raises:
        RunMismatchError: the folder holds another run.
        StoreError: it holds a run and `resume` is False, or see `Store.open`.
    """
    store = Store.open(folder, create=True)
    try:
        stored = store.meta("config")
        if stored is None:
            _begin(store, plan, command)
        elif not resume:
            raise StoreError(
                f"{folder} holds a run already. Choose another folder, or go on with this one."
            )
        else:
            _extend(store, plan, stored)
    except BaseException:
        store.close()
        raise
    return store


def plan_of(store: Store, panel: Panel | None = None) -> RunPlan:
    """Rebuild the plan of a stored run.

    Args:
        store: of the run.
        panel: needed where the stored panel was built in Python.

    Raises:
        UsageError: the panel was built in Python and none came, or the replies were imported.
        UnknownNameError: a check or a kind of answerer that is not installed any more.
    """
    config = _config(store)
    if panel is None:
        source = config["source"]
        if all(row["identity"].get("kind") == IMPORTED for row in config["panel"]):
            raise UsageError(
                f"The replies in {store.folder} were imported, and nobody can be asked for more. "
                "Import another log into it (vidence import), or report on what is there."
            )
        if source is None:
            raise UsageError(
                f"The panel of {store.folder} was built in Python and cannot be read from the "
                "folder. Give it: resume(folder, panel=...)."
            )
        panel = load_panel(source)
    return RunPlan(
        cases=store.cases(),
        checks=tuple(parse_check(label) for label in config["checks"]),
        panel=panel,
        seed=config["seed"],
        repeats=config["repeats"],
        batches=tuple(store.batches()),
    )


def summarize(store: Store, plan: RunPlan, **facts: Any) -> RunSummary:
    """Count what a run holds; `facts` are the other fields of the summary."""
    statuses, reasons = store.outcome_counts()
    return RunSummary(
        folder=store.folder,
        total=plan.total,
        statuses=statuses,
        reasons=reasons,
        unasked=plan.unasked,
        too_long=store.count("records", "WHERE reason LIKE ?", (f"{TOO_LONG}%",)),
        **facts,
    )


def config_of(plan: RunPlan) -> dict[str, Any]:
    """Return what a run keeps about its plan, apart from the cases; holds no secret.

    `checks` are labels, `members` says whom each asks, `panel` has a row an answerer, `source` the
    resolved panel file or None.
    """
    panel = plan.panel
    return {
        "seed": plan.seed,
        "repeats": plan.repeats,
        "checks": [check.label for check in plan.checks],
        "settings": {check.label: check.settings for check in plan.checks},
        "members": {check.label: list(plan.members(check)) for check in plan.checks},
        "panel": [
            {
                "name": name,
                "panel": answerer.panel,
                "asked": name in (panel.asked or ()),
                "identity": dict(answerer.identity),
            }
            for name, answerer in panel.answerers.items()
        ],
        "roles": dict(panel.roles),
        "source": panel.source,
    }


def _config(store: Store) -> dict[str, Any]:
    config: dict[str, Any] | None = store.meta("config")
    if config is None:
        raise StoreError(
            f"The run in {store.folder} was stopped before it began. Start it again with its "
            "cases, checks and panel."
        )
    return config


def began(command: str) -> dict[str, str]:
    """Return what a run keeps about its beginning: version, command and time."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return {"version": _version(), "command": command, "created": now}


def _begin(store: Store, plan: RunPlan, command: str) -> None:
    store.add(plan.cases, {"config": config_of(plan), **began(command)})


def _extend(store: Store, plan: RunPlan, stored: dict[str, Any]) -> None:
    asked: dict[str, Any] = json.loads(canonical(config_of(plan)))
    differences = _config_differences(stored, asked)
    bodies = store.case_bodies()
    new = _new_cases(plan, bodies, differences)
    if differences:
        more = len(differences) - _SHOWN
        listing = "; ".join(differences[:_SHOWN]) + (f"; and {more} more" if more > 0 else "")
        raise RunMismatchError(
            f"{store.folder} holds another run: {listing}. Cases, checks, answerers, roles and "
            "repeats can be added to a run, not changed or left out. Choose another folder, or "
            "ask for the same as before."
        )
    for role in set(asked["roles"]) - set(stored["roles"]):
        store.reopen("skipped", no_maker(role))
    if new or asked != stored:
        store.add(new, {"config": asked})


def _config_differences(stored: dict[str, Any], asked: dict[str, Any]) -> list[str]:
    found: list[str] = []
    if stored["seed"] != asked["seed"]:
        found.append(f"its seed is {stored['seed']!r}, {asked['seed']!r} came")
    if stored["repeats"] > asked["repeats"]:
        found.append(f"it has {stored['repeats']} repeats, {asked['repeats']} came")
    for label in stored["checks"]:
        if label not in asked["checks"]:
            found.append(f"it has the check {label!r}, which did not come")
    came = {row["name"]: row for row in asked["panel"]}
    for row in stored["panel"]:
        name = row["name"]
        if name not in came:
            found.append(f"it has the answerer {name!r}, which did not come")
            continue
        found += _identity_differences(name, row["identity"], came[name]["identity"])
        if row["asked"] and not came[name]["asked"]:
            found.append(f"it asks {name!r} the checks, now it does not")
    for role, name in stored["roles"].items():
        if asked["roles"].get(role) != name:
            found.append(f"its {role} is {name!r}, {asked['roles'].get(role)!r} came")
    return found


def _identity_differences(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return [
        f"its answerer {name!r} has {key} = {old.get(key)!r}, {new.get(key)!r} came"
        for key in sorted(set(old) | set(new))
        if old.get(key) != new.get(key)
    ]


def _new_cases(plan: RunPlan, bodies: Mapping[str, str], differences: list[str]) -> list[Case]:
    new: list[Case] = []
    came: set[str] = set()
    for case in plan.cases:
        came.add(case.id)
        body = bodies.get(case.id)
        if body is None:
            new.append(case)
            continue
        now = canonical(case_to_json(case))
        if now != body:
            a, b = json.loads(body), json.loads(now)
            fields = ", ".join(key for key in sorted(set(a) | set(b)) if a.get(key) != b.get(key))
            differences.append(f"its case {case.id!r} has another {fields}")
    gone = [name for name in bodies if name not in came]
    if gone:
        names = ", ".join(repr(name) for name in gone[:_SHOWN])
        differences.append(f"{len(gone)} of its cases did not come ({names}, ...)")
    return new


def _version() -> str:
    try:
        return version("vidence")
    except PackageNotFoundError:
        return "unknown"
