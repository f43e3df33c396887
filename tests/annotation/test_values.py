"""Options, keys, times and names of one row."""

from __future__ import annotations

from contextlib import suppress
from string import ascii_uppercase
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vidence.annotation.addresses import youtube_id
from vidence.annotation.faults import RowError
from vidence.annotation.keys import by_any, by_index, by_letter, by_printed_letter, by_text
from vidence.annotation.options import split_question, without_letters
from vidence.annotation.row import Row, as_number, as_texts
from vidence.annotation.times import frame_seconds, seconds_of, span_of, spans_in_text

LINES = st.text(st.characters(exclude_categories=["C", "Z"])) | st.text(" ().,:abAB12")


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        (["a", 1, 2.5], ["a", "1", "2.5"]),
        ('["A. it is red", "B. it\'s blue"]', ["A. it is red", "B. it's blue"]),
        ("['x', \"it's\"]", ["x", "it's"]),
        ("('x', 'y')", ["x", "y"]),
        ('{"A": "x", "B": "y"}', ["x", "y"]),
        ({"B": "y", "A": "x"}, ["x", "y"]),
        ({"(a)": "x", "b.": "y"}, ["x", "y"]),
        ('["None", "NA"]', ["None", "NA"]),
        (r"['\d', 'x']", [r"\d", "x"]),
        ([], []),
    ],
)
def test_a_list_column_in_every_form(value: Any, texts: list[str]) -> None:
    """Row b19: a list that arrives as one text is parsed, and no code is run."""
    assert as_texts(value, "options") == texts


