"""Measure videos: how long, how large, how fast, and what is odd about them."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vidence.errors import UsageError
from vidence.media.clip import At, Clip, Video
from vidence.media.container import moving_pictures, opened, video_stream
from vidence.media.errors import (
    FrameFolderError,
    TimeOutsideError,
    TruncatedVideoError,
    VideoDamagedError,
    ZeroFramesError,
)
from vidence.media.extent import missing_bytes
from vidence.media.folder import NumberedFrames, numbered_frames
from vidence.media.picture import Turn, notes_of, turn_of
from vidence.media.timeline import Timeline, decoded, is_timed, measure, packets

if TYPE_CHECKING:
    from av.container import InputContainer


@dataclass(frozen=True)
class VideoInfo:
    """What a video really holds.

    Args:
        duration: seconds from the first picture's beginning to the last one's end; sound may
            last longer.
        fps: pictures a second on average, None for a single picture.
        width: pixels, upright.
        height: pixels, upright.
        rotation: degrees clockwise by which stored pictures are turned to be upright.
        frames: how many pictures there are, counted (or listed in a table that was checked).
        codec: how pictures are stored.
        has_audio: there is a sound track.
        start_time: when the first picture begins on the container's own clock, seconds.
        notes: what is odd: claims that are not true, gaps, turns, unusual colours.
        claimed: the duration that the container names, None where it names none.
        truncated: bytes are missing at the end of the file.
    """

    duration: float
    fps: float | None
    width: int
    height: int
    rotation: int
    frames: int | None
    codec: str
    has_audio: bool
    start_time: float
    notes: tuple[str, ...] = ()
    claimed: float | None = None
    truncated: bool = False


@dataclass(frozen=True)
class Facts:
    """What decoding a file needs to know."""

    info: VideoInfo
    timeline: Timeline
    turn: Turn


def probe(video: Video) -> VideoInfo:
    """Measure a video; the same file is measured once per process.

    Raises:
        MediaError: one of `vidence.media.errors`; `FrameFolderError` for a folder without `fps`.
    """
    if video.path.is_dir():
        return folder_info(video, numbered_frames(video.path))
    known = _KNOWN.get(video.path)
    if known is not None:
        return known.info
    with opened(video.path) as container:
        return facts_of(
            video.path, container, video_stream(container, video.path, strict=True)
        ).info


def segments(clip: Clip, n: int) -> tuple[Clip, ...]:
    """Cut a clip's window into n equal parts, each with the clip's own sampling.

    Raises:
        UsageError: n < 1, or a clip whose times are given one by one.
        MediaError: the clip has no end and its video cannot be measured.
    """
    if n < 1:
        raise UsageError(f"{n} segments came; at least 1 is needed.")
    if isinstance(clip.sampling, At):
        raise UsageError("A clip of given times has no parts. Use Uniform, Fps or Centre.")
    start, end, _ = window(clip, probe(clip.video))
    edges = [start + (end - start) * i / n for i in range(n)] + [end]
    return tuple(replace(clip, start=a, end=b) for a, b in pairwise(edges))


def window(clip: Clip, info: VideoInfo) -> tuple[float, float, tuple[str, ...]]:
    """Return the start and end of a clip inside its video, and what was changed about them.

    Annotations round their times, so an end that is late by no more than a second, or one picture
    where pictures last longer, is moved to the end of the video and noted.

    Raises:
        TimeOutsideError: a time that is negative or no number, a window that ends before it
            starts, or one that leaves the video by more than that.
        TruncatedVideoError: the window needs pictures that a cut-off file has lost.
    """
    path, duration = clip.video.path, info.duration
    start = float(clip.start or 0.0)
    end = duration if clip.end is None else float(clip.end)
    for seconds in (start, end):
        check_time(seconds, clip, info)
    if end < start and clip.end is not None:
        raise TimeOutsideError(
            path,
            f"the window from {start:g} s to {end:g} s ends before it starts",
            "Exchange start and end, or leave the item out.",
            asked=(start, end),
            duration=duration,
        )
    if start > duration:
        raise _outside(start, clip, info)
    if clip.end is None and info.truncated and not _complete(info):
        raise _truncated(clip, info)
    if end > duration:
        return start, duration, (f"the end was moved from {end:.3f} s to {duration:.3f} s",)
    return start, end, ()


def check_time(seconds: float, clip: Clip, info: VideoInfo) -> None:
    """Refuse a time that no picture of the video is near to.

    Raises:
        TimeOutsideError, TruncatedVideoError: see `window`.
    """
    if not (math.isfinite(seconds) and seconds >= 0):
        raise TimeOutsideError(
            clip.video.path,
            f"the time {seconds} s came; times are numbers from 0 on",
            "Correct the annotation, or leave the item out.",
            asked=(seconds,),
            duration=info.duration,
        )
    if seconds > info.duration and info.truncated and not _complete(info):
        raise _truncated(clip, info)
    if seconds > info.duration + max(1.0, 1 / (info.fps or 1)):
        raise _outside(seconds, clip, info)


def _outside(seconds: float, clip: Clip, info: VideoInfo) -> TimeOutsideError:
    return TimeOutsideError(
        clip.video.path,
        f"{seconds:g} s is asked for, the video lasts {info.duration:.3f} s",
        "Check the unit (frames, milliseconds, minutes) and whether it is the right file.",
        asked=(seconds,),
        duration=info.duration,
    )


def _complete(info: VideoInfo) -> bool:
    """Return whether a cut-off file lost no picture that it speaks of."""
    return info.claimed is not None and info.duration >= info.claimed - 0.1


def _truncated(clip: Clip, info: VideoInfo) -> TruncatedVideoError:
    whole = "" if info.claimed is None else f" of {info.claimed:.3f} s"
    until = "the end" if clip.end is None else f"{clip.end:g} s"
    return TruncatedVideoError(
        clip.video.path,
        f"truncated: {info.duration:.3f} s{whole} can be decoded, the clip goes on to {until}",
        "Fetch the file again; windows before the cut can be used.",
        decodable=info.duration,
        claimed=info.claimed,
    )


class _Known:
    """Facts by file, forgotten when its size or time of change differs."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._facts: dict[Path, tuple[tuple[int, int], Facts]] = {}

    def get(self, path: Path) -> Facts | None:
        try:
            status = path.stat()
        except OSError:
            return None
        with self._lock:
            stamp, facts = self._facts.get(path.absolute(), (None, None))
        return facts if stamp == (status.st_size, status.st_mtime_ns) else None

    def put(self, path: Path, facts: Facts) -> None:
        status = path.stat()
        with self._lock:
            self._facts[path.absolute()] = ((status.st_size, status.st_mtime_ns), facts)


