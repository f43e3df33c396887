"""What lint says: in the terminal, and as JUnit XML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from vidence.lint.findings import Fault, Linted, counted_videos, coverage, probed, to_json
from vidence.lint.rule import RULES, SEVERITIES
from vidence.report import junit
from vidence.report.numbers import count
from vidence.report.untrusted import visible

if TYPE_CHECKING:
    from rich.console import Console

    from vidence.lint.look import LintedFolder

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
    console = console or _console()
    for sentence in summary(linted):
        _print(console, sentence)
    if verbose:
        _print_faults(console, linted.faults)
    elif linted.faults:
        _print_kinds(console, by_kind(linted.faults))
        _print(console, "--verbose prints each with its detail, --json all of it.", "dim")


def show_folder(
    found: LintedFolder, *, verbose: bool = False, console: Console | None = None
) -> None:
    """Print a row a benchmark, their errors by kind, and what they share.

    Args:
        found: what was found.
        verbose: print each fault of each benchmark with its detail.
        console: where to; standard output by default.
    """
    console = console or _console()
    for name, why in found.unreadable.items():
        _print(console, f"error    {name} cannot be read: {why}", _STYLE["error"])
    head = ("benchmark", "rows", "cases", "videos", *(f"{s}s" for s in SEVERITIES))
    rows = [
        (
            name,
            *(count(data[k]) for k in ("rows", "cases", "videos")),
            *(count(n) for n in linted.by_severity().values()),
        )
        for name, (source, linted) in found.runs.items()
        for data in [to_json(linted, source.path)]
    ]
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    for row in (head, *rows):
        cells = [f"{cell:>{w}}" for cell, w in zip(row[1:], widths[1:], strict=True)]
        _print(console, "  ".join((f"{row[0]:<{widths[0]}}", *cells)), "dim" * (row is head))
    for name, (_, linted) in found.runs.items():
        faults = linted.faults if verbose else [f for f in linted.faults if f.severity == "error"]
        if faults:
            _print(console, f"\n{name}")
        for line in _opened(linted):
            _print(console, line)
        if verbose:
            _print_faults(console, faults)
        elif faults:
            _print_kinds(console, by_kind(faults))
    for line in _shared(found, console.width):
        _print(console, line)
    if found.unknown:
        _print(console, f"called like no benchmark: {', '.join(found.unknown)}")
    if found.unused:
        _print(console, f"folders called like no benchmark here: {', '.join(found.unused)}")
    if not verbose:
        _print(console, "--verbose prints every fault with its detail, --json all of it.", "dim")


def _shared(found: LintedFolder, width: int) -> Iterator[str]:
    data = found.shared.to_json(FIRST)
    if not data["pairs"]:
        return
    clusters = data["clusters"]
    several = f"{_plural(data['videos'], 'video')} and {_plural(data['questions'], 'question')}"
    yield (
        f"\nshared: {several}; as one cluster each there are {count(clusters['together'])}, "
        f"not {count(clusters['alone'])}"
    )
    for pair in data["pairs"]:
        names = ", ".join(pair["benchmarks"])
        for noun in ("video", "question"):
            examples = pair[f"{noun}_examples"]
            ids = [e["video"] if noun == "video" else " = ".join(c[0] for c in e["cases"])
                   for e in examples]  # fmt: skip
            for rule, n in pair[f"{noun}s"].items():
                start = f"  {names}: {_plural(n, noun)} by {rule}: "
                same = [i for i, e in zip(ids, examples, strict=True) if e["rule"] == rule]
                more = n - len(same)
                yield start + fitting([*same, *[""] * more], max(16, width - len(start)))


def _print_faults(console: Console, faults: Iterable[Fault]) -> None:
    for fault in faults:
        words = f"{fault.kind}  {fault.id}: {fault.detail}"
        _print(console, words, lead=(fault.severity, _STYLE[fault.severity]))


def _print_kinds(console: Console, kinds: Sequence[tuple[tuple[str, str], list[Fault]]]) -> None:
    width = max(len(kind) for (_, kind), _ in kinds)
    digits = max(len(count(len(faults))) for _, faults in kinds)
    for (severity, kind), faults in kinds:
        start = f"{kind:<{width}}  {count(len(faults)):>{digits}}  "
        room = max(16, console.width - len(start) - 9)
        ids = fitting([_one_line(fault.id, console.encoding) for fault in faults], room)
        _print(console, start + ids, lead=(severity, _STYLE[severity]))


def _print(
    console: Console, words: str, style: str = "", lead: tuple[str, str] | None = None
) -> None:
    """Print one line; `lead` is a word in its own style in front."""
    from rich.text import Text

    break_before = words.startswith("\n")
    text = Text("\n" * break_before)
    if lead is not None:
        text.append(f"{lead[0]:<8} ", style=lead[1])
    text.append(_plain(words.lstrip("\n"), console.encoding), style=style)
    console.print(text, soft_wrap=True)


def fitting(names: Sequence[str], room: int) -> str:
    """Return the first names that fit a number of columns, the first one cut where it must be."""
    from rich.cells import cell_len, set_cell_size

    fit = 0
    for n in range(1, min(FIRST, len(names)) + 1):
        more = ", …" if n < len(names) else ""
        if cell_len(", ".join(names[:n]) + more) <= room:
            fit = n
    if fit:
        return ", ".join(names[:fit]) + (", …" if fit < len(names) else "")
    more = "…, …" if len(names) > 1 else "…"
    return f"{set_cell_size(names[0], room - cell_len(more)).rstrip()}{more}"


def summary(linted: Linted) -> list[str]:
    """Return what there is, before what is wrong with it."""
    benchmark = linted.subject.benchmark
    videos = len(counted_videos(benchmark))
    parts = [f"{count(len(benchmark.multiple_choice))} with options"]
    if benchmark.open_ended:
        parts.append(f"{count(len(benchmark.open_ended))} open-ended")
    if benchmark.rejected:
        parts.append(f"{count(len(benchmark.rejected))} rejected")
    title = visible(benchmark.name, 40)
    said = f"{title}: {_plural(benchmark.rows, 'row')} ({', '.join(parts)})"
    by = linted.by_severity()
    return [
        f"{said}, {_plural(videos, 'video')}",
        *_opened(linted),
        ", ".join(_plural(n, severity) for severity, n in by.items()),
    ]


def _opened(linted: Linted) -> Iterator[str]:
    if opened := probed(linted.subject):
        good = opened["videos"] - opened["missing"] - opened["unreadable"]
        yield (
            f"videos: {count(good)} of {count(opened['videos'])} can be read, "
            f"{count(opened['missing'])} missing, {count(opened['unreadable'])} unreadable"
        )
    if heard := coverage(linted.subject):
        yield (
            f"transcripts: {count(heard['with_transcript'])} of {count(heard['videos'])} videos "
            f"have one, {count(heard['usable'])} with usable words"
        )


def by_kind(faults: Iterable[Fault]) -> list[tuple[tuple[str, str], list[Fault]]]:
    """Return faults by severity and kind, gravest first, the most frequent kind first."""
    groups: dict[tuple[str, str], list[Fault]] = {}
    for fault in faults:
        groups.setdefault((fault.severity, fault.kind), []).append(fault)
    ordered: list[tuple[tuple[str, str], list[Fault]]] = []
    for _, same in groupby(groups.items(), key=lambda item: item[0][0]):
        ordered += sorted(same, key=lambda item: (-len(item[1]), item[0][1]))
    return ordered


def junit_xml(
    runs: Sequence[tuple[str, Linted]], unreadable: Mapping[str, str] | None = None
) -> str:
    """Return JUnit XML: a testcase a kind and benchmark.

    It fails where the kind has an error, and names every fault; warnings and notes pass and are
    named in the output of their testcase. A kind that was not found passes; a benchmark that
    cannot be read is one testcase with an error.

    Args:
        runs: (name, what was found) of each benchmark.
        unreadable: name -> why it cannot be read.
    """
    checked = [
        junit.Checked(f"lint.{name}", "readable", "error", why)
        for name, why in (unreadable or {}).items()
    ]
    for name, linted in runs:
        found: dict[str, list[Fault]] = {kind: [] for kind in RULES}
        for fault in linted.faults:
            found.setdefault(fault.kind, []).append(fault)
        checked += [_checked(f"lint.{name}", kind, faults) for kind, faults in found.items()]
    facts = {f"{name}.rows": linted.subject.benchmark.rows for name, linted in runs}
    return junit.render("vidence lint", checked, facts)


def _checked(group: str, kind: str, faults: Sequence[Fault]) -> junit.Checked:
    errors = sum(fault.severity == "error" for fault in faults)
    lines = "\n".join(f"{f.severity}: {_one_line(f.id)}: {_one_line(f.detail)}" for f in faults)
    if not errors:
        return junit.Checked(group, kind, detail=lines)
    what = RULES[kind].what if kind in RULES else "A kind that the loader names."
    return junit.Checked(group, kind, "failed", f"{_plural(errors, 'error')}: {what}", lines, kind)


def _plural(n: int, noun: str) -> str:
    return f"{count(n)} {noun}{'' if n == 1 else 's'}"


def _one_line(words: str, encoding: str = "utf-8") -> str:
    return _plain(" ".join(words.split()), encoding)


def _plain(words: str, encoding: str) -> str:
    """Return words on one line that a terminal of this encoding can show, spaces kept."""
    line = visible(words).replace("\n", " ").replace("\t", " ")
    return line.encode(encoding, "replace").decode(encoding)


def _console() -> Console:
    from rich.console import Console

    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console = Console(highlight=False, markup=False, emoji=False, width=WIDTH)
    return console
