"""Which questions are on the page of a text-only audit, and what the page gets of them."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.report.factory_text import TextDesign, make_text
from vidence.report.text_cards import choose_text_cards, page_cards, rule, tenths

CARDS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.integers(0, 500).map(lambda i: f"case-{i}"),
            "probability": st.none() | st.sampled_from((0.1, 0.25, 0.25, 0.4)) | st.floats(0, 1),
        }
    ),
    max_size=40,
    unique_by=lambda card: card["id"],
)


@settings(max_examples=40)
@given(CARDS, st.integers(0, 45), st.randoms(use_true_random=False))
def test_a_choice_is_within_the_limit_and_depends_on_names_and_figures(cards, limit, random):
    chosen = choose_text_cards(cards, limit)
    assert len(chosen) == min(limit, len(cards))
    assert max(Counter(card["id"] for card in chosen).values(), default=1) == 1
    moved = list(cards)
    random.shuffle(moved)
    assert choose_text_cards(moved, limit) == chosen


@settings(max_examples=40)
@given(CARDS, st.integers(1, 45))
def test_no_card_left_out_has_a_higher_probability_than_the_first_half(cards, limit):
    chosen = choose_text_cards(cards, limit)
    known = sorted((c["probability"] for c in cards if c["probability"] is not None), reverse=True)
    half = min((limit + 1) // 2, len(known))
    top = sorted((c["probability"] for c in chosen if c["probability"] is not None), reverse=True)
    assert top[:half] == known[:half]


@settings(max_examples=40)
@given(CARDS)
def test_tenths_are_even_in_order_and_the_same_for_equals(cards):
    found = tenths(cards)
    known = [card for card in cards if card["probability"] is not None]
    assert set(found) == {card["id"] for card in known}
    for card in known:
        above = sum(other["probability"] > card["probability"] for other in known)
        assert found[card["id"]] == 1 + 10 * above // len(known)


def test_every_tenth_is_on_the_page():
    _, cards = make_text(TextDesign(n=400, videos=80))
    tenth = tenths(cards)
    shown = Counter(tenth[card["id"]] for card in choose_text_cards(cards, 100))
    assert set(shown) == set(range(1, 11))
    # The first half is the highest eighth: all of the first tenth and part of the second.
    assert shown[1] == 40


def test_a_page_card_has_words_places_and_no_markup_of_its_own():
    data, cards = make_text(TextDesign(n=30, videos=8))
    titles = {k: v["title"] for k, v in data["priors"].items() if k != "chance"}
    cards[0] |= {"gold": 9, "option_probability": [0.5], "removed": None, "tags": {}}
    cards[1] |= {"probability": None, "option_probability": None}
    page = page_cards(cards, tenths(cards), titles)
    first, second = page["cards"][:2]
    assert (first["gold"], first["ps"], first["removed"], first["tags"]) == (None, [], None, [])
    assert (second["p"], second["ps"], second["tenth"]) == (None, [], None)
    for shown, card in zip(page["cards"][2:], cards[2:], strict=True):
        assert shown["gold"] == card["gold"]
        assert shown["ps"] == card["option_probability"]
        taking = {page["rules"][place] for place, _ in shown["rules"]}
        assert taking == {t for name, t in titles.items() if card["priors"][name] > 0.25}
    assert page["pruned"]
    assert page["tenths"] == list(range(1, 11))


def test_the_rule_says_how_many():
    assert rule(0, 0) == "There are no cases."
    assert rule(1, 1) == "The one case is on this page."
    assert rule(40, 40) == "All 40 cases are on this page."
    assert rule(200, 2700).startswith("200 of 2,700 cases are on this page:")
