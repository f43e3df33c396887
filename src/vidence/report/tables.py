"""The report's numbers as tables, once, for the page, the Markdown and the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vidence.report import numbers
from vidence.report.numbers import NONE, Estimate, count, short, short_difference, value

Data = Mapping[str, Any]
FEW = 20


@dataclass(frozen=True)
class Table:
    """A table of words, ready to print.

    Args:
        name: unique in the report.
        caption: what it shows.
        head: column names; the first column names the row.
        rows: as many words as there are columns; still untrusted text.
        words: columns that hold words, not numbers (0 always does).
        methods: how its estimates were made.
        cautions: why some intervals are absent or to be read with care.
        empty: what to say where there are no rows.
    """

    name: str
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: frozenset[int] = frozenset({0})
    methods: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()
    empty: str = "Nothing to show."


def curve(data: Data) -> Table:
    """Tabulate the shortcut curve."""
    rows, used = [], []
    for point in data["curve"]:
        estimates = [point["shortcut"], point["luck"], point["excess"]]
        used += estimates
        low, high = point.get("bounds") or (None, None)
        rows.append(
            (
                f"at least {point['c']}",
                short(point["shortcut"]),
                f"{numbers.percent(low)} / {numbers.percent(high)}",
                short(point["luck"]),
                short_difference(point["excess"]),
                numbers.percent(point.get("independent")),
                numbers.of(point["shortcut"]),
            )
        )
    head = (
        "Models right",
        "Flagged",
        "If missing were wrong / right",
        "Luck alone",
        "Excess, points",
        "Independent guessers",
        "n",
    )
    return _table("curve", "Shortcut curve", head, rows, used, empty=no_cases(data))


def checks(data: Data) -> Table:
    """Tabulate what each check flags at the chosen threshold."""
    chosen = data["headline"]["threshold"]
    rows, used = [], []
    for row in data["checks"]:
        flagged = _at(row["flagged"], chosen)
        luck, excess = _at(row["luck"], chosen), _at(row["excess"], chosen)
        beyond = row.get("marginal") or {}
        used += [flagged, luck, excess, row["unique_share"], beyond.get("share")]
        rows.append(
            (
                row["check"],
                f"{chosen} of {len(row['members'])}",
                short(flagged),
                value(luck),
                short_difference(excess),
                f"{count(row['unique'])} = {value(row['unique_share'])}",
                f"{short(beyond['share'])} over {beyond['over']}" if beyond else NONE,
                f"{numbers.of(flagged)}{_skipped(row)}",
            )
        )
    head = (
        "Check",
        "Votes",
        "Flagged",
        "Luck alone",
        "Excess, points",
        "Only here",
        "Beyond another check",
        "n",
    )
    return _table("checks", f"What each check flags, at {chosen} right", head, rows, used, {0, 7})


def accuracy(data: Data) -> Table:
    """Tabulate right answers by check and answerer."""
    rows, used = [], []
    for row in data["accuracy"]:
        used += [row["accuracy"], row["replied"], row.get("chance"), row.get("minus_intact")]
        rows.append(
            (
                row["check"],
                row["answerer"],
                short(row["accuracy"]),
                value(row.get("chance")),
                short_difference(row.get("minus_intact")),
                short(row["replied"]),
                numbers.of(row["accuracy"]),
            )
        )
    head = (
        "Check",
        "Answerer",
        "Right (unreadable = wrong)",
        "Chance",
        "Against intact, points",
        "Right among readable",
        "n",
    )
    return _table("accuracy", "Right answers by check and answerer", head, rows, used, {0, 1})


def statuses(data: Data) -> Table:
    """Tabulate what became of the questions, by answerer, over all checks."""
    totals: dict[str, dict[str, int]] = {}
    for row in data["accuracy"]:
        mine = totals.setdefault(row["answerer"], {})
        for status, n in row["statuses"].items():
            mine[status] = mine.get(status, 0) + n
    seen = {status for mine in totals.values() for status in mine}
    order = [s for s in (*_STATUSES, *sorted(seen)) if s in seen]
    order = list(dict.fromkeys(order))
    rows = []
    for name, mine in totals.items():
        asked = sum(n for status, n in mine.items() if status not in ("skipped", "not_asked"))
        readable = numbers.percent(mine.get("ok", 0) / asked) if asked else NONE
        rows.append(
            (name, count(asked), readable, *(count(mine.get(status, 0)) for status in order))
        )
    head = ("Answerer", "Asked", "Readable", *(s.replace("_", " ") for s in order))
    return _table("statuses", "What became of the questions asked", head, rows, [])


def missing(data: Data) -> Table:
    """Tabulate replies that could not be read."""
    rows = [(m["check"], m["answerer"], m["reason"], count(m["count"])) for m in data["missing"]]
    head = ("Check", "Answerer", "Reason", "Count")
    empty = "No reply is missing."
    return _table("missing", "Missing replies", head, rows, [], {0, 1, 2}, empty)


def calibration(data: Data) -> Table | None:
    """Tabulate the checks' own rates of error; None where the truth is not known."""
    if not data.get("calibration"):
        return None
    rows, used = [], []
    for label, row in data["calibration"].items():
        used += [row["found_rate"], row["flagged_rate"]]
        rows.append(
            (
                label,
                f"{count(row['found'])} of {count(row['planted'])}",
                short(row["found_rate"]),
                f"{count(row['flagged'])} of {count(row['sound'])}",
                short(row["flagged_rate"]),
            )
        )
    head = ("Check", "Found of planted", "Found", "Flagged of sound", "Wrongly flagged")
    return _table("calibration", "Rates of error of the checks", head, rows, used)


