"""The command that reports on probed runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from vidence.cli.agent import agent
from vidence.cli.app import Json, print_json
from vidence.errors import UsageError

Runs = Annotated[
    list[Path],
    typer.Argument(metavar="RUN...", help="Folders of probes: vidence agent probe.", exists=True),
]


@agent.command("report")
def report_command(
    runs: Runs,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the report; default: the run's own.")
    ] = None,
    k: Annotated[
        int | None, typer.Option("--k", min=1, help="Only the first K draws of each condition.")
    ] = None,
    rival: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=RUN", help="Another imported run on the same questions; may be repeated."
        ),
    ] = None,
    embed: Annotated[int, typer.Option(min=0, max=200, help="Questions on the page.")] = 200,
    as_json: Json = False,
) -> None:
    """Write report.html, report.md, report.json and cases.jsonl of one or several probes."""
    rivals: dict[str, Path] = {}
    for name, folder in map(named_run, rival or ()):
        if name in rivals:
            raise UsageError(f"--rival {name}=... came twice. Give each run a name of its own.")
        rivals[name] = folder
    report_agents(runs, out=out, k=k, rivals=rivals, embed=embed, as_json=as_json)


def report_agents(
    runs: Sequence[Path],
    *,
    out: Path | None = None,
    k: int | None = None,
    rivals: Mapping[str, Path] | None = None,
    embed: int = 200,
    as_json: bool = False,
    loud: bool = True,
) -> None:
    """Write the report of some probes, and print its end where it is to be loud."""
    from vidence.audits.agent import AgentAudit
    from vidence.report.agent_report import print_agents, publish_agents

    path, data = publish_agents(AgentAudit(runs, k=k, rivals=rivals), out, embed=embed)
    if as_json:
        print_json(data)
    elif loud:
        print_agents(data, path)


def named_run(words: str) -> tuple[str, Path]:
    """Return the name and the folder in `NAME=RUN`.

    Raises:
        UsageError: it is not of that form.
    """
    name, equals, folder = words.partition("=")
    if not (name and equals and folder):
        raise UsageError(
            f"--rival {words!r} came; NAME=RUN is allowed: a name for the tables, and the folder "
            "of another imported run."
        )
    return name, Path(folder)
