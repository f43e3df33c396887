"""Views hash what an answerer could see, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from vidence.errors import MediaError, UsageError
from vidence.media.clip import Clip, Edit, Fps, Shuffled, Sound, Video
from vidence.prompt import render
from vidence.view import Case, Option, Rendering, Text, View

OPTIONS = tuple(Option(key, text) for key, text in enumerate(["cat", "dog", "bird"]))
GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def clip(tmp_path: Path) -> Clip:
    path = tmp_path / "v.mp4"
    path.write_bytes(b"some bytes")
    return Clip(Video(path))


def test_a_clip_is_named_by_its_bytes_and_not_by_its_file_name(clip: Clip, tmp_path: Path) -> None:
    copy = tmp_path / "other.mp4"
    copy.write_bytes(b"some bytes")
    assert replace(clip, video=Video(copy)).key() == clip.key()
    copy.write_bytes(b"other bytes!")
    assert replace(clip, video=Video(copy)).key() != clip.key()


def test_every_field_of_a_clip_is_in_its_key(clip: Clip) -> None:
    others = [
        replace(clip, start=1.0),
        replace(clip, end=2.0),
        replace(clip, sampling=Fps(2.0)),
        replace(clip, order="reversed"),
        replace(clip, order=Shuffled(1)),
        replace(clip, order=Shuffled(2)),
        replace(clip, edits=(Edit("blank"),)),
        replace(clip, edits=(Edit("phase", (("seed", 1),)),)),
        clip.bind(size=64),
        replace(clip, codec=replace(clip.codec, quality=50)),
    ]
    assert len({c.key() for c in (clip, *others)}) == len(others) + 1


def test_a_missing_video_has_no_name_and_says_which_it_is(tmp_path: Path) -> None:
    with pytest.raises(MediaError, match=r"gone\.mp4"):
        Clip(Video(tmp_path / "gone.mp4")).key()


def test_the_key_of_a_view_covers_what_is_seen(clip: Clip) -> None:
    view = View("q", OPTIONS, (("video", clip),))
    others = [
        replace(view, question="r"),
        view.with_options(OPTIONS[::-1]),
        view.with_options((*OPTIONS[:2], Option(2, "fish"))),
        view.with_parts(),
        view.with_parts(("video", clip), ("transcript", Text("hello"))),
        view.with_parts(("sound", Sound(clip.video))),
    ]
    assert len({v.key() for v in (view, *others)}) == len(others) + 1
    assert (
        view.with_parts(("t", Text("a", "here"))).key()
        == view.with_parts(("t", Text("a", "there"))).key()
    )


def test_draws_of_one_rendering_are_apart(clip: Clip) -> None:
    draws = {Rendering(clip, "captioner", "Describe.", draw).key() for draw in range(3)}
    assert len(draws) == 3


def test_a_rendering_must_become_text_before_a_prompt(clip: Clip) -> None:
    rendering = Rendering(clip, "captioner", "Describe.")
    view = View("q", OPTIONS, (("captions", rendering),))
    with pytest.raises(UsageError, match="captioner rendering came unresolved"):
        render(view)
    prompt = render(view.resolve({rendering.key(): Text("a red ball")}))
    assert prompt.pieces == (
        "Descriptions of parts of the video:\na red ball\n\n"
        "q\nA. cat\nB. dog\nC. bird\nAnswer with the letter of the best option only.",
    )


def test_letters_follow_the_order_shown() -> None:
    prompt = render(View("q", OPTIONS[::-1]))
    assert "A. bird\nB. dog\nC. cat" in prompt.text()
    assert prompt.options == ("bird", "dog", "cat")
    with pytest.raises(UsageError, match="27 options came, 26 letters exist"):
        render(View("q", tuple(Option(i, str(i)) for i in range(27))))


def test_a_prompt_names_no_transcript_that_is_not_there(clip: Clip) -> None:
    assert "ranscript" not in render(View("q", OPTIONS, (("video", clip),))).text()


def test_the_size_is_bound_once(clip: Clip) -> None:
    (bound,) = render(View("q", OPTIONS, (("video", clip),)), size=448).clips()
    assert bound.size == 448
    (kept,) = render(View("q", OPTIONS, (("video", clip.bind(size=64)),)), size=448).clips()
    assert kept.size == 64


def test_prompts_are_as_they_were(clip: Clip) -> None:
    """The golden prompts: a change is a change of every result and goes in a commit of its own."""
    video, sound = ("video", clip), ("sound", Sound(clip.video))
    captions = tuple(("captions", Text(f"caption {i}")) for i in (1, 2, 3))
    views = {
        "intact": View("What is it?", OPTIONS, (video,)),
        "blind": View("What is it?", OPTIONS),
        "audio": View("What is it?", OPTIONS, (("transcript", Text("somebody speaks")),)),
        "summary": View("What is it?", OPTIONS, captions),
        "caption": View("Describe this frame.", (), (video,)),
        "transcribe": View("Transcribe the speech.", (), (sound,)),
        "dialogue": View(
            "What is it?", OPTIONS, (("dialogue", Text("I looked.")), video, *captions)
        ),
    }
    shown = "".join(f"=== {name}\n{render(view).text()}\n" for name, view in views.items())
    assert shown == (GOLDEN / "prompts.txt").read_text(encoding="utf-8")


def test_the_key_stands_apart_from_the_view() -> None:
    case = Case("c", View("q", OPTIONS[::-1]), gold=0, committed=2)
    assert case.gold_position() == 2
    assert Case("c", View("q", OPTIONS), gold=None).gold_position() is None
    assert "gold" not in set(View.__dataclass_fields__)