def planted(data: Data) -> Table | None:
    """Tabulate flags by what was planted; None where the truth is not known."""
    if not data.get("planted"):
        return None
    rows, used = [], []
    for row in data["planted"]:
        used += [row["shortcut"], row["excess"]]
        rows.append(
            (row["kind"], short(row["shortcut"]), short_difference(row["excess"]), count(row["n"]))
        )
    head = ("Planted kind", "Flagged", "Excess over luck, points", "n")
    return _table("planted", "Flags by what was planted", head, rows, used)


def costs(data: Data) -> Table:
    """Tabulate calls, time and tokens."""
    kinds = dict.fromkeys(kind for row in data["costs"] for kind in row.get("usage") or {})
    rows = [
        (
            row["answerer"],
            count(row["calls"]),
            count(row.get("renderings")),
            count(row.get("failed_attempts")),
            numbers.seconds(row.get("seconds")),
            *(count((row.get("usage") or {}).get(kind)) for kind in kinds),
        )
        for row in data["costs"]
    ]
    head = (
        "Answerer",
        "Calls",
        "of these, renderings",
        "Failed attempts",
        "Time in calls",
        *(str(kind).replace("_", " ") for kind in kinds),
    )
    return _table("costs", "Costs", head, rows, [], empty="No call was counted.")


def cases(data: Data) -> Table:
    """Tabulate what the cases are."""
    given = data["cases"]
    options = ", ".join(
        f"{count(n)} with {k}"
        for k, n in sorted(given["options"].items(), key=lambda item: (len(item[0]), item[0]))
    )
    rows = [
        ("Questions", count(given["n"])),
        ("Scored (multiple choice with a key)", count(given["scored"])),
        ("Videos", count(given["videos"])),
        ("Options", options or NONE),
        ("Chance", value(given["chance"])),
        ("Without a key", count(given["no_gold"])),
        ("Open-ended", count(given["open_ended"])),
    ]
    return _table("cases", "Cases", ("What", "How many"), rows, [given["chance"]], {0, 1})


def no_cases(data: Data) -> str:
    """Say why there is nothing to plot."""
    given = data["cases"]
    if not given["n"]:
        return "The run holds no case."
    if not given["scored"]:
        return (
            f"None of the {numbers.plural(given['n'], 'question')} can be scored: "
            f"{count(given['no_gold'])} without a key, {count(given['open_ended'])} open-ended."
        )
    if not data["checks"]:
        return "No panel check was run; accuracy on the intact video is below."
    return "No reply could be read; what came instead is under “Can I trust it?”."


def _table(
    name: str,
    caption: str,
    head: Sequence[str],
    rows: Sequence[tuple[str, ...]],
    used: Iterable[Estimate | None],
    words: Iterable[int] = (0,),
    empty: str = "Nothing to show.",
) -> Table:
    used = list(used)
    return Table(
        name,
        caption,
        tuple(head),
        tuple(tuple(str(word) for word in row) for row in rows),
        frozenset(words) | {0},
        numbers.methods(used),
        numbers.cautions(used),
        empty,
    )


def _at(estimates: Sequence[Estimate], threshold: int) -> Estimate | None:
    return estimates[threshold - 1] if 0 < threshold <= len(estimates) else None


def _skipped(row: Data) -> str:
    reasons = row.get("skipped") or {}
    return "".join(f"; {count(n)} not applicable ({why})" for why, n in reasons.items())


_STATUSES = (
    "ok",
    "no_answer",
    "unparsed",
    "ambiguous",
    "off_list",
    "refused",
    "filtered",
    "failed",
    "skipped",
    "not_asked",
)
