"""Other runs on the same questions, votes over runs, early stopping, and a rule that transfers."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.agents.made_logs import lines
from tests.audits.made_probe import agent_run, people, question
from tests.audits.made_replays import Row, probed
from tests.cli.test_cli import vidence
from vidence.answer import Request
from vidence.audits.agent import AgentAudit
from vidence.audits.agent_import import Logs, import_logs
from vidence.audits.agent_judge import judge, judge_folder, preferred
from vidence.audits.agent_paper_routing import transfer_block
from vidence.audits.agent_probe import Probing, probe
from vidence.audits.agent_rollouts import (
    Rollout,
    load_rival,
    majority,
    rollouts_of,
    soft_majority,
)
from vidence.audits.agent_routing import selective_block
from vidence.audits.agent_scores import Scores
from vidence.audits.agent_stopping import stopping_block
from vidence.errors import RunMismatchError, UsageError
from vidence.panel import Panel
from vidence.store import Store


def rollout(answer: str | None, items: int = 1, look: float | None = None) -> Rollout:
    looked = () if look is None else ((look, look + 4),)
    named = None if answer is None else (answer, 0)
    return Rollout(
        question="Which?",
        answer=named,
        told=answer or "",
        key=None,
        options=frozenset({("a", 0), ("b", 0), ("c", 0)}),
        words="words",
        looked=looked,
        items=items,
        calls=items,
    )


def text(answer: tuple[str, int] | None) -> str | None:
    return answer and answer[0]


def test_the_majority_wins_and_a_tie_keeps_the_first_runs_answer() -> None:
    a, b, c, none = (rollout(x) for x in ("a", "b", "c", None))
    assert text(majority([a, b, b])) == "b"
    assert text(majority([a, b, c])) == "a"
    assert text(majority([b, a, none])) == "b"
    assert text(majority([none, a])) == "a"
    assert majority([none, a, b]) is None
    assert majority([none, none]) is None
    assert text(majority([c, a, a, b, b])) == "c"


def test_soft_votes_count_evidence_and_overlap() -> None:
    """a: votes 1/3, evidence 1 of 4, no peer. b twice: 2/3, 4 of 4 and 2 of 4, overlap 2 of 6."""
    first = [rollout("a", 1, 50), rollout("b", 4, 0), rollout("b", 2, 2)]
    assert text(soft_majority(first)) == "b"
    # One run with much evidence outweighs two with none that looked elsewhere:
    # 1/3 + 1 against 2 (2/3 + 0) is 4/3 against 4/3, a tie, which keeps the first run's answer.
    tied = [rollout("a", 5, 0), rollout("b", 0), rollout("b", 0)]
    assert text(soft_majority(tied)) == "a"
    assert text(soft_majority([rollout("b", 0), rollout("a", 5, 0), rollout("b", 0)])) == "b"
    assert soft_majority([rollout(None), rollout(None)]) is None


def rival_run(folder: Path, name: str, answers: dict[int, int | None]) -> Path:
    """Import another run on the questions of `agent_run`: question -> position answered."""
    rows = [
        {**question(i), "answer": {"raw": "?", "position": at, "message": 3}}
        for i, at in answers.items()
    ]
    log = lines(folder / f"{name}.jsonl", *rows)
    import_logs(Logs((log,), "vidence", videos=folder / "videos"), folder / name)
    return folder / name


def test_rivals_stand_on_one_universe_and_are_paired(tmp_path: Path) -> None:
    """Six questions with keys 0, 1, 2, 0, 1, 2, all answered 1: two are right."""
    run = agent_run(tmp_path)
    probe(run, people(), Probing(k=1, questions=("q0", "q1", "q2", "q3")))
    more = rival_run(tmp_path, "more", {0: 0, 1: 1, 2: 1, 3: 0, 5: None})
    worse = rival_run(tmp_path, "worse", {1: 0, 4: 2})
    audit = AgentAudit([run], rivals={"look more": more, "worse": worse})
    block = audit.data()["agents"]["made"]["rivals"]
    rows = {row["method"]: row for row in block["rows"]}
    # The probe covers four of the six; questions that were not probed are not in its universe.
    assert block["universe"] == 4
    facts = {
        name: (row["answered"], row["repairs"], row["harms"], row["accuracy"]["value"])
        for name, row in rows.items()
    }
    assert facts["look more"] == (4, 2, 0, 3 / 4)
    assert facts["worse"] == (1, 0, 1, 0)
    # q0: 1, 0 and q3: 1, 0 are ties; q1: 1, 1, 0; nothing changes.
    assert facts["self_consistency"][1:] == (0, 0, 1 / 4)
    assert rows["look more"]["gain"]["value"] == 2 / 4
    assert rows["self_consistency"]["calls"] is None
    assert rows["look more"]["calls"] == 0


def test_a_judge_sees_evidence_and_answer_and_nothing_else(tmp_path: Path) -> None:
    """The agent says dog. Cat is graded higher and bird lower; keys are cat, dog, bird in turn."""
    run = agent_run(tmp_path)
    probe(run, people(), Probing(k=1))
    folder = rival_run(tmp_path, "more", {0: 0, 1: 1, 2: 0, 3: 0, 4: 2, 5: 2})
    more = load_rival("more", folder)
    asked: list[str] = []

    def graded(cat: str) -> Panel:
        def grade(request: Request) -> str:
            seen = request.prompt.text()
            asked.append(seen)
            answer = seen.split("Proposed answer: ")[1].splitlines()[0]
            return {"dog": "D", "cat": cat, "bird": "A"}[answer]

        return people(judge=grade)

    judge(run, more, graded("E"), "judge")
    with Store.open(judge_folder(run, more), read_only=True) as store:
        names = {case.id for case in store.cases()}
    assert names == {f"q{i} | {side}" for i in (0, 2, 3, 4, 5) for side in ("own", "other")}
    for seen in asked:
        assert "A red cat sits there." in seen
        assert "more" not in seen
        assert "key" not in seen
    assert preferred(run, rollouts_of(run), more) == {"q0", "q2", "q3"}
    block = AgentAudit([run], rivals={"more": folder}).data()["agents"]["made"]["rivals"]
    rows = {row["method"]: row for row in block["rows"]}
    row = rows["more if judged better"]
    assert (row["answered"], row["repairs"], row["harms"]) == (3, 2, 0)
    assert (rows["more"]["repairs"], rows["more"]["harms"]) == (3, 1)
    # A grade that cannot be read keeps the agent's answer.
    silent = load_rival("silent", folder)
    judge(run, silent, graded("I cannot say."), "judge")
    assert preferred(run, rollouts_of(run), silent) == set()
    other = load_rival("more", rival_run(tmp_path, "again", {0: 2}))
    with pytest.raises(RunMismatchError, match="another run"):
        preferred(run, rollouts_of(run), other)
    with pytest.raises(UsageError, match="nothing to judge"):
        judge(run, load_rival("same", rival_run(tmp_path, "same", {0: 1})), graded("E"), "judge")


def test_a_rivals_options_may_be_written_and_ordered_otherwise(tmp_path: Path) -> None:
    """Case, blanks and order are no other answer; an option that is none of ours is no answer."""
    run = agent_run(tmp_path, 3)
    probe(run, people(), Probing(k=1))
    rows = [
        {
            **question(0, options=["Bird ", "DOG", " cat"], gold=2),
            "answer": {"raw": "?", "position": 2, "message": 3},
        },
        {
            **question(1, options=["horse", "dog", "bird"], gold=1),
            "answer": {"raw": "?", "position": 0, "message": 3},
        },
    ]
    log = lines(tmp_path / "other.jsonl", *rows)
    import_logs(Logs((log,), "vidence", videos=tmp_path / "videos"), tmp_path / "other")
    block = AgentAudit([run], rivals={"other": tmp_path / "other"}).data()["agents"]["made"]
    (row,) = block["rivals"]["rows"]
    assert (row["answered"], row["repairs"], row["harms"]) == (1, 1, 0)


def test_a_rival_that_is_none_is_refused_or_said(tmp_path: Path) -> None:
    run = agent_run(tmp_path, 2)
    probe(run, people(), Probing(k=1))
    with pytest.raises(UsageError, match="vanilla"):
        load_rival("vanilla", run)
    other = rival_run(tmp_path, "other", {7: 1})
    block = AgentAudit([run], rivals={"other": other}).data()["agents"]["made"]["rivals"]
    assert block["rows"] == []
    assert "none of the 2 keyed questions" in block["left_out"][0]["why"]
    twice = vidence("agent", "report", run, "--rival", f"a={run}", "--rival", f"a={run}")
    assert (twice.returncode, "came twice" in twice.stderr) == (2, True)
    done = vidence("agent", "report", run, "--rival", "nothing")
    assert done.returncode == 2
    assert "NAME=RUN" in done.stderr
    told = vidence("agent", "report", run, "--rival", f"look-more={run}", "--json")
    assert json.loads(told.stdout)["agents"]["made"]["rivals"]["rows"][0]["gain"]["value"] == 0
    assert "look-more" in (run / "report.html").read_text()


def test_stopping_early_spends_what_the_draws_in_their_order_allow() -> None:
    """Proof at 5 % takes more pairs, all +1, than three; with ten it takes the fewest there are."""
    short = stopping_block(Scores(probed([Row("BBB", "AAA", video=f"v{i}") for i in range(6)])))
    by = {row["rule"]: row for row in short}
    assert by["e_value"]["called"]["value"] == 0
    assert by["e_value"]["pairs"]["value"] == 3
    rows = [Row("B" * 10, "A" * 10, "B" * 10, video=f"v{i}") for i in range(4)]
    rows += [Row("B" * 10, "B" * 10, "B" * 10, video=f"w{i}") for i in range(4)]
    (proved,) = (r for r in stopping_block(Scores(probed(rows))) if r["rule"] == "e_value")
    # Wealth of the mixture after n pairs +1: 2^(n + 1) / (n + 1) (1 - 2^-(n + 1)); 20 from n = 7.
    wealth = [2 ** (n + 1) / (n + 1) * (1 - 2 ** -(n + 1)) for n in range(11)]
    fewest = next(n for n, value in enumerate(wealth) if value >= 20)
    assert proved["pairs"]["value"] == (fewest + 10) / 2
    assert proved["called"]["value"] == 0.5


def test_a_rule_is_tried_on_every_other_run_that_has_a_fallback() -> None:
    rows = []
    for i in range(8):
        rows += [Row(gold="A", fallback="A", video=f"v{i}"), Row("BBB", "AAA", video=f"v{i}")]
    one, two = probed(rows, name="one"), probed(rows, name="two")
    found = transfer_block([one, two, replace(one, fallback=None)])
    assert [(row["source"], row["target"]) for row in found] == [("one", "two"), ("two", "one")]
    assert found[0]["gain"]["value"] == found[0]["transferred"]["value"] == 0.5
    assert transfer_block([one]) is None
    few = transfer_block([probed(rows[:2], name="a"), probed(rows[:2], name="b")])
    assert "4 videos" in few[0]["why"]


def test_an_agents_confidence_is_ranked_where_all_questions_have_it(tmp_path: Path) -> None:
    """Right with 0.9, wrong with 0.2: the most trusted half is right."""
    run = agent_run(tmp_path, 2)
    films = tmp_path / "videos"
    rows = [
        {
            **question(i, gold=i),
            "answer": {"raw": "B", "position": 1, "message": 3, "confidence": c},
        }
        for i, c in enumerate((0.2, 0.9))
    ]
    sure = tmp_path / "sure"
    log = lines(tmp_path / "sure.jsonl", *rows)
    import_logs(Logs((log,), "vidence", videos=films), sure)
    for folder, known in ((sure, 2), (run, 0)):
        probe(folder, people(), Probing(k=1))
        (scores,) = AgentAudit([folder]).scores.values()
        block = selective_block(scores)
        assert block["with_confidence"] == known
        assert ("confidence" in block["scores"]) == (known == 2)
        assert np.isfinite(scores.records.confidence).sum() == known
    (scores,) = AgentAudit([sure]).scores.values()
    trust = selective_block(scores)["scores"]["confidence"]
    assert trust["aurc"]["value"] == pytest.approx((0 + 1 / 2) / 2)
