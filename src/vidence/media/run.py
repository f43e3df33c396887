"""Decode one stretch of a stream, from a key frame on, without decoding what no one wants."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

# Pictures are shown at most 16 places after they are decoded, so 64 packets hold every picture
# that could be on show after a given one, fields included.
_AHEAD = 64
_AHEAD_BYTES = 16 << 20


class UnseekableError(Exception):
    """Seeking does not work in this file; decode it from the beginning."""


class SuspectError(Exception):
    """The decoder complained, or a picture did not come; decode again without short cuts."""


def may_skip(stream: Any) -> bool:
    """Return whether pictures that no other refers to can be left out and nothing else changes.

    True for H.264, and for H.265 with one temporal layer; with more, a picture that is none of
    its own layer's references can still be one of the next layer's. AV1 loses pictures.
    """
    context = stream.codec_context
    if context.name == "h264":
        return True
    record = context.extradata or b""
    # Byte 21 of an hvcC record holds the number of temporal layers in bits 3 to 5, 0 if unknown.
    return (
        context.name == "hevc" and len(record) > 22 and record[0] == 1 and record[21] >> 3 & 7 == 1
    )


class Run:
    """Packets read ahead, and pictures decoded from them in the order of their times.

    Args:
        head: the key frame's packet.
        source: the packets after it, in decoding order.
        stream: the stream they belong to.
        wanted: every tick that may be asked for, ascending, to leave out pictures in between;
            None to decode all.

    Attributes:
        fed: the latest time of a picture given to the decoder.
        complaints: how often the decoder complained about pictures at or after the key frame.
    """

    def __init__(
        self, head: Any, source: Iterator[Any], stream: Any, wanted: Sequence[int] | None
    ) -> None:
        self._source = chain((head,), source)
        self._context, self._wanted = stream.codec_context, wanted
        self._queue: deque[Any] = deque()
        self._bytes = 0
        self._recent: deque[int] = deque(maxlen=2 * _AHEAD)
        self._pictures: deque[Any] = deque()
        self._start = self._tick = int(head.pts)
        self._shown: Any = None
        self._best: int | None = None
        self._above: list[int] = []
        self._read_dts: int | None = None
        self._since_best = 0
        self._ended = self._drained = False
        self._skipping = True
        self._skip(False)
        self.fed = self._start
        self.complaints = 0

    def reaches(self, tick: int, key: int | None) -> bool:
        """Return whether going on from here is the way to a later tick.

        Args:
            tick: the time wanted.
            key: the last key frame at or before it.
        """
        self._aim(tick)
        if self._found(tick):
            return True
        return not self._drained and (key is None or key <= self.fed)

    def frame_at(self, tick: int, *, last: bool, forgive: bool = False) -> Any:
        """Return the picture on show at a tick; ticks never go back.

        Args:
            tick: the time wanted, at or after the key frame.
            last: no later picture is wanted from this stretch, so the decoder can be drained.
            forgive: return a picture in spite of complaints.

        Raises:
            SuspectError: complaints came, or the picture did not.
            UnseekableError: packets without times.
        """
        self._aim(tick)
        while not self._found(tick):
            if self._pictures:
                if self._pictures[0].pts > tick:
                    break
                self._shown = self._pictures.popleft()
            elif self._drained:
                break
            else:
                self._fill()
                if not self._queue or (last and self._settled(tick) and self._best_is_fed()):
                    self._drain()
                else:
                    packet = self._queue.popleft()
                    self._bytes -= packet.size
                    self._feed(packet)
        if forgive and not self._drained:
            self._drain()
        shown = self._shown
        if shown is None or (self.complaints and not forgive):
            raise SuspectError
        if shown.pts != self._best and self._wanted is not None:
            # The packet gave no picture of its own (a hidden one, a second field): known for sure
            # only where nothing was left out.
            raise SuspectError
        return shown

    def _aim(self, tick: int) -> None:
        self._tick = tick
        reached = [pts for pts in self._above if pts <= tick]
        if reached:
            self._best, self._since_best = max(reached), 0
            self._above = [pts for pts in self._above if pts > tick]

    def _settled(self, tick: int) -> bool:
        """Return whether no packet still to be read can be on show at the tick."""
        return (
            self._ended
            or (self._read_dts is not None and self._read_dts > tick)
            or (self._best is not None and self._since_best >= _AHEAD)
        )

    def _found(self, tick: int) -> bool:
        shown = self._shown
        return shown is not None and shown.pts == self._best and self._settled(tick)

    def _best_is_fed(self) -> bool:
        return self._best is not None and all(p.pts != self._best for p in self._queue)

    def _fill(self) -> None:
        """Read on until what is on show at the tick is known, or far enough to tell."""
        while not self._ended and not (self._queue and self._settled(self._tick)):
            if len(self._queue) >= _AHEAD or self._bytes >= _AHEAD_BYTES:
                return
            packet = next(self._source, None)
            if packet is None:
                self._ended = True
            elif packet.pts is None:
                raise UnseekableError("packets without times")
            elif not packet.is_corrupt:
                self._queue.append(packet)
                self._bytes += packet.size
                self._note(packet)

    def _note(self, packet: Any) -> None:
        if packet.dts is not None:
            self._read_dts = max(packet.dts, self._read_dts or packet.dts)
        self._since_best += 1
        if packet.is_discard or packet.pts < self._start:
            return
        self._recent.append(packet.pts)
        if packet.pts > self._tick:
            self._above.append(packet.pts)
        elif self._best is None or packet.pts > self._best:
            self._best, self._since_best = packet.pts, 0

    def _feed(self, packet: Any) -> None:
        if self._wanted is not None:
            self._skip(self._unwanted(packet.pts))
        self.fed = max(self.fed, packet.pts)
        self._decode(packet, packet.pts >= self._start)

    def _drain(self) -> None:
        self._drained = True
        self._decode(None, True)

    def _decode(self, packet: Any, counts: bool) -> None:
        import av

        try:
            frames = self._context.decode(packet)
        except av.FFmpegError:
            # Pictures before the key frame lean on ones that were not read; no one wants them.
            self.complaints += counts
            return
        for frame in frames:
            if frame.pts is None:
                raise UnseekableError("pictures without times")
            if frame.pts >= self._start:
                self.complaints += bool(frame.is_corrupt)
                self._pictures.append(frame)

    def _unwanted(self, pts: int) -> bool:
        """Return whether another picture is sure to be shown at the first wanted tick after it."""
        wanted = self._wanted or ()
        at = bisect_left(wanted, pts)
        return at == len(wanted) or any(pts < other <= wanted[at] for other in self._recent)

    def _skip(self, unwanted: bool) -> None:
        if unwanted != self._skipping:
            self._context.skip_frame = "NONREF" if unwanted else "DEFAULT"
            self._skipping = unwanted
