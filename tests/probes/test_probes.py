"""What each probe shows, and that none of them sees more than it may."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vidence.answer import Answer
from vidence.check import PROBES, Check, fold_all, make_check, parse_check, parse_checks
from vidence.errors import NotApplicableError, UnknownNameError, UsageError
from vidence.media.clip import Centre, Clip, Edit, Fps, Shuffled, Sound, Video
from vidence.seeds import rng_of, seed_of
from vidence.view import Context, Evidence, Option, Rendering, Text, View

OPTIONS = tuple(Option(key, text) for key, text in enumerate(["cat", "dog", "bird", "fish"]))


@pytest.fixture
def view(tmp_path: Path) -> View:
    path = tmp_path / "v.mp4"
    path.write_bytes(b"not decoded here")
    return View("Which animal?", OPTIONS, (("video", Clip(Video(path), start=2.0, end=10.0)),))


def context(name: str = "x") -> Context:
    return Context("case-1", rng_of("test", name), seed_of("test", name), duration=lambda _: 12.0)


def test_every_panel_check_of_the_paper_is_here_with_its_parameters() -> None:
    counted = {name: dict(p.defaults) for name, p in PROBES.items() if p.counts}
    assert counted == {
        "blind": {},
        "audio": {},
        "summary": {"segments": 8},
        "center_frame": {},
        "frame_shuffle": {"fps": 1.0, "frames": 128},
        "bag_of_frames": {"fps": 1.0, "frames": 2048},
    }
    assert [name for name, p in PROBES.items() if p.panel == "encoder"] == ["bag_of_frames"]


@pytest.mark.parametrize("name", sorted(PROBES))
def test_every_probe_is_pure_described_and_keeps_the_question(name: str, view: View) -> None:
    check = make_check(name)
    looked = Evidence("a cat", view.clip(), "What is there?")
    agent = view.with_parts(("dialogue", Text("I look: ")), ("dialogue", looked))
    path = view.clip().video.path.with_name("w.mp4")
    path.write_bytes(b"another")
    peer = Clip(Video(path))

    def about() -> Context:
        return replace(context(), spans=((3.0, 4.0),), peer=lambda: peer)

    assert PROBES.describe(name).endswith(".")
    applied = 0
    for asked in (view, agent):
        try:
            first, again = check.views(asked, about()), check.views(asked, about())
        except NotApplicableError:
            continue
        applied += 1
        assert [v.key() for v in first] == [v.key() for v in again]
        for shown in first:
            assert shown.question == view.question
            assert sorted(shown.options, key=lambda o: o.key) == list(view.options)
    assert applied, "a probe that applies to neither is not tested here"


def test_blind_shows_no_part(view: View) -> None:
    (shown,) = make_check("blind").views(view, context())
    assert shown.parts == ()


def test_audio_asks_the_transcriber_for_the_shown_window(view: View) -> None:
    (shown,) = make_check("audio").views(view, context())
    ((role, part),) = shown.parts
    assert role == "transcript"
    assert isinstance(part, Rendering)
    assert part.role == "transcriber"
    assert part.source == Sound(view.clip().video, 2.0, 10.0)


def test_summary_captions_the_middles_of_equal_parts(view: View) -> None:
    (shown,) = make_check("summary", {"segments": 4}).views(view, context())
    sources = [part.source for _, part in shown.parts if isinstance(part, Rendering)]
    middles = [s.sampling.times(s.start, s.end)[0] for s in sources if isinstance(s, Clip)]
    assert middles == [3.0, 5.0, 7.0, 9.0]
    assert {role for role, _ in shown.parts} == {"captions"}


def test_summary_asks_for_the_duration_only_where_the_clip_is_open_ended(view: View) -> None:
    whole = view.with_parts(("video", Clip(view.clip().video)))
    (shown,) = make_check("summary").views(whole, context())
    last = shown.parts[-1][1]
    assert isinstance(last, Rendering)
    assert isinstance(last.source, Clip)
    assert (last.source.start, last.source.end) == (10.5, 12.0)


@pytest.mark.parametrize("window", [(2.0, 10.0), (0.0, 7.0)])
def test_center_frame_is_half_way(view: View, window: tuple[float, float]) -> None:
    clip = Clip(view.clip().video, *window)
    (shown,) = make_check("center_frame").views(view.with_parts(("video", clip)), context())
    assert isinstance(shown.clip().sampling, Centre)
    assert shown.clip().sampling.times(*window) == ((window[0] + window[1]) / 2,)


def test_shuffle_differs_from_intact_in_the_order_alone(view: View) -> None:
    (plain,) = make_check("intact").views(view, context())
    (mixed,) = make_check("frame_shuffle").views(view, context())
    assert mixed.clip() == Clip(
        view.clip().video, 2.0, 10.0, Fps(1.0, 128), Shuffled(context().seed)
    )
    assert plain.clip().sampling == mixed.clip().sampling


def test_the_other_clip_probes_change_what_their_name_says(view: View) -> None:
    shown = {
        name: make_check(name).views(view, context())[0].clip()
        for name in ("reversed", "frozen_frame", "blank_video")
    }
    assert shown["reversed"].order == "reversed"
    assert shown["frozen_frame"].edits == (Edit("freeze"),)
    assert shown["blank_video"].edits == (Edit("blank"),)


@given(st.integers(2, 12), st.text(max_size=5))
def test_shuffled_options_really_move_and_keep_their_keys(count: int, seed: str) -> None:
    options = tuple(Option(i, f"text {i}") for i in range(count))
    (shown,) = make_check("shuffled_options", {"of": "blind"}).views(
        View("q", options), context(seed)
    )
    assert shown.options != options
    assert {o.key: o.text for o in shown.options} == {o.key: o.text for o in options}


def test_rotations_put_every_option_at_every_letter(view: View) -> None:
    shown = make_check("rotated_options").views(view, context())
    columns = list(zip(*[[o.key for o in v.options] for v in shown], strict=True))
    assert all(sorted(column) == [0, 1, 2, 3] for column in columns)
    assert all(v.clip().sampling == Fps(1.0, 128) for v in shown)


def test_one_option_cannot_be_moved(view: View) -> None:
    single = view.with_options(OPTIONS[:1])
    for name in ("rotated_options", "shuffled_options"):
        with pytest.raises(NotApplicableError, match="1 options"):
            make_check(name).views(single, context())


def test_a_probe_without_a_clip_says_so() -> None:
    bare = View("q", OPTIONS, (("dialogue", Text("hello")),))
    with pytest.raises(NotApplicableError, match="needs one clip, the view has 0"):
        make_check("audio").views(bare, context())


@pytest.mark.parametrize(
    ("answers", "status", "value"),
    [
        ([Answer("ok", 2), Answer("ok", 2)], "ok", 2),
        ([Answer("ok", 2), Answer("ok", 1)], "ok", None),
        ([Answer("ok", 2), Answer("failed")], "failed", None),
        ([Answer("ok", 2), Answer("failed"), Answer("ok", 1)], "ok", None),
        ([Answer("failed"), Answer("refused")], "refused", None),
        ([Answer("unparsed"), Answer("failed")], "unparsed", None),
    ],
)
def test_all_views_must_agree(answers: list[Answer], status: str, value: int | None) -> None:
    folded = fold_all(answers)
    assert (folded.status, folded.value) == (status, value)


def test_labels_name_what_differs_from_the_defaults() -> None:
    assert parse_check("frame_shuffle:frames=64").label == "frame_shuffle:frames=64"
    assert parse_check("frame_shuffle:frames=128").label == "frame_shuffle"
    assert parse_check("frame_shuffle:fps=2, frames=8").label == "frame_shuffle:fps=2.0,frames=8"
    assert parse_check("rotated_options:of=blind").counts
    assert not parse_check("rotated_options").counts
    assert parse_check("rotated_options:of=bag_of_frames").panel == "encoder"


def test_a_list_of_checks_reads_back() -> None:
    checks = parse_checks("blind,frame_shuffle:frames=64,fps=2,reversed")
    assert checks == (
        Check("blind"),
        Check("frame_shuffle", (("fps", 2.0), ("frames", 64))),
        Check("reversed"),
    )
    assert parse_checks(",".join(c.label for c in checks)) == checks


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            "blnd",
            UnknownNameError,
            "Unknown probe 'blnd'. Did you mean 'blind'? See: vidence list probes.",
        ),
        ("summary:segmnts=4", UnknownNameError, "Did you mean 'segments'"),
        ("summary:segments", UsageError, "parameters are key=value"),
        ("summary:segments=some", UsageError, "a whole number is allowed"),
        ("summary:segments=2.5", UsageError, "a whole number is allowed"),
        ("blind,blind", UsageError, "came twice"),
        (
            "frame_shuffle:fps=2,fps=3",
            UsageError,
            "'fps' came twice in 'frame_shuffle:fps=2,fps=3'",
        ),
        ("frame_shuffle:fps=0", UsageError, "frame_shuffle:fps=0.0: fps = 0.0 came"),
        ("reversed:fps=nan", UsageError, "a positive number is needed"),
        ("intact:frames=0", UsageError, "intact:frames=0: cap = 0 came; at least 1"),
        ("summary:segments=0", UsageError, "0 segments came; 1 to 1000 are allowed"),
        ("summary:segments=1e9", UsageError, "1000000000 segments came"),
        ("rotated_options:of=blnd", UnknownNameError, "Did you mean 'blind'"),
        ("rotated_options:of=rotated_options", UsageError, "shows 4 views, 1 is needed"),
        ("shuffled_options:of=rotated_options", UsageError, "shows 4 views where 1 is folded"),
    ],
)
def test_bad_checks_say_what_is_allowed(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        parse_checks(text)
    assert message in str(caught.value)
