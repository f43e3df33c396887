"""Faults of times."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from vidence.lint.rule import Found, Severity, reported, rule
from vidence.lint.subject import Subject, clip_of
from vidence.view import Case

SLACK = 1.0
"""Seconds by which a time may be late: annotations round, and a run moves such a time."""
UNIT = 2.0
"""A time so many times the length of the video may be no seconds."""
_NAMED = re.compile(r"_(\d+\.\d+)_(\d+\.\d+)(?=\.\w{2,4}$|$)")

reported(
    "unclear_time",
    severity="warning",
    what="A time that can be read in several ways, or in none.",
    why="The evidence or the clip it belongs to is left out; nothing is guessed.",
)


@rule(severity="warning", why="What is annotated there cannot be seen.")
def time_outside_video(subject: Subject) -> Iterator[Found]:
    """A time after the end of the video or beside the clip; an error for the clip's own times."""
    for case in subject.cases:
        yield from _after_the_end(subject, case)
        yield from _beside_the_clip(case)


def _after_the_end(subject: Subject, case: Case) -> Iterator[Found]:
    measured, stated = subject.measured(case), subject.stated(case)
    length = stated if measured is None else measured
    if length is None:
        return
    late = [(seconds, what) for seconds, what in _times(case) if seconds > length]
    if not late:
        return
    seconds, what = max(late)
    known = [] if measured is None else [f"lasts {measured:.2f} s"]
    known += [] if stated is None else [f"should last {stated:g} s by its file"]
    unit = "; unit?" if seconds > UNIT * length else ""
    severity: Severity | None = "note" if seconds <= length + SLACK else None
    if severity is None and any(s > length + SLACK and "clip" in w for s, w in late):
        severity = "error"
    yield Found(
        case.id, f"{what} at {seconds:g} s, the video {' and '.join(known)}{unit}", severity
    )


def _beside_the_clip(case: Case) -> Iterator[Found]:
    clip = clip_of(case)
    if clip is None:
        return
    first, last = clip.start or 0.0, math.inf if clip.end is None else clip.end
    beside = [max(first - start, end - last) for start, end in case.spans]
    if beside and max(beside) > 0:
        start, end = case.spans[beside.index(max(beside))]
        detail = f"evidence from {start:g} to {end:g} s, the clip is {first:g} to {last:g} s"
        yield Found(case.id, detail, "note" if max(beside) <= SLACK else None)


@rule(severity="warning", why="Times were perhaps written for another cut of the video.")
def duration_disagrees(subject: Subject) -> Iterator[Found]:
    """A length that the file states and the video, or its name, does not have."""
    seen: set[str] = set()
    for case in subject.cases:
        stated, measured = subject.stated(case), subject.measured(case)
        if stated is None or case.cluster in seen:
            continue
        seen.add(case.cluster)
        named = _NAMED.search(case.cluster)
        length = float(named[2]) - float(named[1]) if named else math.nan
        if measured is not None and abs(stated - measured) > SLACK:
            yield Found(case.cluster, f"stated {stated:g} s, measured {measured:.2f} s")
        elif measured is None and abs(stated - length) > SLACK:
            yield Found(case.cluster, f"stated {stated:g} s, by its name {length:g} s")


def _times(case: Case) -> Iterator[tuple[float, str]]:
    clip = clip_of(case)
    if clip is not None:
        for what, seconds in (("the clip begins", clip.start), ("the clip ends", clip.end)):
            if seconds is not None:
                yield seconds, what
    for start, end in case.spans:
        yield start, "evidence begins"
        yield end, "evidence ends"