@pytest.mark.parametrize(
    "value",
    [
        *(
            "red, blue",
            "red",
            "",
            "12",
            "0,",
            "'a', 'b'",
            "(1),",
            "__import__('os').getcwd()",
            "[open('x')]",
            "{1, 2}",
        ),
        *("['torn", "[" * 5000, None, 3, True, [None], [["a"]], [True], [{"a": 1}]),
        *("[0x" + "f" * 5000 + "]", "-" * 500_000 + "1", "1" + "+1" * 200_000),
        *({"A": "x", "C": "y"}, {"A": "x", "a": "y"}, {"1": "x"}, {"A": None}),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_list_of_texts_is_refused(value: Any) -> None:
    with pytest.raises(RowError) as caught:
        as_texts(value, "options")
    assert caught.value.kind == "unreadable_row"


@given(st.lists(st.text()))
def test_a_list_as_text_is_that_list_or_refused(texts: list[str]) -> None:
    import json

    assert as_texts(json.dumps(texts), "o") == texts
    assert as_texts(repr(texts), "o") == texts


@given(st.text())
def test_a_text_is_never_split_by_character(text: str) -> None:
    assume(not text.strip().startswith(("[", "(", "{")))
    with pytest.raises(RowError):
        as_texts(text, "options")


@pytest.mark.parametrize(
    ("options", "bare"),
    [
        (["A. red", "B. blue"], ["red", "blue"]),
        (["(A) red (1)", "(B) f(x)"], ["red (1)", "f(x)"]),
        (["A) red", "B) blue"], ["red", "blue"]),
        (["A. A. Smith", "B. B. Jones"], ["A. Smith", "B. Jones"]),
        (["A. red", "blue"], ["A. red", "blue"]),
        (["B. red", "A. blue"], ["B. red", "A. blue"]),
        (["A cat", "B flat"], ["A cat", "B flat"]),
        (["A.M.", "B.C."], ["A.M.", "B.C."]),
        (["A. red", "C. blue"], ["A. red", "C. blue"]),
        (["A. x"], ["x"]),
        ([], []),
    ],
)
def test_one_letter_is_cut_where_all_options_have_theirs(
    options: list[str], bare: list[str]
) -> None:
    assert without_letters(options) == bare


def test_letters_may_skip_where_a_file_prints_them() -> None:
    printed = ["(A) x", "(B) y", "(D) z", ""]
    assert without_letters(printed) == printed
    assert without_letters(printed, gaps=True) == ["x", "y", "z", ""]
    assert without_letters(["(B) x", "(C) y"], gaps=True) == ["(B) x", "(C) y"]
    assert by_printed_letter("(B)", printed) == 1
    for answer in ("(C)", "(D)", "(E)"):
        with pytest.raises(RowError) as caught:
            by_printed_letter(answer, printed)
        assert caught.value.kind == "answer_outside_options"


@given(st.lists(LINES, min_size=1, max_size=26), st.sampled_from(["(A) ", "A. "]))
def test_letters_put_on_come_off_and_no_more(texts: list[str], letter: str) -> None:
    texts = [text.strip() for text in texts]
    printed = [
        letter.replace("A", mark) + t for mark, t in zip(ascii_uppercase, texts, strict=False)
    ]
    assert without_letters(printed) == texts
    lines = "\n".join(["Why (A) here?", *printed])
    assert split_question(lines, letter) == ("Why (A) here?", texts)


def test_options_inside_a_question() -> None:
    """Row b5: the options are split out, the key beyond them is told by `by_letter`."""
    text = "How much?\n(A) $168 (in 2020)\n(B) $167 (B) extra\nand more\n(C) (A) twice"
    question, options = split_question(text, "(A) ")
    assert question == "How much?"
    assert options == ["$168 (in 2020)", "$167 (B) extra\nand more", "(A) twice"]
    with pytest.raises(RowError) as caught:
        by_letter("D", options)
    assert caught.value.kind == "answer_outside_options"
    with pytest.raises(RowError) as caught:
        split_question("How much?", "(A) ")
    assert caught.value.kind == "no_options"


OPTIONS = ["red", "blue", "red", "12", "0"]


@pytest.mark.parametrize(
    ("read", "value", "place"),
    [
        *((by_letter, "C", 2), (by_letter, "(C)", 2), (by_letter, "c", 2), (by_letter, " B. ", 1)),
        *((by_index, 4, 4), (by_index, "4", 4), (by_index, 0, 0), (by_index, 2.0, 2)),
        *((by_text, "blue", 1), (by_text, 12, 3), (by_text, "0", 4), (by_text, " blue ", 1)),
        *((by_any, "B", 1), (by_any, "blue", 1), (by_any, "12", 3), (by_any, 1, 1)),
        *((read, None, None) for read in (by_letter, by_index, by_text, by_any)),
        *((read, " ", None) for read in (by_letter, by_index, by_text, by_any)),
    ],
)
def test_a_key_in_every_form(read: Any, value: Any, place: int | None) -> None:
    assert read(value, OPTIONS) == place


@pytest.mark.parametrize(
    ("read", "value", "kind"),
    [
        *((by_letter, value, "answer_outside_options") for value in ("F", "AB", "1", 1, True, "é")),
        *((by_index, value, "answer_outside_options") for value in (5, -1, "5", "B", True, 1.5)),
        *((by_text, value, "answer_outside_options") for value in ("bird", "Red", 1, "A")),
        *((by_any, value, "answer_outside_options") for value in ("bird", "F", 7, -1, [1], {})),
        (by_text, "red", "ambiguous_answer"),
        (by_any, "red", "ambiguous_answer"),
        (by_any, "0", "ambiguous_answer"),
        (by_any, 0, "ambiguous_answer"),
    ],
)
def test_a_key_that_names_no_option_or_two(read: Any, value: Any, kind: str) -> None:
    """Rows b1, b15: named, never decided by the first that fits."""
    with pytest.raises(RowError) as caught:
        read(value, OPTIONS)
    assert caught.value.kind == kind


def test_an_option_that_is_blank_can_be_the_key() -> None:
    assert by_text("", ["", "x"]) == 0
    assert by_text("None", ["None", "NA"]) == 0


@given(st.lists(st.text(), min_size=1, max_size=26), st.data())
def test_the_three_forms_agree(options: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(options) - 1))
    assert by_letter(ascii_uppercase[place], options) == place
    assert by_index(place, options) == by_index(str(place), options) == place
    if options.count(options[place]) == 1:
        assert by_text(options[place], options) == place
    else:
        with pytest.raises(RowError, match="is the text of"):
            by_text(options[place], options)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        *(("00:01:02", 62), ("62.0", 62), (62, 62), ("01:02", 62), ("1:02:03.5", 3723.5)),
        *(("114:16", 6856), ("0:07", 7), ("00:00", 0), (0, 0), ("1:02,5", 62.5)),
    ],
)
def test_a_moment_in_every_form(value: Any, seconds: float) -> None:
    """Row b22."""
    assert seconds_of(value) == seconds


@pytest.mark.parametrize(
    "value",
    [
        *("0:1:0.006", "01:75", "1:60:00", "1:5", "-5", -1, "", " ", "None", "00:01:02:03", "1_0"),
        *("12s", "١:٢٠", None, True, [], float("nan"), float("inf"), "inf", "nan", "1e400"),
    ],
    ids=repr,
)
def test_a_moment_without_a_clear_meaning_is_refused(value: Any) -> None:
    with pytest.raises(RowError) as caught:
        seconds_of(value)
    assert caught.value.kind == "unclear_time"


