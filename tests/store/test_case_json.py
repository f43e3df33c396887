"""Cases and recipes survive the way to JSON and back."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from vidence.case_json import canonical, case_from_json, case_to_json, recipe_from_json
from vidence.case_json import recipe_to_json as to_json
from vidence.errors import StoreError
from vidence.media import clip as recipes
from vidence.media.clip import At, Centre, Clip, Codec, Edit, Fps, Shuffled, Sound, Uniform, Video
from vidence.view import Case, Option, Rendering, Text, View

VIDEO = Video(Path("/videos/a b.mp4"), fps=3.0)
EXAMPLES = [
    VIDEO,
    Video(Path("/v.mp4")),
    Uniform(8),
    Fps(2.0, 64),
    Centre(),
    At((0.5, 2.25)),
    Shuffled(2**63 - 1),
    Edit("phase", (("seed", 2**62), ("share", 0.5), ("mode", "shared"))),
    Codec("png"),
    Clip(VIDEO, 1.0, 9.5, At((2.0,)), Shuffled(7), 448, (Edit("blank"), Edit("phase")), Codec()),
    Sound(VIDEO, None, 3.0),
    Text("words \u2603", "a file"),
    Rendering(Clip(VIDEO), "captioner", "Describe.", 2),
]


@pytest.mark.parametrize("recipe", EXAMPLES, ids=lambda r: type(r).__name__)
def test_a_recipe_comes_back_equal(recipe: object) -> None:
    assert recipe_from_json(json.loads(canonical(to_json(recipe)))) == recipe


def test_every_recipe_of_the_media_module_is_among_the_examples() -> None:
    """A new recipe must be shown to survive; the list above is not to fall behind."""
    kinds = {
        value
        for value in vars(recipes).values()
        if isinstance(value, type)
        and dataclasses.is_dataclass(value)
        and value.__module__ == recipes.__name__
    }
    assert kinds <= {type(recipe) for recipe in EXAMPLES}


def test_a_recipe_is_written_with_its_defaults() -> None:
    """A default that changes later must not change what an old run showed."""
    assert to_json(Fps()) == {"is": "Fps", "fps": 1.0, "cap": 128}


def test_relative_paths_become_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert recipe_from_json(to_json(Video(Path("x.mp4")))).path == tmp_path / "x.mp4"


CASE = Case(
    id="q/1",
    view=View(
        "What\u2028 now? \ud800",
        (Option(3, "None"), Option(0, "nan"), Option(1, "")),
        (("video", Clip(VIDEO, 0.0, 4.0)), ("dialogue", Text("hi")), ("s", Sound(VIDEO))),
    ),
    gold=3,
    committed="free text",
    cluster="a b.mp4",
    spans=((0.5, 2.0),),
    tags={"kind": "all"},
    row={"id": 1, "nested": {"is": "Clip", "a": [1, None, 2.5, True]}, "": "x"},
)


@pytest.mark.parametrize(
    "case", [CASE, dataclasses.replace(CASE, gold=None, committed=2.5), Case("x", View("?"))]
)
def test_a_case_comes_back_equal(case: Case) -> None:
    back = case_from_json(json.loads(canonical(case_to_json(case))))
    assert back == case


def test_what_cannot_be_stored_is_named() -> None:
    with pytest.raises(StoreError, match="set"):
        to_json({1, 2})


def test_a_recipe_of_another_version_is_refused() -> None:
    with pytest.raises(StoreError, match="'Wavelet' is unknown here"):
        recipe_from_json({"is": "Wavelet", "n": 1})
    with pytest.raises(StoreError, match="'Fps' has other fields here"):
        recipe_from_json({"is": "Fps", "rate": 1})
    with pytest.raises(StoreError, match="unknown"):
        recipe_from_json({"is": "Any"})  # a name of the module that is no recipe


def test_a_case_of_another_version_or_damaged_is_refused() -> None:
    with pytest.raises(StoreError, match="the form 99; 1 is read here"):
        case_from_json({**case_to_json(CASE), "version": 99})
    body = case_to_json(CASE)
    del body["gold"]
    with pytest.raises(StoreError, match="lacks the field 'gold'"):
        case_from_json(body)
