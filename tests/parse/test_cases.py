"""Every row of the tables is read as a person reads it."""

from __future__ import annotations

from string import ascii_uppercase

import pytest

from tests.parse import (
    cases_languages,
    cases_letters,
    cases_public,
    cases_statements,
    cases_texts,
    cases_thinking,
    cases_traps,
)
from vidence.answer import Reply
from vidence.parse import locate, parse
from vidence.view import Option, View

TABLES = (
    cases_public,
    cases_statements,
    cases_letters,
    cases_texts,
    cases_thinking,
    cases_traps,
    cases_languages,
)
ROWS = [pytest.param(*row[1:], id=row[0]) for table in TABLES for row in table.ROWS]


def view_of(options: str) -> View:
    """Return a view whose keys are unlike the positions, so that one cannot pass for the other."""
    texts = options.split("|")
    return View("?", tuple(Option(100 + i, text) for i, text in enumerate(texts)))


@pytest.mark.parametrize(("options", "text", "reading"), ROWS)
def test_row(options: str, text: str, reading: str) -> None:
    view = view_of(options)
    answer = parse(Reply(text), view)
    said = (
        ascii_uppercase[int(answer.value) - 100]
        if answer.status == "ok" and isinstance(answer.value, int)
        else answer.status
    )
    assert said in reading.split("/"), answer
    assert answer.reason
    span = locate(Reply(text), view)
    assert (span is not None) == (answer.status in {"ok", "ambiguous", "off_list", "refused"})


def test_the_tables_hold_no_id_twice_and_enough_rows() -> None:
    names = [row[0] for table in TABLES for row in table.ROWS]
    assert len(names) == len(set(names))
    assert len(names) >= 400