_KNOWN = _Known()


def facts_of(path: Path, container: InputContainer, stream: Any) -> Facts:
    """Return the facts of an opened file, from memory where it has not changed."""
    facts = _KNOWN.get(path)
    if facts is None:
        facts = _facts(path, container, stream)
        _KNOWN.put(path, facts)
    return facts


def _facts(path: Path, container: InputContainer, stream: Any) -> Facts:
    first = _first(path, container, stream)
    turn = turn_of(first)
    lost = missing_bytes(path)
    timeline = measure(path, container, stream, first.pts, whole=lost > 0)
    duration = timeline.duration
    width, height = (first.height, first.width) if turn.swap else (first.width, first.height)
    notes = _claims(timeline)
    claimed = timeline.claimed
    if claimed is None and container.duration is not None:
        claimed = container.duration / 1_000_000
    if lost:
        notes.append(f"truncated: {lost} bytes are missing at the end; {duration:.3f} s are there")
    streams = len(moving_pictures(container))
    if streams > 1:
        notes.append(f"{streams} video streams; the one marked as default is shown")
    if turn.degrees:
        notes.append(f"turned by {turn.degrees} degrees clockwise, as the file says")
    if turn.mirrored:
        notes.append("mirrored, as the file says")
    info = VideoInfo(
        duration=duration,
        fps=timeline.frames / duration if timeline.frames > 1 and duration > 0 else None,
        width=width,
        height=height,
        rotation=turn.degrees,
        frames=timeline.frames,
        codec=stream.codec_context.codec.canonical_name,
        has_audio=bool(container.streams.audio),
        start_time=float(first.pts * timeline.base),
        notes=(*notes, *notes_of(first, stream)),
        claimed=claimed,
        truncated=lost > 0,
    )
    return Facts(info, timeline, turn)


def _first(path: Path, container: InputContainer, stream: Any) -> Any:
    """Return the first picture shown."""
    import av

    try:
        frame = _opening_key(container, stream)
        if frame is not None:
            return frame
        with opened(path) as again:
            for frame, _ in decoded(again, video_stream(again, path)):
                return frame
    except av.FFmpegError as error:
        raise VideoDamagedError(path, f"damaged: {error.strerror}") from error
    raise ZeroFramesError(path, "its video stream holds no picture that can be decoded")


def _opening_key(container: InputContainer, stream: Any) -> Any:
    """Return the first picture by decoding it alone, None where that may not be the one."""
    import av

    head = list(islice(packets(container, stream), 17))
    if not is_timed(container) or not head or head[0].is_discard or not head[0].is_keyframe:
        return None
    if any(p.pts is None for p in head) or min(p.pts for p in head) < head[0].pts:
        return None
    try:
        frames = stream.codec_context.decode(head[0]) + stream.codec_context.decode(None)
    except av.FFmpegError:
        return None
    whole = len(frames) == 1 and frames[0].pts == head[0].pts and not frames[0].is_corrupt
    return frames[0] if whole else None


def _claims(timeline: Timeline) -> list[str]:
    if timeline.hidden:
        return [f"{timeline.hidden} pictures are hidden by the file's edit list"]
    notes = []
    claimed, found = timeline.claimed, timeline.duration
    if claimed is not None and abs(claimed - found) > 0.5:
        notes.append(f"the container says {claimed:.3f} s of pictures, {found:.3f} s are there")
    if timeline.claimed_frames not in (0, timeline.frames):
        notes.append(
            f"the container says {timeline.claimed_frames} pictures, {timeline.frames} are there"
        )
    return notes


def folder_info(video: Video, frames: NumberedFrames) -> VideoInfo:
    """Measure a folder of numbered frames.

    Raises:
        FrameFolderError: no `fps`.
        VideoDamagedError: the first frame is no image.
    """
    from vidence.media.stills import still

    if video.fps is None:
        raise FrameFolderError(
            video.path, "a folder of frames has no rate of its own", "Give its fps."
        )
    height, width = still(frames.files[0]).shape[:2]
    span = frames.numbers[-1] - frames.numbers[0] + 1
    return VideoInfo(
        duration=span / video.fps,
        fps=video.fps,
        width=width,
        height=height,
        rotation=0,
        frames=len(frames.files),
        codec=frames.files[0].suffix.lower().lstrip("."),
        has_audio=False,
        start_time=0.0,
        notes=frames.notes,
    )
