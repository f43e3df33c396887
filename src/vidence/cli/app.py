"""The application and what all its commands share. Commands import what they need when they run.

Exit codes: 0 done; 1 a check did not pass, or an error of Vidence's own; 2 the command, the case
file or the panel file is wrong; 3 a model cannot be asked, or nothing was measured; 4 the folder of
the run cannot be used; 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from vidence.errors import VidenceError

_ORDER = (
    *("demo", "lint", "audit-text", "debias", "audit", "import", "resume", "report"),
    *("distill", "leaderboard", "gate", "reparse", "export"),
)
"""How `--help` lists the commands; those not named here come after, by name."""


class _Commands(TyperGroup):
    """Commands in the order of use; they say how a run goes on where Typer exits bare."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of use."""
        names = sorted(super().list_commands(ctx))
        return sorted(names, key=lambda n: _ORDER.index(n) if n in _ORDER else len(_ORDER))

    def invoke(self, ctx: Any) -> Any:
        """Carry a command out."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            note(f"\nvidence: {str(error) or 'Stopped.'}")
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
    (
        *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT),
        *(errno.ENOTDIR, errno.EISDIR),
    )
)

_UNSEEN = re.compile("[\x7f-\x9f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")
"""What JSON may hold as it is, and a terminal would obey: C1 controls, and marks of direction."""

Run = Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a run.")]
Columns = Annotated[
    str | None,
    typer.Option(help="Which column is what, for --format table: question=q,options=a;b;c."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout and nothing else there.")]


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


def command_line() -> str:
    """Return the command as it was typed, to be repeated."""
    return shlex.join(["vidence", *sys.argv[1:]])


def print_json(data: Any) -> None:
    """Print JSON on stdout; escaped where the terminal is not UTF-8, or would obey a text."""
    plain = str(getattr(sys.stdout, "encoding", "")).lower().replace("-", "") != "utf8"
    text = json.dumps(data, ensure_ascii=plain, indent=2, allow_nan=False)
    print(_UNSEEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text))


def note(text: str) -> None:
    """Print a line for people on stderr; names in it cannot move the cursor."""
    from vidence.report.untrusted import visible

    with suppress(OSError):  # nobody reads
        print(visible(text), file=sys.stderr, flush=True)


def main() -> None:
    """Run the command line; errors of Vidence become a short message and an exit code."""
    if isinstance(sys.stdout, TextIOWrapper):  # a name that the terminal cannot show is no error
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        app()
    except VidenceError as error:
        note(f"vidence: {error}")
        for more in getattr(error, "__notes__", ()):
            note(more)
        sys.exit(error.exit_code)
    except KeyboardInterrupt as error:
        note(f"\nvidence: {str(error) or 'stopped'}")
        sys.exit(130)
    except OSError as error:
        if error.filename is not None and error.errno == errno.ENAMETOOLONG:
            name = str(error.filename)[:60]
            note(f"vidence: the path {name}... is too long. Give a shorter one.")
            sys.exit(2)
        if error.filename is None or error.errno not in _NOT_WRITABLE:
            raise
        note(f"vidence: {error.filename} cannot be written: {error.strerror}. Mend that folder.")
        sys.exit(4)
