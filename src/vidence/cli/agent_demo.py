"""The command that shows the agent audit on agents whose reliance is known."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vidence.cli.agent import agent
from vidence.cli.agent_report import report_agents
from vidence.cli.app import Json, note
from vidence.cli.runs import settings_of


@agent.command("demo")
def demo_command(
    out: Annotated[Path, typer.Option(help="Folder for the world, the runs and the report.")],
    seed: Annotated[int, typer.Option(help="Names the world and the runs.")] = 0,
    cases: Annotated[int, typer.Option(min=8, help="Questions to generate.")] = 72,
    as_json: Json = False,
) -> None:
    """Let three agents of known reliance search generated films, probe them, write the report."""
    show_agents(out, seed=seed, cases=cases, as_json=as_json)


def show_agents(
    out: Path, *, seed: int, cases: int | None = None, as_json: bool = False, loud: bool = True
) -> None:
    """Make the demo of the agent audit in a folder, with its report.

    Args:
        out: the folder.
        seed: names the world and the runs.
        cases: how many questions; the demo's default otherwise.
        as_json: whether the report's data goes to standard output.
        loud: whether anything goes there.
    """
    import json

    from vidence.agent_demo import QUESTIONS, agent_demo, beside_truth

    with settings_of() as settings:
        done = agent_demo(out, seed=seed, cases=cases or QUESTIONS, settings=settings, say=note)
    for summary in done.summaries:
        note(str(summary))
    report_agents(done.runs, out=out, as_json=as_json, loud=loud)
    data = json.loads((out / "report.json").read_text(encoding="utf-8"))
    for line in beside_truth(data, done.truth):
        note(line)
