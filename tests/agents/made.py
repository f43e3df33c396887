"""A made trajectory, to be changed."""

from __future__ import annotations

from typing import Any

from vidence.trajectory import Trajectory

LOOK = "A red cat sits there."
LATER = "A tail is seen."


def made(**changes: Any) -> Trajectory:
    """Return a frozen run of two looks; `changes` replace its top-level fields."""
    result = f"Results: {LOOK} and then {LATER} Go on."
    body: dict[str, Any] = {
        "run": {"agent": "made"},
        "sample": {
            "qid": "q1",
            "video": {"id": "v", "path": "v.mp4"},
            "question": "Which animal?",
            "options": ["cat", "dog", "bird"],
            "gold": 0,
            "gold_spans": [[1, 2]],
        },
        "messages": [
            {"role": "user", "text": "Which animal is it?"},
            {"role": "assistant", "text": "I look at 0-4 and at 6-7."},
            {"role": "tool", "text": result},
            {"role": "assistant", "text": "<answer>B</answer>"},
        ],
        "evidence": [
            {
                "message": 2,
                "span": [result.index(LOOK), result.index(LOOK) + len(LOOK)],
                "query": "What animal?",
                "start": 0,
                "end": 4,
                "sampling": {"fps": 2, "most": 8},
            },
            {
                "message": 2,
                "span": [result.index(LATER), result.index(LATER) + len(LATER)],
                "query": "Which tail?",
                "start": 6,
                "end": 6.5,
            },
        ],
        "answer": {"raw": "B", "position": 1, "message": 3},
        "stop": "answered",
        "provenance": {"reader": "made", "file": "none"},
    }
    return Trajectory.model_validate({**body, **changes})
