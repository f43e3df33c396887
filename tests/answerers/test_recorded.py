"""Answerers without a model."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from vidence.answer import ANSWERERS, Answerer, Reply, Request
from vidence.answerers.recorded import FunctionAnswerer, RecordedAnswerer
from vidence.check import parse_checks
from vidence.errors import PanelError, UnreachableError
from vidence.media.pixels import FrameCache
from vidence.panel import load_panel, panel_of
from vidence.prompt import render
from vidence.run import run
from vidence.seeds import seed_of
from vidence.store import Store
from vidence.view import Case, Option, View

OPTIONS = (Option(0, "cat"), Option(1, "dog"), Option(2, "bird"))
MEDIA = cast("FrameCache", None)


def request(question: str = "Which?", draw: int = 0) -> Request:
    return Request(render(View(question, OPTIONS)), 1, draw)


def test_they_are_answerers() -> None:
    assert isinstance(FunctionAnswerer("f", lambda r: ""), Answerer)
    assert isinstance(RecordedAnswerer(name="r", replies={}), Answerer)
    assert ANSWERERS["recorded"] is RecordedAnswerer


def test_a_function_gets_the_request_and_gives_words_or_a_reply() -> None:
    words = FunctionAnswerer("f", lambda r: f"{r.prompt.question} {r.seed}")
    assert words.ask([request(), request("Why?")], MEDIA) == [Reply("Which? 1"), Reply("Why? 1")]
    reply = Reply("B", "stop", (0.1, 0.9))
    assert FunctionAnswerer("f", lambda r: reply).ask([request()], MEDIA) == [reply]


def test_a_reply_is_found_by_prompt_and_draw_then_prompt_then_question(tmp_path: Path) -> None:
    key = request().prompt.key()
    rows = [
        {"question": "Why?", "text": "by question", "finish_reason": "stop"},
        {"prompt": key, "text": "by prompt", "scores": [0.5, 0.25, 0.25], "notes": ["n"]},
        {"prompt": key, "draw": 1, "text": "by draw"},
    ]
    path = tmp_path / "replies.jsonl"
    path.write_text("\n\n".join(map(json.dumps, rows)))
    answerer = RecordedAnswerer(name="r", path=path)
    asked = [request(), request(draw=1), request(draw=2), request("Why?"), request("Else?")]
    first, drawn, other, why, nothing = answerer.ask(asked, MEDIA)
    assert first == other == Reply("by prompt", scores=(0.5, 0.25, 0.25), notes=("n",))
    assert drawn.text == "by draw"
    assert (why.text, why.finish_reason) == ("by question", "stop")
    assert (nothing.status, nothing.text) == ("failed", "")
    assert "no recorded reply to prompt" in nothing.error
    assert "'Else?'" in nothing.error


def test_an_earlier_run_can_be_given_again_without_its_model(tmp_path: Path) -> None:
    """The replies of a paid run serve another run: a new check, a new parser, a talk."""
    cases = [Case(f"c{i}", View(f"Q{i}?", OPTIONS), gold=i % 3) for i in range(6)]
    live = FunctionAnswerer("m", lambda r: "ABC"[seed_of(r.prompt.text(), r.draw) % 3])
    run(cases, parse_checks("blind"), panel_of(live), tmp_path / "live", seed=0, repeats=2)
    again = RecordedAnswerer(name="again", run=tmp_path / "live", answerer="m")
    run(cases, parse_checks("blind"), panel_of(again), tmp_path / "again", seed=9, repeats=2)
    found = []
    for name in ("live", "again"):
        with Store.open(tmp_path / name, read_only=True) as store:
            found.append([replace(r, cell=replace(r.cell, answerer="x"), calls=())
                          for r in store.records()])  # fmt: skip
    assert found[0] == found[1]


def test_a_recording_that_misses_everything_stops_the_run(tmp_path: Path) -> None:
    cases = [Case(f"c{i}", View(f"Q{i}?", OPTIONS)) for i in range(9)]
    empty = RecordedAnswerer(name="r", replies={"Another?": "A"})
    with pytest.raises(UnreachableError, match="no recorded reply to prompt"):
        run(cases, parse_checks("blind"), panel_of(empty), tmp_path / "run", seed=0)


def test_the_panel_file_can_name_a_recording(tmp_path: Path) -> None:
    (tmp_path / "replies.jsonl").write_text('{"question": "Which?", "text": "B"}\n')
    (tmp_path / "panel.toml").write_text(
        '[answerers.r]\nkind = "recorded"\npath = "replies.jsonl"\n'
    )
    panel = load_panel(tmp_path / "panel.toml")
    (reply,) = panel.answerers["r"].ask([request()], MEDIA)
    assert reply == Reply("B")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "line 2 is no reply"),
        ('{"text": "B"}', "line 2 has neither prompt nor question"),
        ('{"question": "x", "texts": "B"}', "line 2 is no reply: .*texts"),
        ("[1]", "line 2 is no reply"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text('{"question": "x", "text": "B"}\n' + line)
    with pytest.raises(PanelError, match=message):
        RecordedAnswerer(name="r", path=path)


def test_one_source_is_needed(tmp_path: Path) -> None:
    with pytest.raises(PanelError, match="needs one of replies, path and run"):
        RecordedAnswerer(name="r")
    with pytest.raises(PanelError, match="needs one of"):
        RecordedAnswerer(name="r", replies={}, path=tmp_path)
    with pytest.raises(PanelError, match="cannot be read: No such file"):
        RecordedAnswerer(name="r", path=tmp_path / "none.jsonl")


def test_a_run_without_that_answerer_names_those_it_has(tmp_path: Path) -> None:
    live = FunctionAnswerer("m", lambda r: "A")
    run([Case("c", View("Q?", OPTIONS))], parse_checks("blind"), panel_of(live), tmp_path, seed=0)
    with pytest.raises(PanelError, match="holds no reply of 'n'; it has m"):
        RecordedAnswerer(name="n", run=tmp_path)
