"""A judge between two runs: keep the agent's answer unless the other's evidence carries more.

Where two runs answer a question differently, a member of a panel grades how far each run's evidence
supports its answer. It sees the question, one proposed answer and the words of one run's evidence;
never the key, never which run they come from.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path

from vidence.audits.agent_cases import is_agent_run
from vidence.audits.agent_rollouts import Rival, Rollout, rollouts_of
from vidence.check import make_check
from vidence.errors import RunMismatchError, StoreError, UsageError
from vidence.exports.files import file_name
from vidence.panel import Panel
from vidence.progress import RunSummary
from vidence.run import RunSettings, run
from vidence.store import Store
from vidence.store_file import FILE
from vidence.view import Case, Option, Text, View

GRADES = 6
"""Grades 0 to 5, as options A to F."""
MARGIN = 1
"""By how much the other run has to be graded higher."""
LETTERS = 4_000
"""Of a run's evidence that the judge is shown, its first."""
OWN, OTHER = "own", "other"


def judge(
    folder: str | PathLike[str],
    rival: Rival,
    panel: Panel,
    member: str,
    *,
    settings: RunSettings | None = None,
) -> RunSummary:
    """Have a member of a panel grade both runs wherever they answer differently.

    Source: CARVE's judge-grounding baseline: grades 0 to 5, the other answer from a margin of 1.
    The grades lie in the folder `judge-NAME` of the run, a run like any other.

    Args:
        folder: of the agent's run.
        rival: the other run.
        panel: whom the judge is a member of.
        member: who judges.
        settings: how it is carried out.

    Raises:
        StoreError: no agent's run lies there.
        UsageError: the runs never differ where both have words of their evidence.
        The errors of `vidence.run.run`.
    """
    if not is_agent_run(folder):
        raise StoreError(f"{folder} holds no agent's run. Import its logs: vidence agent import.")
    cases = _cases(rollouts_of(folder), rival)
    if not cases:
        raise UsageError(
            f"There is nothing to judge: no question of {folder} is answered otherwise by "
            f"{rival.name}, with words of the evidence of both. Give another run: --rival NAME=RUN."
        )
    check = make_check("intact")
    place = judge_folder(folder, rival)
    return run(cases, (check,), panel.cast((member,)), place, seed=0, settings=settings)


def judge_folder(folder: str | PathLike[str], rival: Rival) -> Path:
    """Return where the grades of a run and a rival lie."""
    return Path(folder) / f"judge-{file_name(rival.name)}"


def preferred(
    folder: str | PathLike[str], own: Mapping[str, Rollout], rival: Rival
) -> set[str] | None:
    """Return the questions whose rival is graded higher by `MARGIN`; None where nobody judged.

    A question of which one grade is missing keeps the agent's answer.

    Raises:
        RunMismatchError: what was judged is another run.
    """
    place = judge_folder(folder, rival)
    if not (place / FILE).is_file():
        return None
    with Store.open(place, read_only=True) as store:
        judged = {case.id: case.view.key() for case in store.cases()}
        grades = {o.case: o.value for o in store.outcomes() if o.status == "ok" and o.repeat == 0}
    known = {case.id: case.view.key() for case in _cases(own, rival)}
    if any(known.get(name) != key for name, key in judged.items()):
        raise RunMismatchError(
            f"{place} holds grades of another run than {rival.name}. Remove it and judge again, or "
            "give the rival another name."
        )
    found = set()
    for qid in rival.rollouts:
        first, second = (grades.get(_name(qid, side)) for side in (OWN, OTHER))
        if isinstance(first, int) and isinstance(second, int) and second - first >= MARGIN:
            found.add(qid)
    return found


def _cases(own: Mapping[str, Rollout], rival: Rival) -> list[Case]:
    cases = []
    for qid, mine in own.items():
        theirs = rival.rollouts.get(qid)
        if theirs is None or mine.answer is None or theirs.answer in (None, mine.answer):
            continue
        if mine.words and theirs.words:
            cases += [_case(qid, OWN, mine), _case(qid, OTHER, theirs)]
    return cases


def _case(qid: str, side: str, rollout: Rollout) -> Case:
    question = (
        f"Question: {rollout.question}\nProposed answer: {rollout.told}\n"
        "How far do the descriptions support that answer? 0 is not at all, 5 is fully."
    )
    options = tuple(Option(grade, str(grade)) for grade in range(GRADES))
    words = Text(rollout.words[:LETTERS])
    view = View(question=question, options=options, parts=(("captions", words),))
    return Case(id=_name(qid, side), view=view, gold=None, cluster=qid)


def _name(qid: str, side: str) -> str:
    return f"{qid} | {side}"
