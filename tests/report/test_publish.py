"""From a run to its files, with replies as servers really send them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from vidence.answerers.recorded import FunctionAnswerer
from vidence.audits.benchmark import BenchmarkAudit, Source, audit
from vidence.check import parse_checks
from vidence.panel import panel_of
from vidence.report.agents_beside import agents_beside
from vidence.report.publish import publish


def test_half_a_surrogate_in_a_reply_reaches_every_file(tmp_path: Path) -> None:
    row = {"id": "q", "video": "v.mp4", "question": "Which?", "options": ["cat", "dog"]}
    (tmp_path / "cases.jsonl").write_text(json.dumps({**row, "answer": 0}))
    model = FunctionAnswerer("model", lambda _: "A. \ud83d cat")
    run = tmp_path / "run"
    audit(Source(tmp_path / "cases.jsonl"), panel_of(model), run, checks=parse_checks("blind"))
    page, data = publish(BenchmarkAudit(run))
    (card,) = [json.loads(line) for line in (run / "cases.jsonl").read_text().splitlines()]
    assert card["replies"][0]["raw"] == ["A. \ud83d cat"]
    assert card["replies"][0]["status"] == "ok"
    assert data["cases"]["scored"] == 1
    assert "Which?" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("body", ["{", '{"agents": {"x": {"delta": 5}}}', '{"agents": 1}', "[]"])
def test_a_damaged_report_of_agents_is_left_out_and_named(tmp_path: Path, body: str) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "report.json").write_text(body)
    found = agents_beside(tmp_path)
    assert found["agents"] == {}
    assert found["agents_damaged"].endswith("report.json")
    assert agents_beside(tmp_path / "agents") == {}