@pytest.mark.parametrize(
    ("value", "span"),
    [
        *(("01:02-01:10", (62, 70)), ("[0:06:00 - 0:07:00]", (360, 420)), ([3, "00:05"], (3, 5))),
        *(("00:00-114:16", (0, 6856)), ("1:00 to 2:00", (60, 120)), ("5 – 7.5", (5, 7.5))),
        (("01:01", "01:01"), (61, 61)),
    ],
)
def test_a_span_in_every_form(value: Any, span: tuple[float, float]) -> None:
    assert span_of(value) == span


@pytest.mark.parametrize(
    "value",
    ["08:17-None", "None-None", "116:50-108:00", "5", "1-2-3", "", None, [1], [1, 2, 3], [2, 1], 7],
    ids=repr,
)
def test_a_span_without_a_clear_meaning_is_refused(value: Any) -> None:
    with pytest.raises(RowError) as caught:
        span_of(value)
    assert caught.value.kind == "unclear_time"


@given(st.integers(0, 400), st.integers(0, 59))
def test_clocks_are_minutes_and_seconds(minutes: int, seconds: int) -> None:
    assert seconds_of(f"{minutes:02}:{seconds:02}") == 60 * minutes + seconds
    hours, rest = divmod(minutes, 60)
    assert seconds_of(f"{hours}:{rest:02}:{seconds:02}") == 60 * minutes + seconds


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=4))
def test_any_value_is_a_time_or_is_refused(value: Any) -> None:
    for read in (seconds_of, span_of):
        with suppress(RowError):
            found = read(value)
            moments = found if isinstance(found, tuple) else (found,)
            assert all(0 <= moment < float("inf") for moment in moments)


def test_ranges_of_a_text_are_those_that_are_clearly_one() -> None:
    text = (
        "From 0:07-0:55 it rains; between 01:00 and 01:05 not. At 02:00 and 03:00 a bird. From "
        "1:02:03 to 1:02:10 night. 05:00-04:00 is odd, 10:99-11:00 too; at 06:00, 06:05 a cat. "
        "[0:10] to [0:12]. 0:07 - 0:55 again. The score was 21-15, at 21:15."
    )
    assert spans_in_text(text) == ((7, 55), (60, 65), (3723, 3730), (10, 12))
    assert spans_in_text("nothing at 1:00") == ()


def test_frames_are_shown_from_index_over_rate() -> None:
    assert frame_seconds(0, 24) == 0
    assert frame_seconds(36, 24) == 1.5
    for index, fps in ((-1, 24), (1, 0), (1, -2)):
        with pytest.raises(RowError):
            frame_seconds(index, fps)


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("https://www.youtube.com/watch?v=aB3_-xYz012", "aB3_-xYz012"),
        ("https://m.youtube.com/watch?t=3&v=aB3_-xYz012", "aB3_-xYz012"),
        ("https://youtu.be/aB3_-xYz012?t=4", "aB3_-xYz012"),
        ("https://www.youtube.com/embed/aB3_-xYz012", "aB3_-xYz012"),
        ("https://www.youtube.com/watch?vABC", None),
        ("https://www.youtube.com/watch?v=short", None),
        ("https://example.com/watch?v=aB3_-xYz012", None),
        ("https://[bad", None),
        ("", None),
    ],
)
def test_an_id_in_an_address(address: str, found: str | None) -> None:
    """Row b26: a malformed address is an unreadable id, not a file that is missing."""
    assert youtube_id(address) == found


def test_fields_are_asked_for_by_kind() -> None:
    row = Row({"a": "x", "n": 3, "f": 4.0, "b": True, "z": None, "s": " "}, "f.json", "row 1", 0)
    assert (row.text("a"), row.name("n"), row.name("f"), row.number("n")) == ("x", "3", "4", 3.0)
    for read, field in (
        *((row.text, "n"), (row.text, "z"), (row.name, "b"), (row.name, "s"), (row.name, "z")),
        *((row.number, "a"), (row.number, "b"), (row.lettered, "a"), (row.texts, "a")),
    ):
        with pytest.raises(RowError, match=field):
            read(field)
    with pytest.raises(RowError, match="no field 'q'; it has 'a', 'n', 'f', 'b', 'z', 's'"):
        row.text("q")


def test_tags_are_texts_and_lists_are_joined_in_one_order() -> None:
    row = Row({"l": ["b", "a", "b"], "n": 3, "z": None, "o": {}, "s": " x "}, "f", "row 1", 0)
    assert row.tags("l", "n", "z", "o", "s", "absent", level="n") == {
        "l": "a + b",
        "n": "3",
        "s": "x",
        "level": "3",
    }


def test_numbers_in_text_are_those_of_the_file() -> None:
    assert [as_number(v) for v in ("2.5", " 3 ", "1e2", "1_000", "x", None, True)] == [
        *(2.5, 3.0, 100.0),
        *(None, None, None, None),
    ]
