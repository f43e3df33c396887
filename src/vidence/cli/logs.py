"""Commands that bring predictions of other tools in, and take records out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vidence.cli.app import Json, app, command_line, note, print_json

if TYPE_CHECKING:
    from vidence.imported.summary import ImportReport


@app.command("import")
def import_command(
    form: Annotated[
        str, typer.Argument(metavar="FORMAT", help="Of the log: vidence list predictions.")
    ],
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Logs of one model under one check.")
    ],
    benchmark: Annotated[
        tuple[str, Path],
        typer.Option(metavar="BENCHMARK PATH", help="Its form, and its annotation file or folder."),
    ],
    check: Annotated[str, typer.Option(help="What the model was shown: intact, blind, ...")],
    model: Annotated[str, typer.Option(help="The name that the answerer gets.")],
    out: Annotated[Path, typer.Option(help="Folder of the run; an existing one is added to.")],
    columns: Annotated[
        str | None,
        typer.Option(help="Which column is what, for FORMAT plain: id=qid,reply=response."),
    ] = None,
    failure: Annotated[
        list[str] | None,
        typer.Option(help="Beginning of replies that stand for a failure; may be repeated."),
    ] = None,
    videos: Annotated[
        Path | None, typer.Option(help="Folder of the video files, for pictures in the report.")
    ] = None,
    benchmark_columns: Annotated[
        str | None, typer.Option(help="Which column is what, for the benchmark form table.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Join predictions that another tool logged to a benchmark's questions, as records of a run."""
    from vidence.benchmark import parse_columns
    from vidence.imported import Import, import_predictions

    name, path = benchmark
    what = Import(
        format=form,
        files=tuple(files),
        form=name,
        path=path,
        check=check,
        model=model,
        columns={} if columns is None else parse_columns(columns),
        failures=tuple(failure or ()),
        videos=videos,
        benchmark_columns=benchmark_columns,
    )
    report = import_predictions(what, out, command=command_line())
    if as_json:
        print_json(report.to_json())
    else:
        _print(report)


def _print(report: ImportReport) -> None:
    from vidence.report.imported import lines

    for line in lines(report):
        print(line)
    for warning in report.warnings:
        note(f"warning   {warning}")
