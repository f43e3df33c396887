"""Transcripts at hand as a maker of renderings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest

from vidence.answer import MEDIA, Reply, Request
from vidence.answerers.transcript_files import TranscriptFiles
from vidence.errors import PanelError
from vidence.media.clip import Sound, Video
from vidence.media.pixels import FrameCache
from vidence.view import View

SRT = """1
00:00:01,000 --> 00:00:03,000
first words

2
00:00:05,000 --> 00:00:07,000
last words
"""


def ask(
    folder: Path, name: str, *windows: tuple[float | None, float | None], keep_noise: bool = False
) -> list[Reply]:
    files = TranscriptFiles(name="files", folder=folder, keep_noise=keep_noise)
    requests = []
    for start, end in windows or ((None, None),):
        sound = Sound(Video(folder / name), start, end)
        (folder / name).write_bytes(b"any bytes")
        view = View("Transcribe the speech.", (), (("sound", sound),))
        requests.append(Request(files.prepare(view), 1))
    return files.ask(requests, cast("FrameCache", None))


def test_a_window_gets_its_words(tmp_path: Path) -> None:
    (tmp_path / "v.srt").write_text(SRT)
    whole, first, last, none = ask(
        tmp_path, "v.mp4", (None, None), (0.0, 4.0), (4.0, None), (3.5, 4.5)
    )
    assert whole.text == "first words last words"
    assert (first.text, last.text) == ("first words", "last words")
    assert (none.status, none.error) == ("absent", "no text")
    assert whole.notes == ("v.srt",)


def test_whispers_json_is_read(tmp_path: Path) -> None:
    data = {
        "transcript": "hello there",
        "timestamps": [{"timestamp": [0, 2], "text": "hello there"}],
    }
    (tmp_path / "v.json").write_text(json.dumps(data))
    (reply,) = ask(tmp_path, "v.mp4")
    assert reply.text == "hello there"


def test_a_video_without_a_file_has_nothing(tmp_path: Path) -> None:
    (tmp_path / "w.srt").write_text(SRT)
    (reply,) = ask(tmp_path, "v.mp4")
    assert (reply.status, reply.text) == ("absent", "")
    assert reply.error == "no transcript of v.mp4"


NOISE_ONLY = "1\n00:00:00,000 --> 00:00:09,000\n{}\n\n2\n00:00:20,000 --> 00:00:29,000\n{}\n"


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Thank you for watching!", "Please subscribe to my channel."),
        ("we are all going home " * 30, "we are all going home " * 30),
    ],
    ids=["thanks", "a loop"],
)
def test_words_that_are_noise_or_a_loop_are_shown_only_where_that_is_asked_for(
    tmp_path: Path, first: str, then: str
) -> None:
    (tmp_path / "v.srt").write_text(NOISE_ONLY.format(first, then))
    (reply,) = ask(tmp_path, "v.mp4")
    assert (reply.status, reply.text, reply.error) == ("absent", "", "nothing but noise or loops")
    (reply,) = ask(tmp_path, "v.mp4", keep_noise=True)
    assert reply.text == " ".join(f"{first} {then}".split())


def test_a_window_of_noise_in_a_good_transcript_has_nothing(tmp_path: Path) -> None:
    talk = "the boat leaves the harbour in the early morning"
    (tmp_path / "v.srt").write_text(NOISE_ONLY.format(talk, "we are all going home " * 9))
    whole, noise, good = ask(tmp_path, "v.mp4", (None, None), (18.0, 30.0), (0.0, 10.0))
    assert whole.text.startswith(talk)
    assert noise.status == "absent"
    assert good.text == talk


def test_a_file_that_cannot_be_read_fails_as_that_videos_fault(tmp_path: Path) -> None:
    (tmp_path / "v.json").write_text("{")
    (reply,) = ask(tmp_path, "v.mp4")
    assert reply.status == "failed"
    assert reply.error.startswith(f"{MEDIA}v.json")


def test_a_view_without_sound_has_no_transcript(tmp_path: Path) -> None:
    files = TranscriptFiles(name="files", folder=tmp_path)
    (reply,) = files.ask([Request(files.prepare(View("?")), 1)], cast("FrameCache", None))
    assert reply.status == "absent"


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PanelError, match="is no folder"):
        TranscriptFiles(name="files", folder=tmp_path / "none")
