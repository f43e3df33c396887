"""Containers that lie, files that are cut, damaged, empty or none: rows c1 to c14, c27, c28."""

from __future__ import annotations

import random
import struct
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.media.film import X264, Film, numbers
from vidence.errors import MediaError
from vidence.media.clip import At, Centre, Clip, Fps, Uniform, Video
from vidence.media.errors import (
    EmptyVideoError,
    MissingVideoError,
    NotVideoError,
    NoVideoStreamError,
    TimeOutsideError,
    TruncatedVideoError,
    VideoDamagedError,
)
from vidence.media.pixels import FrameCache, decode
from vidence.media.video import probe
from vidence.media.write import write_video

FILM = Film(options={**X264, "g": "25", "bf": "3"})


def patch(path: Path, old: bytes, new: bytes, count: int) -> None:
    """Exchange bytes, making sure that they are there as often as thought."""
    data = path.read_bytes()
    assert data.count(old) == count
    path.write_bytes(data.replace(old, new))


@pytest.mark.parametrize(
    ("name", "content", "error", "words"),
    [
        ("x.mp4", b"", EmptyVideoError, "0 bytes"),
        ("x.mp4", b"<!DOCTYPE html><html>" + b"sorry " * 700, NotVideoError, "web page"),
        ("x.mp4", b"\0" * 9000, NotVideoError, "all zero"),
        ("x.mp4", b"version https://git-lfs.github.com/spec/v1\noid", NotVideoError, "Git LFS"),
        ("x.mp4", b"#EXTM3U\n#EXTINF:10,\nother.ts\n#EXT-X-ENDLIST\n", NotVideoError, "no video"),
        ("x.mp4", b"ffconcat version 1.0\nfile other.mp4\n", NotVideoError, "no video"),
        ("x.txt", b"hello " * 99, NotVideoError, "no video"),
    ],
    ids=["empty", "html", "zeros", "pointer", "play list", "concat list", "text"],
)
def test_c1_leftovers_are_named(
    tmp_path: Path, name: str, content: bytes, error: type[MediaError], words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(error, match=words) as caught:
        decode(Clip(Video(path)))
    assert str(caught.value).startswith(name)


def test_a_play_list_does_not_open_the_file_it_names(tmp_path: Path) -> None:
    film = Film(frames=10, format="mpegts", options=X264)
    other = film.make(tmp_path / "other.ts")
    path = tmp_path / "x.mp4"
    path.write_text(f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{other}\n#EXT-X-ENDLIST\n")
    with pytest.raises(NotVideoError):
        probe(Video(path))


def test_missing_file_and_folder(tmp_path: Path) -> None:
    for use in (probe, lambda video: video.digest, lambda video: decode(Clip(video))):
        with pytest.raises(MissingVideoError, match=r"gone\.mp4: no such file"):
            use(Video(tmp_path / "gone.mp4"))


def test_c2_a_damaged_stream_is_marked_and_the_rest_goes_on(tmp_path: Path) -> None:
    whole = FILM.make(tmp_path / "whole.mp4")
    data = bytearray(whole.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 2000] = bytes(random.Random("c2").randbytes(2000))
    path = tmp_path / "damaged.mp4"
    path.write_bytes(data)
    cache = FrameCache()
    with pytest.raises(VideoDamagedError, match=r"damaged\.mp4: damaged: the picture at"):
        cache.encoded(Clip(Video(path), sampling=Fps(25)))
    assert len(cache.encoded(Clip(Video(whole), sampling=Fps(25))).images) == 100
    early = Clip(Video(path), start=0.0, end=0.9, sampling=Fps(25))
    assert np.array_equal(decode(early).images, decode(replace(early, video=Video(whole))).images)


@pytest.mark.parametrize("seed", range(6))
def test_c2_damage_of_one_byte_gives_the_right_picture_or_an_error(
    tmp_path: Path, seed: int
) -> None:
    whole = FILM.make(tmp_path / "whole.mp4")
    good = decode(Clip(Video(whole), sampling=Uniform(100))).images
    data = bytearray(whole.read_bytes())
    rng = random.Random(f"one byte {seed}")
    place = rng.randrange(len(data) // 4, len(data) * 3 // 4)
    data[place] ^= 0x5A
    path = tmp_path / "damaged.mp4"
    path.write_bytes(data)
    refused = 0
    for i in range(0, 100, 3):
        try:
            image = decode(Clip(Video(path), sampling=At((i / 25 + 0.02,)))).images[0]
        except VideoDamagedError:
            refused += 1
            continue
        # A codec cannot notice every changed byte; what it lets through is still this picture.
        assert np.abs(image.astype(int) - good[i]).mean() < 40
    assert refused < 34


def test_c4_avi_that_claims_more_frames_ends_with_the_last_real_one(tmp_path: Path) -> None:
    film = Film(frames=300, codec="mpeg4", options={"g": "30"})
    path = film.make(tmp_path / "a.avi")
    # Both counts of the header: avih and strh.
    patch(path, struct.pack("<I", 300), struct.pack("<I", 431), 2)
    began = time.monotonic()
    info = probe(Video(path))
    frames = decode(Clip(Video(path), sampling=At((11.98, 12.0, 12.9))))
    assert info.frames == 300
    assert info.duration == pytest.approx(12)
    assert "the container says 431 pictures, 300 are there" in info.notes
    assert numbers(frames.images) == [299, 299, 299]
    assert "1 times past the end show the last frame" in frames.notes
    with pytest.raises(TimeOutsideError, match=r"17\.2 s is asked for, the video lasts 12\.000 s"):
        decode(Clip(Video(path), sampling=At((17.2,))))
    assert time.monotonic() - began < 60


def test_c4_mp4_that_claims_a_longer_duration(tmp_path: Path) -> None:
    path = Film(frames=75, options=X264).make(tmp_path / "a.mp4")
    data = bytearray(path.read_bytes())
    at = data.index(b"mdhd")
    scale, length = struct.unpack_from(">II", data, at + 16)
    assert length / scale == pytest.approx(3)
    struct.pack_into(">I", data, at + 20, 20 * scale)
    path.write_bytes(data)
    assert probe(Video(path)).duration == pytest.approx(3)
    assert numbers(decode(Clip(Video(path), sampling=Uniform(3))).images) == [12, 37, 62]


def test_c6_sound_alone(tmp_path: Path) -> None:
    import av

    path = tmp_path / "sound.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=16_000, layout="mono")
        block = av.AudioFrame.from_ndarray(
            np.zeros((1, 16_000), np.float32), format="fltp", layout="mono"
        )
        block.sample_rate, block.pts = 16_000, 0
        container.mux(stream.encode(block))
        container.mux(stream.encode(None))
    with pytest.raises(NoVideoStreamError, match=r"sound\.mp4: no video stream"):
        probe(Video(path))


@pytest.mark.parametrize("codec", ["libvpx", "libvpx-vp9"])
def test_c8_live_webm_without_duration_or_index(tmp_path: Path, codec: str) -> None:
    film = Film(
        codec=codec,
        options={"g": "20", "deadline": "realtime", "cpu-used": "8"},
        header={"live": "1"},
    )
    path = film.make(tmp_path / "live.webm")
    info = probe(Video(path))
    assert (info.frames, round(info.duration, 3)) == (100, 4.0)
    frames = decode(Clip(Video(path), sampling=Uniform(5)))
    assert numbers(frames.images) == [10, 30, 50, 70, 90]


@pytest.mark.parametrize("name", ["a.mkv", "a.ts"])
def test_c9_count_of_zero_is_not_believed(tmp_path: Path, name: str) -> None:
    import av

    path = FILM.make(tmp_path / name)
    with av.open(str(path)) as container:
        assert container.streams.video[0].frames == 0
    assert probe(Video(path)).frames == 100


def test_c11_avi_that_claims_one_frame_too_many(tmp_path: Path) -> None:
    film = Film(frames=225, codec="mpeg4", options={"g": "12"})
    path = film.make(tmp_path / "a.avi")
    patch(path, struct.pack("<I", 225), struct.pack("<I", 226), 2)
    frames = decode(Clip(Video(path), sampling=At((0.0, 225.5 / 25))))
    assert numbers(frames.images) == [0, 224]
    assert "the container says 226 pictures, 225 are there" in frames.notes


@pytest.mark.parametrize("name", ["a.mp4", "a.mkv", "a.ts", "a.flv"])
def test_c12_play_time_begins_with_the_first_picture(tmp_path: Path, name: str) -> None:
    film = Film(options={**X264, "g": "25"}, offset=50)
    path = film.make(tmp_path / name)
    info = probe(Video(path))
    assert info.start_time >= 2.0
    assert info.duration == pytest.approx(4.0, abs=2e-3)
    assert numbers(decode(Clip(Video(path), sampling=At((3.01,)))).images) == [75]


@pytest.mark.parametrize(("hidden", "first"), [(0.48, 12), (0.5, 13)])
def test_c14_an_edit_list_hides_the_beginning(tmp_path: Path, hidden: float, first: int) -> None:
    path = FILM.make(tmp_path / "a.mp4")
    data = bytearray(path.read_bytes())
    at = data.index(b"elst")
    entries, _, media_time = struct.unpack_from(">IIi", data, at + 8)
    assert entries == 1
    timescale = struct.unpack_from(">I", data, data.index(b"mdhd") + 16)[0]
    struct.pack_into(">i", data, at + 16, media_time + round(hidden * timescale))
    path.write_bytes(data)
    # Picture 12 begins at 0.48 s; one that began before the edit's start is hidden whole.
    video = Video(path)
    times = (0.01, 1.01, 2.21, 3.3)
    sought = [numbers(decode(Clip(video, sampling=At((t,)))).images)[0] for t in times]
    together = numbers(decode(Clip(video, sampling=At(times))).images)
    assert sought == together
    assert sought == [first, first + 25, first + 55, first + 82]
    assert numbers(decode(Clip(video, sampling=Uniform(500))).images) == list(range(first, 100))
    assert probe(video).notes == (f"{first} pictures are hidden by the file's edit list",)


@pytest.mark.parametrize("faststart", [True, False])
def test_c27_cut_at_60_percent(tmp_path: Path, faststart: bool) -> None:
    header = {"movflags": "+faststart"} if faststart else {}
    whole = replace(FILM, header=header).make(tmp_path / "whole.mp4").read_bytes()
    path = tmp_path / "cut.mp4"
    path.write_bytes(whole[: len(whole) * 6 // 10])
    video = Video(path)
    with pytest.raises(TruncatedVideoError, match=r"cut\.mp4: truncated: ") as caught:
        decode(Clip(video))
    if not faststart:
        assert caught.value.decodable == 0
        return
    assert caught.value.claimed == pytest.approx(4)
    assert 1 < caught.value.decodable < 3.9
    info = probe(video)
    assert info.truncated
    assert info.duration == caught.value.decodable
    inside = Clip(video, start=0, end=info.duration - 0.1, sampling=Uniform(4))
    shown = numbers(decode(inside).images)
    assert shown == [FILM.at(t) for t in inside.sampling.times(0, info.duration - 0.1)]
    with pytest.raises(TruncatedVideoError, match=r"the clip goes on to 3\.9 s"):
        decode(replace(inside, end=3.9))


@pytest.mark.parametrize("name", ["a.mkv", "a.avi", "a.ts"])
def test_c27_other_containers_that_are_cut(tmp_path: Path, name: str) -> None:
    film = Film(codec="mpeg4", options={"g": "25"}) if name == "a.avi" else FILM
    whole = film.make(tmp_path / f"whole_{name}").read_bytes()
    path = tmp_path / name
    path.write_bytes(whole[: len(whole) * 6 // 10])
    info = probe(Video(path))
    assert 1 < info.duration < 3.9
    assert numbers(decode(Clip(Video(path), start=0.5, end=0.6, sampling=Centre())).images) == [13]
    if name == "a.ts":
        # A stream without an end says nothing about what is missing.
        assert not info.truncated
    else:
        with pytest.raises(TruncatedVideoError):
            decode(Clip(Video(path)))


def test_c28_the_very_end_shows_the_last_picture(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    film = Film(frames=5, fps=1)
    write_video(path, film.pictures(), fps=1)
    video = Video(path)
    assert probe(video).duration == pytest.approx(5)
    for t in (4.0, 4.5, 5.0, 5.9):
        assert numbers(decode(Clip(video, sampling=At((t,)))).images) == [4]
    assert numbers(decode(Clip(video, start=5.0, end=5.0, sampling=Centre())).images) == [4]


@pytest.mark.parametrize(("start", "end"), [(-1.0, 2.0), (float("nan"), 2.0), (0.0, float("inf"))])
def test_times_that_are_none(tmp_path: Path, start: float, end: float) -> None:
    path = Film(frames=50, options=X264).make(tmp_path / "a.mp4")
    with pytest.raises(TimeOutsideError, match="times are numbers from 0 on"):
        decode(Clip(Video(path), start=start, end=end))
    with pytest.raises(TimeOutsideError, match="times are numbers from 0 on"):
        decode(Clip(Video(path), sampling=At((1.0, start if start != 0 else end))))


def test_windows_beside_the_file(tmp_path: Path) -> None:
    video = Video(Film(frames=50, options=X264).make(tmp_path / "a.mp4"))
    with pytest.raises(TimeOutsideError, match=r"the video lasts 2\.000 s") as caught:
        decode(Clip(video, start=1, end=382))
    assert (caught.value.asked, caught.value.duration) == ((382.0,), 2.0)
    with pytest.raises(TimeOutsideError, match=r"2\.5 s is asked for"):
        decode(Clip(video, start=2.5, end=2.9))
    with pytest.raises(TimeOutsideError, match="ends before it starts"):
        decode(Clip(video, start=1.5, end=1.0))
    clamped = decode(Clip(video, start=1, end=2.8, sampling=Fps(1)))
    assert numbers(clamped.images) == [25]
    assert "the end was moved from 2.800 s to 2.000 s" in clamped.notes
