"""The command that says what draws can show before anything is drawn."""

from __future__ import annotations

from typing import Annotated

import typer

from vidence.cli.agent import agent
from vidence.cli.app import Json, print_json


@agent.command("theory")
def theory_command(
    k: Annotated[int, typer.Option("--k", help="Draws a condition.")] = 3,
    sham: Annotated[float, typer.Option(help="How often an intact replay changes the answer.")] = (
        0.344
    ),
    destroy: Annotated[float, typer.Option(help="How often a destroyed one does.")] = 0.642,
    power: Annotated[
        float, typer.Option("--sign-power", help="Chance with which a sign is to show.")
    ] = 0.9,
    reliability: Annotated[
        float, typer.Option(help="Correlation that two probes' scores are to have.")
    ] = 0.8,
    as_json: Json = False,
) -> None:
    """Print the exact law of Delta at two flip rates, and how many draws an aim takes."""
    from vidence.audits.agent_theory import theory
    from vidence.report.agent_theory import theory_lines

    found = theory(k, sham, destroy, power=power, reliability=reliability)
    if as_json:
        print_json(found)
    else:
        print("\n".join(theory_lines(found)))
