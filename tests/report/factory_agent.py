"""Probes of made agents over real films, of every kind that a report has to bear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.audits.made_probe import agent_run, people, question
from tests.report.factory import HOSTILE
from vidence.answer import Request
from vidence.audits.agent import AgentAudit
from vidence.audits.agent_import import Logs, import_logs
from vidence.audits.agent_probe import Probing, ask_fallback, probe


def reads(request: Request) -> str:
    """Answer another option than B where the frames are said to be noise, and seldom else."""
    noise = "noise" in request.prompt.text()
    return "ACCB"[request.seed % 4] if noise else "BBBBBBA"[request.seed % 7]


def prior(request: Request) -> str:
    """Answer by a habit, whatever the frames are said to show."""
    return "BBA"[request.seed % 3]


def describes(request: Request) -> str:
    """Tell destroyed frames by their edit, as a renderer that looks would."""
    edits = [edit.name for clip in request.prompt.clips() for edit in clip.edits]
    return "a cat" if edits == ["identity"] else "noise"


@dataclass(frozen=True)
class AgentDesign:
    """What is probed.

    Args:
        n: questions, two a film.
        k: draws.
        answer: who answers the replays.
        fallback: whether somebody may answer instead.
        keyed: whether questions have keys and annotated spans.
        hostile: whether texts and names attack the page.
        agents: how many agents the report has.
    """

    n: int = 12
    k: int = 3
    answer: Callable[[Request], str] = reads
    fallback: bool = True
    keyed: bool = True
    hostile: bool = False
    agents: int = 1


ODD = {
    "plain": AgentDesign(),
    "hostile": AgentDesign(hostile=True),
    "bare": AgentDesign(fallback=False, keyed=False),
    "lost": AgentDesign(answer=lambda _: "I cannot say."),
    "one question": AgentDesign(n=1, k=1),
    "all alike": AgentDesign(answer=lambda _: "B"),
    "two agents": AgentDesign(agents=2),
}


def make_probes(folder: Path, design: AgentDesign) -> AgentAudit:
    """Probe what a design says, and return the audit of it."""
    runs = []
    for number in range(design.agents):
        place = folder / f"agent-{number}"
        place.mkdir()
        run = _hostile(place) if design.hostile else _run(place, design)
        panel = people(design.answer if number == 0 else prior, describes, second=lambda _: "A")
        probe(run, panel, Probing(k=design.k, conditions=("no_evidence",)))
        if design.fallback:
            ask_fallback(run, "second", panel)
        runs.append(run)
    return AgentAudit(runs)


def _run(place: Path, design: AgentDesign) -> Path:
    if design.keyed:
        return agent_run(place, design.n)
    return _with(place, [question(i, gold=None, gold_spans=[]) for i in range(design.n)])


def _hostile(place: Path) -> Path:
    rows: list[dict[str, Any]] = []
    for i in range(12):
        words = HOSTILE[i % len(HOSTILE)]
        row = question(
            i,
            qid=f"{i} {words[:200]}",
            question=words,
            options=[f"{words[:80]} {n}" for n in range(3)],
            tags={HOSTILE[i % 2][:60]: words[:200]},
        )
        row["run"]["agent"] = HOSTILE[0]
        rows.append(row)
    return _with(place, rows)


def _with(place: Path, rows: list[dict[str, Any]]) -> Path:
    """Import other trajectories over the films of a made run."""
    import json

    films = agent_run(place, len(rows)).parent / "videos"
    log = place / "other.jsonl"
    log.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    import_logs(Logs((log,), "vidence", videos=films), place / "other")
    return place / "other"
