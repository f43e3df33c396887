"""Sound on the pictures' clock."""

from __future__ import annotations

import wave
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.media.film import X264, Film, picture
from vidence.media.audio import extract, write_wav
from vidence.media.clip import Sound, Video
from vidence.media.errors import NoSoundError, NotVideoError, TimeOutsideError
from vidence.media.write import write_video

RATE = 16_000


def clicks(seconds: int) -> NDArray[np.float32]:
    """Return a tone burst of 0.1 s at every full second, its pitch 300 Hz + 100 Hz a second."""
    t = np.arange(seconds * RATE) / RATE
    pitch = 300 + 100 * np.floor(t)
    return np.where(t % 1 < 0.1, 0.6 * np.sin(2 * np.pi * pitch * (t % 1)), 0).astype(np.float32)


def onsets(samples: NDArray[np.float32]) -> list[float]:
    """Return when loudness rises over a tenth of full scale after 0.3 s of quiet."""
    loud = np.flatnonzero(np.abs(samples) > 0.1)
    starts = [loud[0], *(b for a, b in pairwise(loud) if b - a > 0.3 * RATE)]
    return [float(s) / RATE for s in starts]


def pitch(samples: NDArray[np.float32]) -> float:
    spectrum = np.abs(np.fft.rfft(samples * np.hanning(len(samples)), RATE))
    return float(np.argmax(spectrum))


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Video:
    path = tmp_path_factory.mktemp("audio") / "talk.mp4"
    write_video(path, (picture(i) for i in range(80)), 10, audio=clicks(8))
    return Video(path)


def test_the_whole_track(talk: Video) -> None:
    samples = extract(Sound(talk))
    assert samples.dtype == np.float32
    assert len(samples) == pytest.approx(8 * RATE, abs=1024)
    assert onsets(samples) == pytest.approx(range(8), abs=0.01)


@pytest.mark.parametrize(("start", "end"), [(0, 2), (2.5, 4.25), (6.9, 8), (3, 3), (0, 8)])
def test_windows_are_cut_to_the_sample(talk: Video, start: float, end: float) -> None:
    samples = extract(Sound(talk, start, end))
    assert len(samples) == round((end - start) * RATE)
    whole = extract(Sound(talk))[round(start * RATE) : round(end * RATE)]
    assert np.abs(samples[: len(whole)] - whole).max(initial=0) < 1e-3


def test_windows_hear_their_own_second(talk: Video) -> None:
    for second in range(8):
        burst = extract(Sound(talk, second, second + 0.1))
        assert pitch(burst) == pytest.approx(300 + 100 * second, abs=12)


@pytest.mark.parametrize(
    ("rate", "layout"), [(48_000, "stereo"), (44_100, "mono"), (8_000, "mono")]
)
@pytest.mark.parametrize("name", ["a.mkv", "a.wav"])
def test_other_rates_and_channels(tmp_path: Path, rate: int, layout: str, name: str) -> None:
    path = tmp_path / name
    t = np.arange(3 * rate) / rate
    tone = (0.5 * np.sin(2 * np.pi * 440 * t)).astype(np.float32)
    with av.open(str(path), "w") as container:
        codec = "pcm_s16le" if name == "a.wav" else "flac"
        stream = container.add_stream(codec, rate=rate, layout=layout)
        data = np.repeat((tone * 32767).astype(np.int16)[:, None], len(stream.layout.channels), 1)
        for at in range(0, len(data), 1152):
            block = np.ascontiguousarray(data[at : at + 1152].reshape(1, -1))
            frame = av.AudioFrame.from_ndarray(block, format="s16", layout=layout)
            frame.sample_rate, frame.pts = rate, at
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    samples = extract(Sound(Video(path)))
    assert len(samples) == pytest.approx(3 * RATE, abs=64)
    assert pitch(samples[RATE : 2 * RATE]) == pytest.approx(440, abs=1)
    assert np.abs(samples[RATE : 2 * RATE]).max() == pytest.approx(0.5, abs=0.02)
    cut = extract(Sound(Video(path), 1.5, 2.5))
    assert len(cut) == RATE
    assert pitch(cut) == pytest.approx(440, abs=1)


