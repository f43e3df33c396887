"""Matched replays: what the conditions share, and the one thing in which they differ."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from vidence.cells import views_of
from vidence.check import make_check, parse_check
from vidence.errors import NotApplicableError, UsageError
from vidence.media.clip import Clip, Codec, Edit, Fps, Video
from vidence.prompt import render
from vidence.replay import RENDERER, WITHHELD
from vidence.view import Case, Evidence, Option, Rendering, Text, View

OPTIONS = (Option(0, "cat"), Option(1, "dog"))


@pytest.fixture
def film(tmp_path: Path) -> Video:
    path = tmp_path / "v.mp4"
    path.write_bytes(b"not decoded here")
    return Video(path)


def clip(film: Video, start: float) -> Clip:
    return Clip(film, start, start + 4, sampling=Fps(2.0, 8))


@pytest.fixture
def agent(film: Video) -> Case:
    """Two looks, the second of which cannot be rebuilt, and a third."""
    parts = (
        ("dialogue", Text("user: Which?\nassistant: I look at 0-4.\ntool: ")),
        ("dialogue", Evidence("a red cat", clip(film, 0), "What animal?", 0)),
        ("dialogue", Text(" and ")),
        ("dialogue", Evidence("subtitles say dog", None, "", 1)),
        ("dialogue", Evidence("a tail", clip(film, 6), "Which tail?", 2)),
        ("dialogue", Text(".\nassistant: So it is")),
    )
    view = View("Which animal?", OPTIONS, parts)
    return Case("q1", view, gold=0, committed=1, cluster="v", spans=((1.0, 2.0), (7.0, 8.0)))


@pytest.fixture
def plain(film: Video) -> Case:
    view = View("Which animal?", OPTIONS, (("video", Clip(film, 2.0, 10.0)),))
    return Case("q2", view, gold=0, cluster="v")


def shown(case: Case, check: str, repeat: int = 0, seed: int = 0) -> View:
    (view,) = views_of(case, parse_check(check), seed, repeat)
    return view


def clips(view: View) -> list[Clip]:
    found = [p.source if isinstance(p, Rendering) else p for _, p in view.parts]
    return [part for part in found if isinstance(part, Clip)]


@pytest.mark.parametrize("kind", ["agent", "plain"])
@pytest.mark.parametrize("edit", ["phase", "phase_reference", "blank", "noise", "mean_frame"])
def test_sham_and_destroy_differ_by_the_edit_alone(
    kind: str, edit: str, request: pytest.FixtureRequest
) -> None:
    case: Case = request.getfixturevalue(kind)
    sham, destroy = shown(case, "sham"), shown(case, f"destroy:edit={edit}")
    assert len(sham.parts) == len(destroy.parts)
    assert [role for role, _ in sham.parts] == [role for role, _ in destroy.parts]
    for a, b in zip(clips(sham), clips(destroy), strict=True):
        assert a.edits == (Edit("identity"),)
        assert [one.name for one in b.edits] == [edit]
        assert replace(a, edits=()) == replace(b, edits=())
        assert a.codec == b.codec == Codec("jpeg", 90, "4:2:0")
    words = [[p.text for _, p in v.parts if isinstance(p, Text)] for v in (sham, destroy)]
    assert words[0] == words[1]


def test_words_are_made_anew_by_the_renderer_with_the_agent_s_own_query(agent: Case) -> None:
    recipes = shown(agent, "sham").renderings()
    assert [r.role for r in recipes] == [RENDERER, RENDERER]
    assert [r.instruction for r in recipes] == ["What animal?", "Which tail?"]
    assert [r.source.start for r in recipes] == [0.0, 6.0]
    assert all(isinstance(r.source, Clip) and r.source.sampling == Fps(2.0, 8) for r in recipes)


@pytest.mark.parametrize("check", ["sham", "destroy"])
def test_draws_differ_by_run_condition_repeat_and_item_and_stay_when_more_are_asked(
    agent: Case, check: str
) -> None:
    names = [
        r.key()
        for seed in (0, 1)
        for repeat in range(10)
        for name in (check, {"sham": "destroy", "destroy": "sham"}[check])
        for r in shown(agent, name, repeat, seed).renderings()
    ]
    assert len(names) == len(set(names)) == 2 * 10 * 2 * 2
    again = [r.key() for repeat in range(3) for r in shown(agent, check, repeat).renderings()]
    ten = [r.key() for repeat in range(10) for r in shown(agent, check, repeat).renderings()]
    assert ten[: len(again)] == again


def test_every_draw_of_destroy_has_a_seed_of_its_own(agent: Case, plain: Case) -> None:
    for case in (agent, plain):
        seeds = [
            dict(one.edits[0].params)["seed"]
            for repeat in range(5)
            for one in clips(shown(case, "destroy", repeat))
        ]
        assert len(seeds) == len(set(seeds))


def test_self_replays_the_words_of_the_log_joined_as_they_were(agent: Case) -> None:
    log = (
        "user: Which?\nassistant: I look at 0-4.\ntool: a red cat and subtitles say dog"
        "a tail.\nassistant: So it is"
    )
    for check in ("self_replay",):
        assert render(shown(agent, check)).text().startswith(log + "\n\nWhich animal?")
    assert render(agent.view).text() == render(shown(agent, "self_replay")).text()
    assert render(agent.view).clips() == ()


def test_evidence_is_taken_away_whole_or_by_the_piece(agent: Case, plain: Case) -> None:
    gone = render(shown(agent, "no_evidence")).text()
    assert "cat and" not in gone
    assert "tail" not in gone
    assert gone.count(WITHHELD) == 3
    one = render(shown(agent, "without_item:item=2")).text()
    assert "a red cat" in one
    assert "a tail" not in one
    assert shown(plain, "no_evidence").parts == ()
    with pytest.raises(NotApplicableError, match="7"):
        shown(agent, "without_item:item=7")
    with pytest.raises(UsageError, match="count from 0"):
        shown(agent, "without_item:item=-1")


def test_gold_evidence_stands_where_the_first_look_was(agent: Case, plain: Case) -> None:
    view = shown(agent, "gold_evidence")
    assert [(c.start, c.end) for c in clips(view)] == [(1.0, 2.0), (7.0, 8.0)]
    assert {r.instruction for r in view.renderings()} == {"What animal?"}
    assert len({r.draw for r in view.renderings()}) == 2
    with pytest.raises(NotApplicableError, match="annotated"):
        shown(plain, "gold_evidence")


def test_what_cannot_be_replayed_says_so(agent: Case) -> None:
    words = replace(agent, view=agent.view.with_parts(("dialogue", Text("no look"))))
    lost = agent.view.with_parts(("dialogue", Evidence("subtitles", None, "")))
    for view, why in ((words.view, "nothing to replay"), (lost, "rebuilt")):
        with pytest.raises(NotApplicableError, match=why):
            shown(replace(agent, view=view), "destroy")
    with pytest.raises(UsageError, match="jpeg-90-420"):
        shown(agent, "sham:codec=webp")


def test_a_swap_takes_another_video_and_keeps_the_number_of_frames(
    plain: Case, film: Video
) -> None:
    from vidence.cells import Peers

    other = Case(
        "q9",
        View("?", OPTIONS, (("video", Clip(film.__class__(film.path.with_name("w.mp4")))),)),
        cluster="w",
    )
    peers = Peers([plain, other], [0, 0], 0)
    (view,) = views_of(plain, make_check("swapped_evidence"), 0, peers=peers)
    assert [c.video.path.name for c in clips(view)] == ["w.mp4"]
    assert clips(view)[0].sampling == Fps(1.0, 128)
    with pytest.raises(NotApplicableError):
        shown(plain, "swapped_evidence")
