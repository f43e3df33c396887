"""The report's numbers as tables, once, for the page, the Markdown and the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vidence.answer import STATUSES
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
    return build("curve", "Shortcut curve", head, rows, used, empty=no_cases(data))


def checks(data: Data) -> Table:
    """Tabulate what each check flags at the chosen threshold."""
    chosen = data["headline"]["threshold"]
    rows, used = [], []
    for row in data["checks"]:
        flagged, luck, excess = (at(row[k], chosen, row) for k in ("flagged", "luck", "excess"))
        beyond = (row.get("marginal") or {}).get("share")
        used += [flagged, luck, excess, row["unique_share"], beyond]
        rows.append(
            (
                row["check"],
                f"{min(chosen, len(row['members']))} of {len(row['members'])}",
                short(flagged),
                value(luck),
                short_difference(excess),
                _alone(row),
                _beyond(row),
                numbers.of(flagged),
            )
        )
    head = (
        "Check",
        "Right, at least",
        "Flagged",
        "Luck alone",
        "Excess, points",
        "Only here",
        "Beyond another check",
        "n",
    )
    return build("checks", "What each check flags", head, rows, used)


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
    return build("accuracy", "Right answers by check and answerer", head, rows, used, {0, 1})


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
    return build("statuses", "What became of the questions asked", head, rows, [])


def missing(data: Data) -> Table:
    """Tabulate replies that could not be read."""
    rows = [
        (
            m["check"],
            m["answerer"],
            str(m.get("status") or "").replace("_", " ") or NONE,
            m["reason"] or NONE,
            count(m["count"]),
        )
        for m in data["missing"]
    ]
    head = ("Check", "Answerer", "What came", "Reason", "Count")
    empty = "Every reply is an answer."
    words = {0, 1, 2, 3}
    return build("missing", "Replies that are no answer", head, rows, [], words, empty)


def noise(data: Data) -> Table | None:
    """Tabulate how often a second ask changes an answer; None where each was asked once."""
    if not data.get("noise"):
        return None
    used = [row["changed"] for row in data["noise"]]
    rows = [
        (row["check"], row["answerer"], short(row["changed"]), numbers.of(row["changed"]))
        for row in data["noise"]
    ]
    head = ("Check", "Answerer", "Another answer when asked again", "n")
    return build("noise", "Noise floor", head, rows, used, {0, 1})


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
    return build("calibration", "Rates of error of the checks", head, rows, used)


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
    return build("planted", "Flags by what was planted", head, rows, used)


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
        "Renderings",
        "Failed attempts",
        "Time in calls",
        *(str(kind).replace("_", " ") for kind in kinds),
    )
    return build("costs", "Costs", head, rows, [], empty="No call was counted.")


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
    return build("cases", "Cases", ("What", "How many"), rows, [given["chance"]], {0, 1})


def at(estimates: Sequence[Estimate], threshold: int, row: Data) -> Estimate | None:
    """Return a check's estimate at the chosen threshold, or at its whole panel if that is smaller.

    None where there is none.
    """
    place = min(threshold, len(row["members"]))
    return estimates[place - 1] if 0 < place <= len(estimates) else None


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


def renamed(table: Table, name: str) -> Table:
    """Return a table under another name: a page may show the same table several times."""
    return replace(table, name=name)


def build(
    name: str,
    caption: str,
    head: Sequence[str],
    rows: Sequence[tuple[str, ...]],
    used: Iterable[Estimate | None],
    words: Iterable[int] = (0,),
    empty: str = "Nothing to show.",
) -> Table:
    """Return a table that names the methods and the cautions of the estimates `used` in it."""
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


def _alone(row: Data) -> str:
    share = value(row["unique_share"])
    return count(row["unique"]) if share == NONE else f"{count(row['unique'])} = {share}"


def _beyond(row: Data) -> str:
    given = row.get("marginal")
    if not given or numbers.number(given["share"]["value"]) is None:
        return NONE
    return f"{short(given['share'])} over {given['over']}"


_STATUSES = (*STATUSES, "not_asked")
