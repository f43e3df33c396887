"""Matches of one cell brought to one reply a view; what comes twice is told apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from vidence.answer import Reply
from vidence.imported.join import Match
from vidence.view import Case


@dataclass(frozen=True)
class Place:
    """Where a reply belongs: a case, a repeat, and the order in which the options were shown."""

    case: str
    repeat: int
    order: tuple[int, ...]


@dataclass
class Said:
    """One reply to a case, and every row of the log that has it.

    Args:
        case: the case.
        place: see `Place`.
        reply: the reply.
        matches: rows with this reply, the first first; further ones are other readings of it.
    """

    case: Case
    place: Place
    reply: Reply
    matches: list[Match] = field(default_factory=list)


@dataclass(frozen=True)
class Merged:
    """What was joined, without doubles.

    Args:
        said: one a place, in the order of the log.
        identical: rows that repeat another one.
        readings: rows that are another reading (filter) of a reply.
        conflicting: places with different replies, left out; each with its rows.
    """

    said: tuple[Said, ...]
    identical: tuple[Match, ...]
    readings: tuple[Match, ...]
    conflicting: tuple[tuple[Place, tuple[Match, ...]], ...]


def merge(matches: Iterable[Match]) -> Merged:
    """Bring the joined matches to one reply a place.

    Equal replies are one. A failure beside a reply is an attempt that was made again. Different
    replies to one place are a conflict, and none of them is taken.
    """
    places: dict[Place, list[Match]] = {}
    for match in matches:
        if match.case is not None:
            places.setdefault(_place(match, match.case), []).append(match)
    said: list[Said] = []
    identical: list[Match] = []
    readings: list[Match] = []
    conflicting: list[tuple[Place, tuple[Match, ...]]] = []
    for place, found in places.items():
        replied = [m for m in found if m.prediction.reply.status != "failed"] or found[:1]
        first = replied[0].prediction.reply
        if any(not _same(m.prediction.reply, first) for m in replied[1:]):
            conflicting.append((place, tuple(found)))
            continue
        case = replied[0].case
        assert case is not None
        kept: list[Match] = []
        seen: set[str] = set()
        for match in replied:
            label = match.prediction.filter
            if label in seen:
                identical.append(match)
            else:
                kept.append(match)
                if seen:
                    readings.append(match)
                seen.add(label)
        identical += [m for m in found if all(m is not r for r in replied)]
        said.append(Said(case, place, first, kept))
    return Merged(tuple(said), tuple(identical), tuple(readings), tuple(conflicting))


def _place(match: Match, case: Case) -> Place:
    keys = tuple(option.key for option in case.view.options)
    return Place(case.id, match.prediction.repeat, match.evidence.order or keys)


def _same(one: Reply, other: Reply) -> bool:
    return (one.status, one.text, one.scores) == (other.status, other.text, other.scores)


def by_cell(said: Sequence[Said]) -> dict[tuple[str, int], list[Said]]:
    """Return (case, repeat) -> its replies, one an order of the options."""
    cells: dict[tuple[str, int], list[Said]] = {}
    for one in said:
        cells.setdefault((one.place.case, one.place.repeat), []).append(one)
    return cells
