"""Verdicts, tables and the headline, worked by hand."""

from __future__ import annotations

import pytest

from tests.audits.made import case, outcomes, panel, records
from vidence.audits.headline import headline
from vidence.audits.tables import (
    UNTAGGED,
    accuracy_table,
    categories_table,
    checks_table,
    curve_table,
    missing_table,
)
from vidence.audits.verdicts import cards, verdicts
from vidence.errors import UsageError


def test_a_case_is_a_shortcut_if_enough_of_the_panel_is_right_under_one_check() -> None:
    cases = [case("a"), case("b"), case("c"), case("d")]
    replies = {
        "blind": {"a": "000", "b": "001", "c": "001", "d": "111"},
        "center_frame": {"a": "123", "b": "000", "c": "002", "d": "111"},
    }
    said = verdicts(panel(cases, replies))
    assert {k: v.label for k, v in said.items()} == {
        "a": "shortcut",
        "b": "shortcut",
        "c": "needs_video",
        "d": "needs_video",
    }
    assert said["a"].because == "at least 3 of the panel are right under blind (3 right)"
    assert said["c"].because == "no check has 3 right; the most is 2, under blind"
    assert said["c"].votes == {"blind": 2, "center_frame": 2}
    at_two = verdicts(panel(cases, replies), 2)
    assert [v.label for v in at_two.values()] == ["shortcut"] * 3 + ["needs_video"]


@pytest.mark.parametrize(
    ("marks", "label"),
    [
        ("000", "shortcut"),
        ("00?", "undecided"),
        ("00!", "undecided"),
        ("00~", "undecided"),
        ("00 ", "undecided"),
        ("00r", "needs_video"),
        ("00x", "needs_video"),
        ("01?", "needs_video"),
        ("???", "undecided"),
        ("---", "undecided"),
    ],
)
def test_only_an_unknown_reply_leaves_a_case_undecided(marks: str, label: str) -> None:
    assert verdicts(panel([case("a")], {"blind": {"a": marks}}))["a"].label == label


def test_a_check_that_does_not_apply_says_nothing() -> None:
    replies = {"audio": {"a": "---"}, "blind": {"a": "123"}}
    verdict = verdicts(panel([case("a")], replies))["a"]
    assert (verdict.label, dict(verdict.votes)) == ("needs_video", {"blind": 0})


def test_a_case_without_a_key_is_undecided_and_not_scored() -> None:
    cases = [case("a"), case("n", gold=None), case("o", options=0)]
    made = panel(cases, {"blind": {"a": "000", "n": "000", "o": "   "}})
    said = verdicts(made)
    assert [said[n].label for n in "ano"] == ["shortcut", "undecided", "undecided"]
    assert said["n"].because == "not scored: it has no key"
    assert said["o"].because == "not scored: it has no options"
    assert len(made.rows) == 1


@pytest.mark.parametrize("c", [0, 4])
def test_a_threshold_beyond_the_panel_is_refused(c: int) -> None:
    with pytest.raises(UsageError, match=f"Consensus {c} came; 1 to 3"):
        verdicts(panel([case("a")], {"blind": {"a": "000"}}), c)


def test_a_run_without_a_counted_check_has_no_verdicts_and_says_so() -> None:
    made = panel([case("a")], {"intact": {"a": "000"}})
    with pytest.raises(UsageError, match="no check that enters the shortcut ratio"):
        verdicts(made)
    assert "no check that enters" in headline("X", made)["sentence"]
    assert curve_table(made) == checks_table(made, []) == categories_table(made) == []


def test_the_curve_by_hand() -> None:
    """Two cases with four options on two videos.

    a: replies 0, 0, 1 (key 0). c = 1: options 0 and 1 reach it, so luck 2/4; c = 2: option 0, 1/4.
    b: replies 2, 2, 2 (key 0). c = 1, 2, 3: option 2 alone, luck 1/4, never flagged.
    """
    made = panel([case("a"), case("b")], {"blind": {"a": "001", "b": "222"}})
    rows = curve_table(made)
    assert [row["shortcut"]["value"] for row in rows] == [0.5, 0.5, 0.0]
    assert [row["luck"]["value"] for row in rows] == pytest.approx([3 / 8, 1 / 4, 1 / 8])
    assert [row["excess"]["value"] for row in rows] == pytest.approx([1 / 8, 1 / 4, -1 / 8])
    assert [row["independent"] for row in rows] == pytest.approx(
        [1 - (3 / 4) ** 3, 3 * 3 / 64 + 1 / 64, 1 / 64]
    )
    assert rows[0]["shortcut"]["clusters"] == 2


def test_missing_replies_bound_the_ratio() -> None:
    cases = [case(n) for n in "abcd"]
    made = panel(cases, {"blind": {"a": "000", "b": "00?", "c": "0??", "d": "111"}})
    top = curve_table(made)[-1]
    assert top["bounds"] == [0.25, 0.75]
    assert top["undetermined"] == 2


def test_unique_and_marginal_flags_by_hand() -> None:
    cases = [case(n) for n in "abcd"]
    replies = {
        "blind": {"a": "000", "b": "111", "c": "111", "d": "111"},
        "audio": {"a": "000", "b": "000", "c": "111", "d": "---"},
        "summary": {"a": "000", "b": "000", "c": "000", "d": "111"},
    }
    rows = {row["check"]: row for row in checks_table(panel(cases, replies), outcomes(replies))}
    assert {name: row["unique"] for name, row in rows.items()} == {
        "blind": 0,
        "audio": 0,
        "summary": 1,
    }
    assert rows["audio"]["marginal"]["over"] == "blind"
    assert rows["audio"]["marginal"]["share"]["value"] == pytest.approx(1 / 3)
    assert rows["summary"]["marginal"]["share"]["value"] == pytest.approx(2 / 4)
    assert rows["audio"]["applicable"] == 3
    assert rows["audio"]["skipped"] == {"mark -": 1}
    assert rows["blind"]["marginal"] is None


