"""The frame cache: decoded once, shared by orders, joined in flight, bounded."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.media.film import X264, Film, numbers
from vidence.media import pixels
from vidence.media.clip import At, Clip, Codec, Edit, Shuffled, Uniform, Video
from vidence.media.errors import MissingVideoError, VideoDamagedError
from vidence.media.pixels import Encoded, FrameCache, decode, encode, encode_clip


@pytest.fixture(scope="module")
def video(tmp_path_factory: pytest.TempPathFactory) -> Video:
    film = Film(options={**X264, "g": "25"})
    return Video(film.make(tmp_path_factory.mktemp("cache") / "a.mp4"))


def shown(encoded: Encoded) -> list[int]:
    return numbers([np.asarray(Image.open(BytesIO(data))) for data in encoded.images])


@pytest.mark.parametrize("order", ["forward", "reversed", Shuffled(9)])
@pytest.mark.parametrize("edits", [(), (Edit("freeze"),), (Edit("noise"),)])
@pytest.mark.parametrize("sampling", [Uniform(7), At((3.0, 1.0, 1.0))])
def test_packed_frames_are_the_decoded_ones(
    video: Video, order: Shuffled, edits: tuple[Edit, ...], sampling: Uniform
) -> None:
    clip = Clip(video, sampling=sampling, order=order, edits=edits, size=120, codec=Codec("png"))
    frames, encoded = decode(clip), FrameCache().encoded(clip)
    assert encoded == encode_clip(clip)
    assert encoded.images == encode(frames.images, clip.codec)
    assert (encoded.times, encoded.asked, encoded.notes) == (
        frames.times,
        frames.asked,
        frames.notes,
    )
    assert encoded.size == (120, 72)
    assert encoded.mime == "image/png"


def test_orders_of_one_clip_are_decoded_once(video: Video) -> None:
    cache = FrameCache()
    clip = Clip(video, sampling=Uniform(10))
    forward = cache.encoded(clip)
    backward = cache.encoded(replace(clip, order="reversed"))
    shuffled = cache.encoded(replace(clip, order=Shuffled(1)))
    assert cache.decoded == 1
    assert shown(forward) == shown(backward)[::-1] == sorted(shown(shuffled))
    assert shuffled.times != forward.times
    cache.encoded(replace(clip, size=80))
    assert cache.decoded == 2


def test_equal_clips_in_flight_are_joined(video: Video, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go = threading.Event(), threading.Event()
    real = pixels.encode_clip

    def slow(clip: Clip) -> Encoded:
        begun.set()
        assert go.wait(30)
        return real(clip)

    monkeypatch.setattr(pixels, "encode_clip", slow)
    cache = FrameCache()
    clip = Clip(video, sampling=Uniform(3))
    with ThreadPoolExecutor(16) as pool:
        first = pool.submit(cache.encoded, clip)
        assert begun.wait(30)
        rest = [pool.submit(cache.encoded, clip) for _ in range(15)]
        go.set()
        results = {future.result(30).images for future in (first, *rest)}
    assert len(results) == 1
    assert cache.decoded == 1


def test_no_more_decoders_than_allowed(video: Video, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, now, most = threading.Lock(), 0, 0
    real = pixels.encode_clip

    def counted(clip: Clip) -> Encoded:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.01)
        try:
            return real(clip)
        finally:
            with lock:
                now -= 1

    monkeypatch.setattr(pixels, "encode_clip", counted)
    cache = FrameCache(decoders=3)
    clips = [Clip(video, sampling=Uniform(n)) for n in range(1, 25)]
    with ThreadPoolExecutor(24) as pool:
        results = list(pool.map(cache.encoded, clips))
    assert [len(r.images) for r in results] == list(range(1, 25))
    assert most == 3


def test_the_budget_holds_and_the_least_recently_used_goes(video: Video) -> None:
    clips = [Clip(video, sampling=At((t / 10,))) for t in range(8)]
    one = max(len(encode_clip(clip).images[0]) for clip in clips)
    cache = FrameCache(budget=3 * one)
    for clip in clips[:3]:
        cache.encoded(clip)
    cache.encoded(clips[0])
    cache.encoded(clips[3])
    assert cache.size <= 3 * one
    before = cache.decoded
    cache.encoded(clips[0])
    assert cache.decoded == before
    cache.encoded(clips[1])
    assert cache.decoded == before + 1
    for clip in clips:
        cache.encoded(clip)
        assert cache.size <= 3 * one


def test_a_clip_larger_than_the_budget_is_given_and_not_kept(video: Video) -> None:
    cache = FrameCache(budget=10)
    assert len(cache.encoded(Clip(video, sampling=Uniform(5))).images) == 5
    assert cache.size == 0


def test_failures_reach_every_waiter_and_are_not_kept(tmp_path: Path) -> None:
    film = Film(options={**X264, "g": "25"})
    path = film.make(tmp_path / "a.mp4")
    whole = path.read_bytes()
    damaged = bytearray(whole)
    middle = len(whole) // 2
    damaged[middle : middle + 3000] = b"\x55" * 3000
    path.write_bytes(damaged)
    cache = FrameCache(decoders=2)
    clip = Clip(Video(path), sampling=Uniform(100))
    with ThreadPoolExecutor(8) as pool:
        futures = [pool.submit(cache.encoded, clip) for _ in range(8)]
        assert all(isinstance(future.exception(60), VideoDamagedError) for future in futures)
    assert cache.size == 0
    path.write_bytes(whole)
    assert len(cache.encoded(clip).images) == 100
    path.unlink()
    with pytest.raises(MissingVideoError):
        cache.encoded(clip)


def test_many_threads_on_many_clips_give_what_one_does(video: Video) -> None:
    clips = [
        Clip(video, start=s / 10, end=s / 10 + 1, sampling=Uniform(4), order=order, size=96)
        for s in range(8)
        for order in ("forward", "reversed", Shuffled(s))
    ]
    expected = [encode_clip(clip) for clip in clips]
    cache = FrameCache(budget=60_000)
    with ThreadPoolExecutor(16) as pool:
        for _ in range(3):
            assert list(pool.map(cache.encoded, clips)) == expected
