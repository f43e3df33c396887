"""A bound on the shortcut ratio, for a benchmark's own continuous integration."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal

import numpy as np

from vidence.audits.benchmark import BenchmarkAudit
from vidence.audits.panel_grid import PanelGrid
from vidence.errors import UsageError
from vidence.pairs import NOT_ASKED
from vidence.stats import Estimate, PanelVotes, case_flags, excess_over_luck, key_prior, luck_of
from vidence.stats.arrays import any_of

FORMAT = "vidence.gate/1"
Outcome = Literal["passed", "failed", "not_measured"]
EXIT: dict[Outcome, int] = {"passed": 0, "failed": 1, "not_measured": 3}
"""What the command line returns."""


@dataclass(frozen=True)
class Bound:
    """One bound, and what it was held against.

    Args:
        name: `shortcut ratio` or `excess over luck`.
        limit: the largest upper end that passes, a share.
        measured: with every missing reply counted as right; its upper end is what counts.
        read: the same with every missing reply counted as wrong.
        outcome: `failed` too where there is a value and no interval: what is not known to be
            under the bound does not pass.
        sentence: both numbers in words.
    """

    name: str
    limit: float
    measured: Estimate
    read: Estimate
    outcome: Outcome
    sentence: str

    def to_json(self) -> dict[str, Any]:
        """Return plain values; shares are fractions."""
        return {
            "name": self.name,
            "limit": self.limit,
            "upper": self.measured.high,
            "measured": self.measured.to_json(),
            "read": self.read.to_json(),
            "outcome": self.outcome,
            "sentence": self.sentence,
        }


@dataclass(frozen=True)
class Gate:
    """What a gate says of a run.

    Args:
        title: the benchmark's name.
        run: the run's folder.
        consensus: members that must be right.
        panel_size: members of the largest panel.
        bounds: those that were asked for.
        cases: `n`, `scored`, `undetermined` (their flag hangs on a missing reply), `not_asked`
            (cells without a record), `rejected` (rows of the file that are no case).
        checks: a row a counted check: `check`, `members`, `applicable`, `read`, `measured`.
        shortcuts: ids of the cases that are flagged whatever the missing replies would have been.
        hanging: ids of those that a missing reply could flag.
    """

    title: str
    run: str
    consensus: int
    panel_size: int
    bounds: tuple[Bound, ...]
    cases: Mapping[str, int]
    checks: tuple[Mapping[str, Any], ...]
    shortcuts: tuple[str, ...]
    hanging: tuple[str, ...]

    @property
    def outcome(self) -> Outcome:
        """Return the worst outcome of the bounds."""
        found = {bound.outcome for bound in self.bounds}
        return next(o for o in ("not_measured", "failed", "passed") if o in found)

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "format": FORMAT,
            "title": self.title,
            "run": self.run,
            "outcome": self.outcome,
            "exit_code": EXIT[self.outcome],
            "consensus": self.consensus,
            "panel_size": self.panel_size,
            "bounds": [bound.to_json() for bound in self.bounds],
            "cases": dict(self.cases),
            "checks": [dict(row) for row in self.checks],
            "shortcuts": list(self.shortcuts),
            "hanging": list(self.hanging),
        }


def gate(
    folder: str | PathLike[str],
    *,
    max_shortcut: float | None = None,
    max_excess: float | None = None,
    consensus: int | None = None,
) -> Gate:
    """Hold a run's shortcut ratio against a bound.

    Passes where the upper end of the interval, with every missing reply counted as right, is not
    above the bound, so that neither a small sample nor a broken panel opens the gate.

    Args:
        folder: the run; one that is not complete has missing replies.
        max_shortcut: bound on the share of shortcuts, 0 to 1.
        max_excess: bound on the share beyond what luck explains, 0 to 1.
        consensus: members that must be right; None is the panel's size.

    Raises:
        UsageError: no bound, a bound that is no share, or a threshold beyond the panel.
        StoreError: no run there.
    """
    limits = {"max_shortcut": max_shortcut, "max_excess": max_excess}
    if max_shortcut is None and max_excess is None:
        raise UsageError("No bound came. Give --max-shortcut 30%, --max-excess 10%, or both.")
    for name, limit in limits.items():
        if limit is not None and not 0 <= limit <= 1:
            raise UsageError(f"{name} = {limit}; a share from 0 to 1 is allowed.")
    audit = BenchmarkAudit(folder)
    panel = audit.panel
    size = panel.panel_size
    c = size if consensus is None else consensus
    if size and not 1 <= c <= size:
        raise UsageError(f"Consensus {c} came; 1 to {size} (the panel's size) is allowed.")
    why = _nothing(panel)
    bounds = []
    if max_shortcut is not None:
        read, measured = _ratio(panel, c, why)
        bounds.append(_bound("shortcut ratio", max_shortcut, measured, read))
    if max_excess is not None:
        read, measured = _excess(panel, c, why)
        bounds.append(_bound("excess over luck", max_excess, measured, read))
    sure, hanging = _flagged(panel, c)
    return Gate(
        title=audit.title,
        run=str(audit.folder),
        consensus=c,
        panel_size=size,
        bounds=tuple(bounds),
        cases={
            "n": len(panel.cases),
            "scored": len(panel.rows),
            "undetermined": len(hanging),
            "not_asked": _not_asked(panel),
            "rejected": len(audit.rejected),
        },
        checks=_checks(panel, c),
        shortcuts=sure,
        hanging=hanging,
    )


def share_of(text: str, name: str) -> float:
    """Read a share: `0.30` or `30%`.

    Args:
        text: what was typed.
        name: the option, for the message.

    Raises:
        UsageError: neither of both; a number above 1 without a percent sign; a bare 1, which may
            mean all or one percent.
    """
    given = text.strip()
    percent = given.endswith("%")
    try:
        number = float(given[:-1] if percent else given)
    except ValueError:
        number = math.nan
    advice = "a share such as 0.30, or 30%, is allowed"
    if not math.isfinite(number):
        raise UsageError(f"{name} {text!r} came; {advice}. Give one.")
    if not percent and number >= 1:
        shown = f"{number:g}%"
        other = " (or 100%, which nothing exceeds)" if number == 1 else ""
        meant = f"Did you mean {shown}{other}?" if number <= 100 else "Give one."
        raise UsageError(f"{name} {text!r} came; {advice}. {meant}")
    share = number / 100 if percent else number
    if not 0 <= share <= 1:
        raise UsageError(f"{name} {text!r} came; 0 to 100% is allowed. Give one.")
    return share


def _nothing(panel: PanelGrid) -> str:
    """Say why there is nothing to hold against a bound; empty where there is something."""
    if not len(panel.rows):
        return "no question has both options and a key"
    if not panel.counted:
        return "no check that enters the shortcut ratio was run"
    read = applies = 0
    for check in panel.counted:
        replies = panel.grid.checks[check.label]
        known = ~replies.missing[panel.rows] & ~replies.skipped[panel.rows][:, None]
        read += int(known.sum())
        applies += int((~replies.skipped[panel.rows]).sum())
    if not applies:
        return "no check applies to any question"
    return "" if read else "not one reply could be read"


def _ratio(panel: PanelGrid, c: int, why: str) -> tuple[Estimate, Estimate]:
    if why:
        return (_none(panel, why),) * 2
    flags = panel.by_threshold[c - 1].overall
    return flags.share.flagged, flags.if_missing_right


def _excess(panel: PanelGrid, c: int, why: str) -> tuple[Estimate, Estimate]:
    if why:
        return (_none(panel, why),) * 2
    read = panel.by_threshold[c - 1].overall.share.excess
    return read, worst_excess(panel.votes, c)


def worst_excess(votes: PanelVotes, c: int) -> Estimate:
    """Estimate the excess over luck with every missing reply counted as right.

    A missing reply that completes a consensus on the key adds the key to the options that reached
    it, so the case counts as flagged and its luck rises by P(key): of all ways to fill the missing
    replies in, the one with the largest excess. Formula, edges: `excess_over_luck`.

    Args:
        votes: the panel's.
        c: members that must be right.
    """
    _, possible = case_flags(votes, c)
    asked = any_of(votes.applicable & (votes.panel >= c), 1)
    flagged = any_of(possible, 1)
    options = any_of(votes.agreed(c), 1)
    options[np.flatnonzero(flagged), votes.key[flagged]] = True
    luck = luck_of(options, key_prior("uniform", votes.key, votes.n_options))
    return excess_over_luck(
        flagged[asked], luck[asked], votes.clusters.where(asked), total=len(votes)
    )


def _none(panel: PanelGrid, why: str) -> Estimate:
    return Estimate.none(why, method="share of cases flagged", total=len(panel.rows))


def _bound(name: str, limit: float, measured: Estimate, read: Estimate) -> Bound:
    unit = " points" if name == "excess over luck" else " %"
    if measured.value is None:
        why = measured.degenerate or "no case was scored"
        sentence = f"{name}: nothing was measured ({why})."
        return Bound(name, limit, measured, read, "not_measured", sentence)
    said = f"{name} {_hundredths(measured.value)}{unit}"
    if measured.high is None or measured.low is None:
        sentence = (
            f"{said}, without an interval ({measured.degenerate}): its upper end is not known to "
            f"be under the bound {_hundredths(limit)}{unit}."
        )
        return Bound(name, limit, measured, read, "failed", sentence)
    failed = measured.high > limit
    high, bound = _apart(measured.high, limit)
    sentence = (
        f"{said} ({_hundredths(measured.low)} to {_hundredths(measured.high)}): the upper end, "
        f"{high}{unit}, is {'above' if failed else 'not above'} the bound, {bound}{unit}."
    )
    return Bound(name, limit, measured, read, "failed" if failed else "passed", sentence)


def _apart(a: float, b: float) -> tuple[str, str]:
    """Write two shares in hundredths with as many decimals as tell them apart."""
    for digits in range(1, 10):
        first, second = _hundredths(a, digits), _hundredths(b, digits)
        if first != second or a == b:
            break
    return first, second


def _hundredths(share: float, digits: int = 1) -> str:
    text = f"{100 * share:.{digits}f}"
    short = text.rstrip("0").rstrip(".")
    return "0" if short in ("-0", "") else short


def _not_asked(panel: PanelGrid) -> int:
    """Count the cells of the counted checks that have no record; they count as missing."""
    replies = [panel.grid.checks[check.label] for check in panel.counted]
    return sum(int((r.missing & (r.status == NOT_ASKED))[panel.rows].sum()) for r in replies)


def _flagged(panel: PanelGrid, c: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if not panel.counted:
        return (), ()
    sure, possible = (any_of(flags, 1) for flags in case_flags(panel.votes, c))
    ids = [panel.cases[i].id for i in panel.rows]
    flagged = tuple(name for name, yes in zip(ids, sure, strict=True) if yes)
    hanging = tuple(name for name, yes in zip(ids, possible & ~sure, strict=True) if yes)
    return flagged, hanging


def _checks(panel: PanelGrid, c: int) -> tuple[dict[str, Any], ...]:
    rows = []
    for t, check in enumerate(panel.counted):
        flags = panel.by_threshold[c - 1].checks[check.label]
        rows.append(
            {
                "check": check.label,
                "members": list(panel.members(check.label)),
                "applicable": int(panel.votes.applicable[:, t].sum()),
                "read": flags.share.flagged.to_json(),
                "measured": flags.if_missing_right.to_json(),
            }
        )
    return tuple(rows)
