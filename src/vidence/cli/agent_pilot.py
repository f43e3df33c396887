"""The command that tries a probe on a few videos before a large one is paid for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vidence.cli.agent import agent
from vidence.cli.app import Json, Run, note, print_json
from vidence.cli.runs import Executor, settings_of


@agent.command("pilot")
def pilot_command(
    run: Run,
    panel: Annotated[
        Path, typer.Option(help="TOML file: who answers, who puts frames into words.")
    ],
    questions: Annotated[
        int, typer.Option(min=1, help="At least so many, in whole videos drawn at random.")
    ] = 60,
    k: Annotated[int, typer.Option("--k", min=1, help="Draws a condition, as planned.")] = 3,
    runs: Annotated[int, typer.Option(min=1, help="Independent runs.")] = 2,
    deep: Annotated[
        int, typer.Option(min=0, help="Draws to which the first run is extended; 0: not at all.")
    ] = 10,
    fallback: Annotated[
        str | None, typer.Option(help="A member of the panel that may answer instead.")
    ] = None,
    answerer: Annotated[str | None, typer.Option(help="Who answers the replays.")] = None,
    renderer: Annotated[str | None, typer.Option(help="Who puts frames into words.")] = None,
    edit: Annotated[
        str | None, typer.Option(help="What destroys the frames; default: phase.")
    ] = None,
    videos: Annotated[
        Path | None, typer.Option(help="Folder of the videos, if not where the import found them.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Names the videos drawn and the runs.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Folder; default: pilot in the run's.")] = None,
    executor: Executor = "local",
    as_json: Json = False,
) -> None:
    """Probe a few videos of an agent's run in five steps, and say whether to go on."""
    from vidence.audits.agent_pilot import FOLDER, Pilot, run_pilot
    from vidence.panel import load_panel
    from vidence.report.agent_pilot import pilot_lines, pilot_markdown
    from vidence.whole import write_whole

    plan = Pilot(
        questions=questions,
        k=k,
        runs=runs,
        deep=deep,
        seed=seed,
        fallback=fallback,
        answerer=answerer,
        renderer=renderer,
        edit=edit,
        videos=videos,
    )
    with settings_of(executor) as settings:
        data = run_pilot(run, load_panel(panel), plan, out=out, settings=settings, say=note)
    page = (out or run / FOLDER) / "pilot.md"
    write_whole(page, pilot_markdown(data))
    if as_json:
        print_json(data)
        return
    print("\n".join(pilot_lines(data)))
    print(f"Report: {page}")
