"""VideoSEAL's trajectories."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agents.made_logs import OPTIONS, QUESTION, SAW, one, read, words, write

from vidence.agent_log import Unread
from vidence.eligibility import case_of
from vidence.prompt import render
from vidence.trajectory import Trajectory
from vidence.view import Case

SPANS = [{"start_time": "00:00:10", "end_time": "00:00:14"}]
ASKED = "\n".join([QUESTION, *(f"({c}) {t}" for c, t in zip("ABCD", OPTIONS, strict=True))])


def step(name: str, arguments: Any, output: Any, **more: Any) -> dict[str, Any]:
    return {
        "chat_prompt": ASKED,
        "model_response": f'<thinking>Hm.</thinking><tool_call>{{"name": "{name}"}}</tool_call>',
        "thinking": "Hm.",
        "action": {"name": name, "arguments": arguments},
        "observation": {"name": name, "ok": True, "output": output, "error": None, "metadata": {}},
        "usage": None,
        **more,
    }


def seal(*steps: dict[str, Any], answer: Any = "B", **more: Any) -> dict[str, Any]:
    return {
        "system_prompt": "Use tools.",
        "tools_schema": "[]",
        "question": ASKED,
        "time_reference": None,
        "uid": "u1",
        "groundtruth": "B",
        "video_id": "yard",
        "steps": list(steps),
        "answer": answer,
        "run_id": "20250101T000000Z-abcd",
        "note": None,
        **more,
    }


def api(name: str, arguments: Any, output: Any) -> dict[str, Any]:
    """Return a step of a release that calls by the interface and not by tags."""
    return step(name, arguments, output, model_response='{"tool_calls": [{"id": "c1"}]}')


LOOK = api("visual_inspect", {"spans": SPANS}, SAW)
END = {"chat_prompt": ASKED, "model_response": "<answer>B</answer>", "action": None}


def test_steps_become_messages_and_spans_seconds(tmp_path: Path) -> None:
    found = one("videoseal", write(tmp_path / "trajectory.json", seal(LOOK, END)))
    assert [m.role for m in found.messages] == ["system", "user", "assistant", "tool", "assistant"]
    (item,) = found.evidence
    assert (item.start, item.end, item.query, item.shown) == (10, 14, QUESTION, "words")
    assert words(found, 0) == SAW
    assert (found.sample.gold, found.answer.position, found.answer.message) == (1, 1, 4)


def test_a_call_in_tags_is_read_from_the_tags(tmp_path: Path) -> None:
    import json

    body = json.dumps({"name": "visual_inspect", "arguments": {"spans": SPANS}})
    tagged = step(
        "visual_inspect", {"spans": SPANS}, SAW, model_response=f"<tool_call>{body}</tool_call>"
    )
    found = one("videoseal", write(tmp_path / "trajectory.json", seal(tagged, END)))
    assert sum(e.type == "tool_call" for e in found.events) == 1
    assert found.evidence[0].end == 14


def test_where_the_looker_answers_a_replay_shows_its_frames(tmp_path: Path) -> None:
    """The words of the last look are the answer, so they may not be in the view."""
    last = api("visual_inspect", {"spans": SPANS}, {"answer": "B", "why": "the boat"})
    record = seal(LOOK, last, answer="B", note="max steps reached (fallback from last look)")
    found = one("videoseal", write(tmp_path / "trajectory.json", record))
    assert found.stop == "step_limit"
    assert [item.shown for item in found.evidence] == ["words", "frames"]
    case = case_of(found)
    assert isinstance(case, Case)
    assert case.committed == 1
    assert [part.direct for part in case.view.evidence()] == [False, True]
    assert "the boat" not in render(case.view).text()


def test_a_failed_tool_is_no_evidence(tmp_path: Path) -> None:
    bad = api("visual_inspect", {"spans": SPANS}, None)
    bad["observation"] |= {"ok": False, "error": "no frames"}
    found = one("videoseal", write(tmp_path / "trajectory.json", seal(bad, LOOK, END)))
    assert [e.ok for e in found.events if e.type == "tool_result"] == [False, True]
    assert len(found.evidence) == 1


def test_a_run_that_only_reached_its_limit_has_no_answer(tmp_path: Path) -> None:
    record = seal(LOOK, answer=None, note="max steps reached")
    found = one("videoseal", write(tmp_path / "trajectory.json", record))
    assert (found.stop, found.answer.raw) == ("step_limit", None)


def test_a_prediction_without_a_trajectory_is_reported(tmp_path: Path) -> None:
    for uid in ("u1", "u2"):
        (tmp_path / "yard" / "preds").mkdir(parents=True, exist_ok=True)
        write(tmp_path / "yard" / "preds" / f"{uid}.json", {"uid": uid, "pred": "B"})
    (tmp_path / "yard" / "run-1").mkdir()
    write(tmp_path / "yard" / "run-1" / "trajectory.json", seal(LOOK, END))
    found = read("videoseal", tmp_path)
    assert [t.sample.qid for t in found if isinstance(t, Trajectory)] == ["u1"]
    (lost,) = [u for u in found if isinstance(u, Unread)]
    assert (lost.qid, lost.scored) == ("u2", True)


def test_the_place_of_a_fault_in_a_folder_is_the_file(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    write(tmp_path / "a" / "trajectory.json", seal(LOOK)["steps"])
    assert all(
        isinstance(u, Unread) and "a/trajectory.json" in u.where
        for u in read("videoseal", tmp_path)
    )
    write(tmp_path / "a" / "trajectory.json", '{"steps": [')
    (found,) = read("videoseal", tmp_path)
    assert isinstance(found, Unread)
