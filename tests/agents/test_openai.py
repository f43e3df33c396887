"""Logs of tool calls, read by the tables that come with Vidence."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agents.made_logs import OPTIONS, QUESTION, SAW, THEN, lines, one, read, unread, words, write

from vidence.check import parse_checks
from vidence.eligibility import case_of
from vidence.media.clip import At, Clip, Fps
from vidence.seeds import rng_of
from vidence.trajectory import Trajectory
from vidence.view import Case, Context, Text

ASKED = QUESTION + "".join(
    f"\n({letter}) {text}" for letter, text in zip("ABCD", OPTIONS, strict=True)
)


def call(name: str, call_id: str | None, arguments: Any) -> dict[str, Any]:
    raw = arguments if isinstance(arguments, str) else json.dumps(arguments)
    body = {"type": "function", "function": {"name": name, "arguments": raw}}
    return body if call_id is None else {"id": call_id, **body}


def calling(*calls: dict[str, Any], content: str | None = None) -> dict[str, Any]:
    return {"role": "assistant", "content": content, "tool_calls": list(calls)}


def result(call_id: str, content: Any, name: str = "frame_inspect_tool") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "name": name, "content": content}


RANGES = [["00:00:10", "00:00:12"], ["00:01:00", "00:01:01"]]
LOOK = call("frame_inspect_tool", "c1", {"question": "What falls?", "time_ranges_hhmmss": RANGES})
SEARCH = call("clip_search_tool", "c2", {"event_description": "kite", "top_k": 4})


def discovery(*middle: dict[str, Any], answer: Any = "B", **more: Any) -> dict[str, Any]:
    """Return a record of DeepVideoDiscovery; `middle` replaces its one round of two calls."""
    rounds = middle or (
        calling(LOOK, SEARCH),
        result("c1", SAW),
        result("c2", "00:10 a kite", "clip_search_tool"),
        calling(call("finish", "c3", {"answer": "B"})),
    )
    first = [{"role": "system", "content": "Use tools."}, {"role": "user", "content": ASKED}]
    return {"question": ASKED, "answer": answer, "reasoning": [*first, *rounds], **more}


def dvd(tmp_path: Path, *middle: dict[str, Any], **more: Any) -> Trajectory:
    path = write(tmp_path / "benchmark_results.json", {"q1": discovery(*middle, **more)})
    return one("openai", path, "deepvideodiscovery")


def test_a_call_with_several_ranges_keeps_them_all(tmp_path: Path) -> None:
    found = dvd(tmp_path)
    assert (found.sample.qid, found.sample.question) == ("q1", QUESTION)
    assert found.sample.options == tuple(OPTIONS)
    assert (found.answer.raw, found.answer.position, found.answer.message) == ("B", 1, 5)
    look, search = found.evidence
    assert look.stretches == ((10, 12), (60, 61))
    assert (look.start, look.end, look.query) == (10, 61, "What falls?")
    assert words(found, 0) == SAW
    assert (search.kind, search.start) == ("caption", None)
    assert found.stop == "answered"


def test_frames_of_several_ranges_are_taken_from_each(tmp_path: Path) -> None:
    found = dvd(tmp_path)
    located = found.model_copy(
        update={
            "sample": found.sample.model_copy(
                update={"video": found.sample.video.model_copy(update={"path": "v.mp4"})}
            )
        }
    )
    case = case_of(located)
    assert isinstance(case, Case)
    clip = case.view.evidence()[0].clip
    assert clip is not None
    assert clip.sampling == At((10.0, 10.5, 11.0, 11.5, 60.0, 60.5))
    assert case.row["looked"] == [[10, 12], [60, 61]]


def test_cut_arguments_stay_raw_and_later_steps_are_read(tmp_path: Path) -> None:
    cut = call("frame_inspect_tool", "c1", '{"question": "What falls?", "time_ranges_hh')
    again = {**LOOK, "id": "c2"}
    found = dvd(
        tmp_path,
        calling(cut),
        result("c1", SAW),
        calling(again),
        result("c2", THEN),
        calling(call("finish", "c3", {"answer": "B"})),
    )
    first, second = found.evidence
    assert first.obstacle == "its call was cut off"
    assert second.obstacle is None
    (event,) = [e for e in found.events if e.type == "tool_call" and e.call_id == "c1"]
    assert event.args is None
    assert event.span is not None
    assert '"time_ranges_hh' in found.messages[2].text[slice(*event.span)]
    assert any("cut off" in note for note in found.notes)


@pytest.mark.parametrize(
    ("middle", "step", "name"),
    [
        ((calling(LOOK, {**SEARCH, "id": "c1"}), result("c1", SAW)), "message 2", "c1"),
        ((calling(LOOK), result("c1", SAW), calling(LOOK)), "message 4", "c1"),
        ((calling(LOOK), result("c9", SAW)), "message 3", "c9"),
        ((calling(LOOK), result("c1", SAW), result("c1", THEN)), "message 4", "c1"),
    ],
    ids=["twice in one message", "twice in a run", "unknown", "two results"],
)
def test_calls_that_cannot_be_told_apart_are_refused(
    tmp_path: Path, middle: tuple[dict[str, Any], ...], step: str, name: str
) -> None:
    path = write(tmp_path / "log.json", {"q1": discovery(*middle)})
    found = unread("openai", path, "deepvideodiscovery")
    assert found.qid == "q1"
    assert step in found.reason
    assert name in found.reason


def test_a_message_without_a_call_does_not_end_a_run(tmp_path: Path) -> None:
    found = dvd(
        tmp_path,
        {"role": "assistant", "content": "Let me think: (A) looks likely."},
        calling(LOOK),
        result("c1", SAW),
        {"role": "assistant", "content": "So far nothing."},
        answer=None,
    )
    assert len(found.evidence) == 1
    assert found.stop == "unknown", "silence is no reason"
    assert found.answer.raw is None


@pytest.mark.parametrize(("said", "stop"), [("length", "length"), ("stop", "unknown")])
def test_the_reason_of_the_last_message_counts_where_it_is_one(
    tmp_path: Path, said: str, stop: str
) -> None:
    last = {"role": "assistant", "content": "I look", "finish_reason": said}
    assert dvd(tmp_path, calling(LOOK), result("c1", SAW), last, answer=None).stop == stop


def test_an_answer_beside_the_messages_stops_the_replay_before_the_last_of_them(
    tmp_path: Path,
) -> None:
    last = {"role": "assistant", "content": "It is the boat, (B)."}
    found = dvd(tmp_path, calling(LOOK), result("c1", SAW), last, answer="It is the boat, (B).")
    assert (found.answer.position, found.answer.message) == (1, 4)


def test_a_failed_call_is_counted_and_the_item_judged_by_its_answer(tmp_path: Path) -> None:
    found = dvd(
        tmp_path,
        calling({**LOOK, "id": "c0"}),
        result("c0", "Error: no frames"),
        calling(LOOK),
        result("c1", SAW),
        calling(call("finish", "c3", {"answer": "B"})),
    )
    assert [e.ok for e in found.events if e.type == "tool_result"] == [False, True]
    assert [words(found, i) for i in range(len(found.evidence))] == [SAW]
    assert found.answer.position == 1


@pytest.mark.parametrize(
    "ranges", [[["10", "x"]], "soon", [["00:10:00", "00:02:00"]], [], [["00:75:00", "01:80:00"]]]
)
def test_a_time_that_cannot_be_read_is_named(tmp_path: Path, ranges: Any) -> None:
    look = call(
        "frame_inspect_tool", "c1", {"question": "What falls?", "time_ranges_hhmmss": ranges}
    )
    found = dvd(tmp_path, calling(look), result("c1", SAW))
    (item,) = found.evidence
    assert item.start is None
    assert item.obstacle


def test_lone_and_empty_messages_are_read(tmp_path: Path) -> None:
    alone = {
        "q1": {"question": ASKED, "answer": "", "reasoning": [{"role": "user", "content": ""}]}
    }
    found = one("openai", write(tmp_path / "log.json", alone), "deepvideodiscovery")
    assert [m.text for m in found.messages] == [""]
    odd = discovery(calling(LOOK), result("c1", ""), {"role": "assistant", "content": ""})
    found = one("openai", write(tmp_path / "log.json", {"q1": odd}), "deepvideodiscovery")
    assert len(found.messages) == 5
    assert found.evidence == ()


def test_a_result_without_messages_is_reported(tmp_path: Path) -> None:
    path = write(tmp_path / "log.json", {"q1": discovery(), "q2": discovery(reasoning=None)})
    first, second = read("openai", path, "deepvideodiscovery")
    assert isinstance(first, Trajectory)
    assert (second.qid, second.scored) == ("q2", True)  # type: ignore[union-attr]


def test_reasoning_of_some_releases_is_left_out_and_named(tmp_path: Path) -> None:
    spoken = {**calling(LOOK), "reasoning_content": "The kite, surely."}
    found = dvd(tmp_path, spoken, result("c1", SAW))
    assert "surely" not in "".join(m.text for m in found.messages)
    assert any("reasoning_content" in note for note in found.notes)


PIXEL = "data:image/png;base64,iVBORw0KGgo="


def longvt(hermes: bool = False) -> dict[str, Any]:
    picture = {"type": "image_url", "image_url": {"url": PIXEL}}
    shown = [picture, picture, {"type": "text", "text": "Cropped 3s-9s, got 2 frames."}]
    args = {"video_path": "/data/v/yard.mp4", "start_time": 3, "end_time": 9.5}
    if hermes:
        body = json.dumps({"name": "crop_video", "arguments": args})
        look = {"role": "assistant", "content": f"<think>Hm.</think><tool_call>{body}</tool_call>"}
        seen = {"role": "user", "content": [*shown[:2], {"type": "text", "text": "Cropped."}]}
        seen["content"] = [
            {"type": "text", "text": "<tool_response>"},
            *shown,
            {"type": "text", "text": "</tool_response>"},
        ]
    else:
        look = calling(call("crop_video", "c1", args), content="<think>Hm.</think>")
        seen = {"role": "tool", "tool_call_id": "c1", "content": shown}
    return {
        "qid": "q1",
        "question": QUESTION,
        "options": OPTIONS,
        "video_path": "/data/v/yard.mp4",
        "messages": [
            {"role": "user", "content": [picture, picture, {"type": "text", "text": ASKED}]},
            look,
            seen,
            {"role": "assistant", "content": "<think>B it is.</think><answer>B</answer>"},
        ],
    }


@pytest.mark.parametrize("hermes", [False, True], ids=["tool_calls", "hermes"])
def test_frames_in_a_log_are_shown_as_frames(tmp_path: Path, hermes: bool) -> None:
    found = one("openai", lines(tmp_path / "log.jsonl", longvt(hermes)), "longvt")
    (item,) = found.evidence
    assert (item.shown, item.start, item.end) == ("frames", 3, 9.5)
    assert words(found, 0) == "[2 pictures]"
    assert "base64" not in found.model_dump_json()
    assert any("message 0 shows pictures" in note for note in found.notes)
    case = case_of(found)
    assert isinstance(case, Case)
    (evidence,) = case.view.evidence()
    assert evidence.direct
    assert evidence.clip is not None
    assert evidence.clip.sampling == Fps(1, 128)


def test_frames_are_replayed_as_frames_and_differ_by_the_edit_alone(tmp_path: Path) -> None:
    case = case_of(one("openai", lines(tmp_path / "log.jsonl", longvt()), "longvt"))
    assert isinstance(case, Case)
    shown = {}
    for check in parse_checks("self_replay,sham,destroy"):
        (view,) = check.views(case.view, Context("c", rng_of("c"), 3))
        assert view.renderings() == (), "no words are made of frames that were shown"
        (shown[check.label],) = [part for _, part in view.parts if isinstance(part, Clip)]
        assert "Cropped 3s-9s" in "".join(p.text for _, p in view.parts if isinstance(p, Text))
    assert (shown["sham"].start, shown["sham"].end) == (3, 9.5)
    assert replace(shown["destroy"], edits=shown["sham"].edits) == shown["sham"]
    assert shown["destroy"].edits != shown["sham"].edits


def test_a_call_that_is_cut_off_in_words_keeps_its_name(tmp_path: Path) -> None:
    record = longvt(hermes=True)
    record["messages"][1]["content"] = '<tool_call>{"name": "crop_video", "arguments": {"sta'
    found = one("openai", lines(tmp_path / "log.jsonl", record), "longvt")
    (event,) = [e for e in found.events if e.type == "tool_call"]
    assert (event.tool, event.args) == ("crop_video", None)
    assert found.evidence[0].obstacle == "its call was cut off"
    assert found.answer.position == 1
