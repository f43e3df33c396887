"""Times of annotation files as seconds of play time, or the reason why they are unclear."""

from __future__ import annotations

import re
from typing import Any

from vidence.annotation.faults import RowError, shown
from vidence.annotation.row import as_number

_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):(\d\d(?:[.,]\d{1,6})?)", re.ASCII)
_SPAN = re.compile(r"[\[(]?\s*([^\s\-–~]+)\s*(?:-|–|~|\bto\b)\s*([^\s\-–~]+?)\s*[\])]?", re.ASCII)


def seconds_of(value: Any) -> float:
    """Return a moment in seconds.

    Read are numbers of seconds (62, "62.0") and clocks: "01:02", "00:01:02", "1:02:03.5". Minutes
    may pass 59 where no hours are given ("114:16"), as in files of long videos. Seconds have two
    digits and stay under 60, or nobody can say what the parts are ("0:1:0.006", "01:75").

    Raises:
        RowError: of kind unclear_time.
    """
    number = as_number(value)
    if number is not None and number >= 0:
        return number
    match = _CLOCK.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise _unclear(value)
    hours, minutes, seconds = match[1], int(match[2]), float(match[3].replace(",", "."))
    if seconds >= 60 or (hours is not None and (minutes >= 60 or len(match[2]) != 2)):
        raise _unclear(value)
    return 3600 * int(hours or 0) + 60 * minutes + seconds


def span_of(value: Any) -> tuple[float, float]:
    """Return a span in seconds: "01:02-01:10", "[0:06:00 - 0:07:00]", or a pair of moments.

    Raises:
        RowError: of kind unclear_time; also for a span that ends before it starts.
    """
    if isinstance(value, list | tuple) and len(value) == 2:
        start, end = value
    else:
        match = _SPAN.fullmatch(value.strip()) if isinstance(value, str) else None
        if match is None:
            raise _unclear(value)
        start, end = match[1], match[2]
    try:
        found = seconds_of(start), seconds_of(end)
    except RowError:
        raise _unclear(value) from None
    if found[1] < found[0]:
        raise RowError("unclear_time", f"{shown(value)} ends before it starts")
    return found


def frame_seconds(index: int, fps: float) -> float:
    """Return the play time at which a frame is shown: index / fps, frames counted from 0.

    Raises:
        RowError: no frame, or no rate.
    """
    if index < 0 or not fps > 0:
        raise RowError("unclear_time", f"frame {index} at {fps} frames a second is no time")
    return index / fps


_STAMP = r"\[?(\d{1,3}:\d\d(?::\d\d)?)\]?"
_IN_TEXT = re.compile(
    rf"(?<![\d:.])(?:{_STAMP}\s*(?:-|–|—|~|\bto\b|\buntil\b|\btill\b|\bthrough\b)\s*{_STAMP}"
    rf"|\bbetween\s+{_STAMP}\s+and\s+{_STAMP})(?![\d:]|\.\d)",
    re.ASCII | re.IGNORECASE,
)


def spans_in_text(text: str) -> tuple[tuple[float, float], ...]:
    """Return the spans that a text names as clear ranges.

    A range is two clocks joined by a dash, "to", "until", "till" or "through", or "between" and
    "and". A single stamp is a moment of unknown length and is left out; so is a range that ends
    before it starts, and one whose clocks are unclear.
    """
    found = []
    for joined in _IN_TEXT.findall(text):
        start, end = (stamp for stamp in joined if stamp)
        try:
            found.append(span_of((start, end)))
        except RowError:
            continue
    return tuple(dict.fromkeys(found))


def _unclear(value: Any) -> RowError:
    return RowError(
        "unclear_time", f"the time {shown(value)} has no clear meaning; seconds or mm:ss are needed"
    )
