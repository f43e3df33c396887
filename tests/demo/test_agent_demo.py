"""The agents' demo end to end: films searched, logs imported, probed, held against the truth."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from vidence.agent_demo import AGENTS, TRUTH
from vidence.seeds import seed_of
from vidence.stats import Estimate
from vidence.store import Store

SEED = seed_of("tests", "agent demo") % 10**6
CASES = 36

pytestmark = pytest.mark.slow


def vidence(*words: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "vidence", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=600,
    )


def demo(out: Path) -> subprocess.CompletedProcess[str]:
    return vidence("agent", "demo", "--out", out, "--seed", SEED, "--cases", CASES)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    out = tmp_path_factory.mktemp("agents")
    done = demo(out)
    assert done.returncode == 0, done.stderr
    return out, done.stdout + done.stderr


@pytest.fixture(scope="module")
def report(shown: tuple[Path, str]) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((shown[0] / "report.json").read_text())
    return data


def test_delta_is_near_what_is_planted(shown: tuple[Path, str], report: dict[str, Any]) -> None:
    """Three standard errors are allowed: 1.5 times the 95 % interval's half width."""
    planted = json.loads((shown[0] / "world" / TRUTH).read_text())
    assert tuple(report["agents"]) == AGENTS
    for name in AGENTS:
        delta = report["agents"][name]["delta"]
        Estimate.from_json(delta)
        assert (delta["n"], planted[name]["n"]) == (CASES, CASES)
        room = 1.5 * (delta["high"] - delta["low"]) / 2
        assert abs(delta["value"] - planted[name]["delta"]) < room, name
    assert planted["prior"]["delta"] == 0
    assert planted["grounded"]["delta"] > 0.4
    assert report["agents"]["grounded"]["delta"]["low"] > 0


def test_it_says_how_near(shown: tuple[Path, str]) -> None:
    _, said = shown
    for name in AGENTS:
        assert f"{name} " in said
    assert said.count("the interval") >= len(AGENTS)


def replies(folder: Path) -> dict[tuple[str, str, int], str]:
    with Store.open(folder, read_only=True) as store:
        return {
            (r.cell.case, r.cell.check, r.cell.repeat): repr((r.status, r.value))
            for r in store.records()
        }


def test_logs_and_replies_do_not_change_when_the_truth_is_shuffled(
    shown: tuple[Path, str], tmp_path: Path
) -> None:
    """The truth's rows trade places, and those of the keys, before an agent is asked anything.

    The annotation file holds the keys: what agents and answerers do must not depend on them.
    """
    out, _ = shown
    again = tmp_path / "agents"
    (again / "world").mkdir(parents=True)
    for name in ("panel.toml", "done.txt"):
        shutil.copy(out / "world" / name, again / "world" / name)
    (again / "world" / "videos").symlink_to(out / "world" / "videos")
    rng = random.Random(SEED)
    for name, part in (("truth.jsonl", "id"), ("cases.jsonl", "answer")):
        rows = [json.loads(line) for line in (out / "world" / name).read_text().splitlines()]
        values = [row[part] for row in rows]
        rng.shuffle(values)
        if part == "answer":
            values = [v % len(row["options"]) for v, row in zip(values, rows, strict=True)]
        mixed = [json.dumps({**row, part: v}) for row, v in zip(rows, values, strict=True)]
        (again / "world" / name).write_text("\n".join(mixed) + "\n")
    assert demo(again).returncode == 0
    for name in AGENTS:
        log = f"{name}.jsonl"
        assert (again / "world" / log).read_text() == (out / "world" / log).read_text()
        assert replies(again / name) == replies(out / name)
    keyed = [json.loads((d / "report.json").read_text()) for d in (out, again)]
    right = [d["agents"]["grounded"]["routing"]["rows"][0]["accuracy"]["value"] for d in keyed]
    assert right[0] > right[1], "what is right has changed, and nothing else"


def test_a_second_demo_asks_nothing_and_another_seed_is_another_world(
    shown: tuple[Path, str],
) -> None:
    done = demo(shown[0])
    assert done.returncode == 0
    assert done.stderr.count("already complete") == len(AGENTS)
    films = sorted((shown[0] / "world" / "videos").iterdir())
    before = [film.read_bytes() for film in films]
    other = vidence("agent", "demo", "--out", shown[0], "--seed", SEED + 1, "--cases", CASES)
    assert other.returncode == 4
    assert "another world" in other.stderr
    assert [film.read_bytes() for film in films] == before


def test_a_pilot_runs_on_its_logs(shown: tuple[Path, str], tmp_path: Path) -> None:
    out, _ = shown
    world, run = out / "world", tmp_path / "run"
    made = vidence(
        *("agent", "import", world / "grounded.jsonl", "--format", "vidence"),
        *("--videos", world / "videos", "--questions", world / "cases.jsonl", "--out", run),
    )
    assert made.returncode == 0, made.stderr
    how = ("--answerer", "grounded", "--questions", 9, "--runs", 2, "--deep", 0)
    done = vidence("agent", "pilot", run, "--panel", world / "panel.toml", *how)
    assert done.returncode == 0, done.stderr
    assert "Does destroying evidence change more?" in done.stdout
    assert done.stdout.rstrip().endswith(f"Report: {run / 'pilot' / 'pilot.md'}")
    data = json.loads((run / "pilot" / "pilot.json").read_text())
    assert data["steps"][0]["figures"]["sham"]["n"] == data["chosen"]["questions"]
    refused = vidence("agent", "pilot", world, "--panel", world / "panel.toml")
    assert refused.returncode != 0
    assert "vidence agent import" in refused.stderr
