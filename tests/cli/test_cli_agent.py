"""The agent audit as commands: import, probe, report, resume, in one folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.audits.made_probe import agent_run
from tests.audits.test_agent_probe import PANEL
from tests.cli.test_cli import vidence
from tests.stub_server import StubServer


@pytest.fixture
def probed(tmp_path: Path) -> Path:
    run = agent_run(tmp_path)
    with StubServer() as server:
        (tmp_path / "panel.toml").write_text(PANEL.format(url=server.url))
        done = vidence("agent", "probe", run, "--panel", tmp_path / "panel.toml",
                       "--fallback", "other", "--json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["kind"] == "agent-audit"
    return run


def test_a_probe_writes_its_report_and_any_report_command_writes_it_again(probed: Path) -> None:
    first = json.loads((probed / "report.json").read_text())
    assert first["agents"]["made"]["counts"]["valid"] == 6
    assert first["agents"]["made"]["k"] == 3
    assert first["agents"]["made"]["routing"]["fallback"] == "other"
    for command in (("agent", "report"), ("report",)):
        (probed / "report.html").unlink()
        done = vidence(*command, probed)
        assert done.returncode == 0, done.stderr
        assert "Delta" in done.stdout
        assert (probed / "report.html").is_file()
        assert json.loads((probed / "report.json").read_text())["agents"] == first["agents"]
    less = json.loads(vidence("agent", "report", probed, "--k", 1, "--json").stdout)
    assert less["agents"]["made"]["k"] == 1


def test_a_resume_of_a_complete_probe_reports_on_it(probed: Path) -> None:
    done = vidence("resume", probed)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("already complete") == 2, "the probe, and its fallback"
    assert "Delta" in done.stdout


def test_several_runs_are_one_report_elsewhere(probed: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(probed, other)
    refused = vidence("agent", "report", probed, other)
    assert refused.returncode == 2
    assert "--out" in refused.stderr
    done = vidence("agent", "report", probed, other, "--out", tmp_path / "both", "--json")
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["agents"]) == 2
    same = vidence("agent", "report", probed, probed, "--json")
    assert len(json.loads(same.stdout)["agents"]) == 1, "one run is no second run"


def test_a_run_that_was_not_probed_says_how_to(tmp_path: Path) -> None:
    done = vidence("agent", "report", agent_run(tmp_path, 2))
    assert done.returncode == 4
    assert "agent probe" in done.stderr
    assert "Traceback" not in done.stderr
