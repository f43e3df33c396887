"""What holds for any reply, tried on generated ones."""

from __future__ import annotations

from string import ascii_uppercase

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vidence.answer import STATUSES, Reply
from vidence.parse import locate, parse
from vidence.view import Option, View

# No deadline: speed is not what these hold. Derandomized: a run repeats.
STEADY = settings(deadline=None, derandomize=True)

# Words that are no letter, no number, no option, and that say nothing about answering.
_PROSE = (
    "people walk along sunny streets while small birds sing near green trees under bright skies"
    " before evening rain falls slowly over old stone bridges where children play quiet games"
)
PROSE = _PROSE.split()
WORDS = ["tea", "milk", "juice", "water", "cocoa", "broth", "cider", "punch", "syrup", "sauce"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=2, max_size=10, unique=True)
ODD_TEXTS = st.lists(st.text(max_size=12), min_size=0, max_size=6)
_PIECES = """A B C E I a b d ( ) . , : ; ? ! - * ** _ $ " ' [ ] { } < > / | \\ # & + 1 2 12 answer
    answer: Answer: is the not but or and so if option wait no, yes I choose correct None of above
    tea milk \\boxed{ \\text{ <think> </think> <answer> </answer> 答案 是 不是 而是 选
    。 ， 正解は です 정답 réponse est la respuesta ответ не <|channel|>
    <|message|> final ```json {"answer": ~~ ✅ Ｂ é"""
_MARKS = ["\n", " ", "  ", "\r\n", "\u200b", "\u00a0", "e\u0301", "\ud800", "\x00"]
PIECES = st.sampled_from([*_PIECES.split(), *_MARKS])
SOUP = st.lists(PIECES, max_size=30).flatmap(
    lambda parts: st.sampled_from(["", " "]).map(lambda gap: gap.join(parts))
)
TEMPLATES = [
    "{}",
    "{}.",
    "({})",
    "Answer: {}",
    "**Answer: {}**",
    "The answer is {}.",
    "The answer is {} because it is poured first.",
    "So it has to be {}.",
    '{{"answer": "{}"}}',
    "<answer>{}</answer>",
    "\\boxed{{{}}}",
    "答案是{}。",
    "<think>maybe B or A</think>\n{}",
    "Nothing else is poured.\n\n{}",
]


def view_of(texts: list[str], first_key: int = 0) -> View:
    return View("?", tuple(Option(first_key + i, text) for i, text in enumerate(texts)))


@STEADY
@given(TEXTS, st.data())
def test_a_letter_follows_its_option_when_options_move(
    texts: list[str], data: st.DataObject
) -> None:
    view = view_of(texts, 50)
    moved = view.with_options(tuple(data.draw(st.permutations(view.options))))
    wanted = data.draw(st.sampled_from(view.options))
    template = data.draw(st.sampled_from(TEMPLATES))
    for shown in (view, moved):
        letter = ascii_uppercase[shown.options.index(wanted)]
        answer = parse(Reply(template.format(letter)), shown)
        assert (answer.status, answer.value) == ("ok", wanted.key), answer


@STEADY
@given(TEXTS, st.data())
def test_a_text_is_read_alike_in_any_order_of_options(
    texts: list[str], data: st.DataObject
) -> None:
    view = view_of(texts, 50)
    moved = view.with_options(tuple(data.draw(st.permutations(view.options))))
    wanted = data.draw(st.sampled_from(view.options))
    template = data.draw(st.sampled_from(TEMPLATES[:-3]))
    reply = Reply(template.format(wanted.text))
    assert parse(reply, view).value == parse(reply, moved).value == wanted.key


DRESS = st.sampled_from(
    [
        ("", ""),
        ("(", ")"),
        ("[", "]"),
        ("**", "**"),
        ("*", "*"),
        ("`", "`"),
        ('"', '"'),
        ("“", "”"),
        ("$", "$"),
        ("\\text{", "}"),
        ("\\boxed{", "}"),
        ("", "."),
        (" ", " "),
        ("\n", "\n"),
        ("\u200b", "\u200b"),
        ("\u00a0", "\u00a0"),
        ("<answer>", "</answer>"),
        ("Answer: ", ""),
        ("<think>A, B?</think>", ""),
    ]
)


@STEADY
@given(TEXTS, st.data(), st.lists(DRESS, max_size=3))
def test_dressing_a_bare_letter_changes_nothing(
    texts: list[str], data: st.DataObject, dresses: list[tuple[str, str]]
) -> None:
    view = view_of(texts)
    position = data.draw(st.integers(0, len(texts) - 1))
    reply = ascii_uppercase[position]
    for before, after in dresses:
        reply = before + reply + after
    answer = parse(Reply(reply), view)
    assert (answer.status, answer.value) == ("ok", position), (reply, answer)


