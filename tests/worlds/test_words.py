"""Words and pixels: the grammar, the page, the eyes."""

from __future__ import annotations

import numpy as np
import pytest

from vidence.media.clip import Clip, Video
from vidence.prompt import render
from vidence.view import Option, Text, View
from vidence.worlds import eyes, facts, grammar, reason
from vidence.worlds.draw import background, mask, paint
from vidence.worlds.page import glimpse_of, read_page
from vidence.worlds.vocabulary import COLOURS, HEIGHT, PATTERNS, SHAPES, TONES, WIDTH


def picture(
    *things: tuple[str, str, int, float, float], tone: str = "dark", pattern: str = "plain"
) -> np.ndarray:
    """Paint (colour, shape, diameter, x, y) on a background with noise."""
    rng = np.random.default_rng(5)
    frame = background(tone, pattern, (WIDTH, HEIGHT), rng)
    for colour, shape, diameter, x, y in things:
        paint(frame, mask(shape, diameter), (x, y), np.array(COLOURS[colour], np.float32))
    return np.clip(frame + rng.normal(0, 4, frame.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("form", grammar.FORMS.values(), ids=lambda f: f.name)
def test_every_wording_is_understood_for_every_shape(form: grammar.Form) -> None:
    for wording in form.wordings:
        for shape in SHAPES:
            meaning = grammar.understand(wording.format(shape=shape))
            assert meaning is not None
            assert meaning.form == form.name
            assert meaning.shape == (shape if "{shape}" in wording else "")


def test_a_sentence_of_no_form_is_not_understood() -> None:
    assert grammar.understand("What is the meaning of the circle?") is None


def test_every_fact_is_recalled_from_its_own_question() -> None:
    for fact in facts.FACTS:
        assert facts.recall(fact.question) == fact
        assert fact.answer not in fact.others
        assert len(fact.others) >= 3


def test_a_page_is_read_from_the_rendered_prompt() -> None:
    view = View(
        "What colour is the ring?",
        (Option(0, "red"), Option(1, "blue")),
        (
            ("transcript", Text("Hello there. The ring is loud!")),
            ("captions", Text("A small red ring at the top left.")),
            ("captions", Text("An empty dark plain background.")),
        ),
    )
    page = read_page([p for p in render(view).pieces if isinstance(p, str)])
    assert page.question == "What colour is the ring?"
    assert page.options == ("red", "blue")
    assert page.speech == ("Hello there.", "The ring is loud!")
    assert page.captions == (
        "A small red ring at the top left.",
        "An empty dark plain background.",
    )


def test_a_page_with_frames_holds_no_words_of_them() -> None:
    view = View("Which?", (Option(0, "a"), Option(1, "b")), (("video", Clip(Video("x.mp4"))),))
    page = read_page([p for p in render(view).pieces if isinstance(p, str)])
    assert (page.question, page.options, page.speech, page.captions) == (
        "Which?",
        ("a", "b"),
        (),
        (),
    )


def test_a_caption_is_imagined() -> None:
    glimpse = glimpse_of("A large cyan star at the bottom left, on a light striped background.")
    (sight,) = glimpse.sights
    assert (sight.colour, sight.shape) == ("cyan", "star")
    assert (sight.x < 0.5, sight.y > 0.5) == (True, True)
    assert (glimpse.tone, glimpse.pattern) == ("light", "striped")


@pytest.mark.parametrize("shape", SHAPES)
def test_eyes_name_every_colour_of_every_shape(shape: str) -> None:
    for tone in TONES:
        for colour in COLOURS:
            glimpse = eyes.see(picture((colour, shape, 34, 60, 50), tone=tone))
            (sight,) = glimpse.sights
            assert (sight.colour, sight.shape) == (colour, shape)
            assert abs(sight.x - 60 / WIDTH) < 0.02
            assert abs(sight.y - 50 / HEIGHT) < 0.02


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("tone", TONES)
def test_eyes_name_backgrounds_behind_things(tone: str, pattern: str) -> None:
    things = [("red", "circle", 40, 40, 40), ("blue", "square", 40, 160, 110)]
    glimpse = eyes.see(picture(*things, tone=tone, pattern=pattern))
    assert (glimpse.tone, glimpse.pattern) == (tone, pattern)


@pytest.mark.parametrize("scale", [0.75, 1.5])
def test_eyes_see_the_same_at_another_size(scale: float) -> None:
    from PIL import Image

    image = Image.fromarray(picture(("green", "triangle", 44, 100, 80)))
    other = image.resize((int(WIDTH * scale), int(HEIGHT * scale)), Image.Resampling.BICUBIC)
    (sight,) = eyes.see(np.asarray(other)).sights
    assert (sight.colour, sight.shape) == ("green", "triangle")
    assert abs(sight.size - 44 / HEIGHT) < 0.04


@pytest.mark.parametrize("level", [0, 128, 255])
def test_eyes_see_nothing_in_a_blank_picture(level: int) -> None:
    glimpse = eyes.see(np.full((HEIGHT, WIDTH, 3), level, np.uint8))
    assert glimpse.sights == ()
    assert glimpse.pattern == "plain"


def test_a_picture_full_of_colour_has_no_background() -> None:
    glimpse = eyes.see(np.full((40, 60, 3), (250, 10, 10), np.uint8))
    assert (glimpse.tone, glimpse.pattern) == ("", "")


def test_the_longest_option_must_stand_out() -> None:
    assert reason.by_length(["aa", "b" * 40, "cc"], ratio=1.5, characters=12) == [1]
    assert reason.by_length(["a" * 30, "b" * 40], ratio=1.5, characters=12) == []
    assert reason.by_length(["a", "bbb"], ratio=1.5, characters=12) == []
    assert reason.by_length(["only one that is long"], ratio=1.5, characters=1) == []


def test_speech_about_another_shape_tells_nothing() -> None:
    options = ["red, then blue, then green", "blue, then red, then green"]
    said = ["Now to the rings: red, then blue, then green."]
    assert reason.from_speech(grammar.Meaning("sequence", "ring"), options, said) == [0]
    assert reason.from_speech(grammar.Meaning("sequence", "cross"), options, said) == []
