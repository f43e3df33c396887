"""Rows of a spreadsheet, each cell as the text that was written into it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, time
from pathlib import Path
from typing import Any

from vidence.annotation.faults import shown
from vidence.annotation.reading import Rows
from vidence.annotation.row import Row
from vidence.benchmark import Rejected
from vidence.errors import CaseError

_CODED = re.compile(r"_x([0-9A-Fa-f]{4})_")
"""How a spreadsheet writes a character that its XML cannot hold."""


def read_sheet(path: Path) -> Rows:
    """Return the rows of the first sheet of an xlsx file; the first row names the columns.

    Formulas are not computed: a cell that begins with "=" is the text that somebody wrote, since
    tools store replies that way. An empty cell is None.

    Raises:
        CaseError: no xlsx file, damaged, without a row, or with two columns of one name.
    """
    rows: list[Row] = []
    rejected: list[Rejected] = []
    names: list[str] = []
    for number, cells in enumerate(_cells(path), 1):
        values = [_plain(cell) for cell in cells]
        while values and values[-1] is None:
            values.pop()
        if not names:
            names = [str(value) for value in values]
            if len(set(names)) < len(names):
                twice = next(name for name in names if names.count(name) > 1)
                raise CaseError(
                    f"{path.name} has two columns called {shown(twice)}; names are unique. "
                    "Rename one."
                )
        elif len(values) > len(names):
            fault = f"{len(values)} cells came, the table has {len(names)} columns"
            rejected.append(Rejected(f"{path.name}, row {number}", fault))
        elif values:
            values += [None] * (len(names) - len(values))
            row = dict(zip(names, values, strict=True))
            rows.append(Row(row, path.name, f"row {number}", number - 2))
    if not rows:
        raise CaseError(f"{path.name} holds no row below its names of columns. Check the file.")
    return Rows(tuple(rows), tuple(rejected))


def _cells(path: Path) -> Iterator[tuple[Any, ...]]:
    import warnings

    from openpyxl import load_workbook

    try:
        with path.open("rb") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # styles and validations, which are not read
            book = load_workbook(file, read_only=True, data_only=False)
            try:
                sheet = book.worksheets[0]
                sheet.reset_dimensions()  # a file may state fewer rows than it has
                yield from sheet.iter_rows(values_only=True)
            finally:
                book.close()
    except OSError as error:
        raise CaseError(
            f"{path} cannot be read: {error.strerror or error}. Check the file."
        ) from None
    except Exception as error:  # whatever damaged zip, deflate and XML raise
        raise CaseError(
            f"{path.name} is no xlsx file that can be read ({type(error).__name__}: "
            f"{shown(str(error), 120)}). Fetch it again, or save it as tsv."
        ) from None


def _plain(cell: Any) -> Any:
    """Return a cell as JSON has it."""
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    if isinstance(cell, str):
        return _CODED.sub(lambda m: chr(int(m[1], 16)), cell)
    if cell is None or isinstance(cell, bool | int | float):
        return cell
    if isinstance(cell, date | time):
        return cell.isoformat()
    return str(getattr(cell, "text", cell))
