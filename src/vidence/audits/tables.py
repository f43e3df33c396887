"""The tables of a benchmark audit, as plain values.

Each function returns what the report prints: lists of dictionaries whose estimates are in the form
of `Estimate.to_json`, all as shares between 0 and 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vidence.audits.panel_grid import BASELINE, PanelGrid
from vidence.check import PROBES, Check
from vidence.record import Outcome
from vidence.stats import (
    accuracy_difference,
    consensus,
    independent_guessers,
    mean_by_cluster,
    proportion_by_cluster,
)

Row = dict[str, Any]
MOST_VALUES = 40
"""A tag with more values than this is no category; its table would be unreadable."""
UNTAGGED = "(none)"


def checks_table(panel: PanelGrid, outcomes: Iterable[Outcome]) -> list[Row]:
    """Return a row a counted check: flags, luck and excess at every threshold, unique flags."""
    skipped = _skipped(panel, outcomes)
    base = BASELINE if BASELINE in panel.votes.checks else None
    rows: list[Row] = []
    for t, check in enumerate(panel.counted):
        label = check.label
        levels = [level.checks[label] for level in panel.by_threshold]
        own = int(panel.votes.panel[t])
        top = panel.by_threshold[own - 1]
        share = top.marginal.get(label)
        rows.append(
            {
                "check": label,
                "probe": check.probe,
                "description": PROBES.describe(check.probe),
                "panel": check.panel,
                "members": list(panel.members(label)),
                "applicable": int(panel.votes.applicable[:, t].sum()),
                "skipped": skipped.get(label, {}),
                "flagged": [f.share.flagged.to_json() for f in levels],
                "luck": [f.share.luck.to_json() for f in levels],
                "excess": [f.share.excess.to_json() for f in levels],
                "undetermined": [f.undetermined for f in levels],
                "unique": _count(top.unique[label].flagged),
                "unique_share": top.unique[label].flagged.to_json(),
                "marginal": share
                and {
                    "over": base,
                    "share": share.flagged.to_json(),
                    "excess": share.excess.to_json(),
                },
                "complete": not panel.votes.missing[:, t].any(),
            }
        )
    return rows


def accuracy_table(panel: PanelGrid) -> list[Row]:
    """Return a row a check and answerer: accuracy with unreadable replies wrong, and among read.

    `accuracy` counts a missing reply as wrong and leaves out only the cases to which the check
    does not apply; `replied` is over the cases whose reply could be read.
    """
    rows: list[Row] = []
    for check in panel.checks:
        replies = panel.grid.checks[check.label]
        right = panel.grid.right(check.label)[panel.rows]
        asked = ~replies.skipped[panel.rows]
        for j, name in enumerate(replies.members):
            read = asked & ~replies.missing[panel.rows, j]
            rows.append(
                {
                    "check": check.label,
                    "answerer": name,
                    "accuracy": _share(panel, right[:, j], asked),
                    "replied": _share(panel, right[:, j], read),
                    "chance": _chance(panel, asked),
                    "minus_intact": _minus_intact(panel, check, name, right[:, j], asked),
                    "statuses": replies.count(j),
                }
            )
    return rows


def curve_table(panel: PanelGrid) -> list[Row]:
    """Return a row a threshold: the shortcut ratio, its bounds, the luck line and the excess."""
    rows: list[Row] = []
    for level in panel.by_threshold:
        flags = level.overall
        asked = panel.votes.applicable.any(axis=1)
        guess = independent_guessers(
            panel.votes.n_options, panel.votes.panel, level.c, panel.votes.applicable
        )
        rows.append(
            {
                "c": level.c,
                "shortcut": flags.share.flagged.to_json(),
                "bounds": [flags.share.flagged.value, flags.if_missing_right.value],
                "undetermined": flags.undetermined,
                "luck": flags.share.luck.to_json(),
                "excess": flags.share.excess.to_json(),
                "independent": float(guess[asked].mean()) if asked.any() else None,
            }
        )
    return rows


def categories_table(panel: PanelGrid) -> list[Row]:
    """Return a row a tag and value at full consensus; tags with very many values are left out."""
    rows: list[Row] = []
    if not panel.by_threshold:
        return rows
    for tag, values in panel.grid.tags.items():
        mine = np.array([values[i] or UNTAGGED for i in panel.rows], dtype=object)
        names = sorted(set(mine))
        if not 2 <= len(names) <= MOST_VALUES:
            continue
        for name in names:
            where = np.asarray(mine == name, dtype=np.bool_)
            level = consensus(panel.votes, panel.panel_size, where=where)
            rows.append(
                {
                    "tag": tag,
                    "value": name,
                    "n": int(where.sum()),
                    "shortcut": level.overall.share.flagged.to_json(),
                    "luck": level.overall.share.luck.to_json(),
                    "checks": {k: f.share.flagged.to_json() for k, f in level.checks.items()},
                }
            )
    return rows


def missing_table(panel: PanelGrid, outcomes: Iterable[Outcome]) -> list[Row]:
    """Return a row a check, answerer and reason for every reply that is not an answer."""
    labels = {check.label for check in panel.checks}
    count = Counter(
        (o.check, o.answerer, o.status, o.reason)
        for o in outcomes
        if o.status not in ("ok", "skipped") and o.check in labels
    )
    return [
        {"check": check, "answerer": name, "status": status, "reason": reason, "count": n}
        for (check, name, status, reason), n in sorted(count.items())
    ]


def costs_table(
    calls: Iterable[tuple[str, str, int, float]],
    usage: Iterable[tuple[str, str, float]],
    attempts: Iterable[tuple[str, str, str]],
) -> list[Row]:
    """Return a row an answerer: calls, renderings, failed attempts, seconds and usage.

    Args:
        calls, usage: of `Store.costs`.
        attempts: of `Store.attempts`.
    """
    rows: dict[str, Row] = {}

    def row(name: str) -> Row:
        empty = {"calls": 0, "renderings": 0, "failed_attempts": 0, "seconds": 0.0}
        return rows.setdefault(name, {"answerer": name, **empty, "usage": {}})

    for name, kind, count, seconds in calls:
        row(name)["renderings" if kind == "rendering" else "calls"] += count
        row(name)["seconds"] = round(row(name)["seconds"] + seconds, 3)
    for name, unit, amount in usage:
        row(name)["usage"][unit] = amount
    for _, name, _ in attempts:
        row(name)["failed_attempts"] += 1
    return [rows[name] for name in sorted(rows)]


def noise_table(panel: PanelGrid) -> list[Row]:
    """Return a row a check and answerer: how often a second ask gives another answer.

    Empty where each cell was asked once. Effects smaller than this are not worth claiming.
    """
    rows: list[Row] = []
    if panel.again is None:
        return rows
    for check in panel.checks:
        first, second = panel.grid.checks[check.label], panel.again.checks[check.label]
        both = (first.asked & second.asked)[panel.rows]
        differ = (first.choice != second.choice)[panel.rows]
        for j, name in enumerate(first.members):
            changed = _share(panel, differ[:, j], both[:, j])
            rows.append({"check": check.label, "answerer": name, "changed": changed})
    return rows


def _skipped(panel: PanelGrid, outcomes: Iterable[Outcome]) -> dict[str, dict[str, int]]:
    seen: dict[str, set[tuple[str, str]]] = {}
    scored = {panel.cases[i].id for i in panel.rows}
    for o in outcomes:
        if o.status == "skipped" and o.case in scored:
            seen.setdefault(o.check, set()).add((o.case, o.reason))
    return {label: dict(Counter(why for _, why in cases)) for label, cases in seen.items()}


def _minus_intact(
    panel: PanelGrid, check: Check, name: str, right: NDArray[np.bool_], asked: NDArray[np.bool_]
) -> Row | None:
    intact = panel.grid.checks.get("intact")
    if intact is None or check.label == "intact" or name not in intact.members:
        return None
    j = intact.members.index(name)
    base = panel.grid.right("intact")[panel.rows, j]
    both = asked & intact.asked[panel.rows, j]
    difference = accuracy_difference(
        right[both], base[both], panel.clusters[both], total=len(panel.rows)
    )
    return difference.to_json()


def _share(panel: PanelGrid, hits: NDArray[np.bool_], where: NDArray[np.bool_]) -> Row:
    return proportion_by_cluster(
        hits[where], panel.clusters[where], total=len(panel.rows)
    ).to_json()


def _chance(panel: PanelGrid, where: NDArray[np.bool_]) -> Row:
    share = 1.0 / panel.votes.n_options[where]
    return mean_by_cluster(
        share, panel.clusters[where], bounds=(0.0, 1.0), total=len(panel.rows)
    ).to_json()


def _count(share: Any) -> int:
    return round(share.n * share.value) if share.value is not None else 0
