"""Bounded memory: row c22, and large pictures. Each figure is the peak of a child process."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from vidence.media.write import Encoder, write_video

_CHILD = """
import resource, sys
from pathlib import Path
from vidence.media.clip import Clip, Uniform, Video
from vidence.media.pixels import FrameCache, decode, encode_clip
import av, numpy, PIL.Image
def peak():
    # ru_maxrss counts the parent's memory at the time of the fork as well.
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().split("VmHWM:")[1].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
path = Path(sys.argv[1])
{body}
"""


def peak_mb(path: Path, body: str) -> list[float]:
    """Return what a child prints: memory in MB."""
    done = subprocess.run(
        [sys.executable, "-c", _CHILD.format(body=body), str(path)],
        check=True,
        timeout=240,
        capture_output=True,
        text=True,
    )
    return [float(word) for word in done.stdout.split()]


def flat(path: Path, frames: int, codec: str, options: dict[str, str]) -> Path:
    """Write tiny grey pictures, one a second."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=1)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.options = options
        greys = [np.full((48, 64, 3), 16 * level, np.uint8) for level in range(16)]
        pictures = [
            av.VideoFrame.from_ndarray(grey, format="rgb24").reformat(format="yuv420p")
            for grey in greys
        ]
        for i in range(frames):
            picture = pictures[i % 16]
            picture.pts, picture.time_base = i, Fraction(1)
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))
    return path


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("long")
    made = {}
    # 3 minutes and 3 hours; AVI is decoded from beginning to end.
    for name, codec, options in (
        ("mp4", "libx264", {"preset": "ultrafast", "g": "500"}),
        ("avi", "mpeg4", {"g": "250"}),
    ):
        for length, frames in (("short", 180), ("hours", 10_800)):
            path = folder / f"{length}.{name}"
            made[f"{name} {length}"] = flat(path, frames, codec, options)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["mp4", "avi"])
def test_c22_memory_does_not_grow_with_length_or_items(films: dict[str, Path], kind: str) -> None:
    once = "assert len(decode(Clip(Video(path), sampling=Uniform(64))).images) == 64; print(peak())"
    (short,) = peak_mb(films[f"{kind} short"], once)
    (hours,) = peak_mb(films[f"{kind} hours"], once)
    assert hours - short < 25
    items = """
cache = FrameCache(budget=1 << 20)
for i in range(30):
    cache.encoded(Clip(Video(path), start=i, end=60 + i, sampling=Uniform(16)))
    if i in (9, 29):
        print(peak())
"""
    early, late = peak_mb(films[f"{kind} short"], items)
    assert late - early < 10


@pytest.mark.slow
def test_large_pictures_are_packed_one_by_one(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    tile = rng.integers(0, 255, (68, 120, 3), dtype=np.uint8).repeat(16, 0).repeat(16, 1)[:1080]
    path = tmp_path / "large.mp4"
    fast = Encoder(options=(("preset", "ultrafast"),))
    write_video(path, (np.roll(tile, i * 8, 1) for i in range(64)), 4, gop=16, encoder=fast)
    body = "encoded = encode_clip(Clip(Video(path), sampling=Uniform(64))); print(peak())"
    (peak,) = peak_mb(path, body)
    # All 64 as pixels would be 398 MB.
    assert peak < 250
