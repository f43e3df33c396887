"""The table of docs/parsing.md tells the truth."""

from __future__ import annotations

import re
from pathlib import Path
from string import ascii_uppercase

import pytest

from vidence.answer import STATUSES, Reply
from vidence.parse import parse
from vidence.parse.rules import LAST_RULES
from vidence.view import Option, View

PAGE = (Path(__file__).parents[2] / "docs" / "parsing.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\|(?: (.*?))? \| (?:\*(.+?):\* )?`(.+)` \| (\w+) \|$", re.MULTILINE)
EXAMPLES = [
    pytest.param(m[2] or "cat, dog, bird, fish", m[3], m[4], id=m[3][:40])
    for m in ROW.finditer(PAGE)
]


@pytest.mark.parametrize(("options", "text", "outcome"), EXAMPLES)
def test_example(options: str, text: str, outcome: str) -> None:
    view = View("?", tuple(Option(9 - i, word) for i, word in enumerate(options.split(", "))))
    answer = parse(Reply(re.sub(r"\\n(?=\W|[A-Z]|dog)", "\n", text)), view)
    if outcome in STATUSES:
        assert (answer.status, answer.value) == (outcome, None)
    else:
        assert (answer.status, answer.value) == ("ok", 9 - ascii_uppercase.index(outcome))


def test_the_table_has_every_status_of_words_and_every_rule() -> None:
    assert len(EXAMPLES) >= 40
    for status in STATUSES:
        assert f"| `{status}` |" in PAGE
    for name, _ in LAST_RULES:
        assert f"| {name}" in PAGE or name.startswith("only words")
