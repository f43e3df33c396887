"""docs/predictions.md is followed to the letter."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.test_cli import vidence
from tests.predictions.made import case_file, records, rows, take_in
from vidence.prediction import PREDICTIONS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "predictions.md").read_text("utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def test_the_example_runs_and_says_what_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(block("jsonl"))
    (tmp_path / "blind.csv").write_text(block("csv"))
    first, *rest = (
        shlex.split(line)[1:]
        for line in re.findall(r"^ {4}(vidence .*)$", PAGE, re.MULTILINE)
        if "runs/tiny" in line
    )
    done = vidence(*first, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == block("text").strip()
    for arguments in rest:
        assert vidence(*arguments, cwd=tmp_path).returncode == 0


def test_every_form_is_on_the_page() -> None:
    for name in PREDICTIONS:
        assert f"| `{name}` |" in PAGE
    for column in PREDICTIONS["plain"].columns:
        assert f"`{column}`" in PAGE


def test_the_reader_of_the_page_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    PREDICTIONS.load()
    monkeypatch.setattr(PREDICTIONS, "_members", dict(PREDICTIONS._members))
    exec(block("python"), {"__name__": "tabs"})
    log = tmp_path / "log.txt"
    log.write_text("q00\tB\nq01\tA\n")
    take_in(tmp_path / "run", case_file(tmp_path, rows(2)), log, form="tabs")
    assert {name: r.value for name, r in records(tmp_path / "run").items()} == {"q00": 1, "q01": 0}
