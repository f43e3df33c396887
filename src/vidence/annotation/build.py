"""Rows of a benchmark file -> `Benchmark`: the part that is the same for every loader."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from vidence.annotation.faults import RowError, shown
from vidence.annotation.reading import Rows
from vidence.annotation.row import Row
from vidence.annotation.times import span_of
from vidence.benchmark import Benchmark, NoCaseError, Rejected, Remark
from vidence.errors import CaseError
from vidence.media.clip import Clip, Video
from vidence.media.errors import MissingVideoError
from vidence.media.find import VideoFolder
from vidence.view import Case, Option, Span, View

MOST_OPTIONS = 26
"""A prompt has a letter for each."""


@dataclass
class Item:
    """What a loader reads from one row.

    Args:
        video: the video's name as the file has it, relative to the folder of videos.
        question: without its options and without instructions on how to answer.
        options: texts without letters; empty for an open question.
        gold: place of the right option, a number or a text for an open question, None without key.
        start, end: seconds; the clip to show.
        spans: annotated evidence, seconds.
        tags: categories.
        seconds: length of the video as the file states it.
        cluster: name of the video for clustering; `video` by default.
        folder: where the benchmark's authors keep the video, tried before the name alone.
        fps: frames a second of a frame folder.
        remarks: (kind, detail) of faults that leave a case.
    """

    video: str
    question: str
    options: Sequence[str] = ()
    gold: int | float | str | None = None
    start: float | None = None
    end: float | None = None
    spans: Sequence[Span] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    seconds: float | None = None
    cluster: str = ""
    folder: str = ""
    fps: float | None = None
    remarks: list[tuple[str, str]] = field(default_factory=list)

    def add_evidence(self, field: str, *values: Any) -> None:
        """Add spans of a field; one without a clear meaning is left out with a remark."""
        for value in values:
            try:
                self.spans = [*self.spans, span_of(value)]
            except RowError as fault:
                self.remarks.append((fault.kind, f"{field}: {fault.reason}"))


def build(
    title: str,
    rows: Rows,
    videos: Path | None,
    *,
    name: str | Callable[[Row], str],
    read: Callable[[Row], Item],
    is_open: Callable[[Row], bool] = lambda row: False,
) -> Benchmark:
    """Build a benchmark: cases in the file's order, and every other row rejected by name.

    Args:
        title: the benchmark's name.
        rows: what the file holds.
        videos: the folder of the videos; None leaves their paths relative.
        name: field of the row's id, or a function that makes it; never the order of files.
        read: reads one row, and raises `RowError` where it is no case.
        is_open: whether a row has no options by its nature.

    Raises:
        CaseError: no folder of videos there, or not one case.
    """
    builder = Builder(title, videos)
    builder.rejected += rows.rejected
    for row in rows.rows:
        case_id = ""
        try:
            case_id = row.name(name) if isinstance(name, str) else name(row)
            item = read(row)
            if not item.options and not is_open(row):
                raise RowError("no_options", "the question has no options")
            builder.add(case_id, row, item)
        except RowError as fault:
            where = f"{case_id} ({row.where})" if case_id else row.where
            builder.reject(where, fault, open_ended=is_open(row))
    return builder.benchmark()


class Builder:
    """Collects cases, rejected rows and remarks.

    Args:
        title: the benchmark's name.
        videos: the folder of the videos, or None.

    Raises:
        CaseError: no such folder.
    """

    def __init__(self, title: str, videos: Path | None) -> None:
        if videos is not None and not videos.is_dir():
            raise CaseError(f"{videos} is no folder. Give the folder of the videos with --videos.")
        self.title = title
        self.cases: list[Case] = []
        self.rejected: list[Rejected] = []
        self.remarks: list[Remark] = []
        self.seconds: dict[str, float] = {}
        self._seen: dict[str, str] = {}
        self._places = Places(videos)

    def reject(self, where: str, fault: RowError, *, open_ended: bool = False) -> None:
        """Count a row that is no case."""
        self.rejected.append(Rejected(where, fault.reason[:500], fault.kind, open_ended))

    def add(self, case_id: str, row: Row, item: Item) -> None:
        """Add a case.

        Raises:
            RowError: the id came before, or the item is no case.
        """
        if case_id in self._seen:
            raise RowError(
                "repeated_id",
                f"the id {shown(case_id)} stands at {self._seen[case_id]} already; ids are unique",
            )
        _check(item)
        video, remark = self._places.find(item)
        self._seen[case_id] = row.where
        cluster = item.cluster or item.video
        self.cases.append(
            Case(
                id=case_id,
                view=View(
                    question=item.question,
                    options=tuple(Option(i, text) for i, text in enumerate(item.options)),
                    parts=(("video", Clip(video, start=item.start, end=item.end)),),
                ),
                gold=item.gold,
                cluster=cluster,
                spans=tuple(item.spans),
                tags=dict(item.tags),
                row=row.values,
            )
        )
        found = [*item.remarks, *([("ambiguous_video", remark)] if remark else [])]
        if item.seconds is not None:
            found += self._length(cluster, item.seconds)
        self.remarks += [Remark(case_id, kind, detail) for kind, detail in found]

    def _length(self, cluster: str, seconds: float) -> Iterable[tuple[str, str]]:
        if not (math.isfinite(seconds) and seconds > 0):
            yield "unclear_time", f"a length of {seconds:g} s is none"
            return
        known = self.seconds.setdefault(cluster, seconds)
        if abs(known - seconds) > 1:
            yield (
                "duration_disagrees",
                f"the row says {seconds:g} s, an earlier row of {shown(cluster)} {known:g} s",
            )

    def benchmark(self) -> Benchmark:
        """Return what was collected.

        Raises:
            NoCaseError: not one case.
        """
        if not self.cases:
            first = self.rejected[0] if self.rejected else None
            why = f" First reason: {first.where}: {first.reason}." if first else ""
            raise NoCaseError(
                self.title,
                f"{self.title}: no row is a case ({len(self.rejected)} rejected).{why} "
                "Check that the file has the form that docs/benchmarks.md names.",
                self.rejected,
            )
        return Benchmark(
            self.title,
            tuple(self.cases),
            tuple(self.rejected),
            tuple(self.remarks),
            self.seconds,
        )


class Places:
    """Where videos lie; each name is looked for once.

    Args:
        folder: the folder of the videos, or None for relative paths.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._videos = None if folder is None else VideoFolder(folder)
        self._known: dict[tuple[str, str, float | None], tuple[Video, str]] = {}

    def find(self, item: Item) -> tuple[Video, str]:
        """Return an item's video, and a remark where several files answer to its name.

        A name that no file, or several, answer to gives a path where nothing is: a run names it
        before any model is asked, and files of one name are never mixed up.

        Raises:
            RowError: the name is none that a file can have, or leads out of the folder.
        """
        key = (item.video, item.folder, item.fps)
        if key not in self._known:
            self._known[key] = self._look(item)
        return self._known[key]

    def _look(self, item: Item) -> tuple[Video, str]:
        path = PurePosixPath(item.video.replace("\\", "/"))
        sizes = [len(part.encode("utf-8", "replace")) for part in path.parts]
        if not path.parts or "\0" in item.video or max(sizes) > 255:
            raise RowError("missing_video", f"no file can be called {shown(item.video)}")
        if path.is_absolute() or ".." in path.parts:
            raise RowError(
                "missing_video", f"the video {shown(item.video)} leads out of the folder of videos"
            )
        if self._folder is None or self._videos is None:
            return Video(Path(item.folder) / path, fps=item.fps), ""
        home = item.folder if item.folder and (self._folder / item.folder).is_dir() else ""
        name = (home / path).as_posix() if home else path.as_posix()
        try:
            found = self._videos.answering(name)
        except MissingVideoError:  # a hidden file
            found = []
        if len(found) == 1:
            return Video(found[0], fps=item.fps if found[0].is_dir() else None), ""
        remark = ""
        if found:
            places = ", ".join(sorted(p.relative_to(self._folder).as_posix() for p in found)[:5])
            remark = f"{len(found)} files answer to {shown(name)} ({places}); none is taken"
        return Video(self._folder / name, fps=item.fps), remark


def _check(item: Item) -> None:
    """Refuse what no answerer could be shown."""
    if not item.question.strip():
        raise RowError("empty_question", "the question is empty")
    if len(item.options) > MOST_OPTIONS:
        raise RowError(
            "unreadable_row",
            f"{len(item.options)} options came; at most {MOST_OPTIONS} have letters",
        )
    if item.fps is not None and not item.fps > 0:
        raise RowError("unreadable_row", f"{item.fps:g} frames a second are none")
    for time in (item.start, item.end, *(t for span in item.spans for t in span)):
        if time is not None and not (math.isfinite(time) and time >= 0):
            raise RowError("unclear_time", f"the time {time} is no moment of a video")
    if item.start is not None and item.end is not None and item.end <= item.start:
        raise RowError("unclear_time", f"the clip's end {item.end:g} is not after {item.start:g}")
