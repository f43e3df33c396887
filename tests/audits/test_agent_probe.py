"""A frozen run replayed: who is asked what, what is kept, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.audits.made_probe import agent_run, by_name, people, question
from tests.cli.test_cli import vidence
from tests.stub_server import StubServer, read_log, stub_process
from vidence.answer import Request
from vidence.answerers.recorded import FunctionAnswerer
from vidence.audits.agent_cases import AGENT, probe_cases
from vidence.audits.agent_probe import FALLBACK, Probing, ask_fallback, probe
from vidence.audits.agent_records import DESTROY, SELF, SHAM, AgentRecords
from vidence.audits.benchmark import Source, audit
from vidence.check import parse_checks
from vidence.errors import RunMismatchError, StoreError, UnknownNameError, UsageError
from vidence.panel import panel_of
from vidence.record import Record
from vidence.run import resume
from vidence.store import Store


def records(folder: Path) -> dict[str, Record]:
    with Store.open(folder, read_only=True) as store:
        return {record.cell.key(): record for record in store.records()}


def test_more_draws_questions_and_conditions_keep_those_before(tmp_path: Path) -> None:
    run = agent_run(tmp_path)
    first = probe(run, people(), Probing(k=1, questions=("q0", "q3")))
    assert first.folder == run
    assert first.done == first.total == 2 * 3
    before = records(run)
    second = probe(run, people(), Probing(k=3, conditions=("destroy:edit=mean_frame",)))
    assert second.done == second.total == 6 * 3 * 4
    after = records(run)
    assert {key: after[key] for key in before} == before
    third = probe(run, people())
    assert third.already_complete
    with Store.open(run, read_only=True) as store:
        facts = store.meta(AGENT)
        seeds = [call.request.seed for call in store.calls()]
    assert len(set(seeds)) == len(seeds), "a draw that is shared by two cells is no second draw"
    assert facts["probed"] == facts["counts"]["eligible"] == 6
    assert facts["checks"] == {"self": SELF, "sham": SHAM, "destroy": DESTROY}
    with pytest.raises(RunMismatchError, match="3 repeats"):
        probe(run, people(), Probing(k=2))


def test_sham_and_destroy_show_the_renderer_different_pixels_and_no_other_thing(
    tmp_path: Path,
) -> None:
    run = agent_run(tmp_path, 2)
    asked: list[Request] = []

    def render(request: Request) -> str:
        asked.append(request)
        return "words"

    probe(run, people(render=render), Probing(k=1))
    with Store.open(run, read_only=True) as store:
        calls = [call for call in store.calls() if call.kind == "rendering"]
    edits = [[edit.name for edit in call.request.prompt.clips()[0].edits] for call in calls]
    assert sorted(edits) == [["identity"]] * 4 + [["phase"]] * 4
    bare = [replace(call.request.prompt.clips()[0], edits=()) for call in calls]
    assert len(set(bare)) == 2, "the two looks of the one film, the same in both conditions"
    assert len(asked) == 8
    queries = {request.prompt.text().splitlines()[-1] for request in asked}
    assert queries == {"What animal?", "Which tail?"}


def test_the_records_of_a_probe_say_what_each_draw_chose(tmp_path: Path) -> None:
    """Words of destroyed frames say nothing here, and the answerer then takes the first option."""
    run = agent_run(tmp_path)

    def render(request: Request) -> str:
        (clip,) = request.prompt.clips()
        return "nothing" if clip.edits[0].name == "phase" else "a dog"

    def answer(request: Request) -> str:
        return "A" if "nothing" in request.prompt.text() else "B"

    probe(run, people(answer, render), Probing(k=2))
    with Store.open(run, read_only=True) as store:
        got = AgentRecords.of(
            store.cases(), store.outcomes(), "answerer",
            name="made", checks=(SELF, SHAM, DESTROY), repeats=2,
        )  # fmt: skip
    assert got.chosen[SHAM].tolist() == got.chosen[SELF].tolist() == [[1, 1]] * 6
    assert got.chosen[DESTROY].tolist() == [[0, 0]] * 6
    assert got.gold.tolist() == [0, 1, 2, 0, 1, 2]
    assert got.items.tolist() == [2] * 6
    assert got.looked == (((0.0, 3.0),),) * 6


def test_a_member_of_a_benchmarks_panel_is_probed_with_the_frames_it_was_shown(
    tmp_path: Path,
) -> None:
    agent_run(tmp_path)  # for its films
    rows = [
        {"id": f"b{i}", "video": f"v{i}.mp4", "question": f"Q{i}?", "options": ["x", "y", "z"],
         "answer": 0, "looked": "at the sky"}
        for i in range(3)
    ]  # fmt: skip
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows))

    def member(request: Request) -> str:
        return "no idea" if "Q2" in request.prompt.text() else by_name(request)

    panel = panel_of(FunctionAnswerer("m/1", member), FunctionAnswerer("other", by_name))
    done = tmp_path / "audit"
    source = Source(file, tmp_path / "videos")
    audit(source, panel, done, checks=parse_checks("intact:frames=2,fps=0.5"))
    with pytest.raises(UsageError, match="Name one: --answerer"):
        probe(done, panel)
    with pytest.raises(UnknownNameError):
        probe(done, panel, Probing(answerer="nobody"))
    summary = probe(done, panel, Probing(answerer="m/1", k=2))
    assert summary.folder.parent == done
    assert summary.folder.name.startswith("probe-m-1")
    assert summary.done == summary.total == 2 * 2 * 3
    with Store.open(summary.folder, read_only=True) as store:
        facts = store.meta(AGENT)
        checks = store.meta("config")["checks"]
        cases = store.cases()
        shown = {clip.sampling for call in store.calls() for clip in call.request.prompt.clips()}
    assert checks == [f"{name}:fps=0.5,frames=2" for name in ("self_replay", "sham", "destroy")]
    assert len(shown) == 1
    assert [case.committed for case in cases] == [
        record.value for record in records(done).values()
        if record.cell.answerer == "m/1" and record.status == "ok"
    ]  # fmt: skip
    assert facts["counts"]["eligible"] == 2
    (left,) = facts["ineligible"]
    assert (left["qid"], left["gold"], left["committed"]) == ("b2", 0, None)
    got = AgentRecords.of(cases, (), "m/1", name="m", checks=checks, repeats=2)
    assert got.looked == ((), ())


def test_a_fallback_is_shown_the_first_looks_and_not_the_dialogue(tmp_path: Path) -> None:
    run = agent_run(tmp_path, 2)
    asked: list[Request] = []

    def watcher(request: Request) -> str:
        asked.append(request)
        return "A"

    panel = people(watcher=watcher)
    with pytest.raises(StoreError, match="no probe"):
        ask_fallback(run, "watcher", panel)
    probe(run, panel, Probing(k=1))
    summary = ask_fallback(run, "watcher", panel)
    assert summary.folder == run / FALLBACK
    assert summary.done == summary.total == 2
    assert len(asked) == 2
    for request in asked:
        assert [(c.start, c.end) for c in request.prompt.clips()] == [(0.0, 3.0)] * 2
        assert "red cat" not in request.prompt.text()
        assert "look at" not in request.prompt.text()


def test_what_cannot_be_probed_is_refused_and_leaves_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="agent import"):
        probe(tmp_path, people())
    run = agent_run(tmp_path, 2)
    two = panel_of(FunctionAnswerer("a", by_name), FunctionAnswerer("b", by_name))
    for panel, how, kind, words in (
        (None, Probing(), UsageError, "--panel FILE"),
        (two, Probing(), UsageError, "--answerer NAME"),
        (two, Probing(answerer="a"), UsageError, "--renderer NAME"),
        (two, Probing(answerer="c"), UnknownNameError, "c"),
        (people(), Probing(renderer="nobody"), UnknownNameError, "nobody"),
        (people(), Probing(questions=("q0", "q99")), UnknownNameError, "q99"),
        (people(), Probing(edit="melt"), UnknownNameError, "melt"),
        (people(), Probing(conditions=("sham:fps=fast",)), UsageError, "fps"),
        (people(), Probing(k=0), UsageError, "repeats"),
        (people(), Probing(questions=()), UsageError, "No case"),
    ):
        with pytest.raises(kind, match=words):
            probe(run, panel, how)
        assert not (run / "run.sqlite").exists()
    bare = tmp_path / "bare"
    bare.mkdir()
    pathless = json.dumps(question(0, video={"id": "v", "path": None}))
    (bare / "trajectories.jsonl").write_text(f"{pathless}\n")
    with pytest.raises(UsageError, match="most often: no video"):
        probe(bare, people())


def test_films_that_moved_are_named_and_found_again(tmp_path: Path) -> None:
    run = agent_run(tmp_path, 2)
    (tmp_path / "videos").rename(tmp_path / "moved")
    cases = probe_cases(run, videos=tmp_path / "moved").cases
    (clip, _) = [part.clip for part in cases[0].view.evidence()]
    assert clip is not None
    assert Path(clip.video.path) == tmp_path / "moved" / "v0.mp4"
    summary = probe(run, people(), Probing(k=1, videos=tmp_path / "moved"))
    assert summary.statuses == {"ok": 6}


PANEL = """
[answerers.one]
kind = "openai"
model = "stub"
base_url = "{url}"
size = 32
concurrency = 3
[answerers.eyes]
kind = "openai"
model = "stub"
base_url = "{url}"
size = 32
[answerers.other]
kind = "openai"
model = "stub"
base_url = "{url}"
asked = false
[roles]
renderer = "eyes"
"""


def test_the_command_probes_and_goes_on_with_the_panel_it_had(tmp_path: Path) -> None:
    run = agent_run(tmp_path, 2)
    with StubServer() as server:
        (tmp_path / "panel.toml").write_text(PANEL.format(url=server.url))
        done = vidence("agent", "probe", run, "--panel", tmp_path / "panel.toml", "--k", 1,
                       "--fallback", "other")  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert len(server.calls) == 2 * (3 + 2 * 2) + 2
        more = vidence("agent", "probe", run, "--k", 2, "--condition", "no_evidence")
        assert more.returncode == 0, more.stderr
        assert len(server.calls) == 2 * 2 * (4 + 2 * 2) + 2
    assert "16 of 16 done" in more.stderr
    wrong = vidence("agent", "probe", tmp_path / "nothing", "--panel", tmp_path / "panel.toml")
    assert wrong.returncode == 4
    assert "Traceback" not in wrong.stderr


@pytest.mark.slow
def test_a_probe_that_is_killed_ends_as_one_that_was_left_alone(tmp_path: Path) -> None:
    """SIGKILL of the command itself; the server's log, not ours, counts the calls."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    alone, killed = agent_run(tmp_path / "a", 12), agent_run(tmp_path / "b", 12)
    log = tmp_path / "calls.jsonl"
    with stub_process(log, seconds=300) as url:
        panel = tmp_path / "panel.toml"
        panel.write_text(PANEL.format(url=url))
        assert vidence("agent", "probe", alone, "--panel", panel, "--k", 2).returncode == 0
        paid = len(read_log(log))
        command = [sys.executable, "-m", "vidence", "agent", "probe", killed, "--panel", panel]
        kept = 0
        for round_ in range(3):
            already = len(read_log(log))
            child = subprocess.Popen(
                [*map(str, command), "--k", "2"], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )  # fmt: skip
            while child.poll() is None and len(read_log(log)) < already + 15 * (round_ + 1):
                pass
            child.kill()
            child.wait(30)
            with Store.open(killed, read_only=True) as store:
                known = store.count("calls")
            assert known > kept, "each round must have got further"
            kept = known
        assert 0 < kept < paid, "the kills came in the middle of the work"
        resume(killed)
        again = len(read_log(log)) - paid
    assert 0 <= again - paid <= 3 * 11, "only what was in flight at a kill may come again"
    assert len(records(killed)) == len(records(alone)) == 12 * 3 * 2
    same = {key: record.status for key, record in records(alone).items()}
    assert {key: record.status for key, record in records(killed).items()} == same
