"""Find when a file's pictures are on show, from its packets and not from its claims."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vidence.media.container import opened, video_stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from av.container import InputContainer


@dataclass(frozen=True)
class Timeline:
    """When pictures are on show, in ticks of the stream.

    Args:
        base: seconds a tick.
        first: when the first picture shown begins; play time 0.
        end: when the last one ends.
        keys: times at or before which decoding can begin, ascending: when key frames are shown,
            or, where only a table was read, when they are decoded (never later).
        frames: how many pictures there are.
        claimed: seconds that the container says the stream lasts, if it does.
        claimed_frames: pictures that the container says it holds, 0 where it does not say.
        hidden: pictures that an edit list leaves out; claims include them.
    """

    base: Fraction
    first: int
    end: int
    keys: tuple[int, ...]
    frames: int
    claimed: float | None = None
    claimed_frames: int = 0
    hidden: int = 0

    @property
    def duration(self) -> float:
        """Return seconds from the first picture's beginning to the last one's end."""
        return float((self.end - self.first) * self.base)

    def tick(self, seconds: float) -> int:
        """Return the last tick at or before a play time.

        Containers round their times to ticks, so a picture may stand half a tick late; a time
        that misses it by no more than that, and no more than half a millisecond, still finds it.
        """
        slack = min(float(self.base) / 2, 0.0005)
        return self.first + int((seconds + slack) / float(self.base) + 1e-6)

    def seconds(self, tick: int) -> float:
        """Return the play time of a tick."""
        return float((tick - self.first) * self.base)

    def key_before(self, tick: int) -> int | None:
        """Return the last of `keys` at or before a tick, None if there is none."""
        at = bisect_right(self.keys, tick)
        return self.keys[at - 1] if at else None


@dataclass
class _Seen:
    start: int | None = None
    end: int | None = None
    frames: int = 0
    hidden: int = 0
    keys: list[int] = field(default_factory=list)


def measure(
    path: Path, container: InputContainer, stream: Any, first: int, *, whole: bool
) -> Timeline:
    """Measure the pictures of a file.

    The table of an MP4 file is believed as far as its last pictures are really there; every other
    file is read through once, without decoding, which costs about 7 microseconds a picture.

    Args:
        path: the file.
        container: the file, opened; its position moves.
        stream: its stream of pictures.
        first: when the first picture shown begins, in ticks.
        whole: read through, whatever the table says (a truncated file).
    """
    step = _step(stream)
    seen = None if whole else _from_table(container, stream, step)
    if seen is None:
        # Some formats cannot be rewound, so the file is opened again.
        with opened(path) as again:
            seen = _scan(again, video_stream(again, path), step)
            if _by_order(again) and seen.end is not None and seen.start is not None:
                # The decoder holds pictures back, so the first one comes with a later number.
                seen.end += first - seen.start
    return Timeline(
        base=stream.time_base,
        first=first,
        end=max(first, seen.end if seen.end is not None else first),
        keys=tuple(sorted(seen.keys)),
        frames=seen.frames,
        claimed=float(stream.duration * stream.time_base) if stream.duration else None,
        claimed_frames=stream.frames,
        hidden=seen.hidden,
    )


def _from_table(container: InputContainer, stream: Any, step: int) -> _Seen | None:
    if "mp4" not in container.format.name or not stream.frames:
        return None
    entries = stream.index_entries
    count = len(entries)
    keys = _table_keys(entries)
    if not keys:
        return None
    # Pictures are shown at most 16 places after they are decoded: the last 40 hold the end.
    try:
        container.seek(entries[max(0, count - 40)].timestamp, stream=stream, any_frame=True)
    except OSError:
        return None
    tail = _scan(container, stream, step)
    if tail.end is None:
        return None
    hidden = 0
    # Edit lists hide a beginning or an end; only then is every entry looked at.
    if any(entries[i].is_discard for i in (*range(min(40, count)), *range(-min(40, count), 0))):
        hidden = sum(entry.is_discard for entry in entries)
    return _Seen(end=tail.end, frames=count - hidden, hidden=hidden, keys=keys)


def _table_keys(entries: Any) -> list[int]:
    """Return when key frames are decoded, walking from one to the one before."""
    keys: list[int] = []
    at = entries.search_timestamp(entries[-1].timestamp) if len(entries) else -1
    while at >= 0:
        keys.append(entries[at].timestamp)
        at = entries.search_timestamp(keys[-1] - 1)
    return keys


def _scan(container: InputContainer, stream: Any, step: int) -> _Seen:
    """Read packets to the end, or to where the file ends before its time."""
    seen = _Seen()
    by_order = _by_order(container)
    for packet in packets(container, stream):
        at = packet.dts if by_order or packet.pts is None else packet.pts
        if at is None or packet.is_discard or packet.is_corrupt:
            continue
        seen.frames += 1
        end = at + (packet.duration or step)
        seen.start = at if seen.start is None else seen.start
        seen.end = end if seen.end is None else max(seen.end, end)
        if packet.is_keyframe:
            seen.keys.append(at)
    return seen


def packets(container: InputContainer, stream: Any) -> Iterator[Any]:
    """Yield the packets that hold data; what cannot be read ends the stream as well."""
    import av

    try:
        for packet in container.demux(stream):
            if packet.size:
                yield packet
    except av.FFmpegError:
        return


def decoded(container: InputContainer, stream: Any) -> Iterator[tuple[Any, bool]]:
    """Yield pictures from the start on, in order, each with whether it is whole.

    It is not where the decoder complained about it, or about one before it since the last key
    frame. Pictures without a time follow the one before at its distance; pictures that do not
    move time on are left out.
    """
    import av

    whole, step = True, _step(stream)
    by_order = _by_order(container)
    latest: int | None = None
    for packet in _and_flush(packets(container, stream)):
        try:
            frames = stream.codec_context.decode(packet)
        except av.FFmpegError:
            whole, frames = False, []
        for frame in frames:
            whole = (whole or bool(frame.key_frame)) and not frame.is_corrupt
            if by_order:
                frame.pts = frame.dts
            if frame.pts is None:
                frame.pts = 0 if latest is None else latest + step
            if latest is not None:
                if frame.pts <= latest:
                    continue
                step = frame.pts - latest
            latest = frame.pts
            yield frame, whole


# Containers whose packets carry the time of their picture. In others (AVI, MPEG-PS, GIF) the
# decoder has to work it out from the beginning on.
_TIMED = frozenset({"mov", "matroska", "webm", "mpegts", "flv"})


def is_timed(container: InputContainer) -> bool:
    """Return whether packets carry the time of their picture."""
    return not _TIMED.isdisjoint(container.format.name.split(","))


def _by_order(container: InputContainer) -> bool:
    # AVI numbers its packets and has no times; what FFmpeg makes up for them goes back and forth
    # where pictures are reordered. Pictures leave the decoder in order, numbered without gaps.
    return container.format.name == "avi"


def _and_flush(source: Iterator[Any]) -> Iterator[Any]:
    yield from source
    yield None


def _step(stream: Any) -> int:
    """Return the ticks of one frame at the average rate, for packets that name no duration."""
    rate = stream.average_rate or stream.guessed_rate
    return max(1, round(1 / (rate * stream.time_base))) if rate else 1
