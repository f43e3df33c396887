"""`vidence leaderboard` as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.audits.test_leaderboard import made
from tests.cli.test_cli import vidence


def test_text_json_and_markdown_say_the_same(tmp_path: Path) -> None:
    run = made(tmp_path / "run", topic="all")
    shown = vidence("leaderboard", run, "--by", "topic", "--markdown", tmp_path / "new" / "b.md")
    assert shown.returncode == 0, shown.stderr
    assert max(map(len, shown.stdout.splitlines())) <= 80
    data = json.loads(vidence("leaderboard", run, "--by", "topic", "--json").stdout)
    page = (tmp_path / "new" / "b.md").read_text()
    for row in data["rows"]:
        right = f"{100 * row['sets']['kept']['accuracy']['value']:.0f}"
        line = next(x for x in shown.stdout.splitlines() if f" {row['name']} *" in x)
        assert f" {right}% (" in line
        assert f"| {row['name']} | yes |" in page
    assert data["format"] == "vidence.leaderboard/1"


def test_a_kept_file_and_another_consensus(tmp_path: Path) -> None:
    run = made(tmp_path / "run")
    assert vidence("distill", run, "--consensus", 2, "--out", tmp_path / "d").returncode == 0
    by_file = vidence("leaderboard", run, "--kept", tmp_path / "d" / "kept.jsonl", "--json")
    by_run = vidence("leaderboard", run, "--consensus", 2, "--json")
    sizes = [json.loads(done.stdout)["cases"]["kept"] for done in (by_file, by_run)]
    assert sizes == [24, 24]


def test_a_wrong_tag_is_exit_code_2_and_no_run_4(tmp_path: Path) -> None:
    run = made(tmp_path / "run", topic="x")
    wrong = vidence("leaderboard", run, "--by", "topics")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "Did you mean 'topic'?" in wrong.stderr
    assert vidence("leaderboard", tmp_path / "none").returncode == 4
    assert vidence("leaderboard").returncode == 2