@settings(STEADY, max_examples=400)
@given(
    st.one_of(st.text(max_size=300), SOUP),
    st.one_of(ODD_TEXTS, TEXTS),
    st.sampled_from([None, "stop", "length", "content_filter"]),
)
def test_any_text_gives_a_status_and_a_value_only_if_ok(
    text: str, texts: list[str], finish: str | None
) -> None:
    view = view_of(texts, 10)
    reply = Reply(text, finish_reason=finish)
    answer = parse(reply, view)
    assert answer.status in STATUSES
    assert answer.reason
    if texts:
        keys = {option.key for option in view.options}
        assert (answer.value in keys) if answer.status == "ok" else answer.value is None
    span = locate(reply, view)
    assert span is None or 0 <= span[0] <= span[1] <= len(text)
    assert parse(reply, view) == answer


@STEADY
@given(
    TEXTS,
    st.sampled_from(["{}. {}", "({}) {}", "{}) {}", "{}: {}"]),
    st.sampled_from(" \n"),
    st.data(),
)
def test_an_echo_of_the_options_before_an_answer_changes_nothing(
    texts: list[str], form: str, gap: str, data: st.DataObject
) -> None:
    view = view_of(texts)
    letters = zip(ascii_uppercase, texts, strict=False)
    echo = gap.join(form.format(letter, text) for letter, text in letters)
    position = data.draw(st.integers(0, len(texts) - 1))
    ending = data.draw(st.sampled_from(["Answer: {}", "The answer is ({}).", "{}", "**{}**"]))
    final = ending.format(ascii_uppercase[position])
    assert parse(Reply(f"{echo}\n\n{final}"), view).value == position
    assert parse(Reply(final), view).value == position


SCRAPS = st.tuples(
    st.sampled_from(["", "a ", "A ", "the ", "I see a "]),
    st.sampled_from(PROSE),
    st.sampled_from([" ", ", ", ". ", "\n", "! "]),
).map("".join)


@STEADY
@given(TEXTS, st.lists(SCRAPS, min_size=1, max_size=60))
def test_prose_without_letters_and_options_yields_no_option(
    texts: list[str], scraps: list[str]
) -> None:
    answer = parse(Reply("".join(scraps)), view_of(texts))
    assert answer.status != "ok", answer


@STEADY
@given(st.lists(st.sampled_from(PROSE), max_size=40), st.integers(0, 3))
def test_prose_before_and_after_does_not_move_a_stated_answer(words: list[str], at: int) -> None:
    view = view_of(WORDS[:4])
    prose = " ".join(words)
    reply = f"{prose}.\nThe answer is {ascii_uppercase[at]}.\n{prose}."
    assert parse(Reply(reply), view).value == at


@STEADY
@given(st.integers(2, 26), st.data())
def test_a_letter_beyond_the_options_is_off_list(size: int, data: st.DataObject) -> None:
    view = view_of([f"thing number {chr(97 + i)}{chr(97 + i)}" for i in range(size)])
    beyond = data.draw(st.integers(0, 25))
    answer = parse(Reply(f"Answer: {ascii_uppercase[beyond]}"), view)
    expected = ("ok", beyond) if beyond < size else ("off_list", None)
    assert (answer.status, answer.value) == expected


HOSTILE = [
    "A",
    "a ",
    "answer: ",
    "the answer is A or ",
    "answer is not A but ",
    "\\boxed{",
    "{",
    "<",
    "</",
    "<think>",
    "</think>",
    "*",
    "_",
    "a_",
    "$",
    "~~",
    "tea ",
    "tea, ",
    "A. tea\n",
    "A, ",
    '"answer": "',
    "答案不是A，而是",
    "e\u0301",
    "\u200b",
    "\U0001f171\ufe0f",
    "<|channel|>",
    "1,",
    "none of the ",
    "I cannot ",
    "if the ",
    ". ",
    "--",
    "(A) ",
    "Question: x\nAnswer: A\n",
    "is the correct answer ",
    "\\text{",
    "\ud800",
]


@pytest.mark.parametrize("atom", HOSTILE)
def test_a_megabyte_of_anything_is_read_and_the_answer_at_its_end_is_found(atom: str) -> None:
    """Hold that no pattern runs away: one that did would not come back within the suite's time."""
    view = view_of(["tea", "milk", "juice"])
    body = (atom * (1_000_000 // len(atom) + 1))[:1_000_000]
    answer = parse(Reply(f"{body}\n</think>\nThe final answer is: B"), view)
    if atom == "<|channel|>":
        # A protocol of channels without a final one: nothing was said aloud.
        assert answer.status == "no_answer"
    else:
        assert (answer.status, answer.value) == ("ok", 1)
    assert parse(Reply(body[:60_000]), view).status in STATUSES
