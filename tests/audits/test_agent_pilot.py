"""The five steps of a pilot: what is asked, what is spent, and what each step says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.audits.made_probe import agent_run, by_name, people
from tests.audits.made_replays import Row, probed
from vidence.answer import Request
from vidence.audits.agent_pilot import FILE, FOLDER, Pilot, run_pilot
from vidence.audits.agent_pilot_steps import (
    budget_step,
    effect_step,
    noise_step,
    resolution_step,
    routing_step,
)
from vidence.audits.agent_routing import routing_block
from vidence.audits.agent_run import ProbedRun
from vidence.audits.agent_scores import Scores
from vidence.errors import StoreError, UnknownNameError, UsageError
from vidence.report.agent_pilot import pilot_lines, pilot_markdown, sentences
from vidence.store import Store


def many(n: int, sham: str, destroy: str, **more: str) -> list[Row]:
    return [Row(sham, destroy, video=f"v{i // 2}", **more) for i in range(n)]


def told(step: dict[str, object]) -> str:
    return " ".join(sentences(step))


def reads_words(request: Request) -> str:
    """Answer another option than B where the frames are said to be noise."""
    noise = "noise" in request.prompt.text()
    return "ACD"[request.seed % 3] if noise else "BBBBBBBBD"[request.seed % 9]


def describes(request: Request) -> str:
    """Say whether frames are as they were: by the edit, as a test may."""
    edits = [edit.name for clip in request.prompt.clips() for edit in clip.edits]
    return "as it is" if edits == ["identity"] else "noise"


def test_a_pilot_probes_whole_videos_in_folders_of_its_own(tmp_path: Path) -> None:
    run = agent_run(tmp_path, 12)
    plan = Pilot(questions=5, k=2, runs=2, deep=4, seed=3, fallback="second")
    panel = people(reads_words, describes, second=lambda _: "A")
    data = run_pilot(run, panel, plan)
    assert data["chosen"] == {"questions": 6, "of": 12, "videos": 3, "of_videos": 6}
    assert json.loads((run / FOLDER / FILE).read_text()) == data
    assert not (run / "run.sqlite").exists(), "the run itself stays unprobed"
    seeds = []
    for folder, draws in zip(data["runs"], (4, 2), strict=True):
        with Store.open(Path(folder), read_only=True) as store:
            names = {case.id for case in store.cases()}
            calls = [call.request.seed for call in store.calls() if call.kind != "rendering"]
        assert len(names) == 6
        pairs = {f"q{int(name[1:]) ^ 1}" for name in names}
        assert pairs == names, "both questions of a film, or none"
        assert len(set(calls)) == 6 * 3 * draws
        seeds.append(set(calls))
    assert not seeds[0] & seeds[1], "independent runs differ"
    assert [step["step"] for step in data["steps"]] == [1, 2, 3, 4, 5]
    assert data["cost"]["per_question"]["calls"] == 6
    assert data["cost"]["all"]["renderings"] == 12 * 2 * 2 * 2
    again = run_pilot(run, panel, plan)
    assert again == data, "a second pilot asks nothing and says the same"
    with pytest.raises(StoreError, match="another seed"):
        run_pilot(run, panel, Pilot(questions=5, k=2, runs=2, deep=4, seed=4))
    assert pilot_lines(data)[0].startswith("Pilot of ")
    assert "## 5. Would deferring low scores pay?" in pilot_markdown(data)


def test_an_agent_that_reads_its_evidence_goes_on(tmp_path: Path) -> None:
    run = agent_run(tmp_path, 12)
    data = run_pilot(run, people(reads_words, describes), Pilot(deep=0))
    verdicts = {step["step"]: (step["verdict"], step["reason"]) for step in data["steps"]}
    assert verdicts[2] == ("go", "every_run")
    assert verdicts[4] == ("skipped", "not_asked")
    assert verdicts[5] == ("skipped", "no_fallback")
    assert data["decision"]["aggregate"] == "go"


def test_an_agent_that_does_not_stops_before_more_is_spent(tmp_path: Path) -> None:
    run = agent_run(tmp_path, 60)
    data = run_pilot(run, people(by_name), Pilot(deep=10, fallback="answerer"))
    assert (data["steps"][1]["verdict"], data["chosen"]["videos"]) == ("stop", 30)
    assert [step["reason"] for step in data["steps"][2:]] == ["stopped"] * 3
    assert data["decision"] == {
        "verdict": "stop",
        "aggregate": "stop",
        "questions": "skipped",
        "routing": "skipped",
    }
    with Store.open(Path(data["runs"][0]), read_only=True) as store:
        assert store.meta("config")["repeats"] == 3


def test_replays_no_better_than_an_option_drawn_stop_at_once(tmp_path: Path) -> None:
    run = agent_run(tmp_path, 12)
    data = run_pilot(run, people(lambda _: "A"), Pilot(runs=3))
    assert data["steps"][0]["reason"] == "like_chance"
    assert not (run / FOLDER / "run-2" / "run.sqlite").exists()


@pytest.mark.parametrize(
    ("rows", "verdict", "reason"),
    [
        (many(20, "BBB", "AAB"), "go", "steady"),
        (many(20, "BBA", "AAB"), "care", "noisy"),
        (many(20, "AAA", "AAA"), "stop", "like_chance"),
        (many(20, "BBB", "AAA"), "care", "deterministic"),
        (many(20, "---", "AAA"), "stop", "no_score"),
        (many(4, "BBB", "ABB") + [Row("AAA", "AAA", video="w")] * 5, "care", "perhaps_chance"),
        ([], "stop", "no_score"),
    ],
)
def test_step_1(rows: list[Row], verdict: str, reason: str) -> None:
    step = noise_step(probed(rows))
    assert (step["verdict"], step["reason"]) == (verdict, reason)
    assert told(step)
    if rows:
        assert step["figures"]["chance"] == 0.75


def test_step_1_gives_the_noise_of_one_question() -> None:
    found = noise_step(probed(many(20, "BBA", "AAB")))["figures"]["sd_of_one_question"]
    assert found["3"] == pytest.approx(((1 / 3 * 2 / 3 + 2 / 3 * 1 / 3) / 3) ** 0.5)


def run_of(*groups: list[Row]) -> ProbedRun:
    return probed([row for group in groups for row in group])


def test_step_2() -> None:
    clear = run_of(many(20, "BBB", "AAB"), many(20, "BBB", "ABB"))
    flat = run_of(many(20, "BBA", "AAB"), many(20, "AAB", "BBA"))
    assert effect_step([clear, clear])["reason"] == "every_run"
    assert effect_step([clear, flat])["reason"] == "some_runs"
    none = effect_step([flat])
    assert (none["verdict"], none["reason"]) == ("stop", "no_effect")
    small = effect_step([probed(many(4, "BBB", "AAB"))])
    assert (small["verdict"], small["reason"]) == ("care", "too_small")
    assert "Take more questions" in told(small)
    empty = effect_step([probed(many(4, "---", "AAA"))])
    assert empty["reason"] == "no_effect"
    assert told(empty)


def test_step_3_asks_for_the_draws_that_spearman_brown_gives() -> None:
    """Two runs of k = 3 that correlate 0.5: one draw has r = 0.25, and 0.8 takes 12."""
    plans = ["AAA", "ABB", "AAB", "BBB"]
    one = probed([Row("BBB", d, video=f"v{i}") for i, d in enumerate(plans * 5)])
    other = probed(
        [Row("BBB", d, video=f"v{i}") for i, d in enumerate(["AAB", "BBB", "AAA", "ABB"] * 5)]
    )
    step = resolution_step([one, other])
    reliability = step["figures"]["reliability"]
    assert reliability == pytest.approx(0.6)
    single = 0.6 / (3 - 2 * 0.6)
    assert step["figures"]["needed"] == pytest.approx(0.8 * (1 - single) / (0.2 * single))
    assert step["reason"] == "unreliable"
    assert "of two runs" in told(step)
    assert resolution_step([one, one])["reason"] == "reliable"
    assert resolution_step([probed(many(20, "BBB", "AAA"))])["reason"] == "unknown"


def test_step_4_counts_ties_that_resolve_and_sets_that_move() -> None:
    ties = [Row("BBBB", "BBBA", "BBBB", video=f"v{i}") for i in range(10)]
    kept = [Row("BBBB", "AAAA", "BBBB", video=f"w{i}") for i in range(10)]
    moved = budget_step(probed(ties + kept), 3)
    assert (moved["reason"], moved["figures"]["ties"], moved["figures"]["ties_resolved"]) == (
        "moves",
        10,
        10,
    )
    still = budget_step(probed([Row("BBBB", "BBBB", "BBBB", video=f"v{i}") for i in range(9)]), 3)
    assert still["reason"] == "stable"
    assert told(moved)
    assert told(still)


def test_step_5_wants_gain_over_never_always_and_random() -> None:
    repaired = many(20, "BBB", "BBB", gold="A", fallback="A")
    harmed = many(20, "BBB", "AAA", gold="B", fallback="A")
    lost = many(20, "BBB", "BBB", gold="B", fallback="A")

    def step(*groups: list[Row]) -> dict[str, object]:
        found = routing_step(routing_block(Scores(run_of(*groups))), 3)
        assert told(found)
        return found

    assert step(repaired, harmed)["reason"] == "pays"
    assert step(lost, harmed)["reason"] == "no_gain"
    assert step(repaired)["reason"] == "always_as_good"
    bare = step(many(4, "BBB", "AAA"))
    assert (bare["verdict"], bare["reason"]) == ("skipped", "no_routing")


def test_a_pilot_is_of_the_people_it_began_with(tmp_path: Path) -> None:
    """Another answerer, edit or renderer is another pilot; names are looked up before anything."""
    run = agent_run(tmp_path, 4)
    panel = people(reads_words, describes, other=lambda _: "A")
    plan = Pilot(k=1, runs=1, deep=0, answerer="answerer")
    run_pilot(run, panel, plan)
    for changed in ({"answerer": "other"}, {"edit": "mean_frame"}, {"renderer": "other"}):
        with pytest.raises(StoreError, match="other people"):
            run_pilot(run, panel, replace(plan, **changed))
    for wrong in ({"fallback": "nobody"}, {"answerer": "nobody"}):
        with pytest.raises(UnknownNameError, match="nobody"):
            run_pilot(run, panel, replace(plan, **wrong), out=tmp_path / "new")
    with pytest.raises(UnknownNameError, match="nonsense"):
        run_pilot(run, panel, replace(plan, edit="nonsense"), out=tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_place_that_cannot_hold_a_pilot_is_refused(tmp_path: Path) -> None:
    run = agent_run(tmp_path, 2)
    panel, plan = people(), Pilot(k=1, runs=1, deep=0)
    (tmp_path / "file").write_text("taken")
    with pytest.raises(StoreError, match="--out DIR"):
        run_pilot(run, panel, plan, out=tmp_path / "file")
    with pytest.raises(StoreError, match="run of its own"):
        run_pilot(run, panel, plan, out=run)
    run_pilot(run, panel, plan)
    for damage in (b'{"questions": [', b"\xff\xfe", b"[]"):
        (run / FOLDER / "plan.json").write_bytes(damage)
        with pytest.raises(StoreError, match="--out DIR"):
            run_pilot(run, panel, plan)


def test_bad_plans_and_places_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="questions = 0"):
        Pilot(questions=0)
    with pytest.raises(StoreError, match="vidence agent import"):
        run_pilot(tmp_path, people())
