"""The tables of a text-only report, once, for the page, the Markdown and the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from vidence.report import describe, numbers, text_figures
from vidence.report.numbers import NONE, count
from vidence.report.tables import Table, build
from vidence.report.text_figures import points, share, short, value

Data = Mapping[str, Any]

CHANCE = "chance"
LEARNER = "learned from text"
SHOWN = 200
"""Rejected rows that are named on the page; all of them are in report.json."""


def guesses(data: Data) -> Table:
    """Tabulate how often the learner and each guessing rule are right."""
    rows, used = [], []
    if learner := measured(data):
        used += [learner["accuracy"], learner["over_chance"]]
        rows.append(
            (
                LEARNER,
                short(learner["accuracy"]),
                points(learner["over_chance"]),
                text_figures.permuted(learner["p"], learner["permutations"]),
                NONE,
                numbers.of(learner["accuracy"]),
            )
        )
    for rule in data["priors"].values():
        used += [rule["accuracy"], rule.get("over_chance")]
        rows.append(
            (
                rule["title"],
                short(rule["accuracy"]),
                points(rule.get("over_chance")),
                _claim(rule),
                count(rule.get("ties")),
                numbers.of(rule["accuracy"]),
            )
        )
    head = ("Rule", "Right", "Over chance, points", "Beyond luck?", "Ties", "n")
    return build("guesses", "How often each rule is right", head, rows, used, {0, 3}, nothing(data))


def carriers(data: Data) -> Table:
    """Tabulate what the learner found, strongest first."""
    rows, used = [], []
    for carrier in (measured(data) or {}).get("carriers") or ():
        estimate = carrier.get("estimate")
        used.append(estimate)
        rows.append(
            (carrier["sentence"], points(estimate), share(carrier.get("share")), _n(estimate))
        )
    head = ("What tells right from wrong", "Over chance, points", "Of the questions", "n")
    empty = "Nothing stands out."
    return build("carriers", "What the key gives away", head, rows, used, {0}, empty)


def families(data: Data) -> Table:
    """Tabulate what is lost without a family of features, and what it reaches alone."""
    rows, used = [], []
    for family in (measured(data) or {}).get("families") or ():
        without, alone, drop = (family.get(part) for part in ("without", "alone", "drop"))
        used += [without, alone, drop]
        rows.append(
            (
                family["title"],
                short(alone),
                short(without),
                points(drop),
                numbers.of(without or alone),
            )
        )
    head = ("What it may read", "Right with this alone", "Right without it", "Lost, points", "n")
    empty = "Families of features were not tried apart."
    return build("families", "What the learner may read", head, rows, used, {0}, empty)


def calibration(data: Data) -> Table:
    """Tabulate how often the learner is right against how sure it said it was."""
    rows, used = [], []
    for one in bins_of(data):
        used.append(one["right"])
        rows.append((span(one), share(one["predicted"]), short(one["right"]), count(one["n"])))
    head = ("It said", "On average", "Right", "n")
    return build("calibration", "Said against right", head, rows, used)


def overlap(data: Data) -> Table | None:
    """Tabulate what the sound track's words give away; None without transcripts."""
    given = data.get("overlap")
    if not given or numbers.number(given["accuracy"]["value"]) is None:
        return None
    names = (
        ("Right by the words of the video's own transcript", "accuracy", short),
        ("Right by those of other videos' transcripts", "swapped", short),
        ("Chance on the same questions", "chance", _bare),
        ("Own transcript over chance, points", "over_chance", points),
        ("Own transcript over others', points", "over_swapped", points),
        ("Beyond what the learner knew from text, points", "beyond_learner", points),
    )
    rows, used = [], []
    for title, key, write in names:
        if given.get(key) is not None:
            used += [given[key]] if text_figures.is_estimate(given[key]) else []
            rows.append((title, write(given[key]), _n(given[key]) or _n(given["accuracy"])))
    return build(
        "overlap", "Options looked up in transcripts", ("What", "How much", "n"), rows, used
    )


def pruning(data: Data) -> Table | None:
    """Tabulate what is left to the learner when the easiest questions go; None if not tried."""
    given = data.get("pruning")
    if not given or not given.get("curve"):
        return None
    rows, used = [], []
    for point in given["curve"]:
        used.append(point["left"])
        rows.append(
            (
                count(point["removed"]),
                share(point.get("removed_share")),
                short(point["left"]),
                _bare(point.get("chance")),
                numbers.of(point["left"]),
            )
        )
    head = ("Questions removed", "Share removed", "Right on the rest", "Chance there", "n left")
    return build("pruning", "What is left after removing", head, rows, used)


