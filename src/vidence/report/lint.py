"""What lint says: in the terminal, and as JUnit XML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from vidence.lint.findings import Fault, Linted
from vidence.lint.rule import RULES
from vidence.report import junit
from vidence.report.numbers import count
from vidence.report.untrusted import visible

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 80
"""Columns where there is no terminal to ask."""
FIRST = 5
"""Most ids that the short table names of a kind."""
_STYLE = {"error": "bold red", "warning": "yellow", "note": ""}


def show(linted: Linted, *, verbose: bool = False, console: Console | None = None) -> None:
    """Print the counts and a row a kind, or every fault.

    Colour is used on a terminal only; ids and details of a dataset cannot move the cursor.

    Args:
        linted: what was found.
        verbose: print each fault with its detail.
        console: where to; standard output by default.
    """
    from rich.text import Text

    console = console or _console()
    for sentence in summary(linted):
        console.print(Text(_one_line(sentence, console.encoding)), soft_wrap=True)
    if not linted.faults:
        return
    if verbose:
        for fault in linted.faults:
            text = Text(f"{fault.severity:<8}", style=_STYLE[fault.severity])
            words = f"{fault.kind}  {fault.id}: {fault.detail}"
            text.append(_one_line(words, console.encoding), style="default")
            console.print(text, soft_wrap=True)
        return
    rows = [
        (severity, kind, count(len(faults)), [fault.id for fault in faults])
        for (severity, kind), faults in by_kind(linted.faults)
    ]
    kinds, counts = (max(len(str(row[i])) for row in rows) for i in (1, 2))
    for severity, kind, n, ids in rows:
        line = Text(f"{severity:<8}", style=_STYLE[severity])
        start = f"{_one_line(kind, console.encoding):<{kinds}}  {n:>{counts}}  "
        line.append(f" {start}", style="default")
        room = max(16, console.width - len(line.plain))
        line.append(fitting([_one_line(i, console.encoding) for i in ids], room), style="default")
        console.print(line, soft_wrap=True)
    console.print(Text("--verbose prints each with its detail, --json all of it.", style="dim"))


def fitting(names: Sequence[str], room: int) -> str:
    """Return the first names that fit a number of columns, the first one cut where it must be."""
    from rich.cells import cell_len, set_cell_size

    shown = ""
    for place, name in enumerate(names[:FIRST]):
        line = f"{shown}, {name}" if shown else name
        more = ", …" if place + 1 < len(names) else ""
        if cell_len(line + more) > room:
            break
        shown = line
    if not shown:
        more = "…, …" if len(names) > 1 else "…"
        return f"{set_cell_size(names[0], room - cell_len(more)).rstrip()}{more}"
    return shown + (", …" if shown.count(", ") + 1 < len(names) else "")


def summary(linted: Linted) -> list[str]:
    """Return what there is, before what is wrong with it."""
    benchmark = linted.subject.benchmark
    videos = len({case.cluster for case in benchmark.cases})
    parts = [f"{count(len(benchmark.multiple_choice))} with options"]
    if benchmark.open_ended:
        parts.append(f"{count(len(benchmark.open_ended))} open-ended")
    if benchmark.rejected:
        parts.append(f"{count(len(benchmark.rejected))} rejected")
    title = visible(benchmark.name, 40)
    lines = [f"{title}: {count(benchmark.rows)} rows ({', '.join(parts)}), {count(videos)} videos"]
    by = linted.by_severity()
    lines.append(", ".join(_plural(n, severity) for severity, n in by.items()))
    return lines


def by_kind(faults: Iterable[Fault]) -> list[tuple[tuple[str, str], list[Fault]]]:
    """Return faults by severity and kind, gravest first, the most frequent kind first."""
    groups: dict[tuple[str, str], list[Fault]] = {}
    for fault in faults:
        groups.setdefault((fault.severity, fault.kind), []).append(fault)
    ordered: list[tuple[tuple[str, str], list[Fault]]] = []
    for _, same in groupby(groups.items(), key=lambda item: item[0][0]):
        ordered += sorted(same, key=lambda item: (-len(item[1]), item[0][1]))
    return ordered


def junit_xml(runs: Sequence[tuple[str, Linted]]) -> str:
    """Return JUnit XML: a testcase a kind and benchmark.

    It fails where the kind has an error, and names every fault; warnings and notes pass and are
    named in the output of their testcase. A kind that was not found passes.

    Args:
        runs: (name, what was found) of each benchmark.
    """
    checked: list[junit.Checked] = []
    for name, linted in runs:
        found: dict[str, list[Fault]] = {kind: [] for kind in RULES}
        for fault in linted.faults:
            found.setdefault(fault.kind, []).append(fault)
        for kind, faults in found.items():
            errors = sum(fault.severity == "error" for fault in faults)
            lines = "\n".join(
                f"{f.severity}: {_one_line(f.id)}: {_one_line(f.detail)}" for f in faults
            )
            what = RULES[kind].what if kind in RULES else ""
            message = f"{_plural(errors, 'error')}: {what}" if errors else ""
            outcome: Literal["failed", "passed"] = "failed" if errors else "passed"
            checked.append(junit.Checked(f"lint.{name}", kind, outcome, message, lines, kind))
    facts = {f"{name}.rows": linted.subject.benchmark.rows for name, linted in runs}
    return junit.render("vidence lint", checked, facts)


def _plural(n: int, noun: str) -> str:
    return f"{count(n)} {noun}{'' if n == 1 else 's'}"


def _one_line(words: str, encoding: str = "utf-8") -> str:
    line = " ".join(visible(words).split())
    return line.encode(encoding, "replace").decode(encoding)


def _console() -> Console:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, emoji=False, width=WIDTH)
    return console
