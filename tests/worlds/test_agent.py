"""The agent of the shapes world: what it looks at, what it answers from, and what is planted."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.worlds.conftest import Lone
from vidence.answer import Request
from vidence.eligibility import case_of, dialogue
from vidence.errors import UsageError
from vidence.media.pixels import FrameCache
from vidence.replay import as_logged
from vidence.seeds import seed_of
from vidence.trajectory import Trajectory
from vidence.view import Case, Option, View
from vidence.worlds.agent import CLOSE, OPEN, WorldAgent, possible
from vidence.worlds.agent_log import Investigator, Task
from vidence.worlds.captioner import WorldCaptioner

EYES = WorldCaptioner(name="eyes", things=8, error=0.0, miss=0.0, precise=True)
DRAWS = 4_000


@pytest.fixture(scope="module")
def orders(lone: list[Lone]) -> list[Lone]:
    return [one for one in lone if one.truth.kind == "order"]


def investigate(one: Lone, agent: WorldAgent, seed: int = 0) -> Trajectory:
    task = Task(one.row["id"], one.row["question"], tuple(one.options), one.row["video"])
    return Investigator(agent, EYES, seed).run(task, one.folder, FrameCache())


def shown(trajectory: Trajectory, folder: Path, *, blank: bool = False) -> View:
    """Return what the answerer of a replay is shown; blank leaves the descriptions out."""
    sample = trajectory.sample
    parts = tuple(("dialogue", part) for part in dialogue(trajectory, folder))
    options = tuple(Option(i, text) for i, text in enumerate(sample.options))
    view = as_logged(View(question=sample.question, options=options, parts=parts))
    return View(question=sample.question, options=options) if blank else view


def choices(agent: WorldAgent, view: View, what: str) -> np.ndarray:
    """Return how often each option is chosen in `DRAWS` draws, as shares."""
    prompt = agent.prepare(view)
    requests = [Request(prompt, seed_of("tests", "agent", what, i)) for i in range(DRAWS)]
    letters = [reply.text[-1] for reply in agent.ask(requests, FrameCache())]
    return np.array([letters.count(letter) for letter in "ABCDEF"[: len(view.options)]]) / DRAWS


def test_its_looks_leave_the_one_right_option(orders: list[Lone]) -> None:
    agent = WorldAgent(name="agent", slip=0.0)
    for one in orders:
        trajectory = investigate(one, agent)
        text = "\n".join(message.text for message in trajectory.messages)
        assert [one.options[i] for i in possible(text, one.row["question"], one.options)] == [
            one.key
        ]
        assert one.options[trajectory.answer.position] == one.key


def test_its_log_can_be_replayed_and_holds_no_key(orders: list[Lone]) -> None:
    one = orders[0]
    trajectory = investigate(one, WorldAgent(name="agent"))
    assert trajectory.sample.gold is None
    assert not trajectory.sample.gold_spans
    assert isinstance(case_of(trajectory, one.folder), Case)
    assert [event.type for event in trajectory.events].count("tool_call") >= 2
    for item in trajectory.evidence:
        text = trajectory.messages[item.message].text
        assert text.startswith(OPEN)
        assert text.endswith(CLOSE)
        start, end = item.span
        assert text[start:end] == text[len(OPEN) : -len(CLOSE)]
        assert 0 <= item.start < item.end


def test_the_same_seed_gives_the_same_log_and_another_seed_another_run(orders: list[Lone]) -> None:
    agent = WorldAgent(name="agent", slip=1.0)
    first = [investigate(one, agent) for one in orders[:6]]
    assert [investigate(one, agent) for one in orders[:6]] == first
    other = [investigate(one, agent, seed=1) for one in orders[:6]]
    assert [t.answer.position for t in other] != [t.answer.position for t in first]


def test_the_planted_delta_is_what_many_replays_give(orders: list[Lone]) -> None:
    """Shares of 4,000 draws; each Delta's Monte Carlo error is below 0.012, four of them allowed.

    A replay without any description stands for destroyed evidence, from which nothing is left.
    """
    grounded = WorldAgent(name="grounded")
    prior = WorldAgent(name="prior", reliance=0.0)
    for number, one in enumerate(orders[:4]):
        trajectory = investigate(one, grounded)
        views = {name: shown(trajectory, one.folder, blank=name == "none")
                 for name in ("sham", "none")}  # fmt: skip
        for agent in (grounded, prior):
            p, u = (
                choices(agent, view, f"{number} {name} {agent.name}")
                for name, view in views.items()
            )
            delta = float((p * p).sum() - (p * u).sum())
            planted = agent.expected_delta(one.row["question"], len(one.options))
            assert delta == pytest.approx(planted, abs=0.05), one.row["question"]
            assert (planted == 0) == (agent is prior)


def test_reliance_is_a_share_of_questions_and_their_words_decide() -> None:
    """1,000 questions at 0.5: four standard errors are 6.4 points."""
    agent = WorldAgent(name="mixed", reliance=0.5)
    questions = [f"What is number {i}?" for i in range(1000)]
    sorts = [agent.relies_on_evidence(question) for question in questions]
    assert abs(sum(sorts) / 1000 - 0.5) < 4 * math.sqrt(0.25 / 1000)
    assert sorts == [agent.relies_on_evidence(question) for question in questions]
    assert agent.expected_delta("What?", 0) == 0


def test_words_that_it_does_not_understand_leave_nothing() -> None:
    assert possible("no descriptions", "In which order do they come?", ["a", "b"]) == []
    assert possible(f"{OPEN}gibberish.{CLOSE}", "Why?", ["a", "b"]) == []


def test_a_chance_outside_its_range_is_refused() -> None:
    with pytest.raises(UsageError, match="reliance"):
        WorldAgent(name="agent", reliance=1.2)
