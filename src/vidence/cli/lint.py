"""The command that finds what is wrong with a benchmark's files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vidence.cli.app import Columns, Json, app, note, print_json
from vidence.errors import UsageError
from vidence.whole import write_whole


@app.command()
def lint(
    form: Annotated[
        str | None, typer.Argument(metavar="BENCHMARK", help="Its form: vidence list benchmarks.")
    ] = None,
    path: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", help="The annotation file, or the folder that has it."),
    ] = None,
    every: Annotated[
        Path | None, typer.Option("--all", help="Lint every benchmark found in this folder.")
    ] = None,
    videos: Annotated[
        Path | None,
        typer.Option(help="Folder of videos, all are opened; with --all one folder a benchmark."),
    ] = None,
    transcripts: Annotated[
        Path | None,
        typer.Option(help="Folder of transcripts; with --all one folder a benchmark in it."),
    ] = None,
    columns: Columns = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print every fault.")] = False,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the result as JUnit XML.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Name every fault of a benchmark's files (exit code 1 where one is an error)."""
    from vidence.lint.look import Source, lint_source
    from vidence.progress_line import ProgressLine
    from vidence.report import lint as report

    if every is not None:
        if form is not None or path is not None or columns is not None:
            raise UsageError(
                "--all came with a benchmark or with columns. With --all every benchmark of the "
                "folder is found by its name; leave the others out."
            )
        passed = _lint_all(every, (videos, transcripts), verbose, junit, as_json)
    elif form is None or path is None:
        raise UsageError(
            "A benchmark's form and its path are needed, or --all with a folder. "
            "See: vidence list benchmarks."
        )
    else:
        source = Source(form, path, videos, transcripts, columns)
        with ProgressLine() as progress:
            linted = lint_source(source, progress)
        if junit is not None:
            write_whole(junit, report.junit_xml([(form, linted)]))
        if as_json:
            from vidence.lint.findings import to_json

            print_json({"benchmark": form, **to_json(linted, path)})
        else:
            report.show(linted, verbose=verbose)
        passed = linted.passed
    if not passed:
        raise typer.Exit(1)


def _lint_all(
    folder: Path,
    beside: tuple[Path | None, Path | None],
    verbose: bool,
    junit: Path | None,
    as_json: bool,
) -> bool:
    from contextlib import ExitStack

    from vidence.lint.look import lint_folder
    from vidence.progress import OnProgress
    from vidence.progress_line import ProgressLine
    from vidence.report import lint as report

    with ExitStack() as lines:

        def progress(name: str) -> OnProgress:
            lines.close()  # one bar at a time
            if any(beside):
                note(name)
            return lines.enter_context(ProgressLine())

        linted = lint_folder(folder, videos=beside[0], transcripts=beside[1], progress=progress)
    if junit is not None:
        runs = [(name, each) for name, (_, each) in linted.runs.items()]
        write_whole(junit, report.junit_xml(runs, linted.unreadable))
    if as_json:
        print_json(linted.to_json())
    else:
        report.show_folder(linted, verbose=verbose)
    return linted.passed
