"""docs/lint.md names every rule as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from vidence.lint.rule import RULES
from vidence.transcripts import FaultKind

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("name", RULES)
def test_a_rule_stands_in_the_table_with_its_severity_and_reason(name: str) -> None:
    rule = RULES[name]
    row = f"| `{name}` | {rule.severity} | {rule.what} | {rule.why} |"
    assert row in (DOCS / "lint.md").read_text(encoding="utf-8")


def test_every_kind_of_transcript_fault_is_explained() -> None:
    page = (DOCS / "transcripts.md").read_text(encoding="utf-8")
    kinds = set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE))
    assert kinds == set(FaultKind.__args__)  # type: ignore[attr-defined]
