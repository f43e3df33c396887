"""The demo of the agent audit: three agents over generated films, whose reliance is planted."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vidence.audits.agent_import import Logs, import_logs
from vidence.audits.agent_probe import Probing, ask_fallback, probe
from vidence.audits.agent_questions import Questions
from vidence.demo import refuse_other
from vidence.panel import load_panel
from vidence.progress import RunSummary
from vidence.run import RunSettings
from vidence.whole import write_whole
from vidence.worlds import WORLDS
from vidence.worlds.agent_log import Investigator, Task

if TYPE_CHECKING:
    from vidence.benchmark import Benchmark
    from vidence.panel import Panel

AGENTS = ("grounded", "mixed", "prior")
"""Who answers from its evidence, who does for about half of the questions, and who never does."""
FALLBACK = "second"
CONDITIONS = ("no_evidence", "destroy:edit=mean_frame")
QUESTIONS, DRAWS = 72, 3
TRUTH = "agents_truth.json"

_PANEL = """\
# Three agents that rely on their evidence in different degrees.
[answerers.grounded]
kind = "world_agent"
reliance = 1.0

[answerers.mixed]
kind = "world_agent"
reliance = 0.5

[answerers.prior]
kind = "world_agent"
reliance = 0.0

# Who puts frames into words, and whose answers routing may fall back on.
[answerers.eyes]
kind = "world_captioner"
things = 8
error = 0.0
miss = 0.0
precise = true

[answerers.second]
kind = "world_reader"

[roles]
renderer = "eyes"
"""


@dataclass(frozen=True)
class AgentDemo:
    """What the demo made.

    Args:
        folder: of the report; `world/`, and a run for each agent, lie below it.
        runs: the probes, in the order of `AGENTS`.
        truth: file with the planted Delta of each agent; no answerer and no audit reads it.
        summaries: how the probes ended.
    """

    folder: Path
    runs: tuple[Path, ...]
    truth: Path
    summaries: tuple[RunSummary, ...]


def agent_demo(
    folder: Path,
    *,
    seed: int | str = 0,
    cases: int = QUESTIONS,
    settings: RunSettings | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> AgentDemo:
    """Let three agents investigate generated films, import their logs and probe them.

    All questions ask for an order: whoever sees the frames can tell it, and scrambled frames tell
    nothing of it, so that the Delta of each agent is known (`WorldAgent.expected_delta`).

    Args:
        folder: of the world, the runs and the report; what lies there is gone on with.
        seed: names the world, the agents' runs and the probes.
        cases: how many questions.
        settings: how the probes are carried out.
        say: told each stage in words.
    """
    from vidence.benchmark import load_benchmark

    world = _world(folder / "world", seed, cases, say)
    panel = load_panel(world / "panel.toml")
    benchmark = load_benchmark("jsonl", world / "cases.jsonl", world / "videos")
    summaries = []
    for name in AGENTS:
        run = folder / name
        log = world / f"{name}.jsonl"
        if not log.is_file():
            say(f"agent     {name} investigates {len(benchmark.cases)} questions")
            write_whole(log, _investigated(name, panel, benchmark, world / "videos", seed))
        known = Questions(benchmark)
        import_logs(Logs((log,), "vidence", videos=world / "videos", questions=known), run)
        say(f"probe     {name}")
        how = Probing(k=DRAWS, conditions=CONDITIONS, seed=seed, answerer=name)
        summaries.append(probe(run, panel, how, settings=settings))
        ask_fallback(run, FALLBACK, panel, settings=settings)
    truth = world / TRUTH
    write_whole(truth, json.dumps(_planted(panel, benchmark), indent=1) + "\n")
    runs = tuple(folder / name for name in AGENTS)
    return AgentDemo(folder, runs, truth, tuple(summaries))


def beside_truth(data: Mapping[str, Any], truth: Path) -> list[str]:
    """Return a line an agent: its Delta, and the one that is planted.

    Args:
        data: of the report.
        truth: the file of the demo.
    """
    planted = json.loads(truth.read_text(encoding="utf-8"))
    lines = []
    for name, row in planted.items():
        delta = data["agents"][name]["delta"]
        inside = delta["low"] <= row["delta"] <= delta["high"]
        lines.append(
            f"{name:<9} Delta {delta['value']:+.3f} ({delta['low']:+.3f} to {delta['high']:+.3f}), "
            f"planted {row['delta']:+.3f}: {'inside' if inside else 'outside'} the interval"
        )
    return lines


def _world(place: Path, seed: int | str, cases: int, say: Callable[[str], None]) -> Path:
    done = place / "done.txt"
    recipe = f"shapes agents seed={seed!r} cases={cases!r}\n"
    if done.is_file() and done.read_text(encoding="utf-8") == recipe:
        say(f"world     {place} is there already")
        return place
    refuse_other(done, recipe)
    say("world     generating films and questions")
    WORLDS["shapes"](place, seed=f"agents {seed}", cases={"order": cases})
    write_whole(place / "panel.toml", _PANEL)
    write_whole(done, recipe)
    return place


def _investigated(
    name: str, panel: Panel, benchmark: Benchmark, films: Path, seed: int | str
) -> str:
    from vidence.media.pixels import FrameCache

    agent = Investigator(panel.answerers[name], panel.answerers["eyes"], seed)
    media = FrameCache()
    lines = []
    for case in benchmark.cases:
        options = tuple(option.text for option in case.view.options)
        film = Path(case.view.clip().video.path).name
        task = Task(case.id, case.view.question, options, film)
        lines.append(agent.run(task, films, media).model_dump_json())
    return "".join(f"{line}\n" for line in lines)


def _planted(panel: Panel, benchmark: Benchmark) -> dict[str, dict[str, Any]]:
    found = {}
    for name in AGENTS:
        agent: Any = panel.answerers[name]
        deltas: Sequence[float] = [
            agent.expected_delta(case.view.question, len(case.view.options))
            for case in benchmark.cases
        ]
        by_case = {case.id: delta for case, delta in zip(benchmark.cases, deltas, strict=True)}
        mean = sum(deltas) / len(deltas) if deltas else None
        found[name] = {"delta": mean, "n": len(deltas), "cases": by_case}
    return found
