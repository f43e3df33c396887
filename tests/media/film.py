"""Films whose every picture says which one it is, made with PyAV alone.

The counter is 12 bits of black and white blocks in the upper left; a red block marks the lower
left corner. Nothing here uses what it helps to test.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 160, 96
_BLOCK = 16
_BITS = 12

av.logging.set_level(av.logging.PANIC)
# The encoder of AV1 prints past FFmpeg's log.
os.environ.setdefault("SVT_LOG", "0")


def picture(i: int, width: int = WIDTH, height: int = HEIGHT) -> NDArray[np.uint8]:
    """Return picture i, [height, width, 3]."""
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    texture = (128 + 60 * np.sin((x + 3 * i) / 9) + 50 * np.cos((y - 2 * i) / 7)).astype(np.uint8)
    image = np.stack([texture, np.roll(texture, i, 1), 255 - texture], -1)
    for bit in range(_BITS):
        row, column = divmod(bit, _BITS // 2)
        top, left = row * _BLOCK, column * _BLOCK
        image[top : top + _BLOCK, left : left + _BLOCK] = 235 if i >> bit & 1 else 20
    image[-2 * _BLOCK :, : 2 * _BLOCK] = (220, 20, 20)
    return image


def number(image: NDArray[np.uint8]) -> int:
    """Return which picture an image shows; it may be smaller than it was made."""
    scale = image.shape[1] / WIDTH
    value = 0
    for bit in range(_BITS):
        row, column = divmod(bit, _BITS // 2)
        y, x = int((row + 0.5) * _BLOCK * scale), int((column + 0.5) * _BLOCK * scale)
        value |= int(image[y - 1 : y + 2, x - 1 : x + 2].mean() > 128) << bit
    return value


def numbers(images: Sequence[NDArray[np.uint8]] | NDArray[np.uint8]) -> list[int]:
    """Return which pictures are shown."""
    return [number(image) for image in images]


@dataclass(frozen=True)
class Film:
    """How a film is made.

    Args:
        frames: how many pictures.
        fps: pictures a second; with `ticks`, ticks a second.
        codec: encoder's name.
        format: container, None to go by the suffix.
        options: for the encoder.
        ticks: when each picture begins, None for one a tick.
        offset: ticks before the first picture.
        pix_fmt: how pictures are stored.
        sound: seconds of a 440 Hz tone, 0 for none.
        header: for the container.
    """

    frames: int = 100
    fps: int | Fraction = 25
    codec: str = "libx264"
    format: str | None = None
    options: dict[str, str] = field(default_factory=dict)
    ticks: tuple[int, ...] | None = None
    offset: int = 0
    pix_fmt: str = "yuv420p"
    sound: float = 0.0
    header: dict[str, str] = field(default_factory=dict)

    def begins(self) -> list[float]:
        """Return when each picture begins, seconds after the first one."""
        ticks = self.ticks or tuple(range(self.frames))
        return [(t - ticks[0]) / float(self.fps) for t in ticks]

    def at(self, seconds: float) -> int:
        """Return which picture is on show: the last one that began, by plain search."""
        shown = 0
        for i, begin in enumerate(self.begins()):
            if begin <= seconds + 1e-9:
                shown = i
        return shown

    def pictures(self) -> Iterator[NDArray[np.uint8]]:
        """Yield the pictures."""
        return (picture(i) for i in range(self.frames))

    def make(self, path: Path) -> Path:
        """Write the film."""
        base = 1 / Fraction(self.fps)
        ticks = self.ticks or tuple(range(self.frames))
        with av.open(str(path), "w", format=self.format, options=dict(self.header)) as container:
            stream = container.add_stream(self.codec, rate=Fraction(self.fps))
            stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, self.pix_fmt
            stream.codec_context.time_base = base
            stream.codec_context.thread_count = 1
            stream.options = dict(self.options)
            if self.sound:
                audio = container.add_stream("aac", rate=16_000, layout="mono")
            for tick, image in zip(ticks, self.pictures(), strict=True):
                frame = av.VideoFrame.from_ndarray(image, format="rgb24")
                frame.pts, frame.time_base = tick + self.offset, base
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
            if self.sound:
                t = np.arange(int(self.sound * 16_000)) / 16_000
                tone = (0.5 * np.sin(2 * np.pi * 440 * t)).astype(np.float32)[None]
                block = av.AudioFrame.from_ndarray(tone, format="fltp", layout="mono")
                block.sample_rate, block.pts = 16_000, 0
                container.mux(audio.encode(block))
                container.mux(audio.encode(None))
        return path


X264 = {"preset": "veryfast", "sc_threshold": "0"}
KINDS: dict[str, tuple[str, Film]] = {
    "mp4 h264 b-frames": ("a.mp4", Film(options={**X264, "g": "30", "bf": "3"})),
    "mp4 h264 pyramid": ("b.mp4", Film(options={**X264, "g": "48", "bf": "8", "b-pyramid": "2"})),
    "mp4 h264 no b-frames": ("c.mp4", Film(options={**X264, "g": "12", "bf": "0"})),
    "mp4 h264 one group": ("d.mp4", Film(options={**X264, "g": "999", "bf": "3"})),
    "mp4 h264 open groups": (
        "e.mp4",
        Film(options={**X264, "g": "24", "x264-params": "open-gop=1:bframes=3"}),
    ),
    "mp4 h264 no key frames but the first": (
        "f.mp4",
        Film(options={**X264, "g": "25", "x264-params": "intra-refresh=1:bframes=0"}),
    ),
    "mp4 fragmented": (
        "g.mp4",
        Film(options={**X264, "g": "25"}, header={"movflags": "frag_keyframe+empty_moov"}),
    ),
    "mp4 hevc": (
        "h.mp4",
        Film(codec="libx265", options={"x265-params": "keyint=30:bframes=4:log-level=none"}),
    ),
    "mp4 hevc open groups": (
        "i.mp4",
        Film(
            codec="libx265",
            options={"x265-params": "keyint=20:min-keyint=20:open-gop=1:bframes=4:log-level=none"},
        ),
    ),
    "mp4 hevc layers": (
        "j.mp4",
        Film(
            codec="libx265",
            options={"x265-params": "keyint=40:temporal-layers=3:bframes=4:log-level=none"},
        ),
    ),
    "mkv h264": ("k.mkv", Film(options={**X264, "g": "30", "bf": "3"})),
    "webm vp8": ("l.webm", Film(codec="libvpx", options={"g": "40", "cpu-used": "8"})),
    "webm vp9": (
        "m.webm",
        Film(codec="libvpx-vp9", options={"g": "40", "deadline": "realtime", "cpu-used": "8"}),
    ),
    "webm vp9 hidden pictures": (
        "n.webm",
        Film(
            codec="libvpx-vp9",
            options={"g": "60", "cpu-used": "5", "auto-alt-ref": "1", "lag-in-frames": "20"},
        ),
    ),
    "ts h264": ("o.ts", Film(format="mpegts", options={**X264, "g": "30", "bf": "3"})),
    "avi mpeg4": ("p.avi", Film(codec="mpeg4", options={"g": "30", "bf": "2"})),
    "avi h264": ("q.avi", Film(options={**X264, "g": "30", "bf": "3"})),
    "flv h264": ("r.flv", Film(options={**X264, "g": "30", "bf": "2"})),
    "mpg mpeg2": ("s.mpg", Film(format="mpeg", codec="mpeg2video", options={"g": "18", "bf": "2"})),
    "mov mjpeg": ("t.mov", Film(codec="mjpeg", pix_fmt="yuvj420p")),
    "mp4 av1": ("v.mp4", Film(codec="libsvtav1", options={"g": "30", "preset": "12"})),
    "mp4 29.97": ("u.mp4", Film(fps=Fraction(30000, 1001), options={**X264, "g": "30"})),
}
