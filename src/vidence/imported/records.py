"""Joined replies as calls and records, read by Vidence's own parser."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from vidence.answer import Answer, Request
from vidence.call import Call, call_key
from vidence.check import PROBES, Check
from vidence.imported.merge import Merged, Said, by_cell
from vidence.parse import parse
from vidence.prompt import LETTERS, Prompt, render
from vidence.record import Cell, Record
from vidence.run_config import IMPORTED
from vidence.seeds import seed_of
from vidence.view import Case, View

SEED = 0
_UNKNOWN_ORDER = frozenset(("shuffled_options", "rotated_options"))
"""Probes that move the options: without the order shown, letters mean nothing."""


@dataclass(frozen=True)
class Made:
    """What an import writes.

    Args:
        calls: with the raw replies.
        records: one a cell.
        said: cell -> the replies it was made of.
        several: (case, repeat) of cells with replies to several orders under a check that shows
            one; they are left out.
    """

    calls: tuple[Call, ...]
    records: tuple[Record, ...]
    said: Mapping[Cell, Sequence[Said]] = field(default_factory=dict)
    several: tuple[tuple[str, int], ...] = ()


def records_of(said: Sequence[Said], check: Check, model: str) -> Made:
    """Make calls and records of replies; the prompt is the log's own where it has one."""
    calls: list[Call] = []
    records: list[Record] = []
    cells: dict[Cell, Sequence[Said]] = {}
    several: list[tuple[str, int]] = []
    for (case, repeat), found in by_cell(said).items():
        if PROBES[check.probe].fold == "one" and len(found) > 1:
            several.append((case, repeat))
            continue
        cell = Cell(case, check.label, model, repeat)
        mine = [_call(one, cell, i) for i, one in enumerate(found)]
        record = _record(cell, check, found, mine)
        if record.calls:
            calls += [call for call in mine if call is not None]
        records.append(record)
        cells[cell] = found
    return Made(tuple(calls), tuple(records), cells, tuple(several))


def lost_records(
    cases: Sequence[Case], check: Check, model: str, merged: Merged, made: Made
) -> list[Record]:
    """Return a failed record for each case that the log gives no usable reply to.

    A log that is imported later may fill it; until then it counts as missing, not as wrong.
    """
    spoken = {record.cell.case for record in made.records}
    several = {case for case, _ in made.several}
    rows = {place.case: found for place, found in merged.conflicting}
    lost: list[Record] = []
    for case in cases:
        if case.id in spoken:
            continue
        why = "not in the log"
        if case.id in several:
            why = "shown with its options in several orders"
        if case.id in rows:
            places = "; ".join(match.prediction.where for match in rows[case.id][:3])
            why = f"different replies in the log: {places}"
        lost.append(Record(Cell(case.id, check.label, model), (), (), "failed", None, why))
    return lost


def shown_view(case: Case, order: Sequence[int]) -> View:
    """Return question and options as the log shows them; what else was shown is not known."""
    by_key = {option.key: option for option in case.view.options}
    return View(case.view.question, tuple(by_key[key] for key in order))


def _call(one: Said, cell: Cell, number: int) -> Call | None:
    if one.reply.status in ("failed", "absent"):
        return None
    view = shown_view(one.case, one.place.order)
    prompt = render(view)
    sent = one.matches[0].prediction.prompt
    if sent:
        prompt = Prompt((sent,), prompt.question, prompt.options)
    seed = seed_of(SEED, cell.case, cell.check, number, cell.repeat, cell.answerer)
    request = Request(prompt, seed, draw=cell.repeat)
    return Call(
        key=call_key({"kind": IMPORTED, "model": cell.answerer}, request),
        kind="answer",
        answerer=cell.answerer,
        request=request,
        reply=one.reply,
        shown=one.place.order,
    )


def _record(
    cell: Cell, check: Check, found: Sequence[Said], calls: Sequence[Call | None]
) -> Record:
    problem = _problem(check, found)
    if problem is not None:
        return Record(cell, (), (), problem.status, None, problem.reason, (IMPORTED,))
    answers = tuple(parse(one.reply, shown_view(one.case, one.place.order)) for one in found)
    folded = check.fold(answers)
    return Record(
        cell,
        tuple(call.key for call in calls if call is not None),
        answers,
        folded.status,
        folded.value,
        folded.reason,
        _notes(found),
    )


def _problem(check: Check, found: Sequence[Said]) -> Answer | None:
    """Return why a cell has no answer that could be read, None where it has."""
    for one in found:
        if one.reply.status == "failed":
            return Answer("failed", None, one.reply.error)
        if one.reply.status == "absent":
            return Answer("skipped", None, one.reply.error)
    options = len(found[0].case.view.options)
    known = all(one.matches[0].evidence.order is not None for one in found)
    if check.probe in _UNKNOWN_ORDER and options > 1 and not known:
        return Answer("failed", None, "the log does not show in which order the options were")
    if PROBES[check.probe].fold == "all" and len(found) < options:
        return Answer("failed", None, f"{len(found)} of {options} orders of the options in the log")
    return None


def _notes(found: Sequence[Said]) -> tuple[str, ...]:
    notes = [IMPORTED]
    for one in found:
        match = one.matches[0]
        notes += match.prediction.notes
        keys = tuple(option.key for option in one.case.view.options)
        if one.place.order != keys:
            notes.append(_moved(one.case, one.place.order))
        if match.evidence.lost:
            by_key = {option.key: option.text for option in one.case.view.options}
            texts = ", ".join(repr(by_key[key]) for key in match.evidence.lost)
            notes.append(f"the log shows the option {texts} empty")
        if match.evidence.gold is False:
            notes.append(f"the log has another key ({match.prediction.gold!r})"[:200])
    return tuple(dict.fromkeys(notes))


def _moved(case: Case, order: Sequence[int]) -> str:
    """Say in which order the options were shown, and where the key went."""
    keys = [option.key for option in case.view.options]
    letters = "".join(LETTERS[keys.index(key)] for key in order)
    said = f"options shown in the order {letters}"
    if case.gold in order:
        own, now = keys.index(case.gold), list(order).index(case.gold)  # type: ignore[arg-type]
        said += f"; the key {LETTERS[own]} was shown as {LETTERS[now]}"
    return said
