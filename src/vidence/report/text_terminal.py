"""The end of a text-only audit in the terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vidence.report import numbers, text_describe, text_figures, text_overview, text_tables
from vidence.report.numbers import number
from vidence.report.terminal import ROWS, console_for, plain

if TYPE_CHECKING:
    from rich.console import Console

Data = Mapping[str, Any]
Row = tuple[str, ...]

OVERVIEW = ("benchmark", "questions", "chance", "longest", "learned", "over chance", "")
HEAD = ("prior", "accuracy", "95 % interval", "over chance", "")


def print_text_summary(data: Data, path: Path, console: Console | None = None) -> None:
    """Print what was read, at most 12 rules, what carries the learner, and the report's path.

    No line is broken inside a figure. Where the terminal is too narrow for the table, each rule
    takes two lines. Text of a dataset cannot move the cursor.

    Args:
        data: the report's input, shares.
        path: of the page.
        console: where to; standard output by default.
    """
    console = console or console_for()
    printer = _Printer(console)
    printer.say(_title(data), "bold")
    rows, more = summary_rows(data) if data["cases"]["scored"] else ([], 0)
    printer.table(HEAD, rows)
    learner = text_tables.measured(data)
    if learner and not numbers.interval(learner["accuracy"]):
        printer.say(text_describe.describe_missing(learner["accuracy"]))
    if more:
        printer.say(f"  and {numbers.plural(more, 'rule')} more in the report", "dim")
    if not learner:
        printer.say(f"Nothing was learned. {text_tables.nothing(data)}")
    if found := _carriers(data):
        printer.say(f"What carries it: {found}")
    printer.say(f"Report: {path}", whole=True)


def summary_rows(data: Data) -> tuple[list[Row], int]:
    """Return the rows of the table, and how many rules are left out.

    Chance comes first and the learner last; between them stand the rules, and if they are too
    many those furthest over chance, in the report's order.
    """
    chance = data["priors"].get(text_tables.CHANCE)
    rules = {k: v for k, v in data["priors"].items() if k != text_tables.CHANCE}
    learner = text_tables.measured(data)
    overlap = data.get("overlap") if text_tables.overlap(data) else None
    room = ROWS - sum(part is not None for part in (chance, learner, overlap))
    best = sorted(rules, key=lambda name: -_over(rules[name]))[:room]
    rows = [_row(chance["title"], chance)] if chance else []
    rows += [_row(rule["title"], rule) for name, rule in rules.items() if name in best]
    if overlap:
        rows.append(_row("words of transcripts", overlap))
    if learner:
        tested = text_figures.permuted(learner["p"], learner["permutations"])
        rows.append((*_row(text_tables.LEARNER, learner)[:-1], tested))
    return rows, len(rules) - len(best)


def print_text_overview(overview: Data, path: Path, console: Console | None = None) -> None:
    """Print a line a benchmark, all together, what could not be audited, and the report's path.

    Args:
        overview: as for `publish_overview`, shares.
        path: of the page.
        console: where to; standard output by default.
    """
    printer = _Printer(console or console_for())
    printer.say(text_overview.sentence(overview), "bold")
    mine, together = text_overview.lines(overview), text_overview.together(overview)
    printer.table(OVERVIEW, [_overview_row(line) for line in (*mine, *together)])
    for name, reason in text_overview.failed(overview):
        printer.say(f"Not audited: {name}: {reason}")
    if unknown := text_overview.unknown(overview):
        printer.say(f"No known benchmark in: {', '.join(unknown)}")
    printer.say(f"Report: {path}", whole=True)


class _Printer:
    """Lines for one console, wrapped between words where there is a terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._width = console.width if console.is_terminal else None

    def say(self, words: str, style: str = "", *, whole: bool = False) -> None:
        """Print a sentence; figures stay in one piece."""
        line = plain(words, self._console.encoding)
        for part in [line] if whole or self._width is None else wrapped(line, self._width):
            self.line(part, style)

    def line(self, words: str, style: str = "") -> None:
        """Print one line as it is."""
        from rich.text import Text

        self._console.print(Text(words, style=style), soft_wrap=True)

    def table(self, head: Row, rows: Sequence[Row]) -> None:
        """Print rows under their head, or each row in two lines where that is too wide."""
        given = [tuple(plain(word, self._console.encoding) for word in row) for row in rows]
        if not given:
            return
        shown = aligned([head, *given])
        if self._width is not None and max(map(len, shown)) > self._width:
            without = aligned([row[:-1] for row in (head, *given)])
            if max(map(len, without)) <= self._width:
                shown = list(without)
                for place in range(len(given), 0, -1):
                    if given[place - 1][-1]:
                        shown.insert(place + 1, f"    {given[place - 1][-1]}")
            else:
                shown = [line for row in given for line in _stacked(row, self._width)]
        for place, line in enumerate(shown):
            is_head = place == 0 and line.split()[:1] == [head[0]]
            self.line(line, "dim" if is_head else "")


