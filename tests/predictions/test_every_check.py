"""Replies to any check can be imported, and the run reported on, where no video is at hand."""

from __future__ import annotations

from pathlib import Path

from tests.predictions.films import COUNT, KEYS, WORDS, benchmark, bring, question, write_lines
from vidence.audits.benchmark import BenchmarkAudit, distill
from vidence.check import PROBES, make_check
from vidence.report.publish import publish


def test_a_run_with_every_check_is_reported_on_without_videos(tmp_path: Path) -> None:
    rows = [
        {"id": f"q{i}", "reply": KEYS[i], "question": question(i), "options": list(WORDS)}
        for i in range(COUNT)
    ]
    log = write_lines(tmp_path / "log.jsonl", rows)
    path = benchmark(tmp_path)
    for name in PROBES:
        bring("plain", log, path, tmp_path / "run", check=name, model=f"model of {name}")
    audit = BenchmarkAudit(tmp_path / "run")
    page, data = publish(audit)
    assert page.is_file()
    flagged = {row["check"]: row["flagged"] for row in data["checks"] if "flagged" in row}
    for name in PROBES:
        if make_check(name).counts:
            assert flagged[name][0]["n"] == COUNT, name
    assert distill(tmp_path / "run", consensus=1)["shortcut"] == COUNT
