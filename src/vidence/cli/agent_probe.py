"""The command that replays frozen runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vidence.cli.agent import agent
from vidence.cli.agent_report import report_agents
from vidence.cli.app import Json, Run, note
from vidence.cli.runs import Executor, say_summary, settings_of

Names = Annotated[
    list[str] | None, typer.Option("--condition", help="A further check; may be repeated.")
]


@agent.command("probe")
def probe_command(
    run: Run,
    panel: Annotated[
        Path | None, typer.Option(help="TOML file: who answers, who puts frames into words.")
    ] = None,
    answerer: Annotated[str | None, typer.Option(help="Who answers the replays.")] = None,
    renderer: Annotated[
        str | None, typer.Option(help="Who puts frames into words; default: the panel's renderer.")
    ] = None,
    k: Annotated[
        int | None, typer.Option("--k", min=1, help="Draws a condition; 3 in a new probe.")
    ] = None,
    edit: Annotated[
        str | None, typer.Option(help="What destroys the frames; phase in a new probe.")
    ] = None,
    condition: Names = None,
    fallback: Annotated[
        str | None,
        typer.Option(help="A member of the panel whose own answers routing may fall back on."),
    ] = None,
    videos: Annotated[
        Path | None, typer.Option(help="Folder of the videos, if not where the import found them.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Names every draw; 0 in a new probe.")] = None,
    executor: Executor = "local",
    as_json: Json = False,
) -> None:
    """Replay an agent's runs, or a panel's answers, with frames as they were and destroyed."""
    from vidence.audits.agent_probe import Probing, ask_fallback, probe
    from vidence.panel import load_panel

    people = None if panel is None else load_panel(panel)
    how = Probing(
        k=k,
        edit=edit,
        conditions=tuple(condition or ()),
        seed=seed,
        videos=videos,
        answerer=answerer,
        renderer=renderer,
    )
    with settings_of(executor) as settings:
        summary = probe(run, people, how, settings=settings)
        say_summary(summary)
        if fallback is not None:
            note(str(ask_fallback(summary.folder, fallback, people, settings=settings)))
    report_agents([summary.folder], as_json=as_json)