def test_accuracy_keeps_both_denominators() -> None:
    cases = [case(n, video=f"v{n}") for n in "abcdefghij"]
    marks = dict.fromkeys("abcdef", "0") | dict.fromkeys("ghij", "!")
    (row,) = accuracy_table(panel(cases, {"blind": marks}, size=1))
    assert (row["accuracy"]["value"], row["accuracy"]["n"]) == (0.6, 10)
    assert (row["replied"]["value"], row["replied"]["n"], row["replied"]["total"]) == (1.0, 6, 10)
    assert row["statuses"] == {"ok": 6, "failed": 4}
    assert row["chance"]["value"] == 0.25


def test_the_difference_to_intact_is_paired() -> None:
    cases = [case(n, video=f"v{n}") for n in "abcd"]
    replies = {
        "intact": {"a": "0", "b": "0", "c": "0", "d": "1"},
        "blind": {"a": "0", "b": "1", "c": "1", "d": "-"},
    }
    rows = accuracy_table(panel(cases, replies, size=1))
    assert rows[0]["minus_intact"] is None
    minus = rows[1]["minus_intact"]
    assert (minus["value"], minus["n"], minus["total"]) == (pytest.approx(-2 / 3), 3, 4)


def test_categories_keep_their_names_and_their_n() -> None:
    cases = [case("a", topic="all"), case("b", topic="x"), case("c"), case("d", topic="x")]
    made = panel(cases, {"blind": {"a": "000", "b": "111", "c": "000", "d": "000"}})
    rows = {row["value"]: (row["n"], row["shortcut"]["value"]) for row in categories_table(made)}
    assert rows == {"all": (1, 1.0), "x": (2, 0.5), UNTAGGED: (1, 1.0)}


def test_every_reply_that_is_no_answer_is_named() -> None:
    replies = {"blind": {"a": "0?!", "b": "1?-"}}
    made = panel([case("a"), case("b")], replies)
    assert missing_table(made, outcomes(replies)) == [
        {"check": "blind", "answerer": "m2", "status": "unparsed", "reason": "mark ?", "count": 2},
        {"check": "blind", "answerer": "m3", "status": "failed", "reason": "mark !", "count": 1},
    ]


def test_the_order_of_records_changes_nothing() -> None:
    cases = [case(n) for n in "abcd"]
    replies = {"blind": {"a": "000", "b": "00?", "c": "0?2", "d": "111"}}
    made = panel(cases, replies)
    other = type(made).of(
        cases,
        made.checks,
        outcomes(replies)[::-1],
        {"blind": ["m1", "m2", "m3"]},
    )
    assert curve_table(other) == curve_table(made)
    assert verdicts(other) == verdicts(made)


def test_the_headline_says_the_number_its_interval_and_what_luck_explains() -> None:
    cases = [case(str(i), video=f"v{i}") for i in range(60)]
    marks = {c.id: "000" if int(c.id) < 24 else "123" for c in cases}
    said = headline("Video-Demo", panel(cases, {"blind": marks}))
    assert said["sentence"].startswith(
        "Video-Demo: 40 % of 60 questions can be answered without seeing, or without order "
        "(95 % interval "
    )
    # a flagged case has one option with 3 votes, luck 1/4; the others have none: 24 / 60 / 4
    assert said["sentence"].endswith("60 videos; luck alone explains 10 %).")
    assert said["threshold"] == said["panel_size"] == 3


def test_one_video_has_no_interval_and_says_why() -> None:
    cases = [case(str(i), video="only") for i in range(5)]
    sentence = headline("X", panel(cases, {"blind": {c.id: "000" for c in cases}}))["sentence"]
    assert "no interval" in sentence
    assert "1 video;" in sentence or "1 video)" in sentence


def test_nothing_scored_is_a_sentence_too() -> None:
    made = panel([case("n", gold=None)], {"blind": {"n": "000"}})
    assert "nothing could be scored" in headline("X", made)["sentence"]


def test_missing_replies_are_never_a_low_score() -> None:
    """Kind e13, in the one sentence that everybody reads."""
    cases = [case(str(i), video=f"v{i}") for i in range(10)]
    silent = headline("X", panel(cases, {"blind": {c.id: "???" for c in cases}}))
    assert silent["sentence"] == (
        "X: none of 10 questions is decided; replies are missing or could not be read."
    )
    # 4 flagged, 3 not, 3 with one reply missing that would make them flagged: 40 to 70 %
    marks = {c.id: "000" if int(c.id) < 4 else "123" if int(c.id) < 7 else "00?" for c in cases}
    some = headline("X", panel(cases, {"blind": marks}))["sentence"]
    assert some.startswith("X: 40 % of 10 questions can be answered")
    assert some.endswith(" 3 of them hang on missing replies: were those right, it would be 70 %.")


def test_a_card_has_every_reply() -> None:
    replies = {"blind": {"a": "01?"}}
    made = panel([case("a", topic="x")], replies)
    (card,) = cards(made, verdicts(made), lambda _: records(replies), lambda _: {})
    assert card["gold"] == 0
    assert [(r["answerer"], r["status"], r["value"]) for r in card["replies"]] == [
        ("m1", "ok", 0),
        ("m2", "ok", 1),
        ("m3", "unparsed", None),
    ]
