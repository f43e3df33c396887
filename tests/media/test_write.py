"""The writer: bytes that repeat, and files that hold what was given."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.media.film import numbers, picture
from vidence.errors import UsageError
from vidence.media.clip import Clip, Fps, Uniform, Video
from vidence.media.pixels import decode
from vidence.media.video import probe
from vidence.media.write import Encoder, write_video


@pytest.mark.parametrize("fps", [25, 2.5, Fraction(30000, 1001), 29.97])
def test_frames_and_rate_come_back(tmp_path: Path, fps: float) -> None:
    path = tmp_path / "a.mp4"
    write_video(path, (picture(i) for i in range(20)), fps)
    info = probe(Video(path))
    assert info.frames == 20
    assert info.fps == pytest.approx(float(fps), rel=1e-4)
    assert info.codec == "h264"
    assert numbers(decode(Clip(Video(path), sampling=Uniform(20))).images) == list(range(20))


def test_bytes_repeat(tmp_path: Path) -> None:
    tone = np.sin(np.arange(20_000) / 7) * 0.4
    digests = set()
    for i in range(3):
        path = tmp_path / f"{i}.mp4"
        write_video(path, (picture(i) for i in range(30)), 25, audio=tone, rotation=90)
        digests.add(hashlib.sha256(path.read_bytes()).hexdigest())
    assert len(digests) == 1


def test_groups_and_quality(tmp_path: Path) -> None:
    import av

    for gop in (5, 50):
        path = tmp_path / f"{gop}.mp4"
        write_video(path, (picture(i) for i in range(50)), 25, gop=gop)
        with av.open(str(path)) as container:
            keys = [p.pts for p in container.demux(video=0) if p.is_keyframe and p.size]
        assert len(keys) == 50 // gop
    sizes = []
    for crf in (10, 40):
        path = tmp_path / f"crf{crf}.mp4"
        write_video(path, (picture(i) for i in range(20)), 25, encoder=Encoder(crf=crf))
        sizes.append(path.stat().st_size)
    assert sizes[0] > 3 * sizes[1]


def test_other_encoders(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    write_video(path, (picture(i) for i in range(20)), 25, encoder=Encoder("mpeg4"))
    assert probe(Video(path)).codec == "mpeg4"
    assert numbers(decode(Clip(Video(path), sampling=Fps(25))).images) == list(range(20))


def test_frames_are_taken_one_by_one(tmp_path: Path) -> None:
    alive: list[int] = []

    def frames():  # type: ignore[no-untyped-def]
        for i in range(40):
            alive.append(i)
            yield picture(i)

    write_video(tmp_path / "a.mp4", frames(), 25)
    assert alive == list(range(40))


def test_what_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    with pytest.raises(UsageError, match=r"No frame came for a\.mp4"):
        write_video(path, [], 25)
    with pytest.raises(UsageError, match="161x96 came; width and height must be even"):
        write_video(path, [np.zeros((96, 161, 3), np.uint8)], 25)
    with pytest.raises(UsageError, match="Frame 1 is 64x48, the first one is 160x96"):
        write_video(path, [picture(0), np.zeros((48, 64, 3), np.uint8)], 25)
    with pytest.raises(UsageError, match="rotation = 45"):
        write_video(path, [picture(0)], 25, rotation=45)
