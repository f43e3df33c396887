"""The command that finds what is wrong with a benchmark's files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vidence.cli.app import Columns, Json, app, print_json


@app.command()
def lint(
    form: Annotated[
        str, typer.Argument(metavar="BENCHMARK", help="Its form: vidence list benchmarks.")
    ],
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="The annotation file, or the folder that has it.")
    ],
    columns: Columns = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Print every fault.")] = False,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the result as JUnit XML.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Name every fault of a benchmark's files (exit code 1 where one is an error)."""
    from vidence.benchmark import load_benchmark
    from vidence.lint.findings import lint as look
    from vidence.lint.findings import to_json
    from vidence.lint.subject import Subject
    from vidence.report import lint as report

    linted = look(Subject(load_benchmark(form, path, None, columns)))
    if junit is not None:
        _write(junit, report.junit_xml([(form, linted)]))
    if as_json:
        print_json({"benchmark": form, **to_json(linted, path)})
    else:
        report.show(linted, verbose=verbose)
    if not linted.passed:
        raise typer.Exit(1)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
