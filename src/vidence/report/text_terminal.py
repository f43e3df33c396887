"""The end of a text-only audit in the terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vidence.report import numbers, text_describe, text_figures, text_overview, text_tables
from vidence.report.numbers import number
from vidence.report.terminal import ROWS, console_for, plain

if TYPE_CHECKING:
    from rich.console import Console

Data = Mapping[str, Any]
Row = tuple[str, ...]

CARRIERS = 3
"""Habits of the key that the terminal names; the report has all."""
OVERVIEW = ("benchmark", "n", "chance", "longest", "learned", "over chance", "p")
LONGEST = OVERVIEW.index("longest")
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
    if rows:
        table = [HEAD, *rows]
        printer.table(
            lambda _: aligned(table),
            lambda _: _last_below(table),
            lambda width: stacked(table, width),
        )
    learner = text_tables.measured(data)
    if learner and not numbers.interval(learner["accuracy"]):
        printer.say(text_describe.describe_missing(learner["accuracy"]))
    if more:
        printer.say(f"and {numbers.plural(more, 'rule')} more in the report", "dim", indent=2)
    if not learner:
        printer.say(f"Nothing was learned. {text_tables.nothing(data)}")
    elif not text_overview.passes(learner.get("p")):
        printer.say(data["headline"]["sentence"])
    if learner and (found := learner["carriers"][:CARRIERS]):
        printer.say("What carries it:")
        for carrier in found:
            printer.say(str(carrier["sentence"]), indent=2)
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
    table = [OVERVIEW, *map(_overview_row, (*mine, *together))]
    printer.table(
        lambda _: aligned(table),
        lambda _: aligned(without(table, LONGEST)),
        lambda width: stacked(table, width),
    )
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

    def say(self, words: str, style: str = "", *, whole: bool = False, indent: int = 0) -> None:
        """Print a sentence; figures stay in one piece."""
        line = plain(words, self._console.encoding)
        one = whole or self._width is None
        for part in [line] if one else wrapped(line, (self._width or 0) - indent):
            self.line(f"{' ' * indent}{part}", style)

    def line(self, words: str, style: str = "") -> None:
        """Print one line as it is."""
        from rich.text import Text

        self._console.print(Text(words, style=style), soft_wrap=True)

    def table(self, *forms: Callable[[int], list[str]]) -> None:
        """Print the first form of a table that fits, or else the last one."""
        for form in forms:
            lines = form(self._width or 0)
            if self._width is None or max(map(len, lines)) <= self._width or form is forms[-1]:
                for line in lines:
                    self.line(plain_line(line, self._console.encoding))
                return


def plain_line(line: str, encoding: str) -> str:
    """Return a line that a terminal of this encoding can show, blanks kept."""
    return " ".join(plain(word, encoding) for word in line.split(" "))


def aligned(rows: Sequence[Row]) -> list[str]:
    """Return rows as lines, the first of them the head; figures stand to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            # A column without a head holds words.
            word.rjust(width) if place and rows[0][place] else word.ljust(width)
            for place, (word, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append(f"  {'   '.join(cells)}".rstrip())
    return lines


def _last_below(rows: Sequence[Row]) -> list[str]:
    """Return rows as lines, the last column on a line of its own."""
    lines = aligned([row[:-1] for row in rows])
    shown = []
    for line, row in zip(lines, rows, strict=True):
        shown += [line, f"    {row[-1]}"] if row[-1] else [line]
    return shown


def without(rows: Sequence[Row], column: int) -> list[Row]:
    """Return rows without one of their columns."""
    return [(*row[:column], *row[column + 1 :]) for row in rows]


def glue(line: str) -> str:
    """Join the words of a figure by NUL, so that it is one word."""
    whole = re.sub(r"(?<=\d) (?=%)|(?<=[=<]) (?=\d)|(?<=\w) (?=[=<] \d)", "\0", line)
    units = r"(?<=interval) (?=[\d-])|(?<=\d) (?=(?:questions?|videos?|points?|of|to|-)\b|- \d)"
    return re.sub(rf"{units}|(?<=\d -) (?=\d)", "\0", whole)


def wrapped(line: str, width: int) -> list[str]:
    """Break a line between words only; `95 % interval 32-36` and `p = 0.001` stay whole."""
    glued = glue(line)
    return _filled(glued, width, "")


def stacked(rows: Sequence[Row], width: int) -> list[str]:
    """Return each row as its name and, below it, every figure with its column's name."""
    head, *others = rows
    lines, room = [], width - 4
    for row in others:
        facts = [f"{a} {b}".strip() for a, b in zip(head, row, strict=True) if b][1:]
        # A fact is broken only where it alone is wider than the terminal.
        facts = [glue(fact) if len(fact) > room else fact.replace(" ", "\0") for fact in facts]
        lines += [*_filled(row[0], width, "  "), *_filled(", ".join(facts), width, "    ")]
    return lines


def _filled(line: str, width: int, indent: str) -> list[str]:
    room = max(width - len(indent), 16)
    parts = textwrap.wrap(line, room, break_long_words=False, break_on_hyphens=False)
    return [f"{indent}{part}".replace("\0", " ") for part in parts]


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
    tested = "" if p is None else text_figures.p_value(p).removeprefix("p = ")
    over = numbers.short_difference(line.over_chance, 1)
    return (line.title, numbers.count(line.n), chance, longest, learner, over, tested)


def _over(rule: Data) -> float:
    given = numbers.number((rule.get("over_chance") or {}).get("value"))
    return -1.0 if given is None else given