def late_pictures(path: Path, wait: float) -> Path:
    """Write a file whose sound begins at once and whose pictures begin after `wait` seconds."""
    from fractions import Fraction

    with av.open(str(path), "w") as container:
        video = container.add_stream("libx264", rate=10)
        video.width, video.height, video.pix_fmt = 160, 96, "yuv420p"
        audio = container.add_stream("flac", rate=RATE, layout="mono")
        data = (clicks(6) * 32767).astype(np.int16)[None]
        for at in range(0, data.shape[1], 1600):
            block = np.ascontiguousarray(data[:, at : at + 1600])
            frame = av.AudioFrame.from_ndarray(block, format="s16", layout="mono")
            frame.sample_rate, frame.pts = RATE, at
            container.mux(audio.encode(frame))
        for i in range(30):
            image = av.VideoFrame.from_ndarray(picture(i), format="rgb24")
            image.pts, image.time_base = i + round(wait * 10), Fraction(1, 10)
            container.mux(video.encode(image))
        container.mux(video.encode(None))
        container.mux(audio.encode(None))
    return path


def test_zero_is_the_first_picture_for_sound_too(tmp_path: Path) -> None:
    video = Video(late_pictures(tmp_path / "a.mkv", 2.0))
    # The burst of second 2 is heard when the first picture is seen.
    assert pitch(extract(Sound(video, 0, 0.1))) == pytest.approx(500, abs=12)
    assert pitch(extract(Sound(video, 2, 2.1))) == pytest.approx(700, abs=12)
    assert len(extract(Sound(video))) == pytest.approx(4 * RATE, abs=1024)


def test_silence_where_the_track_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    write_video(path, (picture(i) for i in range(60)), 10, audio=clicks(2))
    samples = extract(Sound(Video(path), 1, 6))
    assert len(samples) == 5 * RATE
    assert np.abs(samples[: RATE // 10]).max() > 0.3
    assert not samples[round(1.2 * RATE) :].any()


def test_sound_that_outlasts_the_pictures(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    write_video(path, (picture(i) for i in range(10)), 10, audio=clicks(4))
    assert onsets(extract(Sound(Video(path)))) == pytest.approx(range(4), abs=0.01)
    assert len(extract(Sound(Video(path), 3, 4))) == RATE


def test_what_is_not_there(tmp_path: Path, talk: Video) -> None:
    silent = Film(frames=10, options=X264).make(tmp_path / "silent.mp4")
    with pytest.raises(NoSoundError, match=r"silent\.mp4: no sound track"):
        extract(Sound(Video(silent)))
    html = tmp_path / "x.mp4"
    html.write_text("<html>" * 300)
    with pytest.raises(NotVideoError):
        extract(Sound(Video(html)))
    for sound in (
        Sound(talk, 20, 21),
        Sound(talk, 2, 99),
        Sound(talk, -1, 2),
        Sound(talk, 3, 2),
        Sound(talk, float("nan")),
    ):
        with pytest.raises(TimeOutsideError):
            extract(sound)


def test_a_damaged_block_is_a_gap_and_moves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("flac", rate=RATE, layout="mono")
        data = (clicks(5) * 32767).astype(np.int16)[None]
        for at in range(0, data.shape[1], 1600):
            block = np.ascontiguousarray(data[:, at : at + 1600])
            frame = av.AudioFrame.from_ndarray(block, format="s16", layout="mono")
            frame.sample_rate, frame.pts = RATE, at
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    whole = path.read_bytes()
    middle = len(whole) // 2
    path.write_bytes(whole[:middle] + b"\xff" * 60 + whole[middle + 60 :])
    heard = onsets(extract(Sound(Video(path))))
    assert len(heard) >= 3
    assert all(abs(t - round(t)) < 0.02 for t in heard)


def test_wav_files(tmp_path: Path) -> None:
    samples = np.array([0, 0.5, -0.5, 1, -1, 2, -2], np.float32)
    write_wav(tmp_path / "a.wav", samples)
    stream = BytesIO()
    write_wav(stream, samples)
    assert stream.getvalue() == (tmp_path / "a.wav").read_bytes()
    with wave.open(str(tmp_path / "a.wav")) as file:
        assert (file.getnchannels(), file.getframerate(), file.getsampwidth()) == (1, RATE, 2)
        whole = np.frombuffer(file.readframes(100), "<i2")
    assert whole.tolist() == [0, 16384, -16384, 32767, -32767, 32767, -32767]
