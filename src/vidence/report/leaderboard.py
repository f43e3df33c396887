"""The leaderboard in the terminal, 80 columns wide, and as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

from vidence.report import numbers
from vidence.report.untrusted import markdown, visible

Data = Mapping[str, Any]
WIDTH = 80
PAIRS = 12
"""How many pairs the terminal shows; all are in the JSON and the Markdown."""
BLOCK = 4
"""Answerers side by side in a table of categories."""
UNTAGGED = "(none)"
_TOTALS = {"pooled": "pooled", "mean of the values": "macro"}


def lines(data: Data) -> list[str]:
    """Return the leaderboard as plain text; no line passes 80 columns."""
    shown = [*wrap(_headline(data), WIDTH), ""]
    shown += _standings(data)
    shown += _pairs(data)
    if data["by"]:
        shown += _by(data)
    for note in data["notes"]:
        shown += ["", *wrap(_line(note), WIDTH)]
    return [_plain(line) for line in shown]


def render(data: Data) -> str:
    """Return everything as GitHub Markdown, with every pair and interval."""
    sets = _sets(data)
    parts = [f"# Leaderboard: {markdown(data['title'], 200)}", markdown(_headline(data), 1000)]
    head = ["Ranks", "Answerer", "Panel"]
    for name in sets:
        head += [f"Right, {name} (n)", f"Among read, {name} (n)", f"Over a guesser, {name}"]
    rows = [
        [
            _ranks(row),
            row["name"],
            "yes" if row["panel"] else "no",
            *(cell for name in sets for cell in _cells(row["sets"][name])),
        ]
        for row in data["rows"]
    ]
    for row in data["guessers"]:
        cells: list[str] = []
        for name in sets:
            cells += [f"{numbers.short(row['sets'][name])} ({numbers.of(row['sets'][name])})"]
            cells += [numbers.NONE, numbers.NONE]
        rows.append([numbers.NONE, row["name"], numbers.NONE, *cells])
    parts.append(_table(head, rows, {1, 2}))
    for name in sets:
        if data["pairs"][name]:
            parts.append(f"## Differences, {name} cases")
            parts.append(_pair_table(data["pairs"][name]))
    if data["by"]:
        parts.append(f"## By {markdown(data['by']['tag'], 100)}")
        parts += [_by_table(data, name) for name in sets]
    parts += [f"- {markdown(note, 1000)}" for note in data["notes"]]
    how = numbers.methods(
        [row["sets"][name][kind] for row in data["rows"] for name in sets for kind in _KINDS]
    )
    parts += [f"How: {markdown(method, 1000)}." for method in how]
    return "\n\n".join(parts) + "\n"


_KINDS = ("accuracy", "guess", "over_guess")


def _headline(data: Data) -> str:
    cases = data["cases"]
    said = (
        f"{_line(data['title'])}: {numbers.plural(cases['scored'], 'scored question')} about "
        f"{numbers.plural(cases['videos'], 'video')}, the whole video shown"
    )
    if not data["filter"]:
        return f"{said}."
    at = data["filter"]["consensus"]
    rule = "" if at is None else f" (a shortcut: {at} of the panel right under a check)"
    return f"{said}; {cases['kept']:,} kept, {cases['removed']:,} removed{rule}."


def _sets(data: Data) -> list[str]:
    return list(data["rows"][0]["sets"])


def _standings(data: Data) -> list[str]:
    sets, first = _sets(data), data["ranked_by"]
    widths = [5, 19, *(14 for _ in sets), 13]
    counts = {name: data["rows"][0]["sets"][name]["n"] for name in sets}
    head = ["rank", "answerer", *(f"{name} {counts[name]:,}" for name in sets), f"read, {first}"]
    shown = [_row(head, widths)]
    for row in data["rows"]:
        mine = [_brief(row["sets"][name]["accuracy"]) for name in sets]
        replied = row["sets"][first]["replied"]
        read = f"{numbers.value(replied)} of {numbers.count(replied['n'])}"
        name = _cut(row["name"], 17) + (" *" if row["panel"] else "")
        shown.append(_row([_ranks(row), name, *mine, read], widths))
    for row in data["guessers"]:
        mine = [numbers.value(row["sets"][name]) for name in sets]
        name = row["name"].replace("guesser ", "guesser, ").replace(" the panel", "")
        shown.append(_row(["", name, *mine, ""], widths))
    if any(row["panel"] for row in data["rows"]):
        shown.append("* on the panel that filtered the cases")
    return shown


def _pairs(data: Data) -> list[str]:
    pairs = data["pairs"][data["ranked_by"]]
    if not pairs:
        return []
    shown = ["", f"differences on the {data['ranked_by']} cases, points; p by Holm over all pairs"]
    for pair in pairs[:PAIRS]:
        mark = " !" if pair["mixed"] else ""
        name = f"{_cut(pair['first'], 20)} - {_cut(pair['second'], 20)}{mark}"
        shown.append(
            f"{name:<46}{numbers.short_difference(pair['difference']):>20}"
            f"{_p(pair['p_adjusted']):>14}"
        )
    if len(pairs) > PAIRS:
        shown.append(f"and {len(pairs) - PAIRS:,} more pairs (--json, --markdown)")
    if any(pair["mixed"] for pair in pairs[:PAIRS]):
        shown.append("! one is on the panel, the other is not")
    return shown


def _by(data: Data) -> list[str]:
    found, name = data["by"], data["ranked_by"]
    shown: list[str] = []
    people = [row["name"] for row in found["pooled"]]
    for start in range(0, len(people), BLOCK):
        some = range(start, min(start + BLOCK, len(people)))
        widths = [24, *(14 for _ in some)]
        head = [_cut(f"{found['tag']} ({name})", 22), *(people[j] for j in some)]
        shown += ["", _row(head, widths)]
        for value in found["values"]:
            label = f"{_cut(value['value'] or UNTAGGED, 16)} ({value['n'][name]:,})"
            mine = [_brief(value["rows"][j][name]) for j in some]
            shown.append(_row([label, *mine], widths))
        shown.append("-" * sum(widths))
        for label, kind in _TOTALS.items():
            total = [_brief(found[kind][j][name]) for j in some]
            shown.append(_row([label, *total], widths))
    return shown


def _by_table(data: Data, name: str) -> str:
    found = data["by"]
    head = [f"{found['tag']}, {name} cases", "n", *(row["name"] for row in found["pooled"])]
    rows = [
        [
            value["value"] or UNTAGGED,
            numbers.count(value["n"][name]),
            *(numbers.short(row[name]) for row in value["rows"]),
        ]
        for value in found["values"]
    ]
    total = numbers.count(sum(value["n"][name] for value in found["values"]))
    for label, mine in _TOTALS.items():
        rows.append([label, total, *(numbers.short(row[name]) for row in found[mine])])
    return _table(head, rows, {0}, totals=len(_TOTALS))


def _pair_table(pairs: Sequence[Data]) -> str:
    head = ["First", "Second", "Difference, points", "p", "p, Holm", "Told apart", "n"]
    rows = [
        [
            pair["first"],
            pair["second"],
            numbers.short_difference(pair["difference"]),
            f"{pair['p']:.3g}",
            f"{pair['p_adjusted']:.3g}",
            ("yes" if pair["claimed"] else "no") + (", one on the panel" * pair["mixed"]),
            numbers.of(pair["difference"]),
        ]
        for pair in pairs
    ]
    return _table(head, rows, {0, 1, 5})


def _cells(mine: Data) -> tuple[str, str, str]:
    right, replied = mine["accuracy"], mine["replied"]
    return (
        f"{numbers.short(right)} ({numbers.of(right)})",
        f"{numbers.short(replied)} ({numbers.of(replied)})",
        numbers.short_difference(mine["over_guess"]),
    )


def _table(
    head: Sequence[str], rows: Sequence[Sequence[str]], words: set[int], totals: int = 0
) -> str:
    """Lay out rows; the names of the last `totals` rows are set apart from a value so called."""
    cells = [[markdown(name) for name in head]]
    cells.append(["---" if i in words else "---:" for i in range(len(head))])
    for place, row in enumerate(rows, 1):
        name, *rest = map(markdown, row)
        cells.append([f"*{name}*" if place > len(rows) - totals else name, *rest])
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def _ranks(row: Data) -> str:
    low, high = row["ranks"]
    return str(low) if low == high else f"{low}-{high}"


def _brief(estimate: Data) -> str:
    return numbers.short(estimate).replace(" %", "%")


def _p(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    first = [f"{_cut(cell, width - 1):<{width}}" for cell, width in zip(cells, widths, strict=True)]
    return "".join(first).rstrip()


def _cut(text: str, limit: int) -> str:
    """Cut a name in its middle: both ends tell models apart."""
    line = _line(text)
    if len(line) <= limit:
        return line
    tail = (limit - 1) // 2
    return f"{line[: limit - 1 - tail]}…{line[len(line) - tail :]}"


def _line(text: str) -> str:
    return " ".join(visible(text).split())


def _plain(line: str) -> str:
    return line.replace("–", "-").replace("−", "-")
