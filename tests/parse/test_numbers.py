"""Numbers are read as a person reads them, or not at all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.parse.cases_numbers import AREA, COUNT, FIRST, SECOND, THIRD, M
from vidence.answer import Reply
from vidence.parse import CUT_OFF, parse
from vidence.parse.number import HEAD, TAIL, NumberRead, number_of
from vidence.view import View

ROWS = [*FIRST, *SECOND, *THIRD]


def read(text: str, question: str, finish: str | None = None) -> NumberRead:
    """Read a reply as an audit does: words first, then the number in them."""
    answer = parse(Reply(text, finish), View(question))
    return number_of(str(answer.value or ""), question, cut=CUT_OFF in answer.reason)


@pytest.mark.parametrize(("question", "text", "wanted"), ROWS, ids=[r[1][:50] for r in ROWS])
def test_row(question: str, text: str, wanted: float | str) -> None:
    found = read(text, question)
    if isinstance(wanted, str):
        assert found.status in wanted.split("/"), found
        assert found.value is None
    else:
        assert found.status == "ok", found
        assert found.value == pytest.approx(wanted)
    assert found.reason


def test_the_batches_are_large_and_without_repeats() -> None:
    assert len({row[:2] for row in ROWS}) == len(ROWS)
    assert (len(FIRST), len(SECOND), len(THIRD)) == (92, 71, 46)


TEMPLATES = (
    "{}",
    "**{}**",
    "It is {} meters.",
    "Answer: {}",
    "The sofa (part 2) is about {} m away.",
    r"$\boxed{{{}}}$",
    '{{"answer": {}}}',
    "Looking at 8 frames, the answer is {}.",
)


@given(
    st.one_of(
        st.integers(0, 10**6),
        st.decimals(0, 9999, places=2).map(float),
        st.floats(1e-3, 1e6).map(lambda x: float(f"{x:.6g}")),
    ),
    st.sampled_from(TEMPLATES),
)
def test_a_number_comes_back_from_every_style(number: float, template: str) -> None:
    assert read(template.format(repr(number)), M).value == pytest.approx(float(number), rel=1e-12)


@given(st.integers(1, 999_999_999))
def test_grouped_digits_are_one_number(number: int) -> None:
    for text in (f"{number:,}", f"{number:,}".replace(",", " "), f"about {number:,} m"):
        assert number_of(text).value == number


@given(st.text(), st.sampled_from((COUNT, M, AREA, "")))
def test_any_text_is_read_or_not_and_never_raises(text: str, question: str) -> None:
    found = number_of(text, question)
    assert (found.value is not None) == (found.status == "ok")
    if found.status == "ok":
        assert found.span is not None
        assert 0 <= found.span[0] < found.span[1] <= len(text)


NUMERIC = st.text(st.sampled_from("0123456789.,-+/'e x=()%{<m²½ and or to a one half : ~±\n"))


@given(NUMERIC, st.booleans())
def test_text_made_of_pieces_of_numbers_is_read_or_not(text: str, cut: bool) -> None:
    found = number_of(text, M, cut=cut)
    assert (found.value is not None) == (found.status == "ok")
    assert found.value is None or abs(found.value) < float("inf")


@pytest.mark.parametrize(("text", "value"), [("It is about 1", None), ("It is about 1 m", 1.0)])
def test_a_number_at_the_end_of_a_cut_reply_may_not_be_whole(
    text: str, value: float | None
) -> None:
    assert read(text, M, "length").value == value
    assert read(text, M, "stop").value == 1.0


def test_long_words_are_read_at_both_ends() -> None:
    words = "word " * (HEAD + TAIL)
    for text in (f"Answer: 4 m. {words}", f"{words} Answer: 4 m"):
        found = number_of(text, M)
        assert found.value == 4
        assert found.span is not None
        assert text[slice(*found.span)] == "4 m"
    assert number_of(f"{words}The answer is 4. {words}", M).status == "unparsed"


def test_what_is_stored_is_text_whatever_is_asked() -> None:
    """So that runs written before numbers were read need no other form."""
    assert parse(Reply("About 3.5 m."), View(M)).value == "About 3.5 m."


PAGE = (Path(__file__).parents[2] / "docs" / "parsing.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^\| \*(.+?)\* `(.+)` \| (\S+) \|$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("question", "text", "wanted"), EXAMPLES)
def test_the_page_tells_the_truth(question: str, text: str, wanted: str) -> None:
    found = read(text, {"count": COUNT, "meters": M, "area": AREA}[question])
    assert wanted == (found.status if found.value is None else f"{found.value:g}")


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) >= 15
