"""A pilot: a small probe that says, step by step, whether a large one is worth its calls."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from vidence.audits.agent_cases import is_agent_run, probe_cases
from vidence.audits.agent_import import TRAJECTORIES
from vidence.audits.agent_pilot_steps import (
    CARE,
    GO,
    SKIPPED,
    STOP,
    budget_step,
    effect_step,
    left_out,
    noise_step,
    resolution_step,
    routing_step,
)
from vidence.audits.agent_probe import Probing, ask_fallback, probe
from vidence.audits.agent_routing import routing_block
from vidence.audits.agent_run import ProbedRun, probed_runs
from vidence.audits.agent_scores import Row, Scores
from vidence.check import make_check
from vidence.errors import StoreError, UnknownNameError, UsageError
from vidence.panel import Panel
from vidence.run import RunSettings
from vidence.seeds import Name, rng_of
from vidence.store_file import FILE as STORE
from vidence.view import Case
from vidence.whole import write_whole

FORMAT, KIND = "vidence.agent-pilot/1", "agent-pilot"
FOLDER, FILE, PLAN = "pilot", "pilot.json", "plan.json"


@dataclass(frozen=True, kw_only=True)
class Pilot:
    """How a pilot is carried out.

    Args:
        questions: at least so many, in whole videos drawn at random; all where there are fewer.
        k: draws a condition of every run: the budget that is planned.
        runs: independent runs, each with a seed of its own.
        deep: draws to which the first run is extended; 0, or not more than k, leaves it out.
        seed: names the draw of videos and the runs.
        fallback: a member of the panel whose own answers routing may fall back on.
        answerer, renderer, edit, videos: as in `Probing`.
    """

    questions: int = 60
    k: int = 3
    runs: int = 2
    deep: int = 10
    seed: Name = 0
    fallback: str | None = None
    answerer: str | None = None
    renderer: str | None = None
    edit: str | None = None
    videos: str | PathLike[str] | None = None

    def __post_init__(self) -> None:
        for name, least in (("questions", 1), ("k", 1), ("runs", 1), ("deep", 0)):
            if getattr(self, name) < least:
                raise UsageError(f"{name} = {getattr(self, name)}; {least} or more is allowed.")


def run_pilot(
    folder: str | PathLike[str],
    panel: Panel,
    plan: Pilot | None = None,
    *,
    out: str | PathLike[str] | None = None,
    settings: RunSettings | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> Row:
    """Walk the five steps on some videos of an agent's run, and say whether to go on.

    The run itself is not probed: each pilot run has a folder of its own. A step that says stop ends
    the spending. A pilot that lies there is gone on with.

    Args:
        folder: of `vidence agent import`.
        panel: who answers, and who puts frames into words.
        plan: how large the pilot is.
        out: folder of the pilot; `pilot` in the run's by default.
        settings: how its runs are carried out.
        say: told each stage in words.

    Returns:
        What `pilot.json` holds: `steps` (`step`, `verdict`: go, care, stop or skipped, `reason`,
        `figures`), `decision` (`verdict`, and one for each use: `aggregate`, `questions`,
        `routing`), `chosen`, `cost`, `runs`.

    Raises:
        StoreError: no agent's run lies there, or the pilot there is another one.
        The errors of `vidence.audits.agent_probe.probe`.
    """
    plan = plan or Pilot()
    place = Path(folder)
    if not is_agent_run(place):
        raise StoreError(
            f"{folder} holds no {TRAJECTORIES}. A pilot needs an agent's frozen runs: import its "
            "logs first (vidence agent import)."
        )
    target = place / FOLDER if out is None else Path(out)
    found = probe_cases(place, videos=plan.videos)
    chosen = _some_videos(found.cases, plan)
    if plan.videos is None and found.facts["videos"]:
        plan = replace(plan, videos=found.facts["videos"])
    _refuse_early(panel, plan)
    _same_pilot(target, chosen, plan)
    walk = _Walk(place, target, panel, plan, tuple(case.id for case in chosen), settings, say)
    steps = walk.steps()
    data = {
        "format": FORMAT,
        "kind": KIND,
        "agent": found.facts["name"],
        "folder": str(place),
        "plan": _plan(plan),
        "chosen": {
            "questions": len(chosen),
            "of": len(found.cases),
            "videos": len({case.cluster for case in chosen}),
            "of_videos": len({case.cluster for case in found.cases}),
        },
        "steps": steps,
        "decision": _decision(steps),
        "cost": walk.cost(len(found.cases)),
        "runs": [str(run) for run in walk.folders],
    }
    write_whole(target / FILE, json.dumps(data, indent=1, allow_nan=False) + "\n")
    return data


class _Walk:
    """The steps in order, each asking for what it needs."""

    def __init__(
        self,
        source: Path,
        target: Path,
        panel: Panel,
        plan: Pilot,
        questions: tuple[str, ...],
        settings: RunSettings | None,
        say: Callable[[str], None],
    ) -> None:
        self._source, self._panel, self._plan = source, panel, plan
        self._questions, self._settings, self._say = questions, settings, say
        self.folders = [target / f"run-{i + 1}" for i in range(plan.runs)]

    def steps(self) -> list[Row]:
        self._say(f"pilot     {len(self._questions)} questions, k = {self._plan.k}, run 1")
        self._probe(0)
        steps = [noise_step(self._run(0))]
        if steps[-1]["verdict"] == STOP:
            return [*steps, *(left_out(n, "stopped") for n in (2, 3, 4, 5))]
        for number in range(1, self._plan.runs):
            self._say(f"pilot     run {number + 1}")
            self._probe(number)
        runs = [self._run(i) for i in range(self._plan.runs)]
        steps.append(effect_step(runs))
        if steps[-1]["verdict"] == STOP:
            return [*steps, *(left_out(n, "stopped") for n in (3, 4, 5))]
        return [*steps, resolution_step(runs), self._budget(), self._routing()]

    def cost(self, eligible: int) -> Row:
        """Return what one question took in the first run, and what all would take at k draws."""
        run = probed_runs(self.folders[0])[0]
        used = {name: sum(row[name] for row in run.costs) for name in ("calls", "renderings")}
        seconds = float(sum(row["seconds"] for row in run.costs))
        share = self._plan.k / run.k / max(1, len(self._questions))
        per = {name: value * share for name, value in {**used, "seconds": seconds}.items()}
        return {
            "per_question": per,
            "all": {name: value * eligible for name, value in per.items()},
            "questions": eligible,
        }

    def _budget(self) -> Row:
        if self._plan.deep <= self._plan.k:
            return left_out(4, "not_asked")
        self._say(f"pilot     run 1 to k = {self._plan.deep}")
        self._probe(0, self._plan.deep)
        return budget_step(probed_runs(self.folders[0])[0], self._plan.k)

    def _routing(self) -> Row:
        if self._plan.fallback is None:
            return left_out(5, "no_fallback")
        self._say(f"pilot     {self._plan.fallback} answers itself")
        ask_fallback(self.folders[0], self._plan.fallback, self._panel, settings=self._settings)
        return routing_step(routing_block(Scores(self._run(0))), self._plan.k)

    def _probe(self, number: int, k: int | None = None) -> None:
        folder, plan = self.folders[number], self._plan
        if not is_agent_run(folder):
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / TRAJECTORIES, (self._source / TRAJECTORIES).read_text("utf-8"))
        held = _held_draws(folder)
        how = Probing(
            k=max(held, k or plan.k),
            edit=plan.edit,
            seed=f"pilot {plan.seed} run {number + 1}",
            videos=plan.videos,
            answerer=plan.answerer,
            renderer=plan.renderer,
            questions=self._questions,
        )
        self._say(str(probe(folder, self._panel, how, settings=self._settings)))

    def _run(self, number: int) -> ProbedRun:
        return probed_runs(self.folders[number], k=self._plan.k)[0]


def _some_videos(cases: Sequence[Case], plan: Pilot) -> list[Case]:
    """Return the questions of whole videos, drawn until there are enough, in the run's order."""
    videos = sorted({str(case.cluster or case.id) for case in cases})
    order = rng_of("agent pilot", plan.seed).permutation(len(videos))
    taken: set[str] = set()
    count = 0
    for at in order:
        if count >= plan.questions:
            break
        taken.add(videos[at])
        count += sum(str(case.cluster or case.id) == videos[at] for case in cases)
    return [case for case in cases if str(case.cluster or case.id) in taken]


