"""What holds for everything that can be named; a new member is under test by existing."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vidence.answer import ANSWERERS, Answerer
from vidence.benchmark import BENCHMARKS
from vidence.check import PROBES, make_check, parse_check
from vidence.errors import CaseError, NotApplicableError
from vidence.media.clip import Clip, Video
from vidence.panel import load_panel
from vidence.prompt import render
from vidence.seeds import rng_of, seed_of
from vidence.view import Context, Evidence, Option, Rendering, Text, View
from vidence.worlds import WORLDS

SETTINGS: dict[str, dict[str, object]] = {
    "openai": {"model": "m", "base_url": "http://127.0.0.1:1/v1"},
    "recorded": {"path": "replies.jsonl"},
    "transcript_files": {"folder": "."},
    "bag_of_frames": {"encoder": {"kind": "world_encoder", "variant": 1}},
    "world_encoder": {"variant": 1},
}
"""The least that a panel file must say of a kind; nothing for a kind without needed settings."""
ASKED = sorted(name for name in ANSWERERS if name != "world_encoder")


def members(kind: str, folder: Path) -> Answerer:
    """Build an answerer as a panel file does."""
    (folder / "replies.jsonl").write_text('{"question": "q", "text": "A"}\n')
    table = {"kind": kind, **SETTINGS.get(kind, {})}
    for name in ("path", "folder"):
        if name in table:
            table[name] = str(folder / str(table[name]))
    return load_panel({"answerers": {"x": table}}).answerers["x"]


def view(video: Path, options: int = 3) -> View:
    shown = tuple(Option(i, f"text {i}") for i in range(options))
    return View("Which?", shown, (("video", Clip(Video(video), 0.0, 4.0)),))


@pytest.mark.parametrize("kind", ASKED)
def test_an_answerer_prepares_without_decoding_and_the_same_every_time(
    kind: str, tmp_path: Path
) -> None:
    answerer = members(kind, tmp_path)
    assert isinstance(answerer, Answerer)
    (tmp_path / "film.mp4").write_bytes(b"no film: opening it would fail")
    shown = view(tmp_path / "film.mp4")
    prompt = answerer.prepare(shown)
    assert prompt.key() == answerer.prepare(shown).key()
    assert prompt.options == ("text 0", "text 1", "text 2")
    assert prompt.question == "Which?"


@pytest.mark.parametrize("kind", ASKED)
def test_an_identity_is_plain_and_repeats(kind: str, tmp_path: Path) -> None:
    one, two = members(kind, tmp_path), members(kind, tmp_path)
    assert json.loads(json.dumps(dict(one.identity))) == dict(two.identity)
    assert one.panel in ("model", "encoder")
    assert one.batch >= 1
    assert one.concurrency >= 1


@pytest.mark.parametrize("name", sorted(PROBES))
def test_a_label_reads_back(name: str) -> None:
    assert parse_check(make_check(name).label) == make_check(name)
    for key, value in PROBES[name].defaults.items():
        if isinstance(value, int | float):
            changed = make_check(name, {key: value + 1})
            assert parse_check(changed.label) == changed != make_check(name)


@settings(max_examples=25)
@given(options=st.integers(0, 12), seed=st.text(max_size=4), start=st.floats(0, 100))
@pytest.mark.parametrize("name", sorted(PROBES))
def test_a_probe_makes_views_that_can_be_asked_or_says_why_not(
    name: str, options: int, seed: str, start: float
) -> None:
    shown = view(Path(__file__), options)
    window = shown.map_clips(lambda clip: Clip(clip.video, start, start + 3.5))
    context = Context("c", rng_of(seed), seed_of(seed), duration=lambda clip: 1000.0)
    try:
        views = make_check(name).views(window, context)
    except NotApplicableError as error:
        views, reason = (), str(error)
    else:
        reason = ""
    assert bool(views) != bool(reason)
    for one in views:
        texts = {r.key(): Text("words") for r in one.renderings()}
        prompt = render(one.resolve(texts))
        assert len(prompt.options) == options
        assert sorted(o.key for o in one.options) == list(range(options))


@pytest.mark.parametrize("name", sorted(PROBES))
def test_a_maker_never_sees_the_question(name: str) -> None:
    film = Clip(Video(Path(__file__)), 0.0, 4.0)
    context = Context(
        "c", rng_of(name), seed_of(name), ((1.0, 2.0),), lambda clip: 8.0, peer=lambda: film
    )
    secret = view(Path(__file__)).with_options((Option(0, "SECRET"), Option(1, "other")))
    looked = Evidence("SECRET, it said", film, "What is there?")
    agent = secret.with_parts(("dialogue", Text("SECRET")), ("dialogue", looked))
    applied = 0
    for asked in (secret, agent):
        try:
            views = make_check(name).views(asked, context)
        except NotApplicableError:
            continue
        applied += 1
        for shown in views:
            for _, part in shown.parts:
                if isinstance(part, Rendering):
                    words = render(part.view()).text()
                    assert "SECRET" not in words
                    assert "Which?" not in words
    assert applied, "a probe that applies to neither is not tested here"


@pytest.mark.parametrize("name", sorted(BENCHMARKS))
def test_a_loader_names_what_it_cannot_read(name: str, tmp_path: Path) -> None:
    empty = tmp_path / "empty.file"
    empty.touch()
    for path in (tmp_path / "missing.file", empty):
        with pytest.raises(CaseError, match=path.name):
            BENCHMARKS[name](path, None)


@pytest.mark.parametrize("name", sorted(WORLDS))
def test_a_world_is_named_by_its_seed(name: str) -> None:
    parameters = inspect.signature(WORLDS[name]).parameters
    assert parameters["seed"].default is inspect.Parameter.empty
