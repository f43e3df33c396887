"""What is not decided by words: statuses of the reply, scores, cuts, open questions, positions."""

from __future__ import annotations

import math

import pytest

from vidence.answer import STATUSES, Answer, Reply, ReplyStatus
from vidence.parse import locate, parse
from vidence.view import Option, View

PETS = View("?", tuple(Option(k, t) for k, t in ((7, "cat"), (3, "dog"), (5, "bird"))))
OPEN = View("What happens?")


@pytest.mark.parametrize(
    ("status", "expected"), [("failed", "failed"), ("filtered", "filtered"), ("absent", "skipped")]
)
def test_a_reply_that_did_not_come_keeps_its_own_status(status: ReplyStatus, expected: str) -> None:
    answer = parse(Reply("Answer: B", status=status, error="no file"), PETS)
    assert (answer.status, answer.value, answer.reason) == (expected, None, "no file")
    assert parse(Reply(status=status), PETS).reason


def test_the_highest_score_decides_and_the_value_is_its_key() -> None:
    assert parse(Reply(scores=(0.1, 0.7, 0.2)), PETS) == Answer("ok", 3, "highest score")
    assert parse(Reply("Answer: A", scores=(-3.0, -2.0, -1.0)), PETS).value == 5


@pytest.mark.parametrize(
    ("scores", "status", "word"),
    [
        ((0.4, 0.4, 0.2), "ambiguous", "2 options tied"),
        ((0.0, 0.0, 0.0), "ambiguous", "3 options tied"),
        ((0.4, math.nan, 0.2), "unparsed", "finite"),
        ((0.4, math.inf, 0.2), "unparsed", "finite"),
        ((0.4, -math.inf, 0.2), "unparsed", "finite"),
        ((0.4, 0.6), "unparsed", "2 scores for 3 options"),
        ((), "unparsed", "0 scores for 3 options"),
    ],
)
def test_scores_that_single_out_nothing(scores: tuple[float, ...], status: str, word: str) -> None:
    answer = parse(Reply(scores=scores), PETS)
    assert (answer.status, answer.value) == (status, None)
    assert word in answer.reason


@pytest.mark.parametrize("text", ["", " \n\u200b", "<think>so A", "The cat is", "**", "The cat"])
@pytest.mark.parametrize("finish", ["length", "LENGTH", "max_tokens", "MAX_TOKENS"])
def test_a_cut_reply_with_nothing_to_read_is_no_answer(text: str, finish: str) -> None:
    view = PETS.with_options((Option(0, "yes"), Option(1, "no")))
    answer = parse(Reply(text, finish_reason=finish), view)
    assert (answer.status, answer.reason) == ("no_answer", "cut off (length)")


def test_a_cut_reply_with_an_answer_is_read() -> None:
    assert parse(Reply("B", finish_reason="length"), PETS).value == 3
    assert parse(Reply("A", finish_reason="length"), PETS).value == 7
    assert parse(Reply("Answer: B. The dog is", finish_reason="length"), PETS).value == 3


def test_an_article_at_the_cut_is_not_taken_for_the_letter_a() -> None:
    assert parse(Reply("The answer is a", finish_reason="length"), PETS).status == "no_answer"
    assert parse(Reply("The answer is a", finish_reason="stop"), PETS).value == 7


def test_a_reply_stopped_by_a_filter_is_filtered_unless_it_holds_an_answer() -> None:
    assert parse(Reply("", finish_reason="content_filter"), PETS).status == "filtered"
    assert parse(Reply("B", finish_reason="content_filter"), PETS).value == 3


def test_reasons_tell_kinds_of_no_answer_apart() -> None:
    reasons = {parse(Reply(text), PETS).reason for text in ("", "<think>A", "<think>A</think>")}
    assert len(reasons) == 3


def test_an_open_question_gives_the_words_without_thinking() -> None:
    assert parse(Reply("<think>hm</think> A man sings. "), OPEN).value == "A man sings."
    assert parse(Reply("<think>hm</think>"), OPEN).status == "no_answer"
    assert parse(Reply("", finish_reason="length"), OPEN).reason == "cut off (length)"
    assert parse(Reply("A.", scores=()), OPEN).value == "A."


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Answer: **B**", "B"),
        ("<think>A</think>\n  The answer is (\u200bB).", "B"),
        (r"So $\boxed{\text{C. bird}}$", "C. bird"),
        ("It is the\n\ndog.", "dog"),
        ("Ｂ", "Ｂ"),
        ("a\u0308h... Answer: B", "B"),
    ],
)
def test_the_located_characters_are_those_of_the_reply_as_it_came(text: str, marked: str) -> None:
    span = locate(Reply(text), PETS)
    assert span is not None
    assert marked in text[slice(*span)]
    assert len(text[slice(*span)]) <= len(marked) + 3


def test_nothing_is_located_where_words_decided_nothing() -> None:
    assert locate(Reply("hmm"), PETS) is None
    assert locate(Reply("B", scores=(1.0, 2.0, 3.0)), PETS) is None
    assert locate(Reply("B", status="failed"), PETS) is None
    assert locate(Reply("B"), OPEN) is None


def test_twenty_six_options_have_letters_and_more_have_only_texts() -> None:
    many = View("?", tuple(Option(i, f"word{i}") for i in range(30)))
    assert parse(Reply("Answer: Z"), many).value == 25
    assert parse(Reply("word28"), many).value == 28
    assert parse(Reply("hmm"), many).status in STATUSES


def test_the_place_is_right_behind_an_echo_of_the_options() -> None:
    text = "(A) cat (B) dog (C) bird\n\nSo we have it. Answer: C"
    span = locate(Reply(text), PETS)
    assert span is not None
    assert (span[0], text[slice(*span)]) == (len(text) - 1, "C")
