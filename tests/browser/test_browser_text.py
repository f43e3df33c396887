"""The text-only report in a real browser: quiet, inert, whole on a phone, the key hidden."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.conftest import Report, stays_inside, until
from tests.browser.test_browser_look import CONTRAST, paint
from tests.report.factory import HOSTILE
from tests.report.factory_text import TextDesign, make_overview, make_text
from vidence.report.text_report import publish_overview, publish_text

pytestmark = pytest.mark.browser

DESIGNS = {
    "plain": TextDesign(n=260, videos=60),
    "hostile": TextDesign(n=30, videos=12, hostile=True, tags=5),
    "empty": TextDesign(n=0, videos=0),
    "thirteen": TextDesign(n=40, videos=15, options=13, leak=-0.6),
    "one video": TextDesign(n=24, videos=1),
    "many": TextDesign(n=300, videos=60, tags=26, values=6),
}
ALL = {"a": DESIGNS["plain"], "b": TextDesign(n=60, videos=20, options=5), "c": DESIGNS["empty"]}


@pytest.fixture(scope="module")
def reports(tmp_path_factory) -> dict[str, Report]:
    made = {}
    for name, design in DESIGNS.items():
        data, cards = make_text(design)
        folder = tmp_path_factory.mktemp(name.replace(" ", "-"))
        made[name] = Report(publish_text(data, cards, folder), data, cards)
    overview = make_overview(ALL)
    overview["benchmarks"]["b"]["title"] = HOSTILE[1]
    folder = tmp_path_factory.mktemp("all")
    publish_text(overview["benchmarks"]["a"], [], folder / "a")
    made["all"] = Report(publish_overview(overview, folder), overview, [])
    return made


def opened_all(page: Any) -> None:
    for button in page.locator("#cases-body .open").all()[:4]:
        button.click()
    for button in page.locator(".card button:not(:disabled)").all()[:2]:
        button.click()
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")


def rows(page: Any) -> list[str]:
    """Return the ids of the cases listed now."""
    return page.locator("#cases-body .open").all_inner_texts()


def found(page: Any) -> int:
    """Return how many cases the filters leave."""
    words = page.locator("#cases-status").inner_text()
    return int(re.search(r"of (\d+) cases|^(\d+) cases", words)[1] or 0)


@pytest.mark.parametrize("name", [*DESIGNS, "all"])
def test_a_report_opens_from_disk_in_silence_and_never_scrolls_sideways(show, reports, name):
    page = show(name, width=1600)
    opened_all(page)
    stays_inside(page)
    assert page.heard.console == []
    assert page.heard.requests == [reports[name].path.as_uri()]


def test_charts_have_a_mark_for_each_number(show, reports):
    page, data = show("plain"), reports["plain"].data
    for place in page.locator("[data-chart]").all():
        assert place.locator("svg").count() == 1
        assert len(place.locator("xpath=..").get_attribute("aria-label")) > 60
    marks = "#chart-{} svg .mark-symbol path"
    assert page.locator(marks.format("guesses")).count() == len(data["priors"])
    assert page.locator(marks.format("families")).count() == 2 * len(data["learner"]["families"])
    assert page.locator(marks.format("pruning")).count() == len(data["pruning"]["curve"])
    filled = [one for one in data["learner"]["calibration"]["bins"] if one["n"]]
    assert page.locator(marks.format("calibration")).count() == len(filled)
    bars = page.locator("#chart-scores svg .mark-rect path").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().height)"
    )
    counts = [one["n"] for one in data["scores"]["histogram"]]
    assert [round(b / max(bars), 2) for b in bars] == pytest.approx(
        [n / max(counts) for n in counts], abs=0.03
    )


def test_a_dot_lies_where_the_axis_says(show, reports):
    page, data = show("plain"), reports["plain"].data
    ticks = dict(
        page.evaluate(
            """() => [...document.querySelectorAll('#chart-guesses svg .role-axis-label text')]
              .map(t => [t.textContent, t.getBoundingClientRect()])
              .filter(([words]) => words.endsWith('%'))
              .map(([words, box]) => [parseFloat(words), box.left + box.width / 2])"""
        )
    )
    (low, left), (high, right) = sorted(ticks.items())[1:3]
    dot = page.locator("#chart-guesses svg .mark-symbol path").first.evaluate(
        "e => { const b = e.getBoundingClientRect(); return b.left + b.width / 2; }"
    )
    share = low + (dot - left) / (right - left) * (high - low)
    assert share == pytest.approx(100 * data["learner"]["accuracy"]["value"], abs=0.7)


def test_on_a_phone_names_stand_above_their_rows_and_nothing_is_cut_off(show, reports):
    page = show("plain", width=360)
    frame = page.locator("#answer .frame")
    assert frame.evaluate("e => e.scrollWidth <= e.clientWidth")
    titles = [rule["title"] for name, rule in reports["plain"].data["priors"].items()][1:]
    for title in titles:
        name = page.locator("#chart-guesses svg text", has_text=title).first.bounding_box()
        assert name["x"] >= 0
        assert name["x"] + name["width"] <= 360
    dots = page.locator("#chart-guesses svg .mark-symbol path").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().left)"
    )
    assert max(dots) - min(dots) > 120
    page.set_viewport_size({"width": 1200, "height": 900})
    until(page, "document.querySelectorAll('#chart-guesses svg .role-axis-label text').length > 8")


def test_filters_and_order_leave_what_they_say(show, reports):
    page, report = show("plain"), reports["plain"]
    embedded = page.evaluate(
        "JSON.parse(document.getElementById('cases-data').textContent).cards.map(c => c.id)"
    )
    cards = {card["id"]: card for card in report.cards}
    mine = [cards[name] for name in embedded]
    assert found(page) == len(mine) == 200
    ps = [cards[name]["probability"] for name in rows(page)]
    assert ps == sorted((c["probability"] for c in mine), reverse=True)[:20]
    page.select_option("[name=order]", "low")
    ps = [cards[name]["probability"] for name in rows(page)]
    assert ps == sorted(c["probability"] for c in mine)[:20]
    page.select_option("[name=order]", "mixed")
    assert rows(page) == embedded[:20]
    page.select_option("[name=tenth]", "1")
    highest = sorted((c["probability"] for c in report.cards), reverse=True)[25]
    top = [c for c in mine if c["probability"] >= highest]
    assert found(page) == len(top) == 26
    page.select_option("[name=rule]", label="longest option")
    taken = [c for c in top if c["priors"]["longest_option"] > 0.25]
    assert found(page) == len(taken) > 0
    page.get_by_role("button", name="Clear").click()
    until(page, "document.querySelector('#cases-status').textContent.includes('of 200 ')")
    page.select_option("[name=category]", label="value 1")
    assert found(page) == sum(c["tags"]["tag 0"] == "value 1" for c in mine) > 0
    page.select_option("[name=category]", "")
    page.select_option("[name=removed]", "true")
    assert found(page) == sum(c["removed"] for c in mine) > 0
    page.select_option("[name=removed]", "")
    page.get_by_role("searchbox").fill(f"CLIP {int(mine[7]['id'][5:])} SHOWS")
    assert rows(page) == [mine[7]["id"]]
    page.get_by_role("searchbox").fill("no such words")
    assert "No case on this page matches." in page.locator("#cases-body").inner_text()


def test_the_key_and_what_gives_it_away_are_hidden_until_asked_for(show, reports):
    page, report = show("plain"), reports["plain"]
    first = page.locator("#cases-body .open").first
    card = next(c for c in report.cards if c["id"] == first.inner_text())
    first.focus()
    page.keyboard.press("Enter")
    opened = page.locator(".card").first
    assert opened.locator(".question").inner_text() == card["question"]
    assert opened.locator(".options li > span").all_inner_texts() == [
        option.strip() for option in card["options"]
    ]
    assert opened.locator("li.key").count() == 0
    assert not any(bar.is_visible() for bar in opened.locator(".guess").all())
    assert opened.locator(".told").is_hidden()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true"
    place = "ABCD".index(opened.locator("li.key b").inner_text())
    assert place == card["gold"]
    said = [words.replace("\u00a0", " ") for words in opened.locator(".guess").all_inner_texts()]
    assert [float(words.split()[0].strip("<>")) for words in said] == pytest.approx(
        [100 * p for p in card["option_probability"]], abs=0.51
    )
    widths = opened.locator(".guess .meter > span").evaluate_all(
        "all => all.map(e => e.offsetWidth / e.parentElement.offsetWidth)"
    )
    assert widths == pytest.approx(card["option_probability"], abs=0.02)
    told = opened.locator(".told").inner_text()
    for name, rule in report.data["priors"].items():
        if name != "chance":
            assert (rule["title"] in told) == (card["priors"][name] > 0.25)


def test_hostile_words_are_shown_and_do_nothing(show):
    page = show("hostile")
    text = ""
    while True:
        opened_all(page)
        text += page.locator("body").inner_text()
        if page.locator("#page-next").is_disabled():
            break
        page.locator("#page-next").click()
    assert page.title() == "Test data (simulated) – Vidence text-only audit"
    assert page.locator("img, iframe, object, embed, link").count() == 0
    assert page.locator("body a:not([href^='#'])").count() == 0
    for words in ("{{7*7}}", "javascript:document.title='pwned'", "⟨U+202E⟩", "ما الذي"):
        assert words in text
    assert not {"\u202e", "\u2066", "\x00", "\x07"} & set(page.content())
    line = page.locator("#cases-body .clamp", has_text="الذي").first
    assert line.evaluate("e => getComputedStyle(e).direction") == "rtl"
    assert page.heard.console == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["plain", "one video", "all"])
def test_every_word_has_contrast_in_light_and_dark(show, name, scheme):
    page = show(name, color_scheme=scheme)
    opened_all(page)
    assert page.evaluate(CONTRAST) == []


def test_dark_is_a_second_palette_charts_included(show):
    light, dark = show("plain", color_scheme="light"), show("plain", color_scheme="dark")
    for selector, what in (
        ("#chart-guesses svg .mark-symbol path", "fill"),
        ("#chart-guesses svg .role-axis-label text", "fill"),
        ("#chart-pruning svg .mark-area path", "fill"),
        ("#heat-where-0 td", "backgroundColor"),
    ):
        assert paint(light, selector, what) != paint(dark, selector, what), selector


def test_print_is_light_complete_and_without_controls(show):
    page = show("plain", color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert paint(page, "body", "backgroundColor") == "rgb(255, 255, 255)"
    for selector in ("nav", "#filters", ".pager", "[data-copy]"):
        assert page.locator(selector).first.is_hidden(), selector
    page.emulate_media(media="screen")
    assert page.pdf(format="A4").count(b"/Type /Page") >= 3


def test_everything_has_a_name_and_a_role(show):
    for name in ("plain", "all"):
        page = show(name)
        for role in ("button", "combobox", "img", "table", "figure"):
            places = page.get_by_role(role)
            assert places.count() > 0
            nameless = places.evaluate_all(
                """all => all.filter(e => !(e.getAttribute('aria-label')
                  || e.labels?.[0]?.textContent || e.textContent).trim()).map(e => e.outerHTML)"""
            )
            assert nameless == [], role


def test_without_scripts_the_numbers_are_still_there(show, reports):
    page = show("plain", script=False)
    assert page.locator("#filters").is_hidden()
    page.locator("summary", has_text="The rules as a table").click()
    for rule in reports["plain"].data["priors"].values():
        assert page.locator("#table-guesses", has_text=rule["title"]).is_visible()


def names(page: Any) -> list[str]:
    """Return the benchmarks of the overview in the order shown, those together apart."""
    return page.locator("#overview tbody:first-of-type th").all_inner_texts()


def test_the_overview_sorts_by_its_columns_and_those_together_stay_below(show, reports):
    page, data = show("all"), reports["all"].data["benchmarks"]
    hostile = data["b"]["title"]
    assert page.locator("#overview a").get_attribute("href") == "a/report.html"
    page.get_by_role("button", name="Questions").click()
    assert names(page) == ["a", hostile, "c"]
    page.get_by_role("button", name="Questions").click()
    assert names(page) == ["c", hostile, "a"]
    head = page.locator("#overview thead th", has_text="Questions")
    assert head.get_attribute("aria-sort") == "ascending"
    page.select_option("#sort", label="Chance")
    assert names(page) == ["a", hostile, "c"]
    together = page.locator("#overview .together th").all_inner_texts()
    assert together == ["all questions as one", "mean of benchmarks"]
    page.set_viewport_size({"width": 360, "height": 900})
    page.select_option("#sort", label="Questions")
    assert names(page)[0] == "a"
