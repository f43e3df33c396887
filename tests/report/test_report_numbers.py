"""Numbers in words: sensible digits, nothing rounded away, no interval without its reason."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vidence.report import numbers


def estimate(value, low=None, high=None, n=240, **more):
    return {
        "value": value,
        "low": low,
        "high": high,
        "level": 0.95,
        "n": n,
        "total": n,
        "clusters": 58,
        "method": "m",
        "degenerate": None,
    } | more


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.412371, "41 %"),
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.004, "0.4 %"),
        (0.0001, "<0.1 %"),
        (0.996, "99.6 %"),
        (0.99999, ">99.9 %"),
        (None, "–"),
        (float("nan"), "–"),
        (float("inf"), "–"),
        (True, "–"),
    ],
)
def test_shares_have_sensible_digits(share, words):
    assert numbers.percent(share) == words


@given(st.floats(min_value=0, max_value=1))
def test_something_never_reads_as_nothing_or_as_all(share):
    words = numbers.percent(share)
    assert (words == "0 %") == (share == 0)
    assert (words == "100 %") == (share == 1)
    shown = float(re.sub(r"[^0-9.]", "", words))
    assert abs(shown - 100 * share) <= 0.5


@given(st.floats(min_value=-1, max_value=1))
def test_differences_carry_their_sign_unless_they_round_to_zero(share):
    words = numbers.difference(share)
    points = round(100 * share)
    assert words == {True: f"+{points}", False: f"−{-points}"}[share > 0] or points == 0
    assert points != 0 or words == "0"


def test_intervals_are_shown_with_the_digits_they_deserve():
    assert numbers.short(estimate(0.41, 0.35, 0.47)) == "41 % (35–47)"
    assert numbers.short(estimate(0.4123, 0.405, 0.4198)) == "41.2 % (40.5–42.0)"
    assert numbers.short_difference(estimate(-0.29, -0.35, 0.02)) == "−29 (−35 to 2)"


def test_an_estimate_in_words_says_what_it_rests_on():
    words = numbers.long(estimate(0.41, 0.35, 0.47, total=250))
    assert words == "41 % (95 % interval 35–47; 240 of 250 questions, 58 videos)"


def test_one_question_about_one_video_is_singular():
    words = numbers.long(estimate(1.0, n=1, total=1, clusters=1))
    assert words.endswith("1 question, 1 video)")


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"degenerate": "one video only"}, "one video only"),
        ({"clusters": 1}, "all questions are about one video"),
        ({"n": 0, "total": 0}, "nothing was measured"),
        ({}, "the method gives none"),
    ],
)
def test_a_missing_interval_says_why(more, reason):
    assert numbers.why_no_interval(estimate(0.5, **more)) == f"no interval: {reason}"


def test_nothing_measured_keeps_its_n():
    assert numbers.long(estimate(None, n=0, total=12)) == "not measured (0 of 12 questions)"
    assert numbers.short(None) == "–"
    assert numbers.of(None) == "n = 0"


@pytest.mark.parametrize(
    ("duration", "words"),
    [
        (0.4213, "0.42 s"),
        (12.3, "12 s"),
        (59.9, "1 min 0 s"),
        (200, "3 min 20 s"),
        (7500, "2 h 5 min"),
    ],
)
def test_durations_read_as_people_say_them(duration, words):
    assert numbers.seconds(duration) == words


def test_methods_and_cautions_are_named_once_each():
    mine = [estimate(0.1, method="a"), None, estimate(0.2, method="b", degenerate="few videos")]
    assert numbers.methods([*mine, *mine]) == ("a", "b")
    assert numbers.cautions([*mine, *mine]) == ("few videos",)
