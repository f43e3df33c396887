"""What counts as a word, and what counts as a number."""

from __future__ import annotations

import pytest

from vidence.text.tokens import number_in, plain, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't touch the well-known 3.5-inch disc!", "don't touch the well known 3.5 inch disc"),
        ("ＦＵＬＬ width; straße", "full width strasse"),
        ("snake_case", "snake case"),
        ("红色的车 car", "红 色 的 车 car"),
        ("at 1:20, 1,000 of them.", "at 1:20 1,000 of them"),
        ("", ""),
        ("?! …", ""),
    ],
)
def test_words(text: str, expected: str) -> None:
    assert " ".join(words(text)) == expected


def test_equal_option_texts_are_equal_whatever_their_stops_and_blanks() -> None:
    assert plain(" Yes. ") == plain("yes") != plain("no")
    assert plain("+") != plain("-"), "signs alone are their own text"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3.", 3.0),
        ("Three times", 3.0),
        ("about 12.5 metres", 12.5),
        ("$1,250", 1250.0),
        ("-4 degrees", -4.0),
        ("from 3 to 4", None),
        ("1:20", None),
        ("a dog", None),
        ("1,2", None),
        ("٣", 3.0),
    ],
)
def test_numbers(text: str, expected: float | None) -> None:
    assert number_in(text) == expected
