"""Long replies in many styles are read as a person reads them.

Each file was written in one go and read by the parser of the day before any rule was changed for
it; docs/parsing.md gives the counts at first reading.
"""

from __future__ import annotations

import re
from pathlib import Path
from string import ascii_uppercase

import pytest

from vidence.answer import Reply
from vidence.parse import parse
from vidence.view import Option, View

FOLDER = Path(__file__).parent / "long_replies"
# Read by people and not by the rules: lists whose layout is all they say, a rating by the way.
UNREAD = {"ranking", "starred", "letters-with-ticks", "rating-scale"}


def records() -> list[tuple[str, list[str], str, str]]:
    """Return (name, options, reading, reply) of every record of every file."""
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        for record in re.split(r"(?m)^@@ ", path.read_text(encoding="utf-8"))[1:]:
            head, reply = record.split("\n", 1)
            name, options, reading = (part.strip() for part in head.split(" :: "))
            found.append((name, options.split(" | "), reading, reply))
    return found


RECORDS = records()


@pytest.mark.parametrize(
    ("options", "reading", "reply"), [pytest.param(*r[1:], id=r[0]) for r in RECORDS]
)
def test_long_reply(
    options: list[str], reading: str, reply: str, request: pytest.FixtureRequest
) -> None:
    view = View("?", tuple(Option(100 + i, text) for i, text in enumerate(options)))
    answer = parse(Reply(reply), view)
    if request.node.callspec.id in UNREAD:
        assert answer.status != "ok"
        return
    said = (
        ascii_uppercase[int(answer.value) - 100]
        if answer.status == "ok" and isinstance(answer.value, int)
        else answer.status
    )
    assert said in reading.split("/"), answer


def test_the_files_hold_enough_records_of_different_names() -> None:
    names = [record[0] for record in RECORDS]
    assert len(names) == len(set(names))
    assert len(names) >= 180
    assert set(names) > UNREAD
