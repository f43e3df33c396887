"""Count what might explain the gap between the public files and the questions that a paper audited.

    python docs/make_gap.py ../shared/data/benchmarks

prints the tables of docs/benchmarks.md. Video-Oasis reports 24,416 questions of the 14 benchmarks;
their files hold more. Each line is one thing that its authors may have left out, counted on the
files; nothing here says that they did.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from vidence.benchmark import Benchmark, find_benchmarks, plain_name
from vidence.view import Case

AUDITED = 24_416
KEPT = 11_033
"""Questions in the paper's summary, before and after its checks and people's decisions."""

GROUPS = {
    "Spatial": (58.8, ("egoschema", "implicitqa", "vsibench")),
    "Temporal": (54.4, ("tvbench", "vcrbench", "rtvbench")),
    "Reasoning": (44.6, ("videoholmes", "minerva", "mmrv")),
    "General": (63.0, ("videomme", "mvbench", "lvbench", "longvideobench", "mlvu")),
}
"""Group of the paper -> shortcuts in percent that all three models agree on, and its benchmarks."""

Item = tuple[str, Case]


@dataclass(frozen=True)
class Line:
    """A thing that may have been left out.

    Args:
        what: for people.
        rows: how many rows it takes.
        chance: accuracy of a guesser on the cases that are then left, in percent.
    """

    what: str
    rows: int
    chance: float


def same(item: Item) -> tuple[object, ...]:
    """Return what makes two rows of one benchmark the same: video, question and options."""
    name, case = item
    return name, case.cluster, case.view.question, texts(case)


def texts(case: Case) -> tuple[str, ...]:
    """Return the option texts in order."""
    return tuple(option.text for option in case.view.options)


def repeats(items: Iterable[Item]) -> set[tuple[str, str]]:
    """Return the rows that have an equal one before them."""
    seen: set[tuple[object, ...]] = set()
    found = set()
    for item in items:
        if same(item) in seen:
            found.add((item[0], item[1].id))
        seen.add(same(item))
    return found


def shared(items: Iterable[Item]) -> set[tuple[str, str]]:
    """Return the rows whose file name, question and options another benchmark has before them."""
    first: dict[tuple[object, ...], str] = {}
    found = set()
    for name, case in items:
        options = frozenset(plain_name(text) for text in texts(case))
        key = (Path(case.cluster).stem, plain_name(case.view.question), options)
        if first.setdefault(key, name) != name:
            found.add((name, case.id))
    return found


def guess(items: list[Item]) -> float:
    """Return a guesser's expected accuracy in percent: the mean of 1 / options."""
    return 100 * sum(1 / len(case.view.options) for _, case in items) / len(items)


def lines(benchmarks: Mapping[str, Benchmark]) -> list[Line]:
    """Return every candidate, the whole first and all faults together last."""
    items = [(n, case) for n, read in benchmarks.items() for case in read.multiple_choice]
    rejected = sum(not r.open_ended for read in benchmarks.values() for r in read.rejected)
    again = repeats(items)
    found = {
        "RTV-Bench rows that repeat an earlier one at another end_time": {
            key for key in again if key[0] == "rtvbench"
        },
        "rows of other benchmarks that repeat an earlier one": {
            key for key in again if key[0] != "rtvbench"
        },
        "questions with one option": {(n, c.id) for n, c in items if len(texts(c)) == 1},
        "questions with two equal options": {
            (n, c.id) for n, c in items if len(set(texts(c))) < len(texts(c))
        },
        "ImplicitQA rows whose video address is cut short": {
            (n, remark.case)
            for n, read in benchmarks.items()
            for remark in read.remarks
            if remark.kind == "unreadable_video"
        },
        "TVBench questions that MVBench has too": shared(items),
        "videos of NTU RGB+D, which its owners hand out on request": {
            (n, c.id) for n, c in items if c.cluster.endswith("_rgb.avi")
        },
        "RTV-Bench rows of the field driving_cam": {
            (n, c.id) for n, c in items if c.tags.get("field") == "driving_cam"
        },
    }

    def left(gone: set[tuple[str, str]]) -> float:
        return guess([(n, case) for n, case in items if (n, case.id) not in gone])

    table = [Line("all multiple-choice rows", 0, left(set()))]
    table.append(Line("rows that are no question (rejected here)", rejected, left(set())))
    table += [Line(what, len(gone), left(gone)) for what, gone in found.items()]
    faults = set().union(*list(found.values())[:4])
    table.append(
        Line(
            "rejected, repeated, with one option or equal options",
            rejected + len(faults),
            left(faults),
        )
    )
    return table


def choices(read: Benchmark) -> int:
    """Return how many multiple-choice rows a file has, rejected ones included."""
    return len(read.multiple_choice) + sum(not r.open_ended for r in read.rejected)


def group_shares(benchmarks: Mapping[str, Benchmark]) -> dict[str, tuple[int, float]]:
    """Return group -> (rows here, shortcuts of all groups in percent if the gap lay in it).

    The mean of the groups' percentages, weighted by their rows, the whole gap taken from one.
    """
    sizes = {
        group: sum(choices(benchmarks[name]) for name in names)
        for group, (_, names) in GROUPS.items()
    }
    gap = sum(sizes.values()) - AUDITED
    return {
        group: (
            size,
            sum(GROUPS[g][0] * (n - gap * (g == group)) for g, n in sizes.items()) / AUDITED,
        )
        for group, size in sizes.items()
    }


def markdown(benchmarks: Mapping[str, Benchmark]) -> str:
    """Return the tables of the page."""
    gap = sum(choices(read) for read in benchmarks.values()) - AUDITED
    rows = ["| left out | rows | still open | chance of the rest |", "|---|---|---|---|"]
    for line in lines(benchmarks):
        still = gap - line.rows
        rows.append(f"| {line.what} | {line.rows:,} | {still:,} | {line.chance:.2f} % |")
    rows += ["", "| group | rows here | shortcuts at c = 3 if the gap lay in it |", "|---|---|---|"]
    for group, (size, share) in group_shares(benchmarks).items():
        rows.append(f"| {group} | {size:,} | {share:.1f} % |")
    return "\n".join(rows)


def read_all(folder: Path) -> dict[str, Benchmark]:
    """Return every benchmark of a folder by its loader's name."""
    return {loader.name: loader(path) for path, loader in find_benchmarks(folder) if loader}


if __name__ == "__main__":
    print(markdown(read_all(Path(sys.argv[1]))))
