"""Runs made from replies written by hand, without video or model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vidence.answer import Answer, AnswerStatus
from vidence.audits.panel_grid import PanelGrid
from vidence.check import make_check
from vidence.record import Cell, Outcome, Record
from vidence.view import Case, Option, View

Replies = Mapping[str, Mapping[str, Sequence[str]]]
"""check -> case id -> one mark a member: a digit is the chosen option's key, see `STATUS`."""

STATUS: dict[str, AnswerStatus] = {
    "?": "unparsed",
    "!": "failed",
    "~": "ambiguous",
    "r": "refused",
    "x": "off_list",
    "-": "skipped",
}


def case(name: str, gold: int | None = 0, options: int = 4, video: str = "", **tags: str) -> Case:
    view = View(f"Question {name}?", tuple(Option(i, f"{name}-{i}") for i in range(options)))
    return Case(name, view, gold=gold, cluster=video or f"video of {name}", tags=tags)


def records(replies: Replies) -> list[Record]:
    made = []
    for check, cases in replies.items():
        for name, marks in cases.items():
            for member, mark in enumerate(marks):
                if mark == " ":
                    continue
                status = STATUS.get(mark, "ok")
                value = int(mark) if status == "ok" else None
                answer = Answer(status, value, f"mark {mark}")
                cell = Cell(name, check, f"m{member + 1}")
                made.append(Record(cell, (), (answer,), status, value, f"mark {mark}"))
    return made


def outcomes(replies: Replies) -> list[Outcome]:
    return [record.outcome for record in records(replies)]


def panel(cases: Sequence[Case], replies: Replies, size: int = 3) -> PanelGrid:
    checks = [make_check(*label.split(":")[:1]) for label in replies]
    members = {label: [f"m{i + 1}" for i in range(size)] for label in replies}
    return PanelGrid.of(cases, checks, outcomes(replies), members)
