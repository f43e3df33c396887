"""Open the videos and read the transcripts of a benchmark, before the rules look at them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from vidence.errors import MediaError, UsageError
from vidence.executors import map_items
from vidence.lint.subject import Heard
from vidence.media.clip import Video
from vidence.media.find import VIDEO_SUFFIXES
from vidence.media.video import VideoInfo, probe
from vidence.transcripts import examine, find_transcript, language, read_transcript

Each = Callable[[int, int], None]
"""Called with (done, of) after each video."""


def probe_all(videos: Iterable[Video], each: Each) -> dict[Video, VideoInfo | MediaError]:
    """Measure every video, several at a time; what cannot be opened comes with the reason."""
    todo = list(videos)
    found: dict[Video, VideoInfo | MediaError] = {}
    stream = map_items(
        _tried,
        todo,
        key=lambda video: str(video.path),
        executor="local",
        concurrency=max(1, os.cpu_count() or 1),
    )
    for outcome in stream:
        found[outcome.item] = outcome.get()
        each(len(found), len(todo))
    return {video: found[video] for video in todo}


def hear_all(videos: Iterable[Video], folder: Path, each: Each) -> dict[Video, Heard]:
    """Read and examine the transcript of every video.

    Args:
        videos: of the benchmark.
        folder: of the transcript files; not searched below.
        each: called after each video.

    Raises:
        UsageError: no such folder.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder. Give the folder of the transcripts.")
    todo = list(videos)
    found: dict[Video, Heard] = {}
    for video in todo:
        found[video] = _heard(folder, video)
        each(len(found), len(todo))
    return found


def _tried(video: Video) -> VideoInfo | MediaError:
    try:
        return probe(video)
    except MediaError as error:
        return error
    except (OSError, ValueError) as error:  # a name that the file system cannot have, a bad disk
        return MediaError(
            video.path, f"cannot be opened ({error})", "Correct the name or the file."
        )


def _heard(folder: Path, video: Video) -> Heard:
    known = video.path.suffix.lower() in VIDEO_SUFFIXES
    try:
        path = find_transcript(folder, video.path.stem if known else video.path.name)
        if path is None:
            return Heard()
        examined = examine(read_transcript(path))
    except MediaError as error:
        return Heard(error=str(error))
    return Heard(examined, language(" ".join(word.text for word in examined.sound)))
