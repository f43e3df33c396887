"""LongVideoBench: questions on moments of long videos, told by their subtitles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vidence.annotation.build import Item, build
from vidence.annotation.faults import RowError, shown
from vidence.annotation.files import find_files
from vidence.annotation.keys import by_index
from vidence.annotation.reading import read_rows
from vidence.annotation.row import Row
from vidence.annotation.times import frame_seconds
from vidence.benchmark import Benchmark, benchmark
from vidence.view import Span

TITLE = "LongVideoBench"

FPS = 24.0
"""Frames a second behind `position`. The file does not say it; it follows from the lengths: no
index lies beyond 24 frames a second (one of 61 million excepted) while many come close, and where a
quoted subtitle is found in a transcript its time agrees (docs/benchmarks.md)."""


@benchmark("longvideobench", title=TITLE)
def load(path: Path, videos: Path | None = None) -> Benchmark:
    """Read LongVideoBench (JSON): `position` holds frames of evidence, at 24 a second."""
    rows = read_rows(*find_files(path, "lvb_val.json", "*.json"))
    return build(TITLE, rows, videos, name="id", read=_item)


def _item(row: Row) -> Item:
    options = row.texts("candidates")
    seconds = row.number("duration")
    spans, remarks = _moments(row.get("position"), seconds)
    return Item(
        video=row.name("video_path"),
        question=row.text("question"),
        options=options,
        gold=by_index(row.get("correct_choice"), options),
        spans=spans,
        tags=row.tags("question_category", "level", "topic_category", "duration_group"),
        seconds=seconds,
        remarks=remarks,
    )


def _moments(
    frames: Any, seconds: float
) -> tuple[list[tuple[float, float]], list[tuple[str, str]]]:
    """Return the times for which frames are shown; one that lies far outside the video is named."""
    if not isinstance(frames, list) or not all(type(frame) is int for frame in frames):
        raise RowError("unclear_time", f"position is {shown(frames)}, frame numbers are needed")
    spans: list[Span] = []
    remarks: list[tuple[str, str]] = []
    for frame in frames:
        start = frame_seconds(frame, FPS)
        if start > seconds + 1:
            detail = f"frame {frame} is {start:.0f} s in, the video has {seconds:g} s; left out"
            remarks.append(("time_outside_video", detail))
        else:
            spans.append((start, frame_seconds(frame + 1, FPS)))
    return spans, remarks