def aligned(rows: Sequence[Row]) -> list[str]:
    """Return rows as lines: the first column to the left, figures to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            word.ljust(width) if place in (0, len(row) - 1) else word.rjust(width)
            for place, (word, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(f"  {'   '.join(cells)}".rstrip())
    return lines


def wrapped(line: str, width: int) -> list[str]:
    """Break a line between words only; `95 % interval 32-36` and `p = 0.001` stay whole."""
    glued = re.sub(r"(?<=\d) (?=%)|(?<=[=<]) (?=\d)|(?<=\w) (?=[=<] \d)", "\0", line)
    glued = re.sub(
        r"(?<=interval) (?=[\d-])|(?<=\d) (?=(?:questions?|videos?|of|to)\b)", "\0", glued
    )
    parts = textwrap.wrap(glued, max(width, 20), break_long_words=False, break_on_hyphens=False)
    return [part.replace("\0", " ") for part in parts]


def _stacked(row: Row, width: int) -> list[str]:
    return [f"  {row[0]}"[:width], f"    {'  '.join(fact for fact in row[1:] if fact)}"]


def _title(data: Data) -> str:
    cases = data["cases"]
    parts = [numbers.plural(cases["n"], "question"), numbers.plural(cases["videos"], "video")]
    sizes = sorted(cases["options"], key=lambda size: (len(size), size))
    if sizes:
        few = sizes[0] if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        parts.append(f"{few} option{'' if few == '1' else 's'}")
    return f"{data['title']}: {', '.join(parts)}"


def _row(title: str, rule: Data) -> Row:
    accuracy, over = rule["accuracy"], rule.get("over_chance")
    value = numbers.number(accuracy["value"])
    exact = text_figures.is_exact(accuracy)
    span = "" if exact else numbers.interval(accuracy, 1).replace("–", " - ")
    gain = numbers.difference(over.get("value"), 1) if over else ""
    shown = numbers.NONE if value is None else f"{100 * value:.1f}"
    return (title, shown, span, gain, "")


def _overview_row(line: text_overview.Line) -> Row:
    chance, longest, learner = (
        numbers.value(one, 1).removesuffix(" %")
        for one in (line.chance, line.longest, line.learner)
    )
    p = number(line.p)
    tested = "" if p is None else text_figures.p_value(p)
    over = numbers.short_difference(line.over_chance, 1)
    return (line.title, numbers.count(line.n), chance, longest, learner, over, tested)


def _carriers(data: Data) -> str:
    found = (text_tables.measured(data) or {}).get("carriers") or ()
    return "; ".join(str(carrier["sentence"]) for carrier in found[:3])


def _over(rule: Data) -> float:
    given = numbers.number((rule.get("over_chance") or {}).get("value"))
    return -1.0 if given is None else given
