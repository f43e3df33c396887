"""Replay an agent's frozen runs, or a panel's answers, with frames as they were and destroyed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from vidence.audits.agent_cases import AGENT, ProbeCases, is_agent_run, probe_cases
from vidence.cells import RunPlan, Seed
from vidence.check import PROBES, Check, Scalar, make_check, parse_check
from vidence.errors import StoreError, UnknownNameError, UsageError
from vidence.exports.files import file_name
from vidence.panel import Panel, load_panel
from vidence.progress import RunSummary
from vidence.replay import RENDERER
from vidence.run import RunSettings, run
from vidence.run_config import refuse_to_overwrite
from vidence.store import Store
from vidence.store_file import FILE
from vidence.view import Case

FALLBACK = "fallback"
"""Folder, in that of a probe, of the answers that routing may fall back on."""
DRAWS = 3
"""Draws a condition where nothing else is said, as in CARVE."""


@dataclass(frozen=True, kw_only=True)
class Probing:
    """How a run is probed. What is None is as in the probe that the folder holds already.

    Args:
        k: draws a condition; 3 in a new probe.
        edit: what destroys the frames; `phase` in a new probe.
        conditions: labels of further checks, such as `destroy:edit=mean_frame`, `no_evidence`.
        seed: names every draw; 0 in a new probe.
        videos: folder of the agent's video files, where they are not where its import found them.
        answerer: who answers the replays; needed where the panel asks several.
        renderer: who puts frames into words; the role `renderer` of the panel by default.
        questions: ids of those to probe; all that are eligible by default.
    """

    k: int | None = None
    edit: str | None = None
    conditions: tuple[str, ...] = ()
    seed: Seed | None = None
    videos: str | PathLike[str] | None = None
    answerer: str | None = None
    renderer: str | None = None
    questions: tuple[str, ...] | None = None


def probe(
    folder: str | PathLike[str],
    panel: Panel | None = None,
    how: Probing | None = None,
    *,
    settings: RunSettings | None = None,
) -> RunSummary:
    """Replay every eligible question k times as logged, with its frames, and with them destroyed.

    An agent's probe lies in the agent's own folder, that of a panel's member in a folder
    `probe-NAME` in the audit's. A probe that lies there is gone on with: draws, conditions,
    answerers and questions are added to it, and those it has stay.

    Args:
        folder: of `vidence agent import`, or of a benchmark audit.
        panel: who answers and who puts frames into words; that of the probe, or of the audit, by
            default.
        how: what is replayed.
        settings: how the run is carried out.

    Raises:
        UsageError: no question is eligible, nobody is named to answer, or nobody to put frames
            into words.
        UnknownNameError: an unknown question, answerer, check or edit.
        StoreError: nothing lies there that could be probed.
        The errors of `vidence.run.run`.
    """
    how = how or Probing()
    found = probe_cases(folder, videos=how.videos, answerer=how.answerer)
    target = probe_folder(folder, found)
    held = _held(target)
    cast = _cast(panel or _known_panel(folder, held), found, how, held)
    main = _conditions(found, how, held)
    checks = _joined(tuple(main.values()), how, found, held)
    cases = _chosen(found, how.questions, held)
    seed = how.seed if how.seed is not None else held.get("seed", 0)
    k = how.k if how.k is not None else held.get("repeats", DRAWS)
    RunPlan(cases, checks, cast, seed, k)  # a probe that cannot begin leaves no store
    facts = {**found.facts, "probed": len(cases)}
    facts["checks"] = {name: check.label for name, check in main.items()}
    refuse_to_overwrite(target)
    with Store.open(target, create=True) as store:
        store.set_meta({AGENT: facts})
    return run(cases, checks, cast, target, seed=seed, repeats=k, settings=settings)


def ask_fallback(
    folder: str | PathLike[str],
    name: str,
    panel: Panel | None = None,
    *,
    check: str = "widened_evidence",
    settings: RunSettings | None = None,
) -> RunSummary:
    """Ask a member of a panel the questions of a probe itself: what routing may fall back on.

    Args:
        folder: of the probe.
        name: of the member.
        panel: that of the probe by default.
        check: what the member is shown.
        settings: how the run is carried out.

    Raises:
        StoreError: the folder holds no probe.
        The errors of `vidence.run.run`.
    """
    place = Path(folder)
    held = _held(place)
    if "seed" not in held:
        raise StoreError(f"{folder} holds no probe. Probe the run first: vidence agent probe.")
    with Store.open(place, read_only=True) as store:
        cases = store.cases()
    known = panel or _known_panel(place, held)
    return run(
        cases,
        (parse_check(check),),
        known.cast((name,)),
        place / FALLBACK,
        seed=held["seed"],
        settings=settings,
    )


def probe_folder(folder: str | PathLike[str], found: ProbeCases) -> Path:
    """Return where the probe of a run lies: an agent's in its folder, a member's in its own."""
    place = Path(folder)
    if is_agent_run(place):
        return place
    return place / f"probe-{file_name(found.facts['name'])}"


def _held(target: Path) -> dict[str, Any]:
    """Return what the probe in a folder was begun with; empty where there is none."""
    if not (target / FILE).is_file():
        return {}
    with Store.open(target, read_only=True) as store:
        config: dict[str, Any] = store.meta("config") or {}
        facts = store.meta(AGENT) or {}
        if config and not facts:
            raise StoreError(
                f"{target} holds a run that is no probe. Import the agent's logs into a folder of "
                "their own."
            )
        return {**config, "main": facts.get("checks", {}), "cases": list(store.case_bodies())}


def _known_panel(folder: str | PathLike[str], held: dict[str, Any]) -> Panel:
    source = held.get("source")
    if source is None and not is_agent_run(folder):
        with Store.open(folder, read_only=True) as store:
            source = (store.meta("config") or {}).get("source")
    if source is None:
        raise UsageError(
            f"Who answers the replays of {folder}? Give a panel file: --panel FILE "
            "(docs/running.md)."
        )
    return load_panel(source)


def _cast(panel: Panel, found: ProbeCases, how: Probing, held: dict[str, Any]) -> Panel:
    """Return the panel with those who are asked, and who puts frames into words."""
    before = [row["name"] for row in held.get("panel", ()) if row["asked"]]
    name = how.answerer
    if name is None and found.facts["source"] == "benchmark":
        name = found.facts["name"]
    if name is None and not before:
        members = panel.members("model")
        if len(members) != 1:
            raise UsageError(
                f"The panel asks {', '.join(members) or 'nobody'}; one answers the replays. Name "
                "one: --answerer NAME."
            )
        name = members[0]
    asked = dict.fromkeys((*before, *(() if name is None else (name,))))
    roles = {**held.get("roles", {})}
    if how.renderer is not None:
        roles[RENDERER] = how.renderer
    cast = panel.cast(tuple(asked), **roles)
    if RENDERER not in cast.roles and _needs_words(found.cases):
        raise UsageError(
            "The agent's evidence is words made of frames, and nobody is named to make them anew. "
            'Name one: --renderer NAME, or [roles] renderer = "NAME" in the panel file.'
        )
    return cast


def _needs_words(cases: Sequence[Case]) -> bool:
    return any(
        part.clip is not None and not part.direct for case in cases for part in case.view.evidence()
    )


def _conditions(found: ProbeCases, how: Probing, held: dict[str, Any]) -> dict[str, Check]:
    """Return the three conditions of the score: frames are sampled as the panel was shown them."""
    main: dict[str, str] = held.get("main", {})
    if main and how.edit is None:
        return {name: parse_check(label) for name, label in main.items()}
    edit: dict[str, Scalar] = {} if how.edit is None else {"edit": how.edit}
    return {
        "self": _sampled("self_replay", {}, found),
        "sham": _sampled("sham", {}, found),
        "destroy": _sampled("destroy", edit, found),
    }


def _joined(
    main: Sequence[Check], how: Probing, found: ProbeCases, held: dict[str, Any]
) -> tuple[Check, ...]:
    wanted = [parse_check(label) for label in held.get("checks", ())]
    wanted += main
    for label in how.conditions:
        asked = parse_check(label)
        if asked.panel != "model":
            raise UsageError(f"The condition {label!r} is answered by an encoder, not by a model.")
        wanted.append(_sampled(asked.probe, dict(asked.params), found))
    return tuple({check.label: check for check in wanted}.values())


def _sampled(name: str, params: Mapping[str, Scalar], found: ProbeCases) -> Check:
    known = PROBES[name].defaults
    same = {key: value for key, value in found.sampling if key in known}
    return make_check(name, {**same, **params})


def _chosen(
    found: ProbeCases, questions: tuple[str, ...] | None, held: dict[str, Any]
) -> tuple[Case, ...]:
    if questions is None:
        return found.cases
    known = {case.id for case in found.cases}
    for name in questions:
        if name not in known:
            raise UnknownNameError("question that can be probed", name, sorted(known))
    wanted = {*questions, *held.get("cases", ())}
    return tuple(case for case in found.cases if case.id in wanted)
