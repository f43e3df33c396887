"""Times in an agent's arguments as stretches of seconds, or the reason why they are unclear."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from vidence.agents._table import Day, TimeBase, Tool
from vidence.annotation.faults import RowError, shown
from vidence.annotation.row import as_number
from vidence.annotation.times import frame_seconds, seconds_of

Stretch = tuple[float, float]
_STARTS, _ENDS = ("start_time", "start", "begin", "from"), ("end_time", "end", "stop", "to")
_PAIR = {
    "seconds": re.compile(r"\s*([\d.]+)\s*s?\s*(?::|-|–|~|to)\s*([\d.]+)\s*s?\s*", re.ASCII),
    "frames": re.compile(r"\s*(\d+)\s*(?::|-|–|~|,|to)\s*(\d+)\s*", re.ASCII),
    "clock": re.compile(r"\s*([\d:.]+)\s*(?:-|–|~|,|;|to)\s*([\d:.]+)\s*", re.ASCII),
    "day": re.compile(r"\s*(\w+?)\s*(?:-|–|~|,|;|to)\s*(\w+)\s*", re.ASCII),
}
_DAY = re.compile(r"(DAY\d+)[_\s-]?(\d\d):?(\d\d):?(\d\d)(?:[:.]?(\d\d))?", re.ASCII | re.I)
_CLOCK = re.compile(r"(\d\d):?(\d\d):?(\d\d)(?:[:.]?(\d\d))?", re.ASCII)


def stretches_of(
    value: Any, tool: Tool, days: Mapping[str, Day]
) -> tuple[tuple[Stretch, ...], str | None]:
    """Return the stretches that an argument names, and the video where days are files.

    Raises:
        RowError: of kind unclear_time; the reason names what came and how times are written.
    """
    for base in tool.base:
        try:
            if base == "segments":
                return _segments(value, tool), None
            if base == "day":
                return _days(value, days)
            return tuple(_in_order(_pair(pair, base, tool)) for pair in _pairs(value, base)), None
        except RowError as error:
            fault = error
    if len(tool.base) > 1:
        raise _unclear(value, " or ".join(tool.base))
    raise fault


def moment_of(value: Any, tool: Tool, days: Mapping[str, Day]) -> tuple[float, str | None]:
    """Return one time in seconds, and the video where days are files.

    Raises:
        RowError: of kind unclear_time.
    """
    for base in tool.base:
        try:
            if base == "day":
                _, seconds, video = _of_day(value, days)
                return seconds, video
            if base != "segments":
                return _moment(value, base, tool), None
        except RowError as error:
            fault = error
            continue
        fault = _unclear(value, base)
    raise fault


def _pairs(value: Any, base: TimeBase) -> list[tuple[Any, Any]]:
    if isinstance(value, str):
        match = _PAIR[base].fullmatch(value.strip().strip("[]()"))
        if match is None:
            raise _unclear(value, base)
        return [(match[1], match[2])]
    if isinstance(value, Mapping):
        start = next((value[n] for n in _STARTS if n in value), None)
        end = next((value[n] for n in _ENDS if n in value), None)
        if start is None or end is None:
            raise _unclear(value, base)
        return [(start, end)]
    if isinstance(value, Sequence) and value:
        if len(value) == 2 and not any(isinstance(v, list | tuple | Mapping) for v in value):
            first = str(value[0])
            if base in ("seconds", "frames") or _PAIR[base].fullmatch(first) is None:
                return [(value[0], value[1])]
        return [pair for item in value for pair in _pairs(item, base)]
    raise _unclear(value, base)


def _pair(pair: tuple[Any, Any], base: TimeBase, tool: Tool) -> Stretch:
    return _moment(pair[0], base, tool), _moment(pair[1], base, tool)


def _moment(value: Any, base: TimeBase, tool: Tool) -> float:
    if base == "clock":
        try:
            return seconds_of(value)
        except RowError:
            raise _unclear(value, base) from None
    number = as_number(value)
    if number is None or number < 0:
        raise _unclear(value, base)
    if base == "frames":
        if tool.rate is None:
            raise RowError("unclear_time", f"frame {shown(value)}, and no rate to make seconds of")
        if not number.is_integer():
            raise _unclear(value, base)
        return frame_seconds(int(number) - tool.first, tool.rate)
    return number


def _segments(value: Any, tool: Tool) -> tuple[Stretch, ...]:
    parts = re.split(r"[;,]", value.strip("[] ")) if isinstance(value, str) else value
    if isinstance(parts, int | float):
        parts = [parts]
    if not isinstance(parts, Sequence) or not parts or tool.segment is None:
        raise _unclear(value, "segments")
    found: list[Stretch] = []
    numbers = [as_number(part) for part in parts]
    if any(n is None or not n.is_integer() or n < tool.first or n > 1e9 for n in numbers):
        raise _unclear(value, "segments")
    for number in sorted({int(n) - tool.first for n in numbers if n is not None}):
        start, end = number * tool.segment, (number + 1) * tool.segment
        if found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return tuple(found)


def _days(value: Any, days: Mapping[str, Day]) -> tuple[tuple[Stretch, ...], str | None]:
    found, videos = [], set()
    for start, end in _pairs(value, "day"):
        first, a, video = _of_day(start, days)
        last, b, _ = _of_day(end, days)
        if first != last:
            raise RowError("unclear_time", f"{shown(value)} goes from one day to another")
        found.append(_in_order((a, b)))
        videos.add(video)
    if len(videos) > 1:
        raise RowError("unclear_time", f"{shown(value)} names days in several videos")
    return tuple(found), videos.pop()


def _of_day(value: Any, days: Mapping[str, Day]) -> tuple[str, float, str | None]:
    match = _DAY.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise _unclear(value, "day")
    name = match[1].upper()
    day = days.get(name)
    if day is None:
        raise RowError(
            "unclear_time",
            f"{shown(value)} is a clock of {name}, and the table does not say when its video "
            f"begins ([days.{name}] start)",
        )
    began = _CLOCK.fullmatch(day.start.strip())
    if began is None:
        raise _unclear(day.start, "day")
    seconds = round(_clock(match.groups()[1:], day) - _clock(began.groups(), day), 6)
    if seconds < 0:
        raise RowError("unclear_time", f"{shown(value)} is before {day.start}, when {name} begins")
    return name, seconds, day.video


def _clock(parts: Sequence[str | None], day: Day) -> float:
    hours, minutes, seconds, frames = (int(part or 0) for part in parts)
    if minutes >= 60 or seconds >= 60 or frames >= day.rate:
        raise _unclear(":".join(str(part) for part in parts), "day")
    return 3600 * hours + 60 * minutes + seconds + frames / day.rate


def _in_order(stretch: Stretch) -> Stretch:
    if stretch[1] < stretch[0]:
        raise RowError("unclear_time", f"it ends at {stretch[1]:g} s, before {stretch[0]:g} s")
    return stretch


def _unclear(value: Any, base: str) -> RowError:
    return RowError("unclear_time", f"the time {shown(value)} cannot be read as {base}")
