"""One named cell of the grid, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from vidence.answer import Answer, AnswerStatus
from vidence.seeds import digest


@dataclass(frozen=True, order=True)
class Cell:
    """The name of a result, known before anything is asked.

    Args:
        case: case id.
        check: check label, parameters included where they are not the defaults.
        answerer: its name in the panel.
        repeat: from 0.
    """

    case: str
    check: str
    answerer: str
    repeat: int = 0

    def key(self) -> str:
        """Return a short name for files and tables."""
        return digest("cell", self.case, self.check, self.answerer, self.repeat)


class Outcome(NamedTuple):
    """A record without its calls and answers: what statistics need of it.

    Args:
        case, check, answerer, repeat: the cell's name.
        status, value, reason: as in `Record`.
    """

    case: str
    check: str
    answerer: str
    repeat: int
    status: AnswerStatus
    value: int | float | str | None
    reason: str


@dataclass(frozen=True)
class Record:
    """A cell with the calls behind it.

    Args:
        cell: its name.
        calls: keys of its calls, one a view of the check; empty where nothing was asked.
        answers: one a call, in the same order.
        status: the fold of the answers' statuses.
        value: the fold of the answers: an option's key, a number, a text, or None.
        reason: why, where status is not ok or the fold rejects the answers.
        notes: facts about what was shown.
    """

    cell: Cell
    calls: tuple[str, ...]
    answers: tuple[Answer, ...]
    status: AnswerStatus
    value: int | float | str | None = None
    reason: str = ""
    notes: tuple[str, ...] = ()

    @property
    def final(self) -> bool:
        """Say whether nothing more is to be asked: neither it nor one of its answers failed."""
        return self.status != "failed" and all(a.status != "failed" for a in self.answers)

    @property
    def outcome(self) -> Outcome:
        """Return what statistics need of it."""
        cell = self.cell
        return Outcome(
            *(cell.case, cell.check, cell.answerer, cell.repeat),
            *(self.status, self.value, self.reason),
        )
