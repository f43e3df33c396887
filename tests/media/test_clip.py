"""Recipes: which times, which orders, which keys; nothing is opened but to be hashed."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import threading
from collections import Counter
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.media.film import X264, Film
from vidence.errors import MediaError, UsageError
from vidence.media import clip as clip_module
from vidence.media import errors
from vidence.media.clip import At, Centre, Clip, Codec, Edit, Fps, Shuffled, Sound, Uniform, Video
from vidence.media.errors import NotVideoError, TimeOutsideError, TruncatedVideoError
from vidence.media.video import segments


def test_recipes_need_neither_numpy_nor_av() -> None:
    code = """
import sys
sys.modules["numpy"] = sys.modules["av"] = sys.modules["PIL"] = None
import vidence.media
from vidence.media.clip import Clip, Fps, Shuffled, Video
assert Clip(Video("a.mp4"), order=Shuffled(3)).describe()["order"] == {"shuffled": 3}
assert len(Fps(1).times(0, 10)) == 10
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_importing_the_decoder_does_not_import_av() -> None:
    code = """
import sys
import vidence.media.pixels, vidence.media.audio, vidence.media.write, vidence.media.edits
assert "av" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_sampling_by_hand() -> None:
    assert Uniform(4).times(10, 18) == (11, 13, 15, 17)
    assert Fps(2).times(1, 3) == (1, 1.5, 2, 2.5)
    assert Fps(1).times(0, 3.2) == (0, 1, 2, 3)
    assert Fps(1, cap=4).times(0, 8) == Uniform(4).times(0, 8)
    assert Fps(1, cap=4).times(0, 4) == (0, 1, 2, 3)
    assert Centre().times(3, 9) == (6,)
    assert At((5, 1)).times(0, 9) == (5, 1)
    assert Fps(1).times(2, 2) == (2,)


@given(
    start=st.floats(0, 1e4),
    length=st.floats(0.01, 1e4),
    sampling=st.one_of(
        st.builds(Uniform, st.integers(1, 300)),
        st.builds(Fps, st.floats(0.01, 60), st.integers(1, 300)),
        st.just(Centre()),
    ),
)
def test_times_ascend_inside_the_window_and_reach_over_it(
    start: float, length: float, sampling: Uniform
) -> None:
    end = start + length
    times = sampling.times(start, end)
    assert list(times) == sorted(set(times))
    assert start <= times[0]
    assert times[-1] < end
    if isinstance(sampling, Fps):
        assert len(times) <= sampling.cap
        widest = max(1 / sampling.fps, length / sampling.cap)
        assert end - times[-1] <= widest * 1.001 + 1e-6


@given(seed=st.integers(0, 2**63 - 1), n=st.integers(0, 40))
def test_shuffles_are_permutations_and_never_the_identity(seed: int, n: int) -> None:
    order = Shuffled(seed).permutation(n)
    assert sorted(order) == list(range(n))
    assert order == Shuffled(seed).permutation(n)
    if n > 1:
        assert order != tuple(range(n))


def test_shuffles_are_equally_likely() -> None:
    # 5 orders of 3 but the identity, 5,000 seeds: 1,000 each; the 99.99 % quantile of chi-square
    # with 4 degrees of freedom is 23.5.
    counts = Counter(Shuffled(seed).permutation(3) for seed in range(5000))
    assert len(counts) == 5
    assert sum((c - 1000) ** 2 / 1000 for c in counts.values()) < 23.5


@pytest.fixture
def film(tmp_path: Path) -> Video:
    return Video(Film(frames=5, options=X264).make(tmp_path / "a.mp4"))


def test_keys_change_with_everything_that_can_change_the_frames(film: Video) -> None:
    plain = Clip(film)
    variants = [
        plain,
        replace(plain, start=0.1),
        replace(plain, end=0.1),
        replace(plain, sampling=Fps(2)),
        replace(plain, sampling=Fps(1, 64)),
        replace(plain, sampling=Uniform(1)),
        replace(plain, sampling=Uniform(128)),
        replace(plain, sampling=Centre()),
        replace(plain, sampling=At((0.1,))),
        replace(plain, order="reversed"),
        replace(plain, order=Shuffled(1)),
        replace(plain, order=Shuffled(2)),
        replace(plain, size=64),
        replace(plain, edits=(Edit("identity"),)),
        replace(plain, edits=(Edit.of("noise", seed=1),)),
        replace(plain, edits=(Edit.of("noise", seed=2),)),
        replace(plain, codec=Codec(quality=80)),
        replace(plain, codec=Codec("png")),
        replace(plain, video=replace(film, fps=3)),
    ]
    assert len({clip.key() for clip in variants}) == len(variants)
    assert len({Sound(film).key(), Sound(film, 1).key(), Sound(film, 1, 2).key()}) == 3
    assert Sound(film).key() != plain.key()


def test_keys_that_are_the_same(film: Video, tmp_path: Path) -> None:
    assert Clip(film).key() == Clip(film, start=0).key() == Clip(film, start=0.0).key()
    assert Clip(film, sampling=Fps(1)).key() == Clip(film, sampling=Fps(1.0)).key()
    assert Edit("noise", (("b", 1), ("a", 2))) == Edit.of("noise", a=2, b=1)
    png = Clip(film, codec=Codec("png", quality=5))
    assert png.key() == Clip(film, codec=Codec("png")).key()
    copy = tmp_path / "other name.mp4"
    copy.write_bytes(film.path.read_bytes())
    assert Clip(Video(copy)).key() == Clip(film).key()


def test_keys_are_pinned(tmp_path: Path) -> None:
    # Fingerprints of stored runs: with another key every model would be asked again. They change
    # with DECODE_VERSION, on purpose, and in no other way.
    path = tmp_path / "a.mp4"
    path.write_bytes(b"not decoded, only hashed")
    clip = Clip(
        Video(path), 1.5, 9, Uniform(8), Shuffled(5), 448, (Edit.of("noise", seed=3),), Codec()
    )
    assert clip_module.DECODE_VERSION == 1
    assert Video(path).digest == blake2b(path.read_bytes(), digest_size=16).hexdigest()
    assert clip.key() == "73e3e2f8be9fe5b5294ad0995008c526"
    assert Sound(Video(path), 1, 2).key() == "298eaa12e01ffa68fd1c7ffafbf072bd"


def test_a_changed_file_has_another_digest(film: Video) -> None:
    before = film.digest
    stamp = film.path.stat()
    data = film.path.read_bytes()
    film.path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    os.utime(film.path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns + 1))
    assert film.digest != before


def test_a_file_is_hashed_once_by_many_threads(
    film: Video, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[Path] = []
    hash_ = clip_module._hash

    def counted(files: tuple[Path, ...], named: bool) -> str:
        calls.extend(files)
        return hash_(files, named)

    monkeypatch.setattr(clip_module, "_hash", counted)
    threads = [threading.Thread(target=lambda: film.digest) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls == [film.path]


def test_a_pipe_is_no_video(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.mp4")
    with pytest.raises(NotVideoError):
        _ = Video(tmp_path / "a.mp4").digest


def test_descriptions_are_json_without_folders(film: Video) -> None:
    clip = Clip(film, 1, sampling=At((1.5,)), order=Shuffled(4), edits=(Edit.of("noise", seed=2),))
    for recipe in (clip, Sound(film, 1)):
        text = json.dumps(recipe.describe())
        assert film.path.name in text
        assert film.path.parent.name not in text
    assert clip.describe()["sampling"] == {"kind": "at", "seconds": (1.5,)}
    assert clip.describe()["edits"] == [["noise", {"seed": 2}]]


def test_recipes_are_values(film: Video) -> None:
    clip = Clip(Video(film.path), 1, 2, Uniform(3), Shuffled(4), 5, (Edit.of("a", b=1),))
    assert pickle.loads(pickle.dumps(clip)) == clip
    assert {clip: 1}[pickle.loads(pickle.dumps(clip))] == 1
    assert Video(str(film.path)) == film  # type: ignore[arg-type]


def test_bind_changes_what_is_given(film: Video) -> None:
    clip = Clip(film, size=64, codec=Codec("png"))
    assert clip.bind() == clip
    assert clip.bind(size=32) == replace(clip, size=32)
    assert clip.bind(codec=Codec()) == replace(clip, codec=Codec())


def test_segments(film: Video) -> None:
    clip = Clip(Video(film.path), sampling=Centre(), size=64)
    parts = segments(clip, 2)
    assert [(p.start, p.end) for p in parts] == [(0, pytest.approx(0.1)), (pytest.approx(0.1), 0.2)]
    assert all(replace(p, start=None, end=None) == clip for p in parts)
    assert [p.start for p in segments(replace(clip, start=0.1, end=0.2), 4)] == pytest.approx(
        [0.1, 0.125, 0.15, 0.175]
    )
    with pytest.raises(UsageError, match="0 segments"):
        segments(clip, 0)
    with pytest.raises(UsageError, match="given times"):
        segments(replace(clip, sampling=At((0.1,))), 2)
    with pytest.raises(TimeOutsideError):
        segments(replace(clip, end=99), 2)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Uniform(0), "n = 0"),
        (lambda: Fps(0), "fps = 0"),
        (lambda: Fps(float("nan")), "fps = nan"),
        (lambda: Fps(1, 0), "cap = 0"),
        (lambda: At(()), "number of times = 0"),
        (lambda: Codec("webp"), "'webp'"),  # type: ignore[arg-type]
        (lambda: Codec(quality=0), "quality = 0"),
        (lambda: Codec(subsampling="4:1:1"), "4:1:1"),
        (lambda: Clip(Video(Path("a")), size=0), "size = 0"),
        (lambda: Clip(Video(Path("a")), order="random"), "'random'"),  # type: ignore[arg-type]
        (lambda: Video(Path("a"), fps=-1), "fps = -1"),
    ],
)
def test_recipes_that_make_no_sense(make: type, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        make()


def test_errors_cross_processes() -> None:
    error = TruncatedVideoError("x/a.mp4", "cut", "Fetch it.", decodable=2.5, claimed=4)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is TruncatedVideoError
    assert str(again) == str(error) == "a.mp4: cut. Fetch it."
    assert (again.path, again.decodable, again.claimed) == (Path("x/a.mp4"), 2.5, 4)


def test_the_tree_of_errors_is_the_one_drawn() -> None:
    kinds = {
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, MediaError) and name.endswith("Error")
    } - {"MediaError", "_VideoError"}
    drawn = {line.split()[1] for line in (errors.__doc__ or "").splitlines() if "-- " in line}
    assert kinds == drawn
