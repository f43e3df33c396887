"""An agent's report in a real browser: quiet, whole on a phone, every replay to be seen."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.conftest import Report, stays_inside, until
from tests.browser.test_browser_look import CONTRAST
from tests.report.factory_agent import ODD, make_probes
from vidence.report.agent_report import publish_agents

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Report]:
    made = {}
    for name, design in ODD.items():
        folder = tmp_path_factory.mktemp(name.replace(" ", "-"))
        audit = make_probes(folder, design)
        path, data = publish_agents(audit, folder / "report")
        made[name] = Report(path, data, list(audit.cards()))
    return made


def opened_all(page: Any) -> None:
    for button in page.locator("#cases-body .open").all()[:3]:
        button.click()
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")


@pytest.mark.parametrize("name", ODD)
def test_it_opens_from_disk_in_silence_and_never_scrolls_sideways(
    show: Any, reports: dict[str, Report], name: str
) -> None:
    page = show(name, width=1600)
    opened_all(page)
    stays_inside(page)
    assert page.title() != "pwned"
    assert page.heard.console == []
    assert page.heard.requests == [reports[name].path.as_uri()]


def test_an_opened_question_shows_every_replay_and_the_frames(
    show: Any, reports: dict[str, Report]
) -> None:
    page = show("plain")
    page.locator("#cases-body .open").first.click()
    card = page.locator(".agent-card").first
    until(page, "() => document.querySelectorAll('.agent-card img').length > 0")
    assert len(card.locator(".draws").all()) == 4, "self, sham, destroy, no_evidence"
    first = reports["plain"].cards
    shown = page.locator("#cases-body .open").first.inner_text()
    (mine,) = (one for one in first if one["id"] == shown)
    flips = [
        r for r in mine["replies"] if r["value"] is not None and r["value"] != mine["committed"]
    ]
    assert card.locator(".draws li.flip").count() == len(flips)
    assert card.locator(".strips h4").count() >= 3, "a heading, sham and destroy"
    assert "Hide the key" not in card.inner_text()
    card.get_by_role("button", name="Show the key").click()
    assert "Hide the key" in card.inner_text()


def test_filters_leave_what_they_say(show: Any, reports: dict[str, Report]) -> None:
    page = show("two agents")
    cards = reports["two agents"].cards
    for sign in ("positive", "tie", "negative"):
        count = sum(card["sign"] == sign for card in cards)
        if not page.locator(f"select[name=sign] option[value={sign}]").count():
            assert count == 0
            continue
        page.select_option("select[name=sign]", sign)
        status = page.locator("#cases-status").inner_text()
        found = re.search(r"of (\d+) cases|^(\d+) cases|^No", status)
        assert found, status
        assert int(found[1] or found[2] or 0) == count
    page.get_by_role("button", name="Clear").click()
    page.select_option("select[name=agent]", label="made (2)")
    assert f"of {len(cards) // 2} " in page.locator("#cases-status").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read_in_both_schemes(show: Any, scheme: str) -> None:
    page = show("plain", color_scheme=scheme)
    opened_all(page)
    assert page.evaluate(CONTRAST) == []


def test_without_a_script_the_numbers_are_there(show: Any, reports: dict[str, Report]) -> None:
    page = show("plain", script=False)
    words = page.locator("main").inner_text()
    delta = reports["plain"].data["agents"]["made"]["delta"]
    assert f"{100 * delta['value']:.1f} points" in words
    assert "all numbers are in the tables" in words
    assert not page.locator("#filters").is_visible()
