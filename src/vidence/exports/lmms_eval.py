"""Samples of lmms-eval: one JSONL file a check and answerer."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from vidence.exports.export import Exported, exporter
from vidence.exports.files import Parts
from vidence.exports.lines import Line, lines_of
from vidence.predictions._fields import FAILURES

NO_REPLY = f"{FAILURES[0].capitalize()}: "
"""Begins what stands in place of a reply that never came, as importers know it."""


@exporter("lmms-eval")
def write(run: Path, out: Path) -> Exported:
    """Write samples as lmms-eval does (JSONL, one file a check and answerer).

    Repeats of a question are the list `resps`. A check that shows several views has a file for
    each. A reply that never came, or that the service refused, is a mark of a failure. Records
    without a question (skipped) have no place, and repeats whose options stood in another order
    than the first one's.
    """
    left_out: Counter[str] = Counter()
    records = 0
    with Parts(out, ".jsonl") as parts:
        for name, lines in _groups(run):
            asked = [line for line in lines if line.record.status != "skipped"]
            kept = [line for line in asked if _like(asked[0], line)]
            left_out["skipped"] += len(lines) - len(asked)
            left_out["in another order of the options"] += len(asked) - len(kept)
            if kept:
                sample = json.dumps(_sample(kept), ensure_ascii=False)
                parts.write(f"samples_{name}", f"{sample}\n")
                records += sum(line.view == 0 for line in kept)
    return Exported(parts.files, records, {reason: n for reason, n in left_out.items() if n})


def _groups(run: Path) -> Iterator[tuple[str, list[Line]]]:
    """Yield what stands in one sample: a case under a check by an answerer, one view of it."""

    def cell(line: Line) -> tuple[str, str, str]:
        return line.case.id, line.record.cell.check, line.record.cell.answerer

    for (_, check, answerer), lines in groupby(lines_of(run), key=cell):
        found = list(lines)
        for view in sorted({line.view for line in found}):
            name = f"{check}_{answerer}" + (f"_view{view + 1}" if view else "")
            yield name, [line for line in found if line.view == view]


def _like(first: Line, line: Line) -> bool:
    """Say whether a repeat can stand in one list with the first one."""
    same = line.shown == first.shown and (line.reply.scores is None) == (first.reply.scores is None)
    return line is first or (same and line.reply.scores is None)


def _sample(lines: Sequence[Line]) -> dict[str, Any]:
    first = lines[0]
    case = first.case
    gold = first.shown_letter(case.gold) or case.gold
    doc = {
        "id": case.id,
        "question": case.view.question,
        "options": list(first.options),
        "video": case.cluster,
    }
    sample: dict[str, Any] = {
        "doc_id": first.place,
        "doc": doc,
        "target": "" if gold is None else str(gold),
        **_replies(lines),
        "doc_hash": hashlib.sha256(json.dumps(doc, sort_keys=True).encode()).hexdigest(),
    }
    if first.call is not None:
        sample["input"] = first.call.request.prompt.text()
    if case.gold_position() is not None:
        parsed = first.shown_letter(first.answer.value)
        payload = {"id": case.id, "pred_answer": parsed, "answer": gold}
        sample["vidence_accuracy"] = {**payload, "score": float(bool(first.right))}
    return sample


def _replies(lines: Sequence[Line]) -> dict[str, Any]:
    """Return raw and filtered replies: a text, a list of repeats, or a pair an option."""
    scores = lines[0].reply.scores
    if scores is not None:
        pairs = [[score, False] for score in scores]
        return {"resps": [[pair] for pair in pairs], "filtered_resps": pairs}
    by_repeat = {line.record.cell.repeat: _said(line) for line in lines}
    said = [by_repeat.get(i, f"{NO_REPLY}not asked") for i in range(max(by_repeat) + 1)]
    return {"resps": [said], "filtered_resps": said[0] if len(said) == 1 else said}


def _said(line: Line) -> str:
    if line.call is None or line.reply.status != "ok":
        return f"{NO_REPLY}{line.reply.error}"
    return line.reply.text
