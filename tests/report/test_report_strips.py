"""Film strips from real video: few, small, in the order shown."""

from __future__ import annotations

import base64
import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from vidence.media.clip import Clip, Edit, Shuffled, Sound, Uniform, Video
from vidence.media.pixels import FrameCache
from vidence.media.write import write_video
from vidence.report.strips import FRAMES, SIZE, even, strip
from vidence.report.untrusted import image
from vidence.view import Text, View

SECONDS, RATE = 8, 4


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    """Write a film whose grey level is 30 + 6 for each frame."""
    path = tmp_path_factory.mktemp("film") / "grey.mp4"
    levels = (30 + 6 * i for i in range(SECONDS * RATE))
    write_video(path, (np.full((120, 320, 3), level, np.uint8) for level in levels), RATE)
    return Video(path)


def view(*parts):
    return View(question="?", parts=parts)


def level(frame):
    picture = Image.open(io.BytesIO(base64.b64decode(frame["src"].split(",")[1])))
    assert max(picture.size) == SIZE
    return (np.asarray(picture.convert("L")).mean() - 30) / 6


def test_frames_are_few_small_and_in_time(video):
    shown = strip([view(("video", Clip(video, sampling=Uniform(32))))], FrameCache())
    assert len(shown["frames"]) == FRAMES
    assert shown["notes"][0] == "8 of 32 frames"
    times = [frame["t"] for frame in shown["frames"]]
    assert times == sorted(times)
    for frame in shown["frames"]:
        assert image(frame["src"]) is not None
        assert level(frame) == pytest.approx(frame["t"] * RATE, abs=0.7)
    assert shown["text"] is None


def test_shuffled_frames_stand_in_the_order_shown(video):
    clip = Clip(video, sampling=Uniform(6), order=Shuffled(3))
    shown = strip([view(("video", clip))], FrameCache())
    order = Shuffled(3).permutation(6)
    plain = strip([view(("video", replace(clip, order="forward")))], FrameCache())
    assert shown["frames"] == [plain["frames"][i] for i in order]
    assert "shuffled; in the order shown" in shown["notes"]


def test_words_and_edits_and_sound_are_told(video):
    clip = Clip(video, sampling=Uniform(2), edits=(Edit.of("identity"),))
    parts = (
        ("video", clip),
        ("transcript", Text("a door opens")),
        ("captions", Text("one\n\ntwo")),
        ("sound", Sound(video, 1.0, None)),
    )
    shown = strip([view(*parts)], FrameCache())
    assert shown["text"] == "a door opens\n\none\n\ntwo"
    assert "transcript, 12 characters" in shown["notes"]
    assert "edited: identity" in shown["notes"]
    assert "sound from 1.0 s to the end" in shown["notes"]


def test_views_that_share_a_clip_show_it_once(video):
    clip = Clip(video, sampling=Uniform(4))
    one = strip([view(("video", clip))], FrameCache())
    four = strip([view(("video", clip))] * 4, FrameCache())
    assert four["frames"] == one["frames"]
    assert "asked 4 times, each with another view" in four["notes"]


def test_a_video_that_cannot_be_read_is_a_note(tmp_path):
    (tmp_path / "broken.mp4").write_bytes(b"not a film")
    clips = [Clip(Video(tmp_path / name)) for name in ("broken.mp4", "gone.mp4")]
    for clip in clips:
        shown = strip([view(("video", clip))], FrameCache())
        assert shown["frames"] == []
        assert clip.video.path.name in shown["notes"][0]


def test_a_view_without_parts_is_empty():
    assert strip([view()], FrameCache()) == {"frames": [], "text": None, "notes": []}


@pytest.mark.parametrize(
    ("count", "most"), [(1, 8), (8, 8), (9, 8), (32, 8), (128, 8), (5, 1), (0, 8)]
)
def test_places_are_even_and_hold_the_ends(count, most):
    places = even(count, most)
    assert len(places) == min(count, most)
    assert places == sorted(set(places))
    if count and most > 1:
        assert (places[0], places[-1]) == (0, count - 1)
    gaps = np.diff(places)
    assert len(gaps) == 0 or gaps.max() - gaps.min() <= 1
