"""Logs of several agents, written field by field from their documented forms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vidence.agent_log import AGENT_LOGS, Unread
from vidence.trajectory import Trajectory

OPTIONS = ["a red kite", "a blue boat", "a green door", "a grey cat"]
QUESTION = "What crosses the yard first?"
COUNTER = "You have now engaged in a total of 1 rounds of conversation, with 9 calls remaining."
SAW = "A kite falls into the yard."
THEN = "A boat is carried through the gate, and the sky is grey."


def write(path: Path, value: Any) -> Path:
    text = value if isinstance(value, str) else json.dumps(value)
    path.write_text(text, encoding="utf-8")
    return path


def lines(path: Path, *values: Any) -> Path:
    return write(path, "".join(f"{json.dumps(value)}\n" for value in values))


def read(form: str, path: Path, table: str | Path | None = None) -> list[Trajectory | Unread]:
    return list(AGENT_LOGS[form](path, table))


def one(form: str, path: Path, table: str | Path | None = None) -> Trajectory:
    (found,) = read(form, path, table)
    assert isinstance(found, Trajectory), found
    return found


def unread(form: str, path: Path, table: str | Path | None = None) -> Unread:
    (found,) = read(form, path, table)
    assert isinstance(found, Unread), found
    return found


def words(trajectory: Trajectory, number: int) -> str:
    """Return the words of a piece of evidence."""
    item = trajectory.evidence[number]
    return trajectory.messages[item.message].text[slice(*item.span)]


def explorer(qid: Any = 7, *middle: Mapping[str, Any], **raw: Any) -> dict[str, Any]:
    """Return a record of VideoExplorer: one message with two looks, then the answer."""
    looks = [
        {
            "role": "assistant",
            "content": "<thinking>I read <video_reader>90:99</video_reader> later.</thinking>"
            "<video_reader>12:20.5</video_reader><video_reader_question>What falls?"
            "</video_reader_question>\n<video_reader>3;4</video_reader>"
            "<video_reader_question>What is carried?</video_reader_question>[Pause]",
        },
        {
            "role": "user",
            "content": f"The tool result for <video_reader>12:20.5</video_reader> is {SAW}\n"
            f"The tool result for <video_reader>3;4</video_reader> is {THEN}\n{COUNTER}",
        },
    ]
    return {
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": f"Answer: {QUESTION}"}]},
            *(middle or looks),
            {"role": "assistant", "content": "<thinking>So B.</thinking><answer>B</answer>"},
        ],
        "raw_data": {
            "id": qid,
            "question": QUESTION,
            "options": [f"{letter}.{text}" for letter, text in zip("ABCD", OPTIONS, strict=True)],
            "answer": "B",
            "video_path": "/data/lv/videos/yard.mp4",
            "duration": 600.0,
            **raw,
        },
        "score": True,
    }
