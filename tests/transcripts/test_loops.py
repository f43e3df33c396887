"""Loops and doubles are found where they are, and nowhere else."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vidence.transcripts import Line
from vidence.transcripts.doubles import NEAR, SAME_LETTERS, repeated
from vidence.transcripts.loops import Letters, Loop, loops

STORY = (
    "On a cold morning the old keeper climbed up to his lamp, trimmed its wick and wrote down "
    "which ships had passed by night, how thick fog lay over both bays, what birds flew south."
)


def letters(*texts: str) -> Letters:
    return Letters.of(Line(float(i), float(i + 1), text) for i, text in enumerate(texts))


def found(*texts: str) -> list[tuple[str, int]]:
    return [(loop.phrase, round(loop.times)) for loop in loops(letters(*texts))]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([STORY], []),
        (["I'm coming home. "] * 40, [("I'm coming home", 40)]),
        ([STORY, "no " * 40, STORY], [("no", 40)]),
        (["Oh."] * 10, [("Oh", 10)]),
        (["Oh."] * 9, []),
        (["Yes, yes, yes, yes, yes!"], []),
        (["A" * 70 + "h!"], [("A", 70)]),
        (["好"] * 24, [("好", 24)]),
        (["我会在你身边保护你的"] * 5, [("我会在你身边保护你的", 5)]),
        (["ប្រាប់" * 20], [("ប្រាប់", 20)]),
        (["The lake was still and so was she all summer long. "] * 3, []),
        (["The lake was still and so was she all summer long. "] * 4,
         [("The lake was still and so was she all summer long", 4)]),
        (["🎵"] * 50, []),
        ([], []),
    ],
)  # fmt: skip
def test_loops(texts: list[str], expected: list[tuple[str, int]]) -> None:
    assert found(*texts) == expected


def test_a_loop_has_its_place_and_its_time() -> None:
    text = letters(STORY, *["come along now"] * 20, STORY)
    (loop,) = loops(text)
    assert round(text.seconds(loop.first)) == 1
    assert round(text.seconds(loop.last - 1)) == 21
    assert letters(*["a b"] * 3).seconds(5) == 2.5


SMALL = st.text("ab", min_size=1, max_size=7)


@settings(max_examples=60)
@given(st.lists(st.one_of(SMALL, st.tuples(SMALL, st.integers(1, 25))), max_size=5))
def test_loops_are_those_of_a_plain_search(
    parts: list[str | tuple[str, int]],
) -> None:
    """The oracle tries every place and period: is there one that is a loop by the rule?"""
    text = "".join(part if isinstance(part, str) else part[0] * part[1] for part in parts)
    expected = False
    for period in range(1, len(text) // 4 + 1):
        for first in range(len(text)):
            last = first
            while last + period < len(text) and text[last] == text[last + period]:
                last += 1
            last += period
            times, beyond = (last - first) / period, last - first - period
            if (times >= 4 and beyond >= 80) or (times >= 10 and beyond >= 60):
                expected = True
    assert bool(loops(letters(text))) == expected
    covered = [False] * len(text)
    for loop in loops(letters(text)):
        assert (
            text[loop.first : loop.last - loop.period] == text[loop.first + loop.period : loop.last]
        )
        covered[loop.first : loop.last] = [True] * (loop.last - loop.first)


@settings(max_examples=60)
@given(st.integers(0, 3), st.integers(30, 70), st.integers(0, 600), st.randoms())
def test_doubles_are_those_of_a_plain_search(
    copies: int, length: int, apart: int, random: object
) -> None:
    """The oracle compares every two stretches of forty letters."""
    alphabet = "abcdefghijklmnopqrstuvwxyz"
    choose = random.choice  # type: ignore[attr-defined]
    part = "".join(choose(alphabet) for _ in range(length))
    between = "".join(choose(alphabet) for _ in range(apart))
    text = between.join([part] * (copies + 1))
    starts = range(len(text) - SAME_LETTERS + 1)
    expected = set()
    for at in starts:
        before = text.rfind(text[at : at + SAME_LETTERS], 0, at + SAME_LETTERS - 1)
        if before >= 0 and SAME_LETTERS <= at - before <= NEAR:
            expected.add(at)
    stretches = repeated(letters(text), bytes(len(text)))
    marked = {at for first, last in stretches for at in range(first, last - SAME_LETTERS + 1)}
    assert bool(stretches) == bool(expected)
    assert marked <= expected


def test_words_know_their_letters() -> None:
    text = letters("It's the 3rd, isn’t it?", "Größe 好吗", "x_y")
    words = [(text.text[w.first : w.last], w.text) for w in text.words()]
    assert [re.sub(r"\W", "", word) for _, word in words] == [letter for letter, _ in words]
    assert [word for _, word in words][-4:] == ["好", "吗", "x", "y"]
    assert isinstance(loops(text), list)
    assert Loop(0, 10, 5, "ab").times == 2
