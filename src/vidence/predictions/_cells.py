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
"""What the column `format` of a CSV of records holds, whose texts are escaped."""
PLAIN = "vidence.records/1 as they are"
"""The same in a table whose cells no spreadsheet takes for formulas (Parquet)."""
_SIGNS = r"[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]"
"""What a formula begins with; some spreadsheets take the wide forms of these signs as well."""
_RISKY = re.compile(rf"'*{_SIGNS}")
_ESCAPED = re.compile(rf"'+{_SIGNS}")


def escaped(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula; numbers stay as they are."""
    return f"'{value}" if isinstance(value, str) and _RISKY.match(value) else value


def unescaped(value: Any) -> Any:
    """Return what `escaped` was given."""
    return value[1:] if isinstance(value, str) and _ESCAPED.match(value) else value


def written_by_vidence(row: Mapping[str, Any]) -> bool:
    """Say whether a row is one of a table that `vidence export` wrote."""
    return row.get("format") in (FORMAT, PLAIN)


def own_values(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a row that `vidence export` wrote, as they were before."""
    if row.get("format") == PLAIN:
        return dict(row)
    return {name: unescaped(value) for name, value in row.items()}
