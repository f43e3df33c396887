"""The command that has a judge choose between two runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vidence.cli.agent import agent
from vidence.cli.agent_report import named_run
from vidence.cli.app import Run, note
from vidence.cli.runs import Executor, settings_of


@agent.command("judge")
def judge_command(
    run: Run,
    rival: Annotated[
        str, typer.Option(metavar="NAME=RUN", help="Another imported run on the same questions.")
    ],
    panel: Annotated[Path, typer.Option(help="TOML file that has the judge.")],
    judge: Annotated[str, typer.Option(help="The member of the panel that grades.")],
    executor: Executor = "local",
) -> None:
    """Grade how far each run's evidence supports its answer, where the two answer differently."""
    from vidence.audits.agent_judge import judge as grade
    from vidence.audits.agent_rollouts import load_rival
    from vidence.panel import load_panel

    other = load_rival(*named_run(rival))
    with settings_of(executor) as settings:
        note(str(grade(run, other, load_panel(panel), judge, settings=settings)))
    print(f"Next: vidence agent report {run} --rival {rival}")
