"""Other ways to answer the same questions, beside the agent's own answers: a block of a report.

A rival is another frozen run on the same questions: the agent told to look more, another agent,
or the same agent once again. Several runs together also vote.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from vidence.audits.agent_judge import preferred
from vidence.audits.agent_paper_routing import Method, effects, outcomes_of
from vidence.audits.agent_rollouts import (
    IF_BETTER,
    Rival,
    Rollout,
    majority,
    rollouts_of,
    soft_majority,
)
from vidence.audits.agent_routing import Universe
from vidence.audits.agent_run import ProbedRun
from vidence.audits.agent_scores import Row, Scores
from vidence.errors import UsageError
from vidence.stats import route
from vidence.stats.routing import NO_ANSWER

NO_ANSWERS = (
    "{name} answers none of the {n} keyed questions of {agent} with one of their options; a rival "
    "is another run on the same questions."
)


def rivals_block(run: ProbedRun, rivals: Sequence[Rival]) -> Row:
    """Return the final accuracy of every rival, paired with the agent's own answers.

    The universe is that of routing: all questions with a key. A question that a rival did not
    answer keeps the agent's answer there, as a fallback without an answer does. Where a judge
    graded a rival (`vidence.audits.agent_judge`), taking its answers only if judged better is a row
    of its own; with two rivals or more, so are their votes (`majority`, `soft_majority`).

    Args:
        run: the probe.
        rivals: other runs.

    Returns:
        `universe`, `rows`: `method`, `answered` (questions it gave an answer to), `accuracy`,
        `gain`, `repairs`, `harms`, `p`, `calls` (mean tool calls, None for a vote); `left_out`:
        `method` and `why`, of rivals that answer none of these questions.

    Raises:
        UsageError: no question has a key.
    """
    records = run.records
    if not records.keyed.any():
        raise UsageError("No question has a key, so no answer can be called right.")
    universe = Universe(Scores(run), np.full(len(records), NO_ANSWER))
    own = _own(run)
    keys = {qid: own[qid].key for qid in universe.ids if qid in own}
    rows: list[Row] = []
    left_out: list[Row] = []
    voting = []
    for rival in rivals:
        mine = {
            qid: rollout
            for qid, rollout in rival.rollouts.items()
            if qid in keys and rollout.answer in own[qid].options
        }
        if not mine:
            why = NO_ANSWERS.format(name=rival.name, n=len(keys), agent=run.name)
            left_out.append({"method": rival.name, "why": why})
            continue
        voting.append(rival)
        right = {qid: rollout.answer == keys[qid] for qid, rollout in mine.items()}
        calls = float(np.mean([rollout.calls for rollout in mine.values()]))
        rows.append(_row(universe, rival.name, right, calls))
        taken = preferred(run.folder, own, rival)
        if taken is not None:
            better = {qid: right[qid] for qid in right if qid in taken}
            rows.append(_row(universe, f"{rival.name}{IF_BETTER}", better, None))
    if len(voting) > 1:
        votes = {"self_consistency": majority, "soft_self_consistency": soft_majority}
        for name, vote in votes.items():
            winners = {qid: vote([own[qid], *_of(voting, qid)]) for qid in keys if _of(voting, qid)}
            right = {qid: winner == keys[qid] for qid, winner in winners.items()}
            rows.append(_row(universe, name, right, None))
    return {"universe": len(universe.ids), "rows": rows, "left_out": left_out}


def _own(run: ProbedRun) -> dict[str, Rollout]:
    if run.facts["source"] != "trajectories":
        raise UsageError(
            f"{run.name} is a member of a panel; rivals stand beside an agent's frozen runs."
        )
    return rollouts_of(run.folder)


def _of(rivals: Sequence[Rival], qid: str) -> list[Rollout]:
    return [rival.rollouts[qid] for rival in rivals if qid in rival.rollouts]


def _row(universe: Universe, name: str, right: Mapping[str, bool], calls: float | None) -> Row:
    outcomes = outcomes_of(universe, name, Method(right=right))
    routed = route(outcomes, outcomes.fallback != NO_ANSWER)
    return {"method": name, "answered": len(right), **effects(routed), "calls": calls}
