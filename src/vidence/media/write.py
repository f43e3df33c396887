"""Write small MP4 files: generated worlds, tests and demos stand on real video."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vidence.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

AUDIO_RATE = 16_000
_AUDIO_BLOCK = 1024
# Columns (a, b, c, d, tx, ty) of the matrix in a track's header, clockwise, in units of 1/65536;
# tx and ty stand for the stored width and height that the turn moves the picture by.
_TURNS = {0: (1, 0, 0, 1), 90: (0, 1, -1, 0), 180: (-1, 0, 0, -1), 270: (0, -1, 1, 0)}


@dataclass(frozen=True)
class Encoder:
    """Say how pictures are compressed.

    Args:
        codec: an encoder of FFmpeg (`libx264`, `libx265`, `mpeg4`, ...).
        crf: constant rate factor of x264 and x265; smaller is better.
        pix_fmt: how pictures are stored.
        threads: more than one makes x264's bytes depend on the machine.
        options: (name, value) for the encoder, `(("bf", "2"),)`.
    """

    codec: str = "libx264"
    crf: int = 23
    pix_fmt: str = "yuv420p"
    threads: int = 1
    options: tuple[tuple[str, str], ...] = ()


def write_video(
    path: Path,
    frames: Iterable[NDArray[np.uint8]],
    fps: float | Fraction,
    *,
    audio: NDArray[np.floating[Any]] | None = None,
    rotation: int = 0,
    gop: int | None = None,
    encoder: Encoder = Encoder(),
) -> None:
    """Write frames and sound as an MP4 file whose bytes repeat.

    Args:
        path: the file to write.
        frames: [h, w, 3] RGB as stored, all of one even size; consumed one by one.
        fps: frames a second.
        audio: [n] mono at 16 kHz, -1 to 1, stored as AAC.
        rotation: degrees clockwise by which a player turns the stored pictures: 0, 90, 180, 270.
        gop: most frames from one key frame to the next, None for the encoder's own.
        encoder: how pictures are compressed.

    Raises:
        UsageError: no frame, an odd or changing size, or another rotation.
    """
    import av

    if rotation % 360 not in _TURNS:
        raise UsageError(f"rotation = {rotation} came; 0, 90, 180 or 270 is allowed.")
    rate = Fraction(fps).limit_denominator(100_000)
    pictures = iter(frames)
    first = next(pictures, None)
    if first is None:
        raise UsageError(f"No frame came for {path.name}. A video has one frame or more.")
    height, width = first.shape[:2]
    if height % 2 or width % 2:
        raise UsageError(f"Frames of {width}x{height} came; width and height must be even.")
    options = {"movflags": "+faststart", "fflags": "+bitexact"}
    with av.open(str(path), "w", format="mp4", options=options) as container:
        video: Any = container.add_stream(encoder.codec, rate=rate)
        video.width, video.height, video.pix_fmt = width, height, encoder.pix_fmt
        video.codec_context.thread_count = encoder.threads
        video.codec_context.time_base = 1 / rate
        if gop is not None:
            video.codec_context.gop_size = gop
        crf = {"crf": str(encoder.crf)} if encoder.codec in ("libx264", "libx265") else {}
        # x264's macroblock tree gives other bytes from one run to the next, even on one thread.
        tree = {"mbtree": "0"} if encoder.codec == "libx264" else {}
        video.options = {**crf, **tree, "flags": "+bitexact", **dict(encoder.options)}
        sound = _Sound(container, audio) if audio is not None else None
        for i, picture in enumerate(_joined(first, pictures)):
            if picture.shape[:2] != (height, width):
                raise UsageError(
                    f"Frame {i} is {picture.shape[1]}x{picture.shape[0]}, the first one is "
                    f"{width}x{height}. All frames of a file have one size."
                )
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")
            frame.pts, frame.time_base = i, 1 / rate
            container.mux(video.encode(frame))
            if sound is not None:
                sound.until(float((i + 1) / rate))
        container.mux(video.encode(None))
        if sound is not None:
            sound.finish()
    if rotation % 360:
        _turn(path, rotation % 360, width, height)


def _joined(first: NDArray[np.uint8], rest: Iterator[NDArray[np.uint8]]) -> Iterator[Any]:
    yield first
    yield from rest


class _Sound:
    """Feed sound beside the pictures, or the muxer would hold all pictures until sound comes."""

    def __init__(self, container: Any, samples: NDArray[np.floating[Any]]) -> None:
        self.samples = np.clip(np.asarray(samples, dtype=np.float32), -1, 1)
        self.container, self.at = container, 0
        self.stream: Any = container.add_stream("aac", rate=AUDIO_RATE, layout="mono")
        self.stream.codec_context.options = {"flags": "+bitexact"}
        self.stream.bit_rate = 64_000

    def until(self, seconds: float) -> None:
        import av

        end = min(len(self.samples), int(seconds * AUDIO_RATE))
        while self.at < end:
            block = self.samples[None, self.at : min(self.at + _AUDIO_BLOCK, len(self.samples))]
            frame = av.AudioFrame.from_ndarray(
                np.ascontiguousarray(block), format="fltp", layout="mono"
            )
            frame.sample_rate, frame.pts = AUDIO_RATE, self.at
            frame.time_base = Fraction(1, AUDIO_RATE)
            self.container.mux(self.stream.encode(frame))
            self.at += block.shape[1]

    def finish(self) -> None:
        self.until(len(self.samples) / AUDIO_RATE + 1)
        self.container.mux(self.stream.encode(None))


def _turn(path: Path, rotation: int, width: int, height: int) -> None:
    # PyAV has no way to write a display matrix, so it is put where the muxer left the identity.
    data = bytearray(path.read_bytes())
    at = _video_header(data)
    a, b, c, d = (k << 16 for k in _TURNS[rotation])
    tx = {90: height, 180: width}.get(rotation, 0) << 16
    ty = {180: height, 270: width}.get(rotation, 0) << 16
    struct.pack_into(">9i", data, at, a, b, 0, c, d, 0, tx, ty, 1 << 30)
    path.write_bytes(data)


def _video_header(data: bytearray) -> int:
    """Return where the matrix of the first track with a picture size starts."""
    at = 0
    while (at := data.find(b"tkhd", at)) >= 0:
        # Version 1 has four times of 8 bytes where version 0 has 4; the matrix follows 16 more.
        matrix = at + (40 if data[at + 4] == 0 else 52) + 4
        if struct.unpack_from(">I", data, matrix + 36)[0]:
            return matrix
        at += 4
    raise UsageError("No video track was written.")
