"""Commands that make a run, go on with it and report on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vidence.cli.agent_report import report_agents
from vidence.cli.app import Columns, Json, Run, app, command_line, note, print_json

if TYPE_CHECKING:
    from vidence.progress import RunSummary
    from vidence.run import RunSettings

Executor = Annotated[str, typer.Option(help="How requests are sent: local or serial.")]


@app.command()
def audit(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Annotation file (docs/cases.md).")],
    panel: Annotated[Path, typer.Option(help="TOML file: who is asked (docs/running.md).")],
    out: Annotated[Path, typer.Option(help="Folder of the run; an existing one is gone on with.")],
    videos: Annotated[Path | None, typer.Option(help="Folder of the video files.")] = None,
    checks: Annotated[
        str | None, typer.Option(help="Comma-separated; default: all that the panel allows.")
    ] = None,
    form: Annotated[str, typer.Option("--format", help="Form of the annotation file.")] = "jsonl",
    columns: Columns = None,
    title: Annotated[str, typer.Option(help="Name of the benchmark in the report.")] = "",
    seed: Annotated[int, typer.Option(help="Names every random choice.")] = 0,
    repeats: Annotated[int, typer.Option(min=1, help="How often each cell is asked.")] = 1,
    canary: Annotated[
        bool,
        typer.Option(help="First show each model three plain pictures; stop if it sees no colour."),
    ] = False,
    executor: Executor = "local",
    as_json: Json = False,
) -> None:
    """Ask a panel every check of every question, and report what the video was needed for."""
    from vidence.audits.benchmark import Source
    from vidence.audits.benchmark import audit as start
    from vidence.check import parse_checks
    from vidence.panel import load_panel

    chosen = None if checks is None else parse_checks(checks)
    source = Source(file, videos, form, title, columns)
    with settings_of(executor, canary=canary) as settings:
        summary = start(
            source,
            load_panel(panel),
            out,
            checks=chosen,
            seed=seed,
            repeats=repeats,
            settings=settings,
        )
    _finish(summary, as_json)


@app.command()
def resume(run: Run, executor: Executor = "local", as_json: Json = False) -> None:
    """Ask what is missing in a run, failed requests included."""
    from vidence.audits.agent_probe import FALLBACK
    from vidence.run import resume as go_on
    from vidence.store_file import FILE

    with settings_of(executor) as settings:
        summary = go_on(run, settings=settings)
        if (run / FALLBACK / FILE).is_file():
            note(str(go_on(run / FALLBACK, settings=settings)))
    _finish(summary, as_json)


@app.command()
def report(
    run: Run,
    truth: Annotated[
        Path | None, typer.Option(help="Truth file of a generated world (docs/worlds.md).")
    ] = None,
    embed: Annotated[int, typer.Option(min=0, max=200, help="Cases shown on the page.")] = 200,
    as_json: Json = False,
) -> None:
    """Write report.html, report.md, report.json and cases.jsonl into a run's folder."""
    report_run(run, truth, as_json, embed=embed)


@app.command()
def distill(
    run: Run,
    consensus: Annotated[
        int | None, typer.Option(help="Members that must be right; default: all of the panel.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder; default: the run's.")] = None,
    as_json: Json = False,
) -> None:
    """Write kept.jsonl (questions that need the video) and removed.jsonl (those that do not)."""
    from vidence.audits.benchmark import distill as write

    counts = write(run, consensus=consensus, out=out)
    folder = out or run
    kept = counts["needs_video"] + counts["undecided"]
    files = {"kept": str(folder / "kept.jsonl"), "removed": str(folder / "removed.jsonl")}
    if as_json:
        print_json({**counts, "kept": kept, "removed": counts["shortcut"], "files": files})
        return
    print(f"kept     {kept:>7,}  {files['kept']}  ({counts['undecided']:,} undecided among them)")
    print(f"removed  {counts['shortcut']:>7,}  {files['removed']}")


@app.command()
def reparse(run: Run, as_json: Json = False) -> None:
    """Read every stored reply again with today's parser; no model is asked."""
    from vidence.reparse import reparse as read_again

    changes = read_again(run)
    if as_json:
        print_json(changes.to_json())
    else:
        print(changes)


@contextmanager
def settings_of(executor: str = "local", *, canary: bool = False) -> Iterator[RunSettings]:
    """Give run settings with a progress line that starts and stops with the block."""
    from vidence.progress_line import ProgressLine
    from vidence.run import RunSettings

    with ProgressLine() as line:
        yield RunSettings(
            executor=executor, on_progress=line, canary=canary, command=command_line()
        )


def _finish(summary: RunSummary, as_json: bool) -> None:
    say_summary(summary)
    report_run(summary.folder, None, as_json)


def say_summary(summary: RunSummary) -> None:
    """Say how a run ended, and which videos are other files than when it began."""
    from vidence.driver import CHANGED

    note(str(summary))
    for path in [path for path, problem in summary.videos.items() if problem == CHANGED]:
        note(f"video  {Path(path).name} {CHANGED}")


def report_run(folder: Path, truth: Path | None, as_json: bool, *, embed: int = 200) -> None:
    """Write the report of a run, whichever audit it belongs to, and print its end.

    Args:
        folder: of the run.
        truth: of the world that its questions come from.
        as_json: whether the report's data goes to standard output in place of the end.
        embed: most cases on the page.
    """
    from vidence.audits.agent_run import is_probe
    from vidence.audits.benchmark import BenchmarkAudit
    from vidence.report.publish import publish

    if is_probe(folder):
        report_agents([folder], embed=embed, as_json=as_json)
        return
    found = BenchmarkAudit(folder, truth=truth or _truth_beside(folder))
    if found.rejected:
        first = found.rejected[0]
        note(
            f"cases  {len(found.rejected)} left out, no case; the first: {first['where']}: "
            f"{first['reason']}"[:300]
        )
    path, data = publish(found, embed=embed)
    if as_json:
        print_json(data)
        return
    from vidence.report.terminal import print_summary

    print_summary(data, path)


def _truth_beside(folder: Path) -> Path | None:
    """A world's demo keeps its truth in the run's folder, so that a later report finds it."""
    path = folder / "world" / "truth.jsonl"
    return path if path.is_file() else None
