"""A run's records one by one, each view with its call, in the order of the cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from vidence.answer import MISSING, Answer, Reply
from vidence.call import Call
from vidence.prompt import LETTERS
from vidence.record import Record
from vidence.store import Store
from vidence.view import Case


@dataclass(frozen=True)
class Line:
    """A record, or one view of it where its check shows several.

    Args:
        case: the case.
        place: of the case in the run, from 0.
        record: what became of the cell.
        view: which view, from 0.
        call: what was asked and what came; None where nothing was asked.
    """

    case: Case
    place: int
    record: Record
    view: int = 0
    call: Call | None = None

    @cached_property
    def reply(self) -> Reply:
        """The reply; one without a call says why there is none."""
        if self.call is not None:
            return self.call.reply
        status = "absent" if self.record.status == "skipped" else "failed"
        return Reply(status=status, error=self.record.reason)  # type: ignore[arg-type]

    @cached_property
    def answer(self) -> Answer:
        """What this view's reply says."""
        answers = self.record.answers
        if self.view < len(answers):
            return answers[self.view]
        return Answer(self.record.status, None, self.record.reason)

    @cached_property
    def shown(self) -> tuple[int, ...]:
        """Keys of the options in the order shown."""
        if self.call is not None:
            return self.call.shown
        return tuple(option.key for option in self.case.view.options)

    @cached_property
    def options(self) -> tuple[str, ...]:
        """Texts of the options in the order shown."""
        by_key = {option.key: option.text for option in self.case.view.options}
        return tuple(by_key[key] for key in self.shown)

    def shown_letter(self, value: object) -> str:
        """Return the letter under which an option was shown, "" for no option."""
        return letter(value, self.shown)

    @cached_property
    def right(self) -> bool | None:
        """Whether the record names the key; None where it has none, or the choice is unknown."""
        if self.case.gold_position() is None or self.record.status in (*MISSING, "skipped"):
            return None
        return self.record.status == "ok" and self.record.value == self.case.gold


def letter(value: object, keys: Sequence[int]) -> str:
    """Return the letter of an option's key among keys in the order shown, "" for no option."""
    if isinstance(value, int) and value in keys and len(keys) <= len(LETTERS):
        return LETTERS[list(keys).index(value)]
    return ""


def lines_of(run: Path) -> Iterator[Line]:
    """Yield the lines of a run: by case in the run's order, by check, answerer, repeat and view.

    Raises:
        StoreError: no run there.
    """
    with Store.open(run, read_only=True) as store:
        for place, case in enumerate(store.cases()):
            for record in store.records_of(case.id):
                calls = [store.call(key) for key in record.calls] or [None]
                for view, call in enumerate(calls):
                    yield Line(case, place, record, view, call)
