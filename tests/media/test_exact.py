"""The picture on show at a time is the one that is given, in every container and codec."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.media.film import KINDS, X264, Film, numbers
from vidence.media.clip import At, Clip, Fps, Uniform, Video
from vidence.media.pixels import decode
from vidence.media.reader import Reader
from vidence.media.video import probe


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("films")


@pytest.fixture(params=list(KINDS))
def made(request: pytest.FixtureRequest, films: Path) -> tuple[Film, Video]:
    name, film = KINDS[request.param]
    path = films / name
    return film, Video(path if path.exists() else film.make(path))


def times_in(film: Film, count: int, name: str) -> tuple[float, ...]:
    """Return times that stand a quarter or more of a frame from any change of pictures."""
    rng = random.Random(name)
    begins = film.begins()
    length = 1 / float(film.fps)
    picks = [rng.randrange(film.frames) for _ in range(count)]
    return tuple(begins[i] + rng.uniform(0.25, 0.75) * length for i in picks)


@pytest.mark.parametrize("count", [1, 4, 40])
def test_given_times_show_their_pictures(made: tuple[Film, Video], count: int) -> None:
    film, video = made
    for round_ in range(12 // count or 1):
        times = times_in(film, count, f"{video.path.name} {count} {round_}")
        frames = decode(Clip(video, sampling=At(times)))
        assert numbers(frames.images) == [film.at(t) for t in times]


def test_every_picture_is_found_once(made: tuple[Film, Video]) -> None:
    film, video = made
    frames = decode(Clip(video, sampling=Uniform(film.frames)))
    assert numbers(frames.images) == list(range(film.frames))
    assert frames.times == pytest.approx(film.begins(), abs=1.5e-3)


def test_measures(made: tuple[Film, Video]) -> None:
    film, video = made
    info = probe(video)
    assert info.duration == pytest.approx(film.frames / float(film.fps), abs=2e-3)
    assert info.frames == film.frames
    assert info.fps == pytest.approx(float(film.fps), rel=1e-3)


def test_frame_rate_of_the_file_shows_each_picture(made: tuple[Film, Video]) -> None:
    film, video = made
    frames = decode(Clip(video, start=1.0, end=2.0, sampling=Fps(float(film.fps), 1000)))
    expected = [film.at(1.0 + i / float(film.fps) + 1e-4) for i in range(len(frames.images))]
    assert len(frames.images) in (round(float(film.fps)), round(float(film.fps)) + 1)
    assert numbers(frames.images) == expected


@pytest.mark.parametrize("name", ["x.mp4", "x.mkv", "x.ts", "x.mov"])
@pytest.mark.parametrize("bf", [0, 3])
def test_variable_rates(films: Path, name: str, bf: int) -> None:
    rng = random.Random(f"{name} {bf}")
    ticks = [0]
    while len(ticks) < 120:
        # From 1 to 40 hundredths of a second, with a stretch where nothing moves for 7 seconds.
        ticks.append(ticks[-1] + (700 if len(ticks) == 60 else rng.choice((1, 2, 3, 4, 10, 40))))
    film = Film(
        frames=120,
        fps=100,
        ticks=tuple(ticks),
        format="mpegts" if name == "x.ts" else None,
        options={**X264, "g": "25", "bf": str(bf)},
    )
    path = films / f"{bf}{name}"
    video = Video(film.make(path))
    begins = film.begins()
    times = tuple(rng.uniform(0, begins[-1]) for _ in range(40))
    # Away from changes of pictures by the millisecond to which Matroska rounds.
    times = tuple(t for t in times if min(abs(t - b) for b in begins) > 2e-3)
    expected = [film.at(t) for t in times]
    assert numbers(decode(Clip(video, sampling=At(times))).images) == expected
    alone = [numbers(decode(Clip(video, sampling=At((t,)))).images)[0] for t in times[:10]]
    assert alone == expected[:10]
    assert film.at(begins[60] - 0.5) == 59
    assert numbers(decode(Clip(video, sampling=At((begins[60] - 0.5,)))).images) == [59]


@settings(max_examples=15, deadline=None, derandomize=True)
@given(
    gop=st.integers(1, 60),
    bf=st.integers(0, 5),
    frames=st.integers(1, 60),
    steps=st.integers(1, 3),
    picks=st.lists(st.floats(0, 1, exclude_max=True), min_size=1, max_size=12),
)
def test_any_structure_and_times(
    films: Path, gop: int, bf: int, frames: int, steps: int, picks: list[float]
) -> None:
    ticks = tuple(i * steps + (i % steps) for i in range(frames))
    film = Film(frames=frames, fps=50, ticks=ticks, options={**X264, "g": str(gop), "bf": str(bf)})
    video = Video(film.make(films / "any.mp4"))
    begins = [*film.begins(), film.begins()[-1] + 0.02]
    times = tuple(
        begins[int(p * frames)] + 0.5 * (begins[int(p * frames) + 1] - begins[int(p * frames)])
        for p in picks
    )
    assert numbers(decode(Clip(video, sampling=At(times))).images) == [film.at(t) for t in times]


def test_a_time_that_a_container_rounded_still_finds_its_picture(films: Path) -> None:
    # Matroska puts picture 2 of 30 a second at 67 ms; 2 / 30 s is 66.67 ms.
    film = Film(frames=30, fps=30, options=X264)
    video = Video(film.make(films / "round.mkv"))
    times = tuple(i / 30 for i in range(30))
    assert numbers(decode(Clip(video, sampling=At(times))).images) == list(range(30))
    assert numbers(decode(Clip(video, sampling=Fps(30))).images) == list(range(30))


STRAIGHT = [
    kind
    for kind in KINDS
    # Groups that lean on each other, or heal by rows, need a second look now and then.
    if not kind.startswith(("avi", "mpg")) and "h264 open" not in kind and "no key" not in kind
]


@pytest.mark.parametrize("kind", STRAIGHT)
def test_well_made_files_take_no_detour(
    films: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def detour(*_: object, **__: object) -> None:
        raise AssertionError("decoded twice, or from the beginning")

    monkeypatch.setattr(Reader, "_careful", detour)
    monkeypatch.setattr(Reader, "_sequential", detour)
    name, film = KINDS[kind]
    path = films / name
    video = Video(path if path.exists() else film.make(path))
    for count in (1, 4, 40):
        times = times_in(film, count, f"straight {name} {count}")
        frames = decode(Clip(video, sampling=At(times)))
        assert numbers(frames.images) == [film.at(t) for t in times]