def _refuse_early(panel: Panel, plan: Pilot) -> None:
    """Refuse before anything is written or asked what would be refused after much was paid for."""
    for name in (plan.fallback, plan.answerer, plan.renderer):
        if name is not None and name not in panel.answerers:
            raise UnknownNameError("member of the panel", name, sorted(panel.answerers))
    if plan.edit is not None:
        make_check("destroy", {"edit": plan.edit})


def _same_pilot(target: Path, chosen: Sequence[Case], plan: Pilot) -> None:
    """Refuse a folder that holds something else, or a pilot of other questions or people."""
    if (target / STORE).exists() or (target / TRAJECTORIES).exists():
        raise StoreError(
            f"{target} holds a run of its own; a pilot needs a folder for itself: --out DIR."
        )
    same = ("k", "seed", "answerer", "renderer", "edit")
    recipe = {"questions": [case.id for case in chosen], **{n: getattr(plan, n) for n in same}}
    path = target / PLAN
    if path.is_file():
        try:
            held = json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise StoreError(
                f"{path} is damaged ({error}). Remove the pilot's folder, or give another: "
                "--out DIR."
            ) from error
        if held != recipe:
            raise StoreError(
                f"{target} holds a pilot of other questions, another k, another seed, or other "
                "people. Give its own --questions, --k, --seed, --answerer, --renderer and --edit, "
                "or another folder: --out DIR."
            )
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"{target} cannot be made: {error.strerror or error}. Give another folder: --out DIR."
        ) from error
    write_whole(path, json.dumps(recipe) + "\n")


def _held_draws(folder: Path) -> int:
    try:
        return probed_runs(folder)[0].k
    except StoreError:
        return 0


def _plan(plan: Pilot) -> dict[str, Any]:
    names = ("questions", "k", "runs", "deep", "seed", "fallback", "answerer", "renderer", "edit")
    return {name: getattr(plan, name) for name in names}


def _decision(steps: Sequence[Row]) -> Row:
    """Return whether to go on, and for what: the mean, single questions, a routing rule."""
    verdicts = {step["step"]: step["verdict"] for step in steps}
    uses = {
        "aggregate": STOP if STOP in (verdicts[1], verdicts[2]) else verdicts[2],
        "questions": verdicts[3],
        "routing": verdicts[5],
    }
    if STOP in verdicts.values():
        overall = STOP
    else:
        asked = [verdict for verdict in verdicts.values() if verdict != SKIPPED]
        overall = CARE if CARE in asked else GO
    return {"verdict": overall, **uses}
