"""What is done to the pictures: turns, sizes, colours, edits, orders, notes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from tests.media.film import HEIGHT, WIDTH, X264, Film, number, numbers, picture
from vidence.errors import UnknownNameError, UsageError
from vidence.media.clip import At, Centre, Clip, Codec, Edit, Fps, Shuffled, Uniform, Video
from vidence.media.edits import EDITS, apply_edits
from vidence.media.pixels import decode, encode
from vidence.media.video import probe
from vidence.media.write import write_video


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Video:
    film = Film(options={**X264, "g": "25", "bf": "3", "crf": "12"})
    return Video(film.make(tmp_path_factory.mktemp("frames") / "a.mp4"))


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
@pytest.mark.parametrize("size", [None, 96])
def test_c16_pictures_are_upright(tmp_path: Path, degrees: int, size: int | None) -> None:
    path = tmp_path / "phone.mp4"
    # A phone stores what its sensor sees: the upright picture turned the other way round.
    stored = [np.rot90(picture(i), degrees // 90).copy() for i in range(10)]
    write_video(path, stored, 25, rotation=degrees)
    info = probe(Video(path))
    assert (info.width, info.height, info.rotation) == (WIDTH, HEIGHT, degrees)
    frames = decode(Clip(Video(path), sampling=Uniform(10), size=size))
    assert numbers(frames.images) == list(range(10))
    assert np.abs(decode(Clip(Video(path))).images[0].astype(int) - picture(0)).mean() < 12
    turned = f"turned by {degrees} degrees clockwise, as the file says"
    assert (turned in frames.notes) == (degrees != 0)


def test_c16_minus_90_is_270(tmp_path: Path) -> None:
    for name, degrees in (("a.mp4", -90), ("b.mp4", 270)):
        write_video(tmp_path / name, [np.rot90(picture(0), 3).copy()], 25, rotation=degrees)
    assert (tmp_path / "a.mp4").read_bytes() == (tmp_path / "b.mp4").read_bytes()


def test_c19_fewer_frames_than_asked(tmp_path: Path) -> None:
    path = Film(frames=9, options=X264).make(tmp_path / "a.mp4")
    frames = decode(Clip(Video(path), sampling=Uniform(16)))
    assert numbers(frames.images) == list(range(9))
    assert frames.asked == 16
    assert "9 of 16 frames: the clip has no more" in frames.notes


@pytest.mark.parametrize("sampling", [Uniform(8), Fps(1), Centre(), At((0.0,))])
@pytest.mark.parametrize("order", ["forward", "reversed", Shuffled(7)])
def test_c20_one_frame(tmp_path: Path, sampling: Uniform, order: Shuffled) -> None:
    path = Film(frames=1, options=X264).make(tmp_path / "a.mp4")
    info = probe(Video(path))
    assert (info.frames, info.fps) == (1, None)
    frames = decode(Clip(Video(path), sampling=sampling, order=order))
    assert numbers(frames.images) == [0]
    assert frames.times == (0.0,)


def test_c24_gif_with_uneven_delays(tmp_path: Path) -> None:
    path = tmp_path / "a.gif"
    images = [Image.fromarray(np.full((32, 48, 3), level, np.uint8)) for level in (250, 130, 10)]
    images[0].save(path, save_all=True, append_images=images[1:], duration=[100, 700, 200], loop=0)
    info = probe(Video(path))
    assert (info.frames, info.duration) == (3, pytest.approx(1.0))
    frames = decode(Clip(Video(path), sampling=At((0.05, 0.15, 0.75, 0.85, 1.0))))
    levels = frames.images[:, 16, 24, 0]
    assert np.abs(levels.astype(int) - [250, 130, 130, 10, 10]).max() < 8
    assert frames.times == pytest.approx((0.0, 0.1, 0.1, 0.8, 0.8))


@pytest.mark.parametrize("colour", [(200, 60, 90), (30, 140, 220), (128, 128, 128)])
@pytest.mark.parametrize("codec", ["libx265", "libx264"])
@pytest.mark.parametrize("pix_fmt", ["yuv420p10le", "yuv444p10le"])
def test_c25_ten_bit_colours(
    tmp_path: Path, codec: str, pix_fmt: str, colour: tuple[int, int, int]
) -> None:
    path = tmp_path / "a.mkv"
    flat(path, colour, codec=codec, pix_fmt=pix_fmt)
    images = decode(Clip(Video(path))).images
    assert images.dtype == np.uint8
    assert np.abs(images.astype(int) - colour).max() <= 6


@pytest.mark.parametrize("matrix", [None, 1, 5, 9], ids=["none", "709", "601", "2020"])
@pytest.mark.parametrize("full", [False, True], ids=["limited", "full"])
@pytest.mark.parametrize("size", [None, 32])
def test_colours_follow_the_matrix_and_range_that_the_stream_names(
    tmp_path: Path, matrix: int | None, full: bool, size: int | None
) -> None:
    path = tmp_path / "a.mp4"
    flat(path, (200, 60, 90), matrix=matrix, full=full)
    images = decode(Clip(Video(path), size=size)).images
    assert np.abs(images.astype(int) - (200, 60, 90)).max() <= 6


def flat(
    path: Path,
    colour: tuple[int, int, int],
    codec: str = "libx264",
    pix_fmt: str = "yuv420p",
    matrix: int | None = None,
    full: bool = False,
) -> None:
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, pix_fmt
        quiet = {"x265-params": "log-level=none"} if codec == "libx265" else {}
        stream.options = {"crf": "4", **quiet}
        if matrix is not None:
            stream.codec_context.colorspace = matrix
        stream.codec_context.color_range = 2 if full else 1
        for i in range(3):
            image = np.full((48, 64, 3), colour, np.uint8)
            frame = av.VideoFrame.from_ndarray(image, format="rgb24").reformat(
                format=pix_fmt, dst_colorspace=matrix or 5, dst_color_range=2 if full else 1
            )
            frame.pts, frame.time_base = i, Fraction(1, 25)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def test_c29_a_cap_covers_the_whole_video(tmp_path: Path) -> None:
    film = Film(frames=120, fps=2, options=X264)
    clip = Clip(Video(film.make(tmp_path / "a.mp4")), sampling=Fps(2, 16))
    frames = decode(clip)
    assert len(frames.images) == 16
    gaps = [b - a for a, b in pairwise(numbers(frames.images))]
    assert numbers(frames.images)[0] < 5
    assert numbers(frames.images)[-1] > 114
    assert set(gaps) <= {7, 8}


@pytest.mark.parametrize(("level", "black"), [(0, True), (3, True), (40, False)])
def test_c33_black_is_noted(tmp_path: Path, level: int, black: bool) -> None:
    path = tmp_path / "a.mp4"
    write_video(path, [np.full((48, 64, 3), level, np.uint8)] * 30, 10)
    assert ("all frames black" in decode(Clip(Video(path))).notes) == black
    wiped = decode(Clip(Video(path), edits=(Edit("blank"),)))
    assert ("all frames black" in wiped.notes) == black


@pytest.mark.parametrize("size", [16, 80, 159, 160, 161, 4000])
def test_size_is_the_longest_side_and_never_enlarges(video: Video, size: int) -> None:
    frames = decode(Clip(video, sampling=Centre(), size=size))
    width = min(size, WIDTH)
    assert frames.images.shape == (1, round(HEIGHT * width / WIDTH), width, 3)
    if size >= 80:
        assert numbers(frames.images) == [50]


def test_smaller_pictures_are_averages_of_what_they_cover(tmp_path: Path) -> None:
    # Stripes of one pixel become grey; a nearest-pixel resize would keep stripes.
    image = np.zeros((96, 160, 3), np.uint8)
    image[:, ::2] = 255
    path = tmp_path / "a.mp4"
    write_video(path, [image] * 3, 25)
    small = decode(Clip(Video(path), size=40)).images
    assert np.abs(small.astype(int)[:, 4:-4, 4:-4] - 127).max() < 30


def test_orders(video: Video) -> None:
    clip = Clip(video, sampling=Uniform(10))
    forward = decode(clip)
    assert numbers(forward.images) == [5, 15, 25, 35, 45, 55, 65, 75, 85, 95]
    backward = decode(replace(clip, order="reversed"))
    assert np.array_equal(backward.images, forward.images[::-1])
    assert backward.times == forward.times[::-1]
    order = Shuffled(3)
    shuffled = decode(replace(clip, order=order))
    assert np.array_equal(shuffled.images, forward.images[list(order.permutation(10))])
    assert sorted(shuffled.times) == list(forward.times)
    assert shuffled.times != forward.times


def test_given_times_keep_their_order_and_repeats(video: Video) -> None:
    frames = decode(Clip(video, sampling=At((3.0, 1.0, 1.01, 3.0))))
    assert numbers(frames.images) == [75, 25, 25, 75]
    assert frames.times == pytest.approx((3.0, 1.0, 1.0, 3.0))
    assert frames.asked == 4


def test_edits_come_before_the_order(video: Video) -> None:
    clip = Clip(video, sampling=Uniform(4), edits=(Edit("freeze"),), order="reversed")
    # Of 12, 37, 62, 87 the later middle one; of the reversed ones it would be 37.
    assert numbers(decode(clip).images) == [62] * 4


def test_edits_come_after_resizing(video: Video) -> None:
    small = decode(Clip(video, sampling=Uniform(4), size=40, edits=(Edit("noise"),))).images
    assert small.shape == (4, 24, 40, 3)
    # Resized noise would be smoother: independent uniform values have this spread and no relation.
    assert small.std() == pytest.approx(np.sqrt((256**2 - 1) / 12), rel=0.03)
    left, right = small[:, :, :-1].ravel(), small[:, :, 1:].ravel()
    assert abs(np.corrcoef(left, right)[0, 1]) < 0.05


def test_noise_is_named_by_its_seed(video: Video) -> None:
    images = np.zeros((2, 8, 8, 3), np.uint8)
    first, again, other = (
        apply_edits(images, (Edit.of("noise", seed=seed),)) for seed in (1, 1, 2)
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_identity_changes_no_pixel_and_blank_all(video: Video) -> None:
    plain = decode(Clip(video, sampling=Uniform(3)))
    same = decode(Clip(video, sampling=Uniform(3), edits=(Edit("identity"),)))
    wiped = decode(Clip(video, sampling=Uniform(3), edits=(Edit("blank"),)))
    assert np.array_equal(plain.images, same.images)
    assert wiped.images.shape == plain.images.shape
    assert (wiped.images == 128).all()


def test_every_edit_keeps_the_number_and_size_of_frames() -> None:
    images = np.arange(3 * 8 * 6 * 3, dtype=np.uint8).reshape(3, 8, 6, 3)
    for name in EDITS:
        before = images.copy()
        assert apply_edits(images, (Edit(name),)).shape == images.shape
        assert np.array_equal(images, before), f"{name} writes into what it is given"
        assert EDITS.describe(name)


def test_unknown_edits_and_parameters() -> None:
    images = np.zeros((1, 4, 4, 3), np.uint8)
    with pytest.raises(UnknownNameError, match=r"Unknown edit 'blnk'\. Did you mean 'blank'\?"):
        apply_edits(images, (Edit("blnk"),))
    with pytest.raises(UsageError, match="edit 'blank' was given"):
        apply_edits(images, (Edit.of("blank", colour=3),))


@pytest.mark.parametrize(
    "codec", [Codec(), Codec(quality=30), Codec("png"), Codec(subsampling="4:4:4")]
)
def test_packed_frames_are_images_again(video: Video, codec: Codec) -> None:
    frames = decode(Clip(video, sampling=Uniform(3)))
    packed = encode(frames.images, codec)
    opened = [Image.open(BytesIO(data)) for data in packed]
    assert {f"image/{image.format.lower()}" for image in opened if image.format} == {codec.mime}
    again = np.stack([np.asarray(image) for image in opened])
    assert numbers(again) == numbers(frames.images)
    if codec.format == "png":
        assert np.array_equal(again, frames.images)


def test_quality_and_subsampling_reach_the_file(video: Video) -> None:
    image = decode(Clip(video, sampling=Centre())).images
    sizes = [len(encode(image, Codec(quality=q))[0]) for q in (20, 60, 95)]
    assert sizes == sorted(sizes)
    assert sizes[0] * 2 < sizes[2]
    fine, coarse = (encode(image, Codec(subsampling=s))[0] for s in ("4:4:4", "4:2:0"))
    assert len(fine) > len(coarse)


def test_pixels_that_are_not_square_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.codec_context.sample_aspect_ratio = Fraction(8, 9)
        frame = av.VideoFrame.from_ndarray(picture(3), format="rgb24")
        frame.pts, frame.time_base = 0, Fraction(1, 25)
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    frames = decode(Clip(Video(path)))
    assert number(frames.images[0]) == 3
    assert "pixels are not square (8/9) and are not stretched" in frames.notes
