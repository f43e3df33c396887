"""Which questions of a run can be probed: an agent's frozen runs, or a panel's answers.

An agent's run folder holds trajectories; their evidence is what the agent retrieved. A benchmark
audit's folder holds a panel's answers to intact videos; a member is probed as if the frames it was
shown were what it retrieved.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from vidence.audits.agent_import import ELIGIBILITY, TRAJECTORIES, load_trajectories
from vidence.check import Scalar, parse_check
from vidence.eligibility import NO_ANSWER, NO_OPTIONS, Ineligible, case_of
from vidence.errors import StoreError, UnknownNameError, UsageError
from vidence.store import Store
from vidence.store_file import FILE
from vidence.view import Case

AGENT = "agent"
"""Name under which the store of a probe keeps whom it probes."""
INTACT = "intact"


@dataclass(frozen=True)
class ProbeCases:
    """What can be probed.

    Args:
        cases: eligible questions with their committed answers.
        facts: for the store: `name` of the agent, `source` (`trajectories` or `benchmark`),
            `videos`, `counts` (questions, trajectories, eligible, keyed) and `ineligible`, one
            entry a question with its reason, key and answer.
        sampling: parameters of the checks, where the panel was shown other than the default frames.
    """

    cases: tuple[Case, ...]
    facts: dict[str, Any]
    sampling: tuple[tuple[str, Scalar], ...] = ()


def is_agent_run(folder: str | PathLike[str]) -> bool:
    """Say whether a folder holds frozen runs of an agent."""
    return (Path(folder) / TRAJECTORIES).is_file()


def probe_cases(
    folder: str | PathLike[str],
    *,
    videos: str | PathLike[str] | None = None,
    answerer: str | None = None,
) -> ProbeCases:
    """Return the questions of a run that can be probed, and why others cannot.

    Args:
        folder: of an agent's run (`vidence agent import`) or of a benchmark audit.
        videos: folder of the agent's video files, where they are not where the import found them.
        answerer: the member of a benchmark audit's panel; needed where it has several.

    Raises:
        StoreError: nothing that could be probed lies there.
        UsageError: no question is eligible, or no member of the panel was named.
        UnknownNameError: no such member.
    """
    place = Path(folder)
    if is_agent_run(place):
        found = _agent_cases(place, None if videos is None else Path(videos))
    elif (place / FILE).is_file():
        found = _panel_cases(place, answerer)
    else:
        raise StoreError(
            f"{folder} holds neither {TRAJECTORIES} nor a run. Import an agent's logs "
            "(vidence agent import) or audit a benchmark (vidence audit) first."
        )
    if not found.cases:
        why = found.facts["ineligible"]
        most = max({w["reason"] for w in why}, key=[w["reason"] for w in why].count, default="none")
        raise UsageError(
            f"None of {len(why)} questions in {folder} can be probed; most often: {most}. "
            "See eligibility.json, or docs/agent-logs.md for what a log has to hold."
        )
    return found


def _agent_cases(folder: Path, videos: Path | None) -> ProbeCases:
    known = _read_eligibility(folder)
    if videos is None and known.get("videos"):
        videos = Path(known["videos"])
    trajectories = load_trajectories(folder)
    cases: list[Case] = []
    left: list[dict[str, Any]] = []
    for trajectory in trajectories:
        found = case_of(trajectory, videos)
        if isinstance(found, Case):
            cases.append(found)
            continue
        sample = trajectory.sample
        left.append(_left(found, sample.video.id, trajectory.answer.position, sample.gold))
    names = dict.fromkeys(trajectory.run.agent for trajectory in trajectories)
    asked = known.get("asked") or len(trajectories)
    facts = _facts(" + ".join(names), "trajectories", str(videos or ""), cases, left, asked)
    return ProbeCases(tuple(cases), facts)


def _panel_cases(folder: Path, answerer: str | None) -> ProbeCases:
    with Store.open(folder, read_only=True) as store:
        config: dict[str, Any] = store.meta("config") or {}
        everything = store.cases()
        outcomes = list(store.outcomes())
        probed = store.meta(AGENT) is not None
    if probed:
        raise StoreError(
            f"{folder} holds a probe, and not the {TRAJECTORIES} that it probes. Put that file "
            "back, or import the agent's logs again into another folder."
        )
    label = next((c for c in config.get("checks", ()) if parse_check(c).probe == INTACT), None)
    if label is None:
        raise UsageError(
            f"{folder} holds no answers to intact videos, so there is nothing that a replay could "
            "change. Run the check intact first: vidence audit ... --checks intact."
        )
    members: Sequence[str] = config["members"].get(label, ())
    if answerer is None and len(members) != 1:
        raise UsageError(
            f"{folder} holds answers of {', '.join(members)}; one is probed at a time. "
            "Name one: --answerer NAME."
        )
    name = members[0] if answerer is None else answerer
    if name not in members:
        raise UnknownNameError("member of the panel", name, members)
    said = {o.case: o for o in outcomes if (o.check, o.answerer, o.repeat) == (label, name, 0)}
    cases: list[Case] = []
    left: list[dict[str, Any]] = []
    for case in everything:
        outcome = said.get(case.id)
        keys = {option.key for option in case.view.options}
        if outcome is not None and outcome.status == "ok" and outcome.value in keys:
            cases.append(replace(case, committed=outcome.value))
            continue
        if not keys:
            why = Ineligible(case.id, NO_OPTIONS, "the question has no options to compare")
        else:
            detail = "not asked" if outcome is None else outcome.reason or outcome.status
            why = Ineligible(case.id, NO_ANSWER, detail)
        left.append(_left(why, case.cluster or case.id, None, case.gold_position()))
    facts = _facts(name, "benchmark", "", cases, left, len(everything))
    return ProbeCases(tuple(cases), facts, parse_check(label).params)


def _left(why: Ineligible, video: str, committed: int | None, gold: int | None) -> dict[str, Any]:
    return {
        "qid": why.qid,
        "video": video,
        "reason": why.reason,
        "detail": why.detail,
        "committed": committed,
        "gold": gold,
    }


def _facts(
    name: str,
    source: str,
    videos: str,
    cases: Sequence[Case],
    left: list[dict[str, Any]],
    asked: int,
) -> dict[str, Any]:
    return {
        "name": name,
        "source": source,
        "videos": videos,
        "counts": {
            "questions": max(asked, len(cases) + len(left)),
            "trajectories": len(cases) + len(left),
            "eligible": len(cases),
            "keyed": sum(case.gold_position() is not None for case in cases),
        },
        "ineligible": left,
    }


def _read_eligibility(folder: Path) -> dict[str, Any]:
    try:
        known = json.loads((folder / ELIGIBILITY).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise StoreError(
            f"{folder / ELIGIBILITY} cannot be read: {error}. Import the logs again."
        ) from None
    return known if isinstance(known, dict) else {}
