"""`vidence gate` as continuous integration uses it: exit codes, JUnit XML, a step summary."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.audits.made import case
from tests.audits.made_run import write_run
from tests.cli.test_cli import vidence

NASTY = "Bench <&> | \x00 \u202e ]]> 日本"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    cases = [case(f"q{i}|<\x01>") for i in range(40)]
    replies = {"blind": {c.id: "000" if i < 10 else "123" for i, c in enumerate(cases)}}
    return write_run(tmp_path / "run", cases, replies, title=NASTY)


def test_a_closed_gate_is_exit_code_1_and_says_why_everywhere(run: Path, tmp_path: Path) -> None:
    files = tmp_path / "made" / "gate.xml", tmp_path / "summary.md"
    files[1].write_text("what another step wrote\n")
    done = vidence("gate", run, "--max-shortcut", "30%", "--junit", files[0], "--summary", files[1])
    assert done.returncode == 1, done.stderr
    assert "gate      failed: Bench <&> | ⟨U+0000⟩ ⟨U+202E⟩" in done.stdout
    sentence = next(line for line in done.stdout.splitlines() if line.startswith("bound"))[10:]
    root = ElementTree.parse(files[0]).getroot()
    (failure,) = root.iter("failure")
    assert failure.get("message") == sentence
    assert "shortcut: q3|<⟨U+0001⟩>" in str(failure.text)
    summary = files[1].read_text()
    assert summary.startswith("what another step wrote\n### Vidence gate: failed: Bench &lt;&amp;")
    assert "\x00" not in summary
    table = [line for line in summary.splitlines() if line.startswith("|")]
    assert {line.replace("\\|", "").count("|") for line in table[:3]} == {6}


def test_an_open_gate_is_exit_code_0(run: Path, tmp_path: Path) -> None:
    done = vidence("gate", run, "--max-shortcut", "0.5", "--junit", tmp_path / "gate.xml", "--json")
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert (data["outcome"], data["bounds"][0]["limit"]) == ("passed", 0.5)
    suite = ElementTree.parse(tmp_path / "gate.xml").getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == ("1", "0")


def test_github_s_own_variable_names_the_summary(run: Path, tmp_path: Path) -> None:
    path = tmp_path / "step.md"
    vidence("gate", run, "--max-shortcut", "30%", GITHUB_STEP_SUMMARY=str(path))
    vidence("gate", run, "--max-excess", "90%", GITHUB_STEP_SUMMARY=str(path))
    shown = path.read_text()
    assert "### Vidence gate: failed" in shown
    assert "### Vidence gate: passed" in shown


def test_a_summary_makes_its_folder_or_says_that_it_cannot(run: Path, tmp_path: Path) -> None:
    command = ("gate", run, "--max-shortcut", "0.5", "--summary")
    assert vidence(*command, tmp_path / "new" / "step.md").returncode == 0
    assert (tmp_path / "new" / "step.md").read_text().startswith("### Vidence gate: passed")
    for place in (tmp_path, tmp_path / "new" / "step.md" / "below.md"):
        done = vidence(*command, place)
        assert done.returncode == 4
        assert "cannot be written" in done.stderr
        assert "Traceback" not in done.stderr


def test_nothing_measured_is_exit_code_3_and_still_a_junit_file(tmp_path: Path) -> None:
    cases = [case(f"q{i}") for i in range(5)]
    run = write_run(tmp_path / "run", cases, {"blind": {c.id: "!!!" for c in cases}})
    done = vidence("gate", run, "--max-shortcut", "30%", "--junit", tmp_path / "gate.xml")
    assert done.returncode == 3
    assert "nothing was measured (not one reply could be read)" in done.stderr
    assert [e.tag for e in ElementTree.parse(tmp_path / "gate.xml").getroot().iter("error")]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--max-shortcut", "30"), 2, "Did you mean 30%?"),
        ((), 2, "No bound came"),
        (("--max-shortcut", "30%", "--consensus", "9"), 2, "1 to 3"),
    ],
)
def test_wrong_input_is_exit_code_2(
    run: Path, arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = vidence("gate", run, *arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr


def test_no_run_is_exit_code_4(tmp_path: Path) -> None:
    assert vidence("gate", tmp_path, "--max-shortcut", "30%").returncode == 4
