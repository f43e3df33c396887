"""The case list in a real browser: filters, pages, cards, by mouse and by keyboard."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.conftest import until
from vidence.report import choose_cards

pytestmark = pytest.mark.browser


def rows(page: Any) -> list[str]:
    """Return the ids of the cases listed now."""
    return page.locator("#cases-body .open").all_inner_texts()


def found(page: Any) -> int:
    """Return how many cases the filters leave."""
    words = page.locator("#cases-status").inner_text()
    return int(re.search(r"of (\d+) cases|^(\d+) cases", words)[1] or 0)


def test_filters_leave_what_they_say(show, reports):
    page, report = show("plain"), reports["plain"]
    cards, threshold = report.cards, report.data["headline"]["threshold"]
    assert found(page) == len(cards)
    page.select_option("[name=verdict]", "needs_video")
    assert found(page) == sum(card["verdict"] == "needs_video" for card in cards)
    page.select_option("[name=verdict]", "")
    page.select_option("[name=check]", label="audio")
    flagged = [card for card in cards if card["flags"].get("audio", 0) >= threshold]
    assert found(page) == len(flagged) > 0
    page.select_option("[name=answerer]", label="small-vlm-2b")
    solved = [
        card
        for card in flagged
        if any(
            (r["check"], r["answerer"], r["value"]) == ("audio", "small-vlm-2b", card["gold"])
            for r in card["replies"]
        )
    ]
    assert found(page) == len(solved)
    page.get_by_role("button", name="Clear").click()
    until(
        page,
        "n => document.querySelector('#cases-status').textContent.includes(`of ${n} `)",
        arg=len(cards),
    )
    page.select_option("[name=category]", label="counting")
    assert found(page) == sum(card["tags"]["task"] == "counting" for card in cards)
    page.select_option("[name=category]", "")
    page.get_by_role("searchbox").fill("CLIP 7 SHOWS")
    assert rows(page) == ["case-0007"]
    page.get_by_role("searchbox").fill("no such words")
    assert found(page) == 0
    assert "No case on this page matches." in page.locator("#cases-body").inner_text()


def test_pages_hold_every_case_once_in_the_stated_order(show, reports):
    page, report = show("plain"), reports["plain"]
    seen = rows(page)
    assert page.locator("#page-back").is_disabled()
    while page.locator("#page-next").is_enabled():
        page.locator("#page-next").click()
        seen += rows(page)
    chosen = choose_cards(report.cards, threshold=report.data["headline"]["threshold"])
    assert seen == [card["id"] for card in chosen]
    page.locator("#page-back").click()
    assert len(rows(page)) == 20


def test_a_case_is_read_with_the_keyboard_alone(show, reports):
    page, report = show("plain"), reports["plain"]
    first = page.locator("#cases-body .open").first
    card = next(c for c in report.cards if c["id"] == first.inner_text())
    page.locator("[name=text]").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == card["id"]
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.keyboard.press("Enter")
    assert first.get_attribute("aria-expanded") == "true"
    opened = page.locator(".card").first
    assert opened.locator(".question").inner_text() == card["question"]
    assert opened.locator(".options li span").all_inner_texts() == card["options"]
    assert opened.locator("li.key").count() == 0
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Show the key"
    page.keyboard.press("Space")
    assert opened.locator("li.key span").inner_text() == card["options"][card["gold"]]
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    first.focus()
    page.keyboard.press("Enter")
    assert opened.is_hidden()


def test_a_card_shows_what_was_shown_and_every_reply(show, reports):
    page, report = show("plain"), reports["plain"]
    page.locator("#cases-body .open").first.click()
    card = next(c for c in report.cards if c["id"] == rows(page)[0])
    opened = page.locator(".card").first
    strips = opened.locator(".strip").all()
    assert len(strips) == len(card["strips"])
    for place, strip in zip(strips, card["strips"], strict=True):
        times = place.locator("figcaption").all_inner_texts()
        assert times == [f"{frame['t']:.1f} s" for frame in strip["frames"]]
        sizes = place.locator("img").evaluate_all("all => all.map(i => i.naturalWidth)")
        assert sizes == [160] * len(strip["frames"])
    replies = opened.locator(".reply").all()
    assert len(replies) == len(card["replies"])
    for place, reply in zip(replies, card["replies"], strict=True):
        letter = "–" if reply["value"] is None else chr(65 + reply["value"])
        assert place.locator(".letter").inner_text() == letter
        raw = place.locator(".raw").inner_text()
        assert raw == (reply["raw"][0] or "(no words)")
        if reply["value"] is not None:
            assert letter in place.locator("mark").inner_text()
    assert card["because"] in opened.inner_text()
