"""Files that are whole and still odd: unknown codecs, covers, mirrors, no pictures at all."""

from __future__ import annotations

import struct
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.stream import Disposition

from tests.media.film import HEIGHT, WIDTH, X264, Film, numbers, picture
from vidence.media.clip import At, Clip, Fps, Uniform, Video
from vidence.media.errors import (
    MissingVideoError,
    NoVideoStreamError,
    UnsupportedCodecError,
    ZeroFramesError,
)
from vidence.media.pixels import decode
from vidence.media.video import probe


def test_a_codec_that_is_not_known(tmp_path: Path) -> None:
    path = Film(frames=5, options=X264).make(tmp_path / "a.mp4")
    data = path.read_bytes()
    assert data.count(b"avc1") >= 1
    path.write_bytes(data.replace(b"avc1", b"zzz9"))
    with pytest.raises(UnsupportedCodecError, match=r"a\.mp4: .*Convert the file to H\.264"):
        probe(Video(path))


def test_a_stream_without_one_picture(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    film = Film(frames=10, options=X264, header={"movflags": "frag_keyframe+empty_moov"})
    data = film.make(path).read_bytes()
    # A recording that was stopped before the first fragment was written.
    path.write_bytes(data[: data.index(b"moof") - 4])
    with pytest.raises(ZeroFramesError, match="no picture"):
        probe(Video(path))


def test_a_cover_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "song.m4a"
    with av.open(str(path), "w", format="mp4") as container:
        sound = container.add_stream("aac", rate=16_000, layout="mono")
        cover = container.add_stream("mjpeg", rate=1)
        cover.width, cover.height, cover.pix_fmt = WIDTH, HEIGHT, "yuvj420p"
        cover.disposition = Disposition.attached_pic
        image = av.VideoFrame.from_ndarray(picture(1), format="rgb24")
        image.pts, image.time_base = 0, Fraction(1)
        container.mux(cover.encode(image))
        container.mux(cover.encode(None))
        block = av.AudioFrame.from_ndarray(
            np.zeros((1, 16_000), np.float32), format="fltp", layout="mono"
        )
        block.sample_rate, block.pts = 16_000, 0
        container.mux(sound.encode(block))
        container.mux(sound.encode(None))
    with av.open(str(path)) as container:
        assert len(container.streams.video) == 1
    with pytest.raises(NoVideoStreamError, match="no video stream"):
        probe(Video(path))


@pytest.mark.parametrize(
    ("matrix", "make"),
    [
        ((-1, 0, 0, 1), lambda image: image[:, ::-1]),
        ((1, 0, 0, -1), lambda image: image[::-1]),
        ((0, 1, 1, 0), lambda image: image.transpose(1, 0, 2)),
        ((0, -1, -1, 0), lambda image: image[::-1, ::-1].transpose(1, 0, 2)),
    ],
    ids=["left-right", "up-down", "diagonal", "other diagonal"],
)
def test_mirror_images_are_turned_back(tmp_path: Path, matrix: tuple[int, ...], make: type) -> None:
    from vidence.media.write import write_video

    path = tmp_path / "a.mp4"
    write_video(path, [np.ascontiguousarray(make(picture(i))) for i in range(5)], 25)
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd") + 44
    a, b, c, d = (k << 16 for k in matrix)
    struct.pack_into(">5i", data, at, a, b, 0, c, d)
    path.write_bytes(data)
    frames = decode(Clip(Video(path), sampling=Uniform(5)))
    assert numbers(frames.images) == list(range(5))
    assert np.abs(frames.images[2].astype(int) - picture(2)).mean() < 12
    assert "mirrored, as the file says" in frames.notes


def test_of_two_video_streams_the_default_one_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "a.mkv"
    with av.open(str(path), "w") as container:
        streams = [container.add_stream("libx264", rate=25) for _ in range(2)]
        for stream, width in zip(streams, (2 * WIDTH, WIDTH), strict=True):
            stream.width, stream.height, stream.pix_fmt = width, HEIGHT, "yuv420p"
        streams[0].disposition, streams[1].disposition = Disposition(0), Disposition.default
        for i in range(20):
            for stream in streams:
                shown = picture(i) if stream is streams[1] else picture(0, 2 * WIDTH)
                frame = av.VideoFrame.from_ndarray(shown, format="rgb24")
                frame.pts, frame.time_base = i, Fraction(1, 25)
                container.mux(stream.encode(frame))
        for stream in streams:
            container.mux(stream.encode(None))
    frames = decode(Clip(Video(path), sampling=Fps(25)))
    assert numbers(frames.images) == list(range(20))
    assert "2 video streams; the one marked as default is shown" in frames.notes


def test_names_that_look_like_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    film = Film(frames=5, options=X264)
    made = film.make(tmp_path / "a.mp4")
    monkeypatch.chdir(tmp_path)
    for name in ("http:a.mp4", "concat:a.mp4|a.mp4", "%d.mp4", "ü 漢 ' \".mp4", "-i.mp4"):
        copy = tmp_path / name
        copy.write_bytes(made.read_bytes())
        assert numbers(decode(Clip(Video(Path(name)), sampling=At((0.1,)))).images) == [2]
        copy.unlink()
        with pytest.raises(MissingVideoError):
            decode(Clip(Video(Path(name))))


def test_a_file_that_changes_is_measured_again(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    Film(frames=25, options=X264).make(path)
    assert probe(Video(path)).duration == pytest.approx(1)
    Film(frames=50, options=X264).make(path)
    assert probe(Video(path)).duration == pytest.approx(2)
    assert numbers(decode(Clip(Video(path), sampling=At((1.5,)))).images) == [37]
