"""Commands on frozen runs of tool-using agents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vidence.cli.app import Columns, Json, app, note, print_json

if TYPE_CHECKING:
    from vidence.audits.agent_import import Imported

agent = typer.Typer(
    help="Does an agent's answer depend on the evidence that it retrieved?",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(agent, name="agent")


@agent.callback()
def root() -> None:
    """Does an agent's answer depend on the evidence that it retrieved?"""


@agent.command("import")
def import_command(
    logs: Annotated[list[Path], typer.Argument(metavar="LOG...", help="Logs of one agent.")],
    form: Annotated[str, typer.Option("--format", help="Of the logs: vidence list agent_logs.")],
    videos: Annotated[Path, typer.Option(help="Folder of the video files.")],
    out: Annotated[Path, typer.Option(help="Folder of the run; an existing one is added to.")],
    table: Annotated[
        str | None,
        typer.Option(help="How the agent writes its logs: a name, or a TOML file."),
    ] = None,
    questions: Annotated[
        Path | None, typer.Option(help="Annotation file with the keys and the annotated spans.")
    ] = None,
    benchmark: Annotated[str, typer.Option(help="Form of that file.")] = "jsonl",
    columns: Columns = None,
    scores: Annotated[
        Path | None, typer.Option(help="The harness's results: which questions lack a trace?")
    ] = None,
    as_json: Json = False,
) -> None:
    """Freeze an agent's runs from its logs, and say which can be replayed and why others cannot."""
    from vidence.audits.agent_import import Logs, import_logs
    from vidence.audits.agent_questions import Questions

    known = None
    if questions is not None:
        known = Questions.load(benchmark, questions, columns=columns)
    done = import_logs(Logs(tuple(logs), form, table, videos, known, scores), out)
    if as_json:
        print_json(done.to_json())
    else:
        _print(done)


def _print(done: Imported) -> None:
    from vidence.report.agent_import import lines, warnings

    for line in lines(done):
        print(line)
    for line in warnings(done):
        note(f"warning   {line}")
