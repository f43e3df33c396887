"""The command that shows what the toolkit does, on generated films."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vidence.cli.agent_demo import show_agents
from vidence.cli.app import Json, app, note
from vidence.cli.runs import report_run, settings_of


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the worlds, the runs and the report.")] = (
        Path("demo")
    ),
    seed: Annotated[int, typer.Option(help="Names the worlds and the runs.")] = 0,
    cases: Annotated[int | None, typer.Option(min=20, help="Questions to generate.")] = None,
    as_json: Json = False,
) -> None:
    """Audit a generated world with planted shortcuts, and agents of planted reliance; report."""
    from vidence.demo import demo as show
    from vidence.report.agents_beside import FOLDER

    with settings_of() as settings:
        summary, truth = show(out, seed=seed, cases=cases, settings=settings, say=note)
    note(str(summary))
    few = None if cases is None else max(8, cases // 2)
    show_agents(out / FOLDER, seed=seed, cases=few, loud=False)
    report_run(out, truth, as_json)
