"""The command that ranks answerers on what a filter kept."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vidence.cli.app import Json, app, note, print_json
from vidence.whole import write_whole


@app.command()
def leaderboard(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    kept: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN|FILE",
            help="Whose verdicts filter the cases: a run, or a kept.jsonl of distill.",
        ),
    ] = None,
    consensus: Annotated[
        int | None, typer.Option(help="Members that must be right; default: all of the panel.")
    ] = None,
    by: Annotated[
        str | None, typer.Option(metavar="TAG", help="Also by the values of this tag.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write everything as Markdown.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Rank answerers on the whole video: on all questions, the kept ones and the removed ones."""
    from vidence.audits.leaderboard import leaderboard as rank
    from vidence.report import leaderboard as report

    data = rank(runs, kept=kept, consensus=consensus, by=by)
    if markdown is not None:
        write_whole(markdown, report.render(data))
        note(f"written   {markdown}")
    if as_json:
        print_json(data)
    else:
        print("\n".join(report.lines(data)))
