"""Folders of numbered frames, and videos found by name: rows c31 and b6."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.media.film import HEIGHT, WIDTH, numbers, picture
from vidence.media.clip import At, Centre, Clip, Fps, Uniform, Video
from vidence.media.errors import (
    AmbiguousVideoError,
    EmptyVideoError,
    FrameFolderError,
    MissingVideoError,
    NoSoundError,
    VideoDamagedError,
)
from vidence.media.find import VideoFolder, find_video
from vidence.media.pixels import FrameCache, decode
from vidence.media.video import probe


def fill(folder: Path, names: dict[str, int]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, i in names.items():
        Image.fromarray(picture(i)).save(folder / name, quality=95)
    return folder


def test_frames_are_sorted_by_number_not_by_name(tmp_path: Path) -> None:
    folder = fill(
        tmp_path / "v", {f"img{i}.jpg": i for i in (1, 2, 9, 10, 11, 100, 3, 4, 5, 6, 7, 8)}
    )
    (folder / "img100.jpg").unlink()
    frames = decode(Clip(Video(folder, fps=2), sampling=Uniform(11)))
    assert numbers(frames.images) == list(range(1, 12))
    assert frames.times == pytest.approx([i / 2 for i in range(11)])
    info = probe(Video(folder, fps=2))
    assert (info.duration, info.fps, info.frames) == (5.5, 2, 11)
    assert (info.width, info.height, info.rotation, info.has_audio) == (WIDTH, HEIGHT, 0, False)


def test_the_one_time_rule_holds_for_folders(tmp_path: Path) -> None:
    folder = fill(tmp_path / "v", {f"{i:05d}.png": i for i in range(1, 31)})
    video = Video(folder, fps=3)
    assert numbers(decode(Clip(video, sampling=Fps(1))).images) == list(range(1, 31, 3))
    assert numbers(decode(Clip(video, sampling=Fps(3))).images) == list(range(1, 31))
    assert numbers(decode(Clip(video, start=2, end=4, sampling=Centre())).images) == [10]
    assert numbers(decode(Clip(video, sampling=At((0.34, 10.0, 0.0)))).images) == [2, 30, 1]


def test_gaps_hold_the_frame_before_and_are_noted(tmp_path: Path) -> None:
    folder = fill(tmp_path / "v", {f"{i}.jpg": i for i in (10, 11, 15, 16)})
    frames = decode(Clip(Video(folder, fps=1), sampling=At((0.5, 1.5, 3.5, 4.9, 5.5))))
    assert numbers(frames.images) == [10, 11, 11, 11, 15]
    assert "3 of 7 frame numbers are missing" in frames.notes


def test_suffixes_in_any_case_sidecars_and_strangers(tmp_path: Path) -> None:
    folder = fill(tmp_path / "v", {"1.JPG": 1, "2.jpeg": 2, "3.Png": 3, "cover.jpg": 9})
    (folder / "._1.jpg").write_bytes(b"sidecar")
    (folder / "notes.txt").write_text("4")
    frames = decode(Clip(Video(folder, fps=1), sampling=Uniform(3)))
    assert numbers(frames.images) == [1, 2, 3]
    assert "1 images without a number ignored" in frames.notes


def test_sizes_and_turns(tmp_path: Path) -> None:
    folder = fill(tmp_path / "v", {"1.jpg": 1, "2.jpg": 2})
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = Image.fromarray(np.rot90(picture(2)).copy())
    turned.save(folder / "2.jpg", exif=exif, quality=95)
    frames = decode(Clip(Video(folder, fps=1), sampling=Uniform(2), size=80))
    assert frames.images.shape == (2, 48, 80, 3)
    assert numbers(frames.images) == [1, 2]


def test_folders_that_cannot_be_read(tmp_path: Path) -> None:
    folder = fill(tmp_path / "v", {"1.jpg": 1, "2.jpg": 2})
    with pytest.raises(FrameFolderError, match=r"v: a folder of frames has no rate.*Give its fps"):
        decode(Clip(Video(folder)))
    fill(folder, {"a01.png": 1})
    with pytest.raises(FrameFolderError, match=r"1\.jpg and a01\.png both have the number 1"):
        decode(Clip(Video(folder, fps=1)))
    (tmp_path / "empty").mkdir()
    with pytest.raises(EmptyVideoError, match="no numbered frame"):
        _ = Video(tmp_path / "empty", fps=1).digest


def test_a_frame_that_is_no_image(tmp_path: Path) -> None:
    folder = fill(tmp_path / "v", {"1.jpg": 1, "2.jpg": 2})
    whole = (folder / "2.jpg").read_bytes()
    for content in (b"", b"<html>", whole[: len(whole) // 2]):
        (folder / "2.jpg").write_bytes(content)
        with pytest.raises(VideoDamagedError, match=r"v: the frame 2\.jpg cannot be read"):
            decode(Clip(Video(folder, fps=1), sampling=Uniform(2)))


def test_digests_see_names_and_bytes(tmp_path: Path) -> None:
    digests = set()
    for name, names in {
        "a": {"1.jpg": 1, "2.jpg": 2},
        "b": {"1.jpg": 1, "3.jpg": 2},
        "c": {"1.jpg": 2, "2.jpg": 1},
    }.items():
        digests.add(Video(fill(tmp_path / name, names), fps=1).digest)
    assert len(digests) == 3
    same = fill(tmp_path / "elsewhere", {"1.jpg": 1, "2.jpg": 2})
    assert Video(same, fps=1).digest in digests


def test_a_folder_in_the_cache_and_no_sound_in_it(tmp_path: Path) -> None:
    from vidence.media.audio import extract
    from vidence.media.clip import Sound

    folder = fill(tmp_path / "v", {"1.jpg": 1, "2.jpg": 2})
    clip = Clip(Video(folder, fps=1))
    assert len(FrameCache().encoded(clip).images) == 2
    with pytest.raises(NoSoundError):
        extract(Sound(clip.video))


@pytest.fixture
def library(tmp_path: Path) -> Path:
    for name in (
        "one.mp4",
        "._one.mp4",
        "clevrer/v_1.mp4",
        "perception/v_1.mp4",
        "perception/Only.MKV",
        "deep/er/x.webm",
        ".cache/hidden.mp4",
        "two.mp4",
        "two.mkv",
    ):
        path = tmp_path / "videos" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"0")
    fill(tmp_path / "videos" / "frames" / "clip7", {"1.jpg": 1})
    return tmp_path / "videos"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("one.mp4", "one.mp4"),
        ("one", "one.mp4"),
        ("clevrer/v_1.mp4", "clevrer/v_1.mp4"),
        ("clevrer/v_1", "clevrer/v_1.mp4"),
        ("./perception/v_1.mp4", "perception/v_1.mp4"),
        ("perception\\v_1.mp4", "perception/v_1.mp4"),
        ("Only.MKV", "perception/Only.MKV"),
        ("only.mkv", "perception/Only.MKV"),
        ("x", "deep/er/x.webm"),
        ("clip7", "frames/clip7"),
    ],
)
def test_names(library: Path, name: str, found: str) -> None:
    video = find_video(library, name, fps=3)
    assert video.path == library / found
    assert video.fps == (3 if found == "frames/clip7" else None)


@pytest.mark.parametrize("name", ["v_1.mp4", "v_1", "two"])
def test_b6_a_name_of_two_videos_is_refused(library: Path, name: str) -> None:
    with pytest.raises(AmbiguousVideoError, match="2 files answer to the name") as caught:
        find_video(library, name)
    assert "perception/v_1.mp4" in str(caught.value) or "two.mkv" in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "gone.mp4",
        "clevrer/Only.MKV",
        "other/v_1.mp4",
        "../one.mp4",
        "/etc/passwd",
        "",
        "hidden.mp4",
    ],
)
def test_missing_names_are_named(library: Path, name: str) -> None:
    with pytest.raises(MissingVideoError):
        find_video(library / "clevrer" if name.startswith("..") else library, name)


def test_c31_sidecars_are_never_found(library: Path) -> None:
    (library / "one.mp4").unlink()
    for name in ("one.mp4", "one", "._one.mp4"):
        with pytest.raises(MissingVideoError):
            find_video(library, name)


def test_a_near_miss_is_told(library: Path) -> None:
    with pytest.raises(MissingVideoError, match=r"Did you mean 'Only\.MKV'\?"):
        VideoFolder(library).find("0nly.mkv")
