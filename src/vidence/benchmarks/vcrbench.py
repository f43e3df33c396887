"""VCR-Bench: reasoning over video, half with options and half without."""

from __future__ import annotations

import re
from pathlib import Path

from vidence.annotation.build import Item, build
from vidence.annotation.faults import RowError
from vidence.annotation.files import find_files
from vidence.annotation.keys import by_letter
from vidence.annotation.options import split_question
from vidence.annotation.reading import read_rows
from vidence.annotation.row import Row, as_number
from vidence.annotation.times import spans_in_text
from vidence.benchmark import Benchmark, benchmark

TITLE = "VCR-Bench"

INSTRUCTION = re.compile(r"\s*Please provide a step-by-step solution to the given question\.\s*$")
"""How to answer is a prompt's business; this line would ask every model for an essay."""


@benchmark("vcrbench", title=TITLE)
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read VCR-Bench (TSV): a key of one capital letter is a choice, any other an open answer."""
    rows = read_rows(*find_files(path, "VCR-Bench.tsv", "*.tsv"))
    return build(TITLE, rows, videos, name="id", read=_item, is_open=_is_open)


def _is_open(row: Row) -> bool:
    return not re.fullmatch(r"\s*[A-Z]\s*", str(row.values.get("answer")))


def _item(row: Row) -> Item:
    text = INSTRUCTION.sub("", row.text("question"))
    answer = row.text("answer")
    seconds = row.number("duration")
    item = Item(
        video=row.name("video_path"),
        question=text,
        spans=[span for span in spans_in_text(row.text("reasoning")) if span[1] <= seconds + 1],
        tags=row.tags("dimension"),
        seconds=seconds,
    )
    if _is_open(row):
        number = as_number(answer)
        item.gold = answer.strip() or None if number is None else number
        return item
    try:
        item.question, item.options = split_question(text, "A. ")
    except RowError:
        reason = f"answer {answer!r}, and no options in the question"
        raise RowError("answer_outside_options", reason) from None
    item.gold = by_letter(answer, item.options)
    return item
