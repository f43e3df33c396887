"""The command line. Every command imports what it needs when it runs, so that --help is quick.

Exit codes: 0 done; 1 a check did not pass, or an error of Vidence's own; 2 the command, the case
file or the panel file is wrong; 3 a model cannot be asked, or nothing was measured; 4 the folder of
the run cannot be used; 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import errno
import json
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from vidence.errors import UnknownNameError, UsageError, VidenceError

if TYPE_CHECKING:
    from vidence.progress import RunSummary
    from vidence.run import RunSettings


class _Commands(TyperGroup):
    """Commands that say how a run goes on; Typer makes Ctrl-C a bare exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Carry a command out."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            _note(f"\nvidence: {str(error) or 'Stopped.'}")
            sys.exit(130)
        except BrokenPipeError:  # `| head` has read enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)


app = typer.Typer(
    name="vidence",
    cls=_Commands,
    help="Did the video matter? Find out for every question of a video benchmark.",
    epilog="Exit codes: 0 done, 1 not passed, 2 wrong input, 3 a model cannot be asked, "
    "4 the run folder cannot be used, 130 stopped by Ctrl-C.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_NOT_WRITABLE = frozenset(
    (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.ENOTDIR)
)

Run = Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout and nothing else there.")]
Executor = Annotated[str, typer.Option(help="How requests are sent: local or serial.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        from vidence import __version__

        print(__version__)
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_show_version, help="Print the version."),
    ] = False,
) -> None:
    """Did the video matter? Find out for every question of a video benchmark."""


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
    source = Source(file, videos, form, title)
    with _settings(executor, canary=canary) as settings:
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
    from vidence.run import resume as go_on

    with _settings(executor) as settings:
        summary = go_on(run, settings=settings)
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
    _report(run, truth, as_json, embed=embed)


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
        _print_json({**counts, "kept": kept, "removed": counts["shortcut"], "files": files})
        return
    print(f"kept     {kept:>7,}  {files['kept']}  ({counts['undecided']:,} undecided among them)")
    print(f"removed  {counts['shortcut']:>7,}  {files['removed']}")


@app.command()
def reparse(run: Run, as_json: Json = False) -> None:
    """Read every stored reply again with today's parser; no model is asked."""
    from vidence.reparse import reparse as read_again

    changes = read_again(run)
    if as_json:
        _print_json(changes.to_json())
    else:
        print(changes)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the world, the run and the report.")] = Path(
        "demo"
    ),
    seed: Annotated[int, typer.Option(help="Names the world and the run.")] = 0,
    cases: Annotated[int | None, typer.Option(min=20, help="Questions to generate.")] = None,
    as_json: Json = False,
) -> None:
    """Generate a small world of real videos with planted shortcuts, audit it, write the report."""
    from vidence.demo import demo as show

    with _settings() as settings:
        summary, truth = show(out, seed=seed, cases=cases, settings=settings, say=_note)
    _note(str(summary))
    _report(out, truth, as_json)


@app.command("list")
def list_names(
    kind: Annotated[
        str,
        typer.Argument(metavar="KIND", help="probes, answerers, worlds, benchmarks or executors."),
    ],
    as_json: Json = False,
) -> None:
    """List what can be named: probes, answerers, worlds, benchmarks, executors."""
    from vidence.catalogue import catalogue

    rows = catalogue(kind)
    if as_json:
        _print_json(rows)
        return
    width = max((len(row["name"]) for row in rows), default=0)
    for row in rows:
        settings = ", ".join(f"{k}={v}" for k, v in row["settings"].items())
        print(f"{row['name']:<{width}}  {row['description']}" + (f" [{settings}]" * bool(settings)))


@app.command()
def schema(
    name: Annotated[str, typer.Argument(help="cases: a line of a case file.")] = "cases",
) -> None:
    """Print a JSON Schema."""
    if name != "cases":
        raise UnknownNameError("schema", name, ["cases"], "docs/cases.md")
    from vidence.benchmarks.jsonl import Row

    _print_json(Row.model_json_schema())


@app.command()
def version(as_json: Json = False) -> None:
    """Print the version."""
    from vidence import __version__

    if as_json:
        _print_json({"vidence": __version__})
    else:
        print(__version__)


@contextmanager
def _settings(executor: str = "local", *, canary: bool = False) -> Iterator[RunSettings]:
    """Give run settings with a progress line that starts and stops with the block."""
    from vidence.progress_line import ProgressLine
    from vidence.run import RunSettings

    with ProgressLine() as line:
        yield RunSettings(
            executor=executor, on_progress=line, canary=canary, command=_command_line()
        )


def _finish(summary: RunSummary, as_json: bool) -> None:
    _note(str(summary))
    from vidence.driver import CHANGED

    for path in [path for path, problem in summary.videos.items() if problem == CHANGED]:
        _note(f"video  {Path(path).name} {CHANGED}")
    _report(summary.folder, None, as_json)


def _report(folder: Path, truth: Path | None, as_json: bool, *, embed: int = 200) -> None:
    from vidence.audits.benchmark import BenchmarkAudit
    from vidence.report.publish import publish

    found = BenchmarkAudit(folder, truth=truth or _truth_beside(folder))
    if found.rejected:
        first = found.rejected[0]
        _note(
            f"cases  {len(found.rejected)} left out, no case; the first: {first['where']}: "
            f"{first['reason']}"[:300]
        )
    path, data = publish(found, embed=embed)
    if as_json:
        _print_json(data)
        return
    from vidence.report.terminal import print_summary

    print_summary(data, path)


def _truth_beside(folder: Path) -> Path | None:
    """A world's demo keeps its truth in the run's folder, so that a later report finds it."""
    path = folder / "world" / "truth.jsonl"
    return path if path.is_file() else None


def _command_line() -> str:
    return shlex.join(["vidence", *sys.argv[1:]])


def _print_json(data: Any) -> None:
    plain = str(getattr(sys.stdout, "encoding", "")).lower().replace("-", "") != "utf8"
    print(json.dumps(data, ensure_ascii=plain, indent=2, allow_nan=False))


def _note(text: str) -> None:
    with suppress(OSError):  # nobody reads
        print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Run the command line; errors of Vidence become a short message and an exit code."""
    if isinstance(sys.stdout, TextIOWrapper):  # a name that the terminal cannot show is no error
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app()
    except VidenceError as error:
        _note(f"vidence: {error}")
        for note in getattr(error, "__notes__", ()):
            _note(note)
        sys.exit(error.exit_code)
    except KeyboardInterrupt as error:
        _note(f"\nvidence: {str(error) or 'stopped'}")
        sys.exit(130)
    except OSError as error:
        if error.filename is None or error.errno not in _NOT_WRITABLE:
            raise
        _note(f"vidence: {error.filename} cannot be written: {error.strerror}. Mend that folder.")
        sys.exit(4)


__all__ = ["UsageError", "app", "main"]
