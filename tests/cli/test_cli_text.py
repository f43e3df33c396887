"""`vidence audit-text` and `vidence debias` as a person uses them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.audits import made_text
from tests.audits.test_text_all import films, holmes, minerva
from tests.cli.test_cli import vidence

QUICK = ("--permutations", 39, "--repeats", 1)


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    return made_text.write(tmp_path / "cases.jsonl", made_text.rows(60, leak=0.8))


def test_a_report_a_table_and_json_of_the_same_figures(cases: Path, tmp_path: Path) -> None:
    shown = vidence("audit-text", "jsonl", cases, *QUICK, cwd=tmp_path)
    assert shown.returncode == 0, shown.stderr
    folder = tmp_path / "runs" / "cases-text"
    assert shown.stdout.rstrip().endswith(f"Report: {Path('runs', 'cases-text', 'report.html')}")
    assert {path.name for path in folder.iterdir()} == {
        *("report.html", "report.md", "report.json", "cases.jsonl")
    }
    printed = vidence("audit-text", "jsonl", cases, *QUICK, "--json", cwd=tmp_path)
    data = json.loads(printed.stdout)
    written = json.loads((folder / "report.json").read_text())
    assert data["priors"] == written["priors"]
    assert data["learner"] == written["learner"]
    assert f"{data['priors']['longest_option']['value']:.1f}" in shown.stdout
    assert f"{data['learner']['value']:.1f}" in shown.stdout
    assert data["run"]["command"].startswith("vidence audit-text jsonl")


@pytest.mark.data
def test_real_figures_through_the_command(data_dir: Path, tmp_path: Path) -> None:
    path = data_dir / "benchmarks" / "vcr-bench"
    done = vidence("audit-text", "vcrbench", path, *QUICK, "--out", tmp_path, "--json")
    data = json.loads(done.stdout)
    for name, value in (("chance", 24.1), ("majority_position", 30.4), ("longest_option", 27.8)):
        assert data["priors"][name]["value"] == pytest.approx(value, abs=0.3)
    assert data["cases"]["n"] + data["cases"]["rejected"] == 511
    assert data["cases"]["open_ended"] == 523
    for found in (*data["priors"].values(), data["learner"]):
        assert found["low"] <= found["value"] <= found["high"]
        assert found["clusters"] > 400


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (("audit-text",), "or --all with a folder"),
        (("audit-text", "videomm", "x"), "Did you mean 'videomme'?"),
        (("audit-text", "videomme", "gone.parquet"), "gone.parquet is no file"),
        (("audit-text", "videomme", "x", "--all", "."), "leave the others out"),
        (("audit-text", "--all", "gone"), "gone is no folder"),
        (("debias", "jsonl", "x", "--out", "o", "--target", "0.3"), "percent from 1 to 100"),
        (("debias", "jsonl", "x", "--out", "o", "--max-removed", "30"), "0.25 for a quarter"),
        (("debias", "jsonl", "x", "--out", "o", "--method", "cut"), "prune, balance"),
    ],
)
def test_slips_are_exit_code_2_and_say_what_is_allowed(
    line: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    done = vidence(*line, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_case_file_is_not_overwritten_by_its_report(cases: Path, tmp_path: Path) -> None:
    before = cases.read_bytes()
    for line in (("audit-text", "jsonl", cases), ("debias", "jsonl", cases)):
        done = vidence(*line, "--out", tmp_path)
        assert done.returncode == 4
        assert "Choose another folder" in done.stderr
    assert cases.read_bytes() == before


@pytest.mark.slow
def test_debias_writes_files_and_says_how_to_read_them(cases: Path, tmp_path: Path) -> None:
    line = ("debias", "jsonl", cases, "--max-removed", 0.1, "--out", tmp_path / "out")
    shown = vidence(*line)
    assert shown.returncode == 0, shown.stderr
    assert "by construction" in shown.stdout
    data = json.loads(vidence(*line, "--json").stdout)
    assert data["removed"] == 6
    assert data["before"]["learner"]["unit"] == "percent"
    assert 0 < data["before"]["learner"]["value"] <= 100
    kept = Path(data["files"]["kept"]).read_text().splitlines()
    assert len(kept) == data["kept"] == 54
    again = vidence("audit-text", "jsonl", data["files"]["kept"], *QUICK, "--out", tmp_path / "r")
    assert again.returncode == 0, "what is kept is a case file of the same form"
    assert Path(data["files"]["report"]).is_file()


@pytest.mark.slow
def test_all_names_what_fails_and_goes_on(tmp_path: Path) -> None:
    bench = tmp_path / "bench"
    minerva(bench / "minerva", films(1))
    (bench / "lvbench").mkdir()
    (bench / "odd").mkdir()
    line = ("audit-text", "--all", bench, *QUICK, "--out", tmp_path / "out")
    shown = vidence(*line)
    assert shown.returncode == 2, "one benchmark could not be read"
    assert "lvbench could not be audited" in shown.stderr
    assert "odd is named like no benchmark" in shown.stderr
    assert "MINERVA" in shown.stdout
    assert (tmp_path / "out" / "minerva" / "report.html").is_file()
    (bench / "lvbench").rmdir()
    good = vidence(*line, "--json")
    assert good.returncode == 0, good.stderr
    data = json.loads(good.stdout)
    assert data["benchmarks"]["minerva"]["priors"]["longest_option"]["unit"] == "percent"
    assert 0 <= data["together"]["pooled"]["learner"]["value"] <= 100
    assert data["unknown"] == ["odd"]


@pytest.mark.slow
def test_ctrl_c_ends_all_processes_without_a_traceback(tmp_path: Path) -> None:
    bench = tmp_path / "bench"
    minerva(bench / "minerva", films(1))
    holmes(bench / "video-holmes", films(2))
    line = ["audit-text", "--all", str(bench), "--permutations", "20000"]
    running = subprocess.Popen(
        [sys.executable, "-m", "vidence", *line, "--out", str(tmp_path / "out")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert running.stderr is not None
    assert "2 benchmarks are found" in running.stderr.readline()
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in said
    deadline = time.monotonic() + 20
    while is_there(running.pid) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not is_there(running.pid), "no process of the group is left"


def is_there(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
