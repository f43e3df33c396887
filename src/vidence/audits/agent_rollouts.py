"""Frozen runs on the same questions, question by question, and how several of them vote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike

import numpy as np

from vidence.audits.agent_import import load_trajectories
from vidence.audits.agent_questions import plain_words
from vidence.eligibility import looked_at
from vidence.errors import StoreError, UsageError
from vidence.stats import temporal_overlap
from vidence.trajectory import Trajectory
from vidence.view import Span

Answer = tuple[str, int]
"""An option's text, blanks joined and case folded, and how many before it have the same text."""
IF_BETTER = " if judged better"
"""After a rival's name: its answers, where a judge graded them higher."""
TAKEN = ("vanilla", "self_consistency", "soft_self_consistency")


@dataclass(frozen=True)
class Rollout:
    """Hold one run's answer to one question.

    Args:
        question: its words.
        answer: what was answered; None where no option was read.
        told: the answer's text as it was shown.
        key: the right answer; None where none is known.
        options: what could be answered.
        words: what the agent was told about its evidence, in order.
        looked: what was looked at, seconds.
        items: pieces of evidence.
        calls: tool calls.
    """

    question: str
    answer: Answer | None
    told: str
    key: Answer | None
    options: frozenset[Answer]
    words: str
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
    return Rival(name, rollouts_of(folder))


def rollouts_of(folder: str | PathLike[str]) -> dict[str, Rollout]:
    """Return what a frozen run answered: question -> rollout.

    Raises:
        StoreError: no run lies there, or one with a question twice.
    """
    found: dict[str, Rollout] = {}
    for trajectory in load_trajectories(folder):
        qid = trajectory.sample.qid
        if qid in found:
            raise StoreError(f"{folder} holds the question {qid!r} twice. Import its logs again.")
        found[qid] = _rollout(trajectory)
    return found


def majority(rollouts: Sequence[Rollout]) -> Answer | None:
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


def soft_majority(rollouts: Sequence[Rollout]) -> Answer | None:
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
    votes: dict[Answer, float] = {}
    for rollout in voting:
        peers = [r for r in voting if r.answer == rollout.answer and r is not rollout]
        share = (len(peers) + 1) / len(voting)
        amount = rollout.items / most if most else 0.0
        overlaps = [_iou(rollout.looked, peer.looked) for peer in peers]
        overlap = float(np.mean(overlaps)) if overlaps else 0.0
        if rollout.answer is not None:
            support = (share + amount + overlap) / 3
            votes[rollout.answer] = votes.get(rollout.answer, 0.0) + support
    return _winner(votes, rollouts[0].answer)


def _rollout(trajectory: Trajectory) -> Rollout:
    sample, messages = trajectory.sample, trajectory.messages
    place = trajectory.answer.position
    words = [messages[e.message].text[slice(*e.span)] for e in trajectory.evidence]
    return Rollout(
        question=sample.question,
        answer=_named(sample.options, place),
        told="" if place is None else sample.options[place],
        options=frozenset(
            answer for i in range(len(sample.options)) if (answer := _named(sample.options, i))
        ),
        key=_named(sample.options, sample.gold),
        words="\n\n".join(word for word in words if word),
        looked=tuple((float(a), float(b)) for a, b in looked_at(trajectory)),
        items=len(trajectory.evidence),
        calls=sum(event.type == "tool_call" for event in trajectory.events),
    )


def _named(options: Sequence[str], place: int | None) -> Answer | None:
    if place is None:
        return None
    plain = [plain_words(text) for text in options]
    return plain[place], plain[:place].count(plain[place])


def _winner(votes: Mapping[Answer, float], own: Answer | None) -> Answer | None:
    if not votes:
        return own
    best = max(votes.values())
    first = [answer for answer, weight in votes.items() if weight >= best - 1e-9]
    return own if own in first or len(first) > 1 else first[0]


def _iou(first: tuple[Span, ...], second: tuple[Span, ...]) -> float:
    if not first or not second:
        return 0.0
    return temporal_overlap(first, second).iou or 0.0
