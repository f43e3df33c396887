"""Sound tracks as numbers, on the same clock as the pictures."""

from __future__ import annotations

import math
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from vidence.errors import MediaError
from vidence.media.clip import Sound, Video
from vidence.media.container import opened
from vidence.media.errors import NoSoundError, TimeOutsideError, VideoDamagedError
from vidence.media.video import probe

if TYPE_CHECKING:
    from av.container import InputContainer
    from numpy.typing import NDArray

RATE = 16_000
# Codecs need what comes before to decode a block, so reading starts this much early.
_RUN_UP = 1.0
# A jump between blocks that is no rounding of their times.
_GAP = 0.05


def extract(sound: Sound) -> NDArray[np.float32]:
    """Return the sound of a window as float32 [n] mono at 16 kHz, -1 to 1.

    Channels are mixed so that full scale in all of them stays full scale.

    Sample k is heard at start + k / 16000 s of play time, where 0 is the first picture (in a file
    without pictures, the first sound). Where the track has nothing, before it begins or after it
    ends while pictures go on, there are zeros. Memory: 64 kB a second of the window, three times.

    Raises:
        NoSoundError: there is no sound track.
        TimeOutsideError: the window is not in the file.
        VideoDamagedError: nothing of the track can be decoded.
    """
    path = sound.video.path
    if path.is_dir():
        raise NoSoundError(path, "a folder of frames has no sound")
    start = float(sound.start or 0.0)
    until = math.inf if sound.end is None else float(sound.end)
    if not (math.isfinite(start) and 0 <= start <= until):
        raise TimeOutsideError(
            path,
            f"the window from {start} s to {until} s came; times go from 0 on and forward",
            asked=(start, until),
        )
    pictures = _pictures(sound.video)
    pieces: list[tuple[float, NDArray[np.float32]]] = []
    for early in (True, False):
        with opened(path) as container:
            stream = _track(container, path)
            zero = pictures[0] if pictures else float((stream.start_time or 0) * stream.time_base)
            if early:
                _seek(container, stream, start + zero - _RUN_UP)
            pieces = list(_pieces(container, stream, until + zero))
        # A seek that landed late has lost the beginning of the window.
        if pieces and (not early or start < _RUN_UP or pieces[0][0] <= start + zero):
            break
    if not pieces:
        raise VideoDamagedError(path, "damaged: nothing of its sound can be decoded")
    heard = max(at + len(samples) / RATE for at, samples in pieces) - zero
    total = max(heard, pictures[1] if pictures else 0.0)
    if start > total or (math.isfinite(until) and until > total + 1):
        raise TimeOutsideError(
            path,
            f"the window from {start:g} s to {until:g} s came, the file lasts {total:.3f} s",
            asked=(start, until),
            duration=total,
        )
    return _laid_out(pieces, start + zero, min(until, total if sound.end else heard) + zero)


def _pictures(video: Video) -> tuple[float, float] | None:
    """Return when pictures begin on the container's clock and how long they last."""
    try:
        info = probe(video)
    except MediaError:
        # Sound without usable pictures has its own beginning.
        return None
    return info.start_time, info.duration


def _track(container: InputContainer, path: Path) -> Any:
    tracks = [s for s in container.streams.audio if s.codec_context is not None]
    if not tracks:
        raise NoSoundError(path, "no sound track", "Use a transcript file, or leave it out.")
    best = container.streams.best("audio")
    return best if best in tracks else tracks[0]


def _seek(container: InputContainer, stream: Any, seconds: float) -> None:
    import av

    if seconds <= 0:
        return
    try:
        container.seek(int(seconds / stream.time_base), stream=stream)
    except av.FFmpegError:
        return


def _pieces(
    container: InputContainer, stream: Any, until: float
) -> Iterator[tuple[float, NDArray[np.float32]]]:
    """Yield stretches without a gap: when they begin on the container's clock, and samples."""
    import av

    begun, expected = 0.0, -math.inf
    scale = 1.0
    resampler: Any = None
    blocks: list[NDArray[np.float32]] = []
    for frame in _blocks(container, stream):
        at = expected if frame.pts is None else float(frame.pts * frame.time_base)
        if at >= until:
            break
        if abs(at - expected) > _GAP:
            if resampler is not None:
                yield begun, scale * _joined(blocks + _resampled(resampler, None))
            resampler = av.AudioResampler(format="flt", layout="mono", rate=RATE)
            begun, blocks, scale = at, [], 1 / max(1.0, _loudest(frame))
        blocks += _resampled(resampler, frame)
        expected = at + frame.samples / frame.sample_rate
    if resampler is not None:
        yield begun, scale * _joined(blocks + _resampled(resampler, None))


def _blocks(container: InputContainer, stream: Any) -> Iterator[Any]:
    import av

    try:
        for packet in container.demux(stream):
            try:
                yield from packet.decode()
            except av.FFmpegError:
                # A damaged block is a gap; what comes after it is heard at its own time.
                continue
    except av.FFmpegError:
        return


def _loudest(frame: Any) -> float:
    """Return what full scale in all channels comes to when they are mixed to one.

    FFmpeg mixes without lowering the level, so that equal channels would be cut off at 1.
    """
    import av

    ones = np.ones((len(frame.layout.channels), 64), np.float32)
    full = av.AudioFrame.from_ndarray(ones, format="fltp", layout=frame.layout.name)
    full.sample_rate = frame.sample_rate
    mixer = av.AudioResampler(format="flt", layout="mono", rate=frame.sample_rate)
    return float(np.max(_joined(_resampled(mixer, full)), initial=0.0))


def _resampled(resampler: Any, frame: Any) -> list[NDArray[np.float32]]:
    return [np.asarray(f.to_ndarray()[0], dtype=np.float32) for f in resampler.resample(frame)]


def _joined(blocks: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    return np.concatenate(blocks) if blocks else np.zeros(0, np.float32)


def _laid_out(
    pieces: list[tuple[float, NDArray[np.float32]]], start: float, end: float
) -> NDArray[np.float32]:
    out = np.zeros(max(0, round((end - start) * RATE)), np.float32)
    for at, samples in pieces:
        place = round((at - start) * RATE)
        samples = samples[max(0, -place) :]
        place = max(0, place)
        count = max(0, min(len(samples), len(out) - place))
        out[place : place + count] = samples[:count]
    return np.clip(out, -1.0, 1.0)


def write_wav(target: Path | BinaryIO, samples: NDArray[np.floating[Any]]) -> None:
    """Write mono samples at 16 kHz as 16-bit WAV, to a path or an open binary file."""
    whole = np.round(np.clip(samples, -1.0, 1.0) * 32767).astype("<i2")
    with wave.open(str(target) if isinstance(target, Path) else target, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(whole.tobytes())
