"""VideoExplorer's logs, older and newer."""

from __future__ import annotations

from pathlib import Path

import pytest
from agents.made_logs import OPTIONS, SAW, THEN, explorer, one, read, unread, words, write

from vidence.agent_log import Unread
from vidence.trajectory import Trajectory


def test_two_looks_in_one_message_keep_their_own_words_and_times(tmp_path: Path) -> None:
    found = one("videoexplorer", write(tmp_path / "log.json", [explorer()]))
    assert (found.sample.qid, found.sample.options) == ("7", tuple(OPTIONS))
    assert (found.sample.gold, found.answer.position, found.answer.message) == (1, 1, 3)
    assert (found.sample.video.id, found.stop) == ("yard", "answered")
    assert [words(found, i) for i in (0, 1)] == [SAW, THEN]
    first, second = found.evidence
    assert (first.start, first.end, first.query) == (12, 20.5, "What falls?")
    assert (second.start, second.end, second.query) == (30, 50, "What is carried?")
    assert second.raw_interval == "3;4"
    assert first.sampling is not None
    assert (first.sampling.fps, first.sampling.most) == (2, 32)


@pytest.mark.parametrize("shape", ["list", "processed_results", "record"])
def test_every_release_writes_the_same_records(tmp_path: Path, shape: str) -> None:
    record = explorer()
    value = {
        "list": [record],
        "processed_results": {"experiences": [], "processed_results": [record]},
        "record": record,
    }[shape]
    assert one("videoexplorer", write(tmp_path / "log.json.part0", value)).sample.qid == "7"


def test_thinking_calls_nothing(tmp_path: Path) -> None:
    found = one("videoexplorer", write(tmp_path / "log.json", [explorer()]))
    assert sum(event.type == "tool_call" for event in found.events) == 2


def test_results_out_of_order_go_to_the_call_that_they_repeat(tmp_path: Path) -> None:
    record = explorer()
    record["messages"][2]["content"] = (
        f"The tool result for <video_reader>3;4</video_reader> is {THEN}\n"
        "The tool result for <video_reader>12:20.5</video_reader> is NONE"
    )
    found = one("videoexplorer", write(tmp_path / "log.json", [record]))
    assert [item.query for item in found.evidence] == ["What is carried?", "What falls?"]


def test_an_empty_segment_is_a_failed_call_beside_a_good_one(tmp_path: Path) -> None:
    record = explorer()
    record["messages"][2]["content"] = (
        "The video segment for <video_reader>12:20.5</video_reader> is empty. Please check.\n"
        f"The tool result for <video_reader>3;4</video_reader> is {THEN}\n"
    )
    found = one("videoexplorer", write(tmp_path / "log.json", [record]))
    assert [words(found, 0)] == [THEN]
    assert [event.ok for event in found.events if event.type == "tool_result"] == [False, True]
    assert found.answer.position == 1, "the item is judged by its answer"


def test_lists_subtitles_and_the_whole_video_are_told_apart(tmp_path: Path) -> None:
    record = explorer(
        7,
        {
            "role": "assistant",
            "content": "<video_segment_retriever_textual_query>kite"
            "</video_segment_retriever_textual_query><topk>2</topk>"
            "<subtitle_retriever>kite</subtitle_retriever>"
            "<video_browser>What happens?</video_browser>",
        },
        {
            "role": "user",
            "content": "The tool results for <video_segment_retriever_textual_query>kite"
            "</video_segment_retriever_textual_query> are:\n[3, 9]\n"
            "The tool results for <subtitle_retriever>kite</subtitle_retriever> are:\n[]\n"
            "The tool results for <video_browser>What happens?</video_browser> is:Much.\n",
        },
    )
    found = one("videoexplorer", write(tmp_path / "log.json", [record]))
    assert [item.kind for item in found.evidence] == ["list", "subtitle", "frames"]
    assert [words(found, i) for i in range(3)] == ["[3, 9]", "[]", "Much."]
    whole = found.evidence[2]
    assert (whole.start, whole.end, whole.query) == (0, 600, "What happens?")


def test_a_clock_where_seconds_are_meant_is_no_time(tmp_path: Path) -> None:
    record = explorer(
        7,
        {
            "role": "assistant",
            "content": "<video_reader>00:01:02:00:01:30</video_reader>"
            "<video_reader_question>What?</video_reader_question>",
        },
        {
            "role": "user",
            "content": "The tool result for <video_reader>00:01:02:00:01:30</video_reader> is X.",
        },
    )
    (item,) = one("videoexplorer", write(tmp_path / "log.json", [record])).evidence
    assert item.start is None
    assert item.obstacle is not None
    assert "00:01:02:00:01:30" in item.obstacle
    assert "seconds or segments" in item.obstacle


def test_a_run_without_an_answer_says_how_it_ended(tmp_path: Path) -> None:
    record = explorer()
    record["messages"][3]["content"] = "I am not sure."
    found = one("videoexplorer", write(tmp_path / "log.json", [record]))
    assert (found.stop, found.answer.raw) == ("unknown", None)
    record["messages"].append({"role": "user", "content": "Maximum number of rounds reached! Now"})
    found = one("videoexplorer", write(tmp_path / "log.json", [record]))
    assert (found.stop, found.answer.position) == ("step_limit", None)


def test_the_article_is_no_letter(tmp_path: Path) -> None:
    record = explorer()
    record["messages"][3]["content"] = "<answer>A boat, or something else again</answer>"
    found = one("videoexplorer", write(tmp_path / "log.json", [record]))
    assert found.answer.position is None
    assert found.answer.raw == "A boat, or something else again"
    assert found.answer.why_not


def test_a_score_without_messages_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "log.json", [{"raw_data": {"id": 3}, "score": 1, "messages": []}])
    found = unread("videoexplorer", path)
    assert found.scored
    assert "score" in found.reason


def test_a_list_that_was_cut_while_written_keeps_what_is_whole(tmp_path: Path) -> None:
    import json

    text = json.dumps([explorer(i) for i in range(3)], indent=1)
    found = read("videoexplorer", write(tmp_path / "log.json", text[:-200]))
    assert [t.sample.qid for t in found if isinstance(t, Trajectory)] == ["0", "1"]
    (rest,) = [u for u in found if isinstance(u, Unread)]
    assert "row 3" in rest.where
