"""One row a record, as CSV and as Parquet."""

from __future__ import annotations

import csv
import json
from itertools import islice
from pathlib import Path
from typing import Any

from vidence.exports.export import Exported, exporter
from vidence.exports.lines import Line, letter, lines_of
from vidence.predictions._cells import FORMAT, PLAIN, escaped
from vidence.store import Store
from vidence.whole import whole_file

COLUMNS = (
    *("format", "case", "check", "answerer", "repeat", "view"),
    *("status", "value", "letter", "text", "correct", "reason", "notes"),
    *("reply", "reply_status", "error", "finish_reason", "option_scores"),
    *("question", "options", "shown", "shown_letter", "gold", "gold_letter", "gold_text"),
    "cluster",
)
"""Before one column `tag:NAME` a category. Lists are JSON."""
_BATCH = 5000


@exporter("csv", suffix=".csv")
def write_csv(run: Path, out: Path) -> Exported:
    """Write one row a record as CSV; no cell is taken for a formula."""
    columns = _columns(run)
    records = 0
    # Half a surrogate, which no encoding has, is spelt out.
    with (
        whole_file(out) as part,
        part.open("w", newline="", encoding="utf-8", errors="backslashreplace") as file,
    ):
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([escaped(name) for name in columns])
        for line in lines_of(run):
            row = {"format": FORMAT, **row_of(line)}
            writer.writerow([escaped(_cell(row.get(name))) for name in columns])
            records += line.view == 0
    return Exported((out,), records)


@exporter("parquet", suffix=".parquet")
def write_parquet(run: Path, out: Path) -> Exported:
    """Write one row a record as Parquet, in the columns of the CSV."""
    import pyarrow as pa
    from pyarrow import parquet

    kinds = {"repeat": pa.int64(), "view": pa.int64(), "correct": pa.bool_()}
    columns = _columns(run)
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in columns])
    records = 0
    lines = lines_of(run)
    with whole_file(out) as part, parquet.ParquetWriter(part, schema) as writer:
        while batch := list(islice(lines, _BATCH)):
            rows = [{"format": PLAIN, **row_of(line)} for line in batch]
            arrays = {
                name: [_typed(row.get(name), name in kinds) for row in rows] for name in columns
            }
            writer.write_table(pa.table(arrays, schema=schema))
            records += sum(line.view == 0 for line in batch)
    return Exported((out,), records)


def row_of(line: Line) -> dict[str, Any]:
    """Return a line as a row: texts, numbers, true and false, and None."""
    case, record, reply = line.case, line.record, line.reply
    keys = [option.key for option in case.view.options]
    texts = {option.key: option.text for option in case.view.options}
    gold = case.gold
    value = record.value
    chosen = texts.get(value) if isinstance(value, int) else value
    return {
        "case": case.id,
        "check": record.cell.check,
        "answerer": record.cell.answerer,
        "repeat": record.cell.repeat,
        "view": line.view,
        "status": record.status,
        "value": value,
        "letter": letter(value, keys),
        "text": chosen,
        "correct": line.right,
        "reason": record.reason,
        "notes": _json(record.notes),
        "reply": None if line.call is None else reply.text,
        "reply_status": reply.status,
        "error": reply.error,
        "finish_reason": reply.finish_reason,
        "option_scores": None if reply.scores is None else _json(reply.scores),
        "question": case.view.question,
        "options": _json(tuple(texts.values())),
        "shown": _json(line.options),
        "shown_letter": line.shown_letter(line.answer.value),
        "gold": gold,
        "gold_letter": letter(gold, keys),
        "gold_text": texts.get(gold) if isinstance(gold, int) else gold,
        "cluster": case.cluster,
        **{f"tag:{name}": text for name, text in case.tags.items()},
    }


def _columns(run: Path) -> list[str]:
    with Store.open(run, read_only=True) as store:
        tags = dict.fromkeys(name for case in store.cases() for name in case.tags)
    return [*COLUMNS, *(f"tag:{name}" for name in tags)]


def _json(value: Any) -> str | None:
    return json.dumps(list(value), ensure_ascii=False) if value else None


def _cell(value: Any) -> Any:
    """Return a cell of a CSV: true and false in lower case, nothing for None."""
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else value


def _typed(value: Any, typed: bool) -> Any:
    """Return a cell of a typed column, or a text of UTF-8."""
    if value is None or typed:
        return value
    return str(value).encode("utf-8", "backslashreplace").decode()
