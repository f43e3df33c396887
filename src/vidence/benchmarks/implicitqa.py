"""ImplicitQA: questions on what films do not show, each with the span it asks about."""

from __future__ import annotations

from pathlib import Path

from vidence.annotation.addresses import YOUTUBE_ID, youtube_id
from vidence.annotation.build import Item, build
from vidence.annotation.files import find_files
from vidence.annotation.keys import by_letter
from vidence.annotation.reading import read_rows
from vidence.annotation.row import Row
from vidence.benchmark import Benchmark, benchmark

TITLE = "ImplicitQA"


@benchmark("implicitqa", title=TITLE)
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read ImplicitQA (JSONL): the span of a question is its evidence."""
    rows = read_rows(*find_files(path, "ImplicitQA*.jsonl", "*.jsonl"))
    return build(TITLE, rows, videos, name="question_id", read=_item)


def _item(row: Row) -> Item:
    options = row.lettered("options")
    video, remarks = _video(row)
    item = Item(
        video=video,
        question=row.text("question_text"),
        options=options,
        gold=by_letter(row.get("answer_choice"), options),
        tags=row.tags("category"),
        remarks=remarks,
    )
    asked = row.get("question_start_time"), row.get("question_stop_time")
    item.add_evidence("question_start_time and question_stop_time", asked)
    return item


def _video(row: Row) -> tuple[str, list[tuple[str, str]]]:
    """Return the id in the address; where that is cut short, the one that `video_id` begins with.

    Both are the row's own fields, and the fault is named.
    """
    address, name = row.text("video_url"), row.name("video_id")
    found = youtube_id(address)
    if found is not None:
        return found, []
    start = YOUTUBE_ID.match(name)
    used = start[0] if start else name
    detail = f"the address {address!r} holds no video id; {used!r} of the field video_id is used"
    return used, [("unreadable_video", detail)]