def cases(data: Data) -> Table:
    """Tabulate what the rows of the file are."""
    given = data["cases"]
    options = ", ".join(
        f"{count(n)} with {k}"
        for k, n in sorted(given["options"].items(), key=lambda item: (len(item[0]), item[0]))
    )
    rows = [
        ("Rows of the file", count(given.get("rows"))),
        ("Scored (multiple choice with a key)", f"{count(given['scored'])} of {count(given['n'])}"),
        ("Videos", count(given["videos"])),
        ("Options", options or NONE),
        ("One option only (always right)", count(given.get("one_option"))),
        ("Without a key", count(given.get("no_gold"))),
        ("Open-ended", count(given.get("open_ended"))),
        ("Rejected", count(given.get("rejected"))),
    ]
    return build("cases", "Questions", ("What", "How many"), rows, [], {0, 1})


def rejected_kinds(data: Data) -> Table | None:
    """Tabulate how many rows were rejected, by kind; None where none was."""
    kinds = Counter(row["kind"] for row in data.get("rejected") or ())
    rows = [(_plain(kind), count(n)) for kind, n in kinds.most_common()]
    head = ("Why", "Rows")
    return (
        build("rejected-kinds", "Rejected rows, by kind", head, rows, [], {0, 1}) if rows else None
    )


def rejected(data: Data) -> Table | None:
    """Tabulate the rejected rows themselves, the first `SHOWN` of them."""
    given = data.get("rejected") or ()
    rows = [(row["where"], _plain(row["kind"]), row["reason"]) for row in given[:SHOWN]]
    caption = "Rejected rows"
    if len(given) > SHOWN:
        caption += f", the first {SHOWN} of {count(len(given))}"
    head = ("Where", "Kind", "Reason")
    return build("rejected", caption, head, rows, [], {0, 1, 2}) if rows else None


def versions(data: Data) -> list[tuple[str, str]]:
    """Return names and words for the table of versions."""
    run = data["run"]
    rows = [
        ("Benchmark", run.get("benchmark")),
        ("Read from", run.get("path")),
        ("Digest of what was read", run.get("digest")),
        ("Vidence", run.get("vidence")),
        ("Seed", run.get("seed")),
        ("Created", run.get("created")),
        ("Time", None if run.get("seconds") is None else numbers.seconds(run["seconds"])),
        ("Python", run.get("python")),
        *(run.get("packages") or {}).items(),
    ]
    return [(str(name), str(word)) for name, word in rows if word is not None]


def bins_of(data: Data) -> list[Data]:
    """Return the bins of calibration that hold a question."""
    given = ((measured(data) or {}).get("calibration") or {}).get("bins") or ()
    return [one for one in given if one["n"] and one["right"]["value"] is not None]


def measured(data: Data) -> Data | None:
    """Return what the learner reached; None where nothing was scored or learned."""
    learner: Data | None = data["learner"]
    known = learner and numbers.number(learner["accuracy"]["value"]) is not None
    return learner if known else None


def nothing(data: Data) -> str:
    """Say why nothing was learned, or nothing can be plotted."""
    given, learner = data["cases"], data["learner"]
    if learner and learner["accuracy"].get("degenerate"):
        return describe.sentence(learner["accuracy"]["degenerate"])
    if not given["n"]:
        return "No question of the file could be used."
    return (
        f"None of the {numbers.plural(given['n'], 'question')} can be scored: "
        f"{count(given.get('no_gold'))} without a key, {count(given.get('open_ended'))} open-ended."
    )


def span(one: Data) -> str:
    """Write the ends of a bin: `20–30 %`."""
    low, high = 100 * one["low"], 100 * one["high"]
    decimals = 0 if high - low >= 5 else 1
    return f"{low:.{decimals}f}–{high:.{decimals}f} %"


def _claim(rule: Data) -> str:
    if rule.get("over_chance") is None or "claimed" not in rule:
        return NONE
    said = "yes" if rule["claimed"] else "not shown"
    return f"{said}; picked on these keys" if rule.get("in_sample") else said


def _bare(given: Any) -> str:
    return value(given) if text_figures.is_estimate(given) else share(given)


def _n(given: Any) -> str:
    return numbers.of(given) if text_figures.is_estimate(given) else ""


def _plain(kind: Any) -> str:
    return str(kind).replace("_", " ")
