"""Tables that say how an agent writes its logs, and the page that explains them."""

from __future__ import annotations

from pathlib import Path

import pytest
from agents.made_logs import SAW, lines, one, read, words, write
from agents.test_openai import ASKED, longvt

from vidence.errors import CaseError, UsageError
from vidence.trajectory import Trajectory

DAYS = """
[days.DAY1]
start = "11:09:42"
video = "A1_JAKE/DAY1.mp4"
"""


def ego(span: str, tmp_path: Path, days: str = DAYS) -> Trajectory:
    from vidence.agents import _table

    table = write(
        tmp_path / "mine.toml",
        (Path(_table.__file__).parent / "tables" / "ego-r1.toml").read_text() + days,
    )
    tool = str({"name": "video_llm", "arguments": {"question": "What falls?", "range": span}})
    record = {
        "qid": "q1",
        "identity": "A1_JAKE",
        "question": ASKED,
        "ground_truth": "B",
        "messages": [
            {"role": "user", "content": ASKED},
            {"role": "assistant", "content": f"<think>Look.</think><tool>{tool}</tool>"},
            {"role": "user", "content": f"<information>{SAW}</information>"},
            {"role": "assistant", "content": "<think>B.</think><answer>B</answer>"},
            {"role": "assistant", "content": "## Revised: <answer>C</answer>"},
        ],
    }
    return one("openai", lines(tmp_path / "log.jsonl", record), table)


def test_clocks_of_days_become_seconds_of_the_day_s_video(tmp_path: Path) -> None:
    found = ego("DAY1_11210217-DAY1_11210310", tmp_path)
    (item,) = found.evidence
    assert (item.start, item.end) == (680.85, 681.5)
    assert item.video == "A1_JAKE/DAY1.mp4"
    assert words(found, 0) == SAW


def test_a_revised_answer_counts_and_the_replay_stops_before_the_first(tmp_path: Path) -> None:
    found = ego("DAY1_11210217-DAY1_11210310", tmp_path)
    assert (found.answer.position, found.answer.message) == (2, 3)


@pytest.mark.parametrize(
    ("span", "days", "part"),
    [
        ("DAY1_11210217-DAY1_11210310", "", "days.DAY1"),
        ("DAY2_11210217-DAY2_11210310", DAYS, "DAY2"),
        ("DAY1_10000000-DAY1_10000100", DAYS, "before"),
        ("DAY1_11210217-DAY1_11210225", DAYS, "day"),
        ("11210217-11210310", DAYS, "day"),
    ],
)
def test_clocks_without_a_video_are_refused_by_name(
    tmp_path: Path, span: str, days: str, part: str
) -> None:
    (item,) = ego(span, tmp_path, days).evidence
    assert item.obstacle is not None
    assert part in item.obstacle


def test_a_table_is_needed_and_its_faults_are_named(tmp_path: Path) -> None:
    log = lines(tmp_path / "log.jsonl", longvt())
    with pytest.raises(UsageError, match="--table"):
        read("openai", log)
    with pytest.raises(UsageError, match="longvt"):
        read("openai", log, "nowhere")
    for text, said in (
        ("agent = ", "no TOML"),
        ('agent = "x"\n[tools.look]\nbase = ["weeks"]', r"tools\.look\.base"),
        ('agent = "x"\n[results]\nfailed = ["("]', "regular expression"),
        ('agent = "x"\ncolour = 1', "colour"),
    ):
        with pytest.raises(CaseError, match=said):
            read("openai", log, write(tmp_path / "bad.toml", text))


def test_the_worked_example_of_the_page_is_followed_to_the_letter(tmp_path: Path) -> None:
    import re

    page = Path(__file__).resolve().parents[2] / "docs" / "agent-logs.md"
    text = page.read_text(encoding="utf-8")
    (table,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (dialogue,) = re.findall(r"```\n(<think>.*?)```", text, re.DOTALL)
    call_, seen, answer = re.fullmatch(
        r"(.*</tool>)\n(<info.*</information>)\n(.*)\n", dialogue, re.DOTALL
    ).groups()  # type: ignore[union-attr]
    record = {
        "id": "e1",
        "identity": "A1_JAKE",
        "question": ASKED,
        "ground_truth": "B",
        "messages": [
            {"role": "user", "content": ASKED},
            {"role": "assistant", "content": call_},
            {"role": "user", "content": seen},
            {"role": "assistant", "content": answer},
        ],
    }
    found = one(
        "openai", lines(tmp_path / "ego.jsonl", record), write(tmp_path / "ego.toml", table)
    )
    (item,) = found.evidence
    assert (item.start, item.end) == (680.85, 748.0)
    assert (item.video, item.obstacle) == ("A1_JAKE/DAY1.mp4", None)
    assert (words(found, 0), found.answer.position) == ("A kite falls.", 1)


def test_the_page_names_every_field_of_a_table() -> None:
    from vidence.agents._table import Calls, Day, Fields, ResultForm, Results, Table, Tool

    text = (Path(__file__).resolve().parents[2] / "docs" / "agent-logs.md").read_text()
    for part in (Table, Fields, Calls, Results, ResultForm, Tool, Day):
        for name in part.model_fields:
            assert f"`{name}`" in text or f"[{name}" in text or f".{name}]" in text, name
