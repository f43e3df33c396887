"""Other ways to answer the same questions, beside the agent's own answers: a block of a report.

A rival is another frozen run on the same questions: the agent told to look more, another agent,
or the same agent once again. Several runs together also vote.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike

import numpy as np

from vidence.audits.agent_cases import is_agent_run
from vidence.audits.agent_import import load_trajectories
from vidence.audits.agent_paper_routing import Method, effects, outcomes_of
from vidence.audits.agent_routing import Universe
from vidence.audits.agent_run import ProbedRun
from vidence.audits.agent_scores import Row, Scores
from vidence.eligibility import looked_at
from vidence.errors import UsageError
from vidence.stats import route, temporal_overlap
from vidence.stats.routing import NO_ANSWER
from vidence.trajectory import Trajectory
from vidence.view import Span

TAKEN = ("vanilla", "self_consistency", "soft_self_consistency")


@dataclass(frozen=True)
class Rollout:
    """Hold one run's answer to one question.

    Args:
        answer: the option's text; None where none was read.
        looked: what was looked at, seconds.
        items: pieces of evidence.
        calls: tool calls.
    """

    answer: str | None
    looked: tuple[Span, ...]
    items: int
    calls: int


@dataclass(frozen=True)
class Rival:
    """Hold another run.

    Args:
        name: in tables.
        rollouts: question -> its answer.
    """

    name: str
    rollouts: Mapping[str, Rollout]


def load_rival(name: str, folder: str | PathLike[str]) -> Rival:
    """Return the run in a folder that `vidence agent import` made.

    Raises:
        UsageError: a name that a row of the table has already.
        StoreError: no run lies there.
    """
    if not name or name in TAKEN:
        raise UsageError(
            f"A rival is called {name!r}; {', '.join(TAKEN)} name other rows. Give it a name of "
            "its own: --rival NAME=RUN."
        )
    return Rival(name, {t.sample.qid: _rollout(t) for t in load_trajectories(folder)})


def rivals_block(run: ProbedRun, rivals: Sequence[Rival]) -> Row:
    """Return the final accuracy of every rival, paired with the agent's own answers.

    The universe is that of routing: all questions with a key. A rival that answers none of them
    read keeps the agent's answer there, as a fallback without an answer does. With two rivals or
    more their votes are rows of their own, see `majority` and `soft_majority`.

    Args:
        run: the probe.
        rivals: other runs.

    Returns:
        `universe`, `rows`: `method`, `answered` (questions it gave an answer to), `accuracy`,
        `gain`, `repairs`, `harms`, `p`, `calls` (mean tool calls, None for a vote).

    Raises:
        UsageError: no question has a key, or a rival shares none with the run.
    """
    records = run.records
    if not records.keyed.any():
        raise UsageError("No question has a key, so no answer can be called right.")
    universe = Universe(Scores(run), np.full(len(records), NO_ANSWER))
    own = _own(run)
    keys = {qid: own[qid].key for qid in universe.ids if qid in own}
    rows: list[Row] = []
    for rival in rivals:
        mine = {q: r for q, r in rival.rollouts.items() if q in keys and r.answer is not None}
        if not mine:
            raise UsageError(
                f"{rival.name} answers none of the {len(keys)} keyed questions of {run.name}; a "
                "rival is another run on the same questions."
            )
        calls = [rollout.calls for qid, rollout in rival.rollouts.items() if qid in keys]
        right = {qid: rollout.answer == keys[qid] for qid, rollout in mine.items()}
        rows.append(_row(universe, rival.name, right, float(np.mean(calls))))
    if len(rivals) > 1:
        votes = {"self_consistency": majority, "soft_self_consistency": soft_majority}
        for name, vote in votes.items():
            winners = {
                qid: vote([own[qid].rollout, *_of(rivals, qid)]) for qid in keys if _of(rivals, qid)
            }
            right = {qid: winner == keys[qid] for qid, winner in winners.items()}
            rows.append(_row(universe, name, right, None))
    return {"universe": len(universe.ids), "rows": rows}


def majority(rollouts: Sequence[Rollout]) -> str | None:
    """Return the most frequent answer; where several are, the first run's own.

    Source: Wang et al. (2023), self-consistency, over whole runs.

    Args:
        rollouts: the agent's own first; those without an answer do not vote.
    """
    votes = {r.answer: 0.0 for r in rollouts if r.answer is not None}
    for rollout in rollouts:
        if rollout.answer is not None:
            votes[rollout.answer] += 1
    return _winner(votes, rollouts[0].answer)


def soft_majority(rollouts: Sequence[Rollout]) -> str | None:
    """Return the answer whose runs have most support; where several have, the first run's own.

    Formula: support of a run = (its answer's share of votes + its pieces of evidence over the most
    that any run has + the mean overlap (IoU) of its looks with those of the runs that agree) / 3;
    an answer has the sum over its runs. The baseline is CARVE's; this weighting is ours, since the
    paper's is not stated in full. A run without evidence has no second part, one without a peer
    that agrees no third.

    Args:
        rollouts: the agent's own first; those without an answer do not vote.
    """
    voting = [r for r in rollouts if r.answer is not None]
    most = max((r.items for r in voting), default=0)
    votes: dict[str, float] = {}
    for rollout in voting:
        peers = [r for r in voting if r.answer == rollout.answer and r is not rollout]
        share = (len(peers) + 1) / len(voting)
        amount = rollout.items / most if most else 0.0
        overlaps = [_iou(rollout.looked, peer.looked) for peer in peers]
        overlap = float(np.mean(overlaps)) if overlaps else 0.0
        answer = str(rollout.answer)
        votes[answer] = votes.get(answer, 0.0) + (share + amount + overlap) / 3
    return _winner(votes, rollouts[0].answer)


@dataclass(frozen=True)
class _Own:
    key: str
    rollout: Rollout


def _own(run: ProbedRun) -> dict[str, _Own]:
    """Return the key and the answer of each keyed question of a probe, as texts."""
    if not is_agent_run(run.folder):
        raise UsageError(
            f"{run.name} is a member of a panel; rivals stand beside an agent's frozen runs."
        )
    found = {}
    for trajectory in load_trajectories(run.folder):
        sample = trajectory.sample
        if sample.gold is not None:
            found[sample.qid] = _Own(sample.options[sample.gold], _rollout(trajectory))
    return found


def _rollout(trajectory: Trajectory) -> Rollout:
    place, options = trajectory.answer.position, trajectory.sample.options
    return Rollout(
        answer=None if place is None else options[place],
        looked=tuple((float(a), float(b)) for a, b in looked_at(trajectory)),
        items=len(trajectory.evidence),
        calls=sum(event.type == "tool_call" for event in trajectory.events),
    )


def _of(rivals: Sequence[Rival], qid: str) -> list[Rollout]:
    return [rival.rollouts[qid] for rival in rivals if qid in rival.rollouts]


def _winner(votes: Mapping[str, float], own: str | None) -> str | None:
    if not votes:
        return own
    best = max(votes.values())
    first = [answer for answer, weight in votes.items() if weight >= best - 1e-9]
    return own if own in first or len(first) > 1 else first[0]


def _iou(first: tuple[Span, ...], second: tuple[Span, ...]) -> float:
    if not first or not second:
        return 0.0
    return temporal_overlap(first, second).iou or 0.0


def _row(universe: Universe, name: str, right: Mapping[str, bool], calls: float | None) -> Row:
    outcomes = outcomes_of(universe, name, Method(right=right))
    routed = route(outcomes, outcomes.fallback != NO_ANSWER)
    return {"method": name, "answered": len(right), **effects(routed), "calls": calls}
