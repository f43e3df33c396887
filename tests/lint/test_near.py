"""Questions that are nearly the same."""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lint.made import brief, case, made
from vidence.lint.near import near_pairs

TEXTS = st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=6), max_size=14)


@given(TEXTS, st.sampled_from([0.3, 0.5, 0.8, 1.0]), st.integers(1, 3))
def test_the_filter_finds_what_comparing_all_pairs_finds(
    texts: list[frozenset[str]], least: float, groups: int
) -> None:
    counts = Counter(word for text in texts for word in text)

    def weight(words: frozenset[str]) -> float:
        return sum(math.log(1 + len(texts) / counts[word]) for word in words)

    expected = set()
    for (i, one), (j, other) in combinations(enumerate(texts), 2):
        alike = weight(one & other) / weight(one | other) if one | other else 0.0
        if i % groups == j % groups and alike >= least - 1e-12:
            expected.add((i, j))
    found = list(near_pairs(texts, [i % groups for i in range(len(texts))], least))
    assert {(i, j) for i, j, _ in found} == expected
    assert len(found) == len(expected)


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("What color is the oncoming car?", "What is the color of the oncoming car?", True),
        ("Which team scored?", "In this scene, which team scored points?", False),
        ("Which team scored?", "In this scene, which team scored?", True),
        ("How often is the first set repeated?", "How often is the last set repeated?", False),
        ("Where is the red cup from the blue cup?", "Where is the blue cup from the red?", False),
        ("Who?", "What?", False),
    ],
)
def test_a_few_more_words_are_near_and_another_word_is_not(
    one: str, other: str, near: bool
) -> None:
    kind = "near_duplicate_question"
    same = made(case("q1", question=one), case("q2", question=other))
    assert brief(same, kind) == ([(kind, "note", "q2")] if near else [])
    for change in ({"video": "w.mp4"}, {"gold": 1}):
        assert not brief(made(case("q1", question=one), case("q2", question=other, **change)), kind)
