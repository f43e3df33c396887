"""Give the pictures that are on show at given times, decoding as little as exactness allows.

The plan: one seek for each group of pictures that holds a wanted time, then decode on inside it.
Every step is checked against what really comes: a key frame that lies after the wanted time makes
the seek go further back, a picture that should come and does not, or a decoder that complains,
makes the stretch be decoded again without short cuts. Files that cannot be sought in are decoded
once from the beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vidence.media.container import opened, video_stream
from vidence.media.errors import VideoDamagedError, ZeroFramesError
from vidence.media.run import Run, SuspectError, UnseekableError, may_skip
from vidence.media.timeline import Timeline, decoded, is_timed, packets

if TYPE_CHECKING:
    from av.container import InputContainer


class Reader:
    """Pictures of one opened file.

    Args:
        path: the file.
        container: the file, opened; its position moves.
        stream: its stream of pictures.
        timeline: from `vidence.media.timeline.measure`.
    """

    def __init__(
        self, path: Path, container: InputContainer, stream: Any, timeline: Timeline
    ) -> None:
        self._path, self._container, self._stream = path, container, stream
        self._timeline = timeline

    def frames(self, ticks: Sequence[int]) -> Iterator[Any]:
        """Yield the picture on show at each tick, the last real one at and after the end.

        Args:
            ticks: ascending, without repeats, none before the first picture.

        Raises:
            VideoDamagedError: a wanted picture cannot be decoded as it was encoded.
            ZeroFramesError: there is no picture at all.
        """
        done = 0
        if is_timed(self._container):
            try:
                for frame in self._seeking(ticks):
                    yield frame
                    done += 1
                return
            except UnseekableError:
                pass
        yield from self._sequential(ticks[done:])

    def _seeking(self, ticks: Sequence[int]) -> Iterator[Any]:
        short_cuts = may_skip(self._stream)
        run: Run | None = None
        for i, tick in enumerate(ticks):
            later = self._timeline.key_before(ticks[i + 1]) if i + 1 < len(ticks) else None
            try:
                if run is None or not run.reaches(tick, self._timeline.key_before(tick)):
                    wanted = ticks[i:] if short_cuts else None
                    run = self._run(self._container, self._stream, tick, wanted=wanted)
                # With nothing more to come from this stretch, the decoder is drained instead of
                # being fed pictures that no one wants.
                yield run.frame_at(tick, last=later is None or later > run.fed)
            except SuspectError:
                run = None
                yield self._careful(tick)

    def _run(
        self,
        container: InputContainer,
        stream: Any,
        tick: int,
        *,
        wanted: Sequence[int] | None,
        back: int = 0,
    ) -> Run:
        """Seek to a key frame at or before a tick, `back` key frames earlier than need be."""
        import av

        target = self._timeline.key_before(tick)
        # MPEG-TS is sought by decoding times, which run ahead of the times of pictures.
        early = round(1 / self._timeline.base)
        while target is not None:
            for start in (target, target - early):
                try:
                    container.seek(start, stream=stream)
                except av.FFmpegError as error:
                    raise UnseekableError(str(error)) from error
                source = packets(container, stream)
                head = _key(source, target)
                if head is not None and head.pts <= tick:
                    break
            else:
                target = self._timeline.key_before(target - 1)
                continue
            if not back:
                return Run(head, source, stream, wanted)
            back -= 1
            target = self._timeline.key_before(target - 1)
        raise UnseekableError("no key frame at or before the wanted time")

    def _careful(self, tick: int) -> Any:
        """Decode one wanted picture without short cuts, and say whether it is whole.

        A stream that heals by rows and not by key frames is whole only from the next start on, so
        the key frame before is tried as well.
        """
        for back in (0, 1):
            with opened(self._path) as container:
                stream = video_stream(container, self._path)
                try:
                    run = self._run(container, stream, tick, wanted=None, back=back)
                    frame = run.frame_at(tick, last=True, forgive=True)
                except UnseekableError:
                    if back:
                        break
                    raise
                except SuspectError:
                    continue
                if not run.complaints:
                    return frame
        raise self._damaged(tick)

    def _damaged(self, tick: int) -> VideoDamagedError:
        at = self._timeline.seconds(tick)
        return VideoDamagedError(
            self._path,
            f"damaged: the picture at {at:.3f} s cannot be decoded as it was encoded",
            "Fetch the file again, or leave the item out.",
        )

    def _sequential(self, ticks: Sequence[int]) -> Iterator[Any]:
        """Decode from the beginning, choosing by the times that the decoder gives."""
        done = 0
        shown: tuple[Any, bool] | None = None
        with opened(self._path) as container:
            stream = video_stream(container, self._path)
            for frame, whole in decoded(container, stream):
                while done < len(ticks) and frame.pts > ticks[done]:
                    # Times before the first picture do not come, but a file may lie about it.
                    shown = shown or (frame, whole)
                    yield self._whole(shown, ticks[done])
                    done += 1
                if done == len(ticks):
                    return
                shown = (frame, whole)
            if shown is None:
                raise ZeroFramesError(self._path, "its video stream holds no picture")
            while done < len(ticks):
                yield self._whole(shown, ticks[done])
                done += 1

    def _whole(self, shown: tuple[Any, bool], tick: int) -> Any:
        frame, whole = shown
        if not whole:
            raise self._damaged(tick)
        return frame


def _key(source: Iterator[Any], target: int) -> Any:
    """Return the first key frame, the one at `target` if a seek landed earlier."""
    landed = None
    for packet in source:
        if packet.pts is None:
            raise UnseekableError("packets without times")
        if packet.is_keyframe and not packet.is_corrupt:
            # MP4 tables name when key frames are decoded, so there the first one is the one.
            if max(packet.pts, packet.dts if packet.dts is not None else packet.pts) >= target:
                return packet
            landed = packet
        if landed is not None and packet.dts is not None and packet.dts > target:
            break
    return None
