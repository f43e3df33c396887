"""Which cases are on the page, and what the page gets of them."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report.factory import Design, jpeg, make
from vidence.report.cards import VERDICTS, choose_cards, page_cards, rule
from vidence.report.marking import Marker
from vidence.report.palette import Palette
from vidence.report.untrusted import visible
from vidence.seeds import digest

CHECKS = ("blind", "audio", "center_frame")
CARDS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.integers(0, 500).map(lambda i: f"case-{i}"),
            "verdict": st.sampled_from(VERDICTS),
            "flags": st.dictionaries(st.sampled_from(CHECKS), st.sampled_from((0, 2, 3, 3))),
        }
    ),
    max_size=40,
    unique_by=lambda card: card["id"],
)


def groups(card, threshold=3):
    names = [check for check, votes in card["flags"].items() if votes >= threshold]
    return {(card["verdict"], name) for name in names or [""]}


@settings(max_examples=40)
@given(CARDS, st.integers(0, 45))
def test_a_choice_is_within_the_limit_and_without_repeats(cards, limit):
    chosen = choose_cards(cards, limit, threshold=3)
    assert len(chosen) == min(limit, len(cards))
    assert max(Counter(card["id"] for card in chosen).values(), default=1) == 1
    assert all(card in cards for card in chosen)


@settings(max_examples=40)
@given(CARDS, st.integers(0, 45), st.randoms(use_true_random=False))
def test_a_choice_depends_on_names_alone(cards, limit, random):
    moved = list(cards)
    random.shuffle(moved)
    assert choose_cards(moved, limit, threshold=3) == choose_cards(cards, limit, threshold=3)


@settings(max_examples=40)
@given(CARDS, st.integers(0, 45))
def test_choosing_from_a_choice_changes_nothing(cards, limit):
    chosen = choose_cards(cards, limit, threshold=3)
    assert choose_cards(chosen, limit, threshold=3) == chosen


@settings(max_examples=40)
@given(CARDS, st.integers(0, 45))
def test_every_group_that_fits_is_on_the_page(cards, limit):
    there = {group for card in cards for group in groups(card)}
    shown = {group for card in choose_cards(cards, limit, threshold=3) for group in groups(card)}
    assert limit < len(there) or shown == there


@given(CARDS, st.integers(0, 45))
def test_groups_take_turns_and_a_taken_card_costs_no_turn(cards, limit):
    order = {verdict: i for i, verdict in enumerate(VERDICTS)}
    there = {group for card in cards for group in groups(card)}
    queue = sorted(cards, key=lambda card: digest("card", card["id"]))
    chosen = []
    while len(chosen) < min(limit, len(cards)):
        for group in sorted(there, key=lambda g: (order[g[0]], g[1])):
            left = [card for card in queue if group in groups(card) and card not in chosen]
            chosen += left[:1]
    assert choose_cards(cards, limit, threshold=3) == chosen[:limit]


def test_a_card_of_two_groups_counts_once():
    both = [
        {"id": f"b{i}", "verdict": "shortcut", "flags": {"audio": 3, "blind": 3}} for i in range(9)
    ]
    one = [{"id": f"o{i}", "verdict": "shortcut", "flags": {"blind": 3}} for i in range(9)]
    queue = sorted(both + one, key=lambda card: digest("card", card["id"]))
    first = next(card for card in queue if card in both)
    second = next(card for card in queue if card is not first)
    assert choose_cards(both + one, 2, threshold=3) == [first, second]


def test_a_big_group_does_not_crowd_out_a_small_one():
    many = [{"id": f"m{i}", "verdict": "shortcut", "flags": {"blind": 3}} for i in range(500)]
    few = [{"id": f"f{i}", "verdict": "undecided", "flags": {}} for i in range(7)]
    assert Counter(c["verdict"] for c in choose_cards(many + few, 20, threshold=3)) == {
        "shortcut": 13,
        "undecided": 7,
    }


def test_the_rule_is_said_and_counts_all_cases():
    assert rule(200, 24_416).startswith("200 of 24,416 cases are on this page.")
    assert rule(3, 3) == "All 3 cases are on this page."
    assert rule(1, 1) == "The one case is on this page."
    assert rule(0, 0) == "There are no cases."


def test_a_picture_is_kept_once_and_the_budget_holds():
    _, cards = make(Design(n=12, videos=3))
    palette = Palette(reply["answerer"] for reply in cards[0]["replies"])
    page = page_cards(cards, [], palette)
    sources = [f["src"] for card in cards for strip in card["strips"] for f in strip["frames"]]
    assert sorted(page["pictures"]) == sorted(set(sources))
    assert page["dropped"] == 0
    for card, shown in zip(cards, page["cards"], strict=True):
        for strip, part in zip(card["strips"], shown["strips"], strict=True):
            pictures = [page["pictures"][number] for _, number in part["frames"]]
            assert pictures == [frame["src"] for frame in strip["frames"]]
    small = page_cards(cards, [], palette, budget=20_000)
    assert sum(map(len, small["pictures"])) <= 20_000
    assert small["dropped"] > 0
    assert [c["question"] for c in small["cards"]] == [c["question"] for c in cards]


def test_an_address_that_is_no_picture_is_left_out():
    _, cards = make(Design(n=1, videos=1))
    cards[0]["strips"] = [
        {
            "check": "intact",
            "frames": [{"t": 0, "src": "javascript:x"}, {"t": 1, "src": jpeg("x", 1)}],
            "text": None,
        }
    ]
    page = page_cards(cards, [], Palette([]))
    assert page["cards"][0]["strips"][0]["frames"] == [[0, None], [1, 0]]


def test_a_key_that_is_no_position_does_not_reach_the_options():
    _, cards = make(Design(n=1, videos=1))
    for gold, place in ((7, None), (-1, None), (True, None), ("B", None), (None, None), (2, 2)):
        cards[0]["gold"] = gold
        assert page_cards(cards, [], Palette([]))["cards"][0]["gold"] == place


def test_an_open_question_keeps_its_key_and_replies_as_words():
    _, cards = make(Design(n=1, videos=1))
    cards[0] |= {"options": [], "gold": "twice"}
    cards[0]["replies"][0] |= {"value": "once", "raw": ["once"], "shown": [[]]}
    card = page_cards(cards, [], Palette([cards[0]["replies"][0]["answerer"]]))["cards"][0]
    assert (card["gold"], card["key"], card["options"]) == (None, "twice", [])
    assert (card["replies"][0]["value"], card["replies"][0]["said"]) == (None, "once")


def reply(raw, shown=None):
    shown = [[0, 1, 2, 3]] if shown is None else shown
    return {"raw": [raw] if isinstance(raw, str) else raw, "shown": shown}


CARD = {"options": ["a red cup", "a dog", "two men", "nobody"]}


@pytest.mark.parametrize(
    ("raw", "letter"),
    [("The answer is (C).", "C"), ("**B**", "B"), ("<think>A or D?</think>\nAnswer: D", "D")],
)
def test_the_letter_that_decided_is_marked(raw, letter):
    (view,) = Marker().split(CARD, reply(raw), 1000)
    before, marked, after = view["raw"]
    assert before + marked + after == raw
    assert letter in marked
    assert len(marked) <= 12


@pytest.mark.parametrize("raw", ["", "There is a street.", "scores 0.100, 0.700, 0.200, 0.000"])
def test_nothing_is_marked_where_nothing_was_read(raw):
    (view,) = Marker().split(CARD, reply(raw), 1000)
    assert view["raw"] == [raw, "", ""]


def test_the_marked_letter_is_kept_when_a_long_reply_is_cut():
    raw = "First, " + "the frame shows a street. " * 2000 + "The answer is B."
    (view,) = Marker().split(CARD, reply(raw), 1000)
    before, marked, after = view["raw"]
    assert "B" in marked
    assert len(before) < 1100
    assert "more characters" in before
    assert before.endswith("The answer is ")
    assert after == "." or marked.endswith(".")


def test_views_with_moved_options_keep_their_order():
    raw = reply(["Answer: A", "Answer: A"], [[0, 1, 2, 3], [1, 2, 3, 0]])
    first, second = Marker().split(CARD, raw, 1000)
    assert (first["shown"], second["shown"]) == ([0, 1, 2, 3], [1, 2, 3, 0])


def test_marking_ends_with_its_budget_and_the_words_stay():
    marker = Marker(budget=60)
    for _ in range(2):
        assert marker.split(CARD, reply("Answer: B"), 1000)[0]["raw"][1] == "B"
    assert marker.split(CARD, reply("The answer is A"), 1000)[0]["raw"] == [
        "The answer is A",
        "",
        "",
    ]


@given(st.text(max_size=80))
def test_no_character_of_a_reply_is_lost(raw):
    (view,) = Marker().split(CARD, reply(raw), 1000)
    assert "".join(view["raw"]).replace("\n", "") == visible(raw).replace("\n", "")
