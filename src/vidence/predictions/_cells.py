"""Cells of a table that a spreadsheet must not take for formulas.

A text that begins with = + - @, a tab or a carriage return gets an apostrophe in front, and so does
one that begins with apostrophes before such a sign; taking one apostrophe away gives the text back.
Only tables that say that Vidence wrote them are read so: in others an apostrophe is the author's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

FORMAT = "vidence.records/1"
"""What the column `format` of a table of records holds."""
_RISKY = re.compile(r"'*[=+\-@\t\r]")
_ESCAPED = re.compile(r"'+[=+\-@\t\r]")


def escaped(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula; numbers stay as they are."""
    return f"'{value}" if isinstance(value, str) and _RISKY.match(value) else value


def unescaped(value: Any) -> Any:
    """Return what `escaped` was given."""
    return value[1:] if isinstance(value, str) and _ESCAPED.match(value) else value


def written_by_vidence(row: Mapping[str, Any]) -> bool:
    """Say whether a row is one of a table that `vidence export` escaped."""
    return row.get("format") == FORMAT
