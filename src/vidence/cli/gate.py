"""The command that lets a benchmark's own integration fail."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vidence.cli.app import Json, Run, app, print_json
from vidence.whole import write_whole


@app.command()
def gate(
    run: Run,
    max_shortcut: Annotated[
        str | None,
        typer.Option(metavar="SHARE", help="Most shortcuts, as 0.30 or 30%: the upper end counts."),
    ] = None,
    max_excess: Annotated[
        str | None,
        typer.Option(metavar="SHARE", help="Most shortcuts beyond luck, as 0.10 or 10%."),
    ] = None,
    consensus: Annotated[
        int | None, typer.Option(help="Members that must be right; default: all of the panel.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the result as JUnit XML.")
    ] = None,
    summary: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            envvar="GITHUB_STEP_SUMMARY",
            help="Append the result as Markdown, as a GitHub step summary wants it.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Fail (exit code 1) where too many questions can be answered without the video."""
    from vidence.audits.gate import EXIT, share_of
    from vidence.audits.gate import gate as hold
    from vidence.errors import NothingMeasuredError
    from vidence.report import gate as report

    result = hold(
        run,
        max_shortcut=None if max_shortcut is None else share_of(max_shortcut, "--max-shortcut"),
        max_excess=None if max_excess is None else share_of(max_excess, "--max-excess"),
        consensus=consensus,
    )
    if junit is not None:
        write_whole(junit, report.junit_xml(result))
    if summary is not None:
        if not summary.parent.exists():
            summary.parent.mkdir(parents=True)
        with summary.open("a", encoding="utf-8") as file:
            file.write(f"{report.summary(result)}\n")
    if as_json:
        print_json(result.to_json())
    else:
        print("\n".join(report.lines(result)))
    if result.outcome == "not_measured":
        raise NothingMeasuredError(
            f"{result.bounds[0].sentence} A gate needs a run whose panel replied to a counted "
            "check. See: vidence report " + str(run)
        )
    if code := EXIT[result.outcome]:
        raise typer.Exit(code)
