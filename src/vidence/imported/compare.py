"""What a log made of its replies against what Vidence reads in them: what the parser alone moves.

Both are compared on the same replies, so the difference is that of two readings and of nothing
else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vidence.imported.evidence import places_of
from vidence.imported.join import Match
from vidence.imported.merge import Said
from vidence.record import Cell, Record
from vidence.stats import Estimate


@dataclass(frozen=True)
class Difference:
    """Replies that the log and Vidence read differently for one reason.

    Args:
        reason: in words.
        ids: the cases, in the order of the log.
        moves: whether the accuracy changes with it.
    """

    reason: str
    ids: tuple[str, ...]
    moves: bool


@dataclass(frozen=True)
class Comparison:
    """One reading of a log against Vidence's.

    Args:
        filter: the log's name for the reading, "" where it has one only.
        log, vidence: accuracies on the replies that the log scored, a reply that could not be read
            counted as wrong in both.
        difference: Vidence's minus the log's, paired.
        unread: replies among them of which Vidence reads no answer.
        differences: by reason.
    """

    filter: str
    log: Estimate
    vidence: Estimate
    difference: Estimate
    unread: int
    differences: tuple[Difference, ...] = ()

    @property
    def differing(self) -> int:
        """Replies that are read differently, whether or not the accuracy moves."""
        return sum(len(found.ids) for found in self.differences)

    def to_json(self) -> dict[str, Any]:
        """Return plain values; shares in percent, the difference in points."""
        return {
            "filter": self.filter,
            "n": self.log.n,
            "log": in_percent(self.log),
            "vidence": in_percent(self.vidence),
            "difference": in_percent(self.difference, "points"),
            "unread": self.unread,
            "differ": {
                "n": self.differing,
                "by_reason": [
                    {"reason": d.reason, "n": len(d.ids), "moves": d.moves, "ids": list(d.ids)}
                    for d in self.differences
                ],
            },
        }


@dataclass
class _Rows:
    log: list[float] = field(default_factory=list)
    vidence: list[bool] = field(default_factory=list)
    clusters: list[str] = field(default_factory=list)
    unread: int = 0
    reasons: dict[tuple[str, bool], list[str]] = field(default_factory=dict)


def compare(
    records: Sequence[Record], said: Mapping[Cell, Sequence[Said]]
) -> tuple[Comparison, ...]:
    """Compare every reading of a log with Vidence's, on multiple-choice cases with a key.

    A score outside 0 to 1 is no share, and is passed over. Cells of several views have no single
    score in a log, and are passed over too.
    """
    readings: dict[str, _Rows] = {}
    for record in records:
        found = said.get(record.cell, ())
        if len(found) != 1 or not record.calls:
            continue
        one = found[0]
        case = one.case
        if case.gold_position() is None:
            continue
        for match in one.matches:
            score = match.prediction.score
            if score is None or not 0 <= score <= 1:
                continue
            rows = readings.setdefault(match.prediction.filter, _Rows())
            right = record.status == "ok" and record.value == case.gold
            rows.log.append(score)
            rows.vidence.append(right)
            rows.clusters.append(case.cluster or case.id)
            rows.unread += record.status != "ok"
            reason = _reason(record, one, match, score, right)
            if reason:
                rows.reasons.setdefault(reason, []).append(case.id)
    return tuple(_comparison(name, rows) for name, rows in readings.items())


def _comparison(name: str, rows: _Rows) -> Comparison:
    import numpy as np

    from vidence.stats import difference_by_cluster, mean_by_cluster, proportion_by_cluster

    log = np.array(rows.log)
    right = np.array(rows.vidence)
    labels = np.array(rows.clusters)
    whole = bool(np.isin(log, (0.0, 1.0)).all())
    return Comparison(
        filter=name,
        log=proportion_by_cluster(log == 1, labels)
        if whole
        else mean_by_cluster(log, labels, bounds=(0.0, 1.0)),
        vidence=proportion_by_cluster(right, labels),
        difference=difference_by_cluster(right.astype(np.float64) - log, labels),
        unread=rows.unread,
        differences=tuple(
            Difference(reason, tuple(ids), moves)
            for (reason, moves), ids in sorted(rows.reasons.items(), key=lambda kv: -len(kv[1]))
        ),
    )


def _reason(
    record: Record, one: Said, match: Match, score: float, right: bool
) -> tuple[str, bool] | None:
    """Return why a reply is read differently, and whether the accuracy moves; None if it is not."""
    said = "right" if score == 1 else "wrong" if score == 0 else "partly right"
    if score != right:
        if match.evidence.gold is False:
            return f"log {said}: it has another key", True
        if record.status != "ok":
            return f"log {said}, Vidence reads no answer ({record.status})", True
        return f"log {said}, Vidence reads {'the key' if right else 'another option'}", True
    places = _log_places(one, match)
    if not right and record.status == "ok" and len(places) == 1:
        (place,) = places
        if one.place.order[place] != record.value:
            return "both wrong, the log reads another option", False
    if not right and record.status != "ok" and len(places) == 1:
        return f"both wrong, Vidence reads no answer ({record.status})", False
    return None


def _log_places(one: Said, match: Match) -> set[int]:
    """Return the places of the option that the log read, none where it says none or words."""
    parsed = match.prediction.parsed
    if parsed is None or (isinstance(parsed, str) and len(parsed) > 200):
        return set()
    by_key = {option.key: option.text for option in one.case.view.options}
    return places_of(parsed, [by_key[key] for key in one.place.order])


def in_percent(estimate: Estimate, unit: str = "percent") -> dict[str, Any]:
    """Return an estimate as plain values, times 100, with its unit."""
    data: dict[str, Any] = estimate.to_json()
    for name in ("value", "low", "high"):
        data[name] = None if data[name] is None else round(100 * data[name], 10)
    return {**data, "unit": unit}
