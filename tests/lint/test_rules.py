"""What the rules find in made benchmarks, and what they leave alone."""

from __future__ import annotations

import pytest

from tests.lint.made import brief, case, faults, made
from vidence.benchmark import Rejected, Remark
from vidence.lint.findings import id_and_place
from vidence.lint.rule import RULES, SEVERITIES

KINDS = {
    *("answer_outside_options", "ambiguous_answer", "duplicated_options", "one_option"),
    *("no_options", "empty_question", "placeholder_text", "repeated_question"),
    *("conflicting_repeat", "null_gold", "ids_differ_in_case", "repeated_id", "unreadable_row"),
}


def test_sound_cases_have_no_fault() -> None:
    cases = [case(f"q{i}", "a cat", "a dog", "None", "NA", "nan", "null", gold=i) for i in range(6)]
    assert faults(made(*cases)) == []


def test_every_kind_of_the_vocabulary_has_a_rule_that_says_why() -> None:
    assert set(RULES) >= KINDS
    for name, rule in RULES.items():
        assert rule.severity in SEVERITIES, name
        assert rule.what.endswith("."), name
        assert rule.why.endswith("."), name


def test_lost_rows_are_errors_and_remarks_have_the_severity_of_their_kind() -> None:
    benchmark = made(
        case("q1"),
        rejected=(Rejected("q2 (f.json, row 2)", "no", "no_options"), Rejected("line 3", "no")),
        remarks=(Remark("q1", "unclear_time", "05:xx"), Remark("q1", "of_a_plug_in", "odd")),
    )
    assert brief(benchmark) == [
        ("no_options", "error", "q2"),
        ("unreadable_row", "error", "line 3"),
        ("unclear_time", "warning", "q1"),
        ("of_a_plug_in", "warning", "q1"),
    ]
    assert faults(benchmark, "no_options")[0].detail == "f.json, row 2: no"


@pytest.mark.parametrize(
    ("where", "parts"),
    [
        ("268 (VCR-Bench.tsv, line 2181)", ("268", "VCR-Bench.tsv, line 2181")),
        ("a (b) (f.json, row 1)", ("a (b)", "f.json, row 1")),
        ("line 3 (id 'x (y, z)')", ("x (y, z)", "line 3")),
        ("line 3 (id 7)", ("7", "line 3")),
        ("line 3", ("line 3", "")),
        ("f.json, row 3", ("f.json, row 3", "")),
    ],
)
def test_the_id_of_a_rejected_row(where: str, parts: tuple[str, str]) -> None:
    assert id_and_place(where) == parts


def test_one_option_is_an_error() -> None:
    assert brief(made(case("q", "a cat"), case("p"))) == [("one_option", "error", "q")]


@pytest.mark.parametrize(
    ("options", "gold", "severity"),
    [
        (("red cup", "hat", "red cup"), 0, "error"),
        (("red cup", "hat", "red cup"), 1, "warning"),
        (("red cup", "hat", "Red  cup."), 2, "error"),
    ],
)
def test_duplicated_options(options: tuple[str, ...], gold: int, severity: str) -> None:
    (fault,) = faults(made(case("q", *options, gold=gold)))
    assert (fault.kind, fault.severity, fault.id) == ("duplicated_options", severity, "q")
    assert "A, C" in fault.detail


@pytest.mark.parametrize("options", [("5", "-5"), ("m2", "m²"), ("A", "A+"), ("no", "none")])
def test_options_that_differ_in_a_sign_are_different(options: tuple[str, ...]) -> None:
    assert faults(made(case("q", *options))) == []


@pytest.mark.parametrize(
    "text", ["", "  ", "?", "...", "---", "TODO", "todo: write", "xxx", "Option B"]
)
def test_placeholders(text: str) -> None:
    kind = "placeholder_text"
    assert brief(made(case("q", "a cat", text, gold=0))) == [(kind, "warning", "q")]
    assert brief(made(case("q", "a cat", text, gold=1))) == [(kind, "error", "q")]
    assert brief(made(case("q", question="Lorem ipsum dolor?"))) == [(kind, "error", "q")]


@pytest.mark.parametrize(
    "text", ["None", "NA", "N/A", "nan", "null", "Choices", "-", "X", "xx", "A", "Todor", "+", "0"]
)
def test_words_that_are_no_placeholder(text: str) -> None:
    assert faults(made(case("q", "a cat", text))) == []


def test_numbered_options_are_words_where_the_question_speaks_of_them() -> None:
    question = "Which option is shown last?"
    assert faults(made(case("q", "Option 1", "Option 2", question=question))) == []


def test_repeats_at_one_moment_and_at_another() -> None:
    same = {"question": "Who wins?"}
    cases = [
        case("first", **same),  # type: ignore[arg-type]
        case("other video", video="w.mp4", **same),  # type: ignore[arg-type]
        case("again", **same),  # type: ignore[arg-type]
        case("other order", "A dog.", "a cat", gold=1, **same),  # type: ignore[arg-type]
        case("other key", gold=1, **same),  # type: ignore[arg-type]
        case("later", start=5.0, end=9.0, **same),  # type: ignore[arg-type]
        case("other options", "a cat", "a bird", **same),  # type: ignore[arg-type]
        case("no key", gold=None, **same),  # type: ignore[arg-type]
    ]
    found = [f for f in brief(made(*cases)) if f[0] != "null_gold"]
    assert found == [
        ("conflicting_repeat", "error", "other key"),
        ("repeated_question", "warning", "again"),
        ("repeated_question", "warning", "other order"),
        ("repeated_question", "warning", "no key"),
        ("conflicting_repeat", "note", "later"),
    ]
    (conflict,) = [f for f in faults(made(*cases)) if f.id == "other key"]
    assert "repeats first on video v.mp4; key 'a dog', there 'a cat'" in conflict.detail


def test_b14_no_key_anywhere_is_a_note_and_some_missing_a_warning() -> None:
    none, some = case("q", gold=None), case("p")
    assert brief(made(none)) == [("null_gold", "note", "q")]
    assert "accuracy is not available" in faults(made(none))[0].detail
    assert brief(made(none, some)) == [("null_gold", "warning", "q")]
    assert "1 of 2" in faults(made(none, some))[0].detail


def test_names_that_differ_in_case() -> None:
    cases = (case("q1"), case("Q1", question="Who?"), case("q2", video="V.mp4"))
    kind = "ids_differ_in_case"
    assert brief(made(*cases)) == [(kind, "warning", "Q1"), (kind, "warning", "V.mp4")]
