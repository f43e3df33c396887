"""Faults of video files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vidence.lint.rule import Found, rule
from vidence.lint.subject import Subject
from vidence.media.clip import Video
from vidence.media.errors import MissingVideoError
from vidence.media.video import VideoInfo
from vidence.view import Case

NAMED = 3
"""Ids of questions that are named for one video."""


@rule(severity="error", why="Its questions cannot be asked as meant.")
def missing_video(subject: Subject) -> Iterator[Found]:
    """A video that is not in the folder of videos."""
    unclear = {r.case for r in subject.benchmark.remarks if r.kind == "ambiguous_video"}
    for video, cases in subject.videos.items():
        problem = (subject.probed or {}).get(video)
        if isinstance(problem, MissingVideoError) and cases[0].id not in unclear:
            yield Found(_name(video, cases), f"{problem.problem}; {_questions(cases)}")


@rule(severity="warning", why="Another field or part of it had to stand in.")
def unreadable_video(subject: Subject) -> Iterator[Found]:
    """An address without a video's id; an error where a file cannot be read to its end."""
    for video, cases in subject.videos.items():
        found = (subject.probed or {}).get(video)
        if isinstance(found, VideoInfo):
            if found.truncated:
                whole = "" if found.claimed is None else f" of {found.claimed:.2f} s"
                why = f"cut off: {found.duration:.2f} s{whole} can be decoded"
                yield Found(_name(video, cases), f"{why}; {_questions(cases)}", "error")
        elif found is not None and not isinstance(found, MissingVideoError):
            yield Found(_name(video, cases), f"{found.problem}; {_questions(cases)}", "error")


@rule(severity="error", why="Files are never taken for each other, so its questions have no video.")
def ambiguous_video(subject: Subject) -> Iterator[Found]:
    """A name that several files answer to; a warning where their folders tell them apart."""
    named: dict[str, dict[Video, list[Case]]] = {}
    for video, cases in subject.videos.items():
        for case in cases:
            named.setdefault(case.cluster, {}).setdefault(video, []).append(case)
    for name, videos in named.items():
        if len({video.path for video in videos}) > 1:
            places = ", ".join(sorted({str(video.path.parent) for video in videos})[:5])
            on = [case for each in videos.values() for case in each]
            detail = f"{len(videos)} videos of this name, in {places}; {_questions(on)}"
            yield Found(name, f"{detail}; laid into one folder they would be mixed up", "warning")


def _name(video: Video, cases: Sequence[Case]) -> str:
    return cases[0].cluster or video.path.name


def _questions(cases: Sequence[Case]) -> str:
    ids = ", ".join(case.id for case in cases[:NAMED])
    more = f" and {len(cases) - NAMED} more" if len(cases) > NAMED else ""
    return f"asked about in {ids}{more}"
