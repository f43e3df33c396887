"""The command that writes a run's records as files of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vidence.cli.app import Json, Run, app, print_json


@app.command("export")
def export_command(
    run: Run,
    form: Annotated[
        str, typer.Option("--format", help="csv, parquet, lmms-eval or inspect.")
    ] = "csv",
    out: Annotated[
        Path | None,
        typer.Option(help="The file, or the folder of a form of several files; default: RUN."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Write the records of a run for other tools; importing them again gives the same records."""
    from vidence.exports import export

    written = export(run, form, out)
    if as_json:
        print_json(
            {
                "run": str(run),
                "format": form,
                "files": [str(path) for path in written.files],
                "records": written.records,
                "left_out": dict(written.left_out),
            }
        )
        return
    print(f"records   {written.records:>7,}")
    for reason, n in written.left_out.items():
        print(f"left out  {n:>7,} {reason}")
    for path in written.files:
        print(f"file      {path}")
