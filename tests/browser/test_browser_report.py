"""The report in a real browser, from disk: quiet, drawn, inert."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.browser.conftest import DESIGNS, until
from tests.report.factory import HOSTILE, Design, make
from vidence.report import write_report

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", DESIGNS)
def test_a_report_opens_from_disk_in_silence(show, reports, name):
    page = show(name)
    if page.locator("#cases-body .open").count():
        page.locator("#cases-body .open").first.click()
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    page.wait_for_timeout(50)
    assert page.heard.console == []
    outside = [url for url in page.heard.requests if not url.startswith("data:image/jpeg;base64,")]
    assert outside == [reports[name].path.as_uri()]


def test_charts_are_drawn_with_a_mark_for_each_number(show, reports):
    page, data = show("plain"), reports["plain"].data
    for place in page.locator("[data-chart]").all():
        assert place.locator("svg").count() == 1
        around = place.locator("xpath=..")
        assert around.get_attribute("role") == "img"
        assert len(around.get_attribute("aria-label")) > 60
    marks = "#chart-{} svg .mark-symbol path"
    assert page.locator(marks.format("accuracy")).count() == len(data["accuracy"])
    assert page.locator(marks.format("curve")).count() == 2 * len(data["curve"])
    assert page.locator(marks.format("calibration")).count() == 2 * len(data["calibration"])
    # A bar in two parts, and the luck line across it.
    bars = page.locator("#chart-flags svg .mark-rect path")
    assert bars.count() == 3 * len(data["checks"])


def test_a_chart_points_where_its_axis_says(show, reports):
    page, data = show("plain"), reports["plain"].data
    ticks = page.evaluate(
        """() => [...document.querySelectorAll('#chart-curve svg .role-axis-label text')]
          .map(t => [t.textContent, t.getBoundingClientRect()])
          .filter(([words]) => words.endsWith('%'))
          .map(([words, box]) => [parseFloat(words), box.top + box.height / 2])"""
    )
    at = dict(map(tuple, ticks))
    points = page.evaluate(
        """() => [...document.querySelectorAll('#chart-curve svg .mark-symbol path')]
          .map(p => p.getBoundingClientRect()).map(b => b.top + b.height / 2)"""
    )
    for height, point in zip(points[len(data["curve"]) :], data["curve"], strict=True):
        share = (at[0] - height) / (at[0] - at[100])
        assert share == pytest.approx(point["shortcut"]["value"], abs=0.02)


def test_hostile_words_are_shown_and_do_nothing(show, reports):
    page, cards = show("hostile"), reports["hostile"].cards
    while True:
        for button in page.locator("#cases-body .open").all():
            button.click()
        text = page.locator("#cases-body").inner_text()
        if page.locator("#page-next").is_disabled():
            break
        page.locator("#page-next").click()
    assert page.title() == "Test data (simulated) – Vidence benchmark audit"
    assert page.locator("img:not([src^='data:image/jpeg;base64,'])").count() == 0
    assert page.locator("body a:not([href^='#'])").count() == 0
    assert page.locator("iframe, object, embed, link, style:not(head style)").count() == 0
    whole = text + page.locator("body").inner_text()
    for words in (
        "{{7*7}}",
        "javascript:document.title='pwned'",
        "⟨U+202E⟩",
        "⟨U+0000⟩",
        "ما الذي",
    ):
        assert words in whole
    assert "49" not in page.locator(".question").first.inner_text()
    assert "<script>document.title='pwned'</script>" in whole
    assert not {"\u202e", "\u2066", "\x00", "\x07"} & set(page.content())
    assert len(cards) == 30
    assert page.heard.console == []


def test_a_tooltip_says_the_number_with_its_n(show):
    page = show("plain")
    page.locator("#chart-accuracy svg .mark-symbol path").first.hover()
    words = page.locator("#tip").inner_text()
    assert re.search(r"\d % \(95 % interval .*; 64 questions, 20 videos\)", words)


def test_commands_are_copied_or_selected(show, reports):
    page, data = show("plain"), reports["plain"].data
    button = page.locator("[data-copy=command-1]")
    button.click()
    until(page, "document.querySelector('[data-copy=command-1]').textContent != 'Copy'")
    assert button.inner_text() in ("Copied", "Selected")
    selected = page.evaluate("getSelection().toString()")
    assert selected == data["commands"][0]["command"]


def test_without_scripts_the_numbers_are_still_there(show, reports):
    page, data = show("plain", script=False), reports["plain"].data
    assert page.locator("noscript").inner_text().startswith("Charts and the case list are drawn")
    assert page.locator("#filters").is_hidden()
    for row in data["checks"]:
        assert page.locator("#table-checks", has_text=row["check"]).is_visible()


def test_hostile_names_do_not_break_a_chart(browser, tmp_path):
    data, cards = make(Design(n=12, videos=6))
    names = {"small-vlm-2b": HOSTILE[0], "mid-vlm-8b": HOSTILE[2], "wide-vlm-32b": HOSTILE[7]}
    for row in data["accuracy"]:
        row["answerer"] = names.get(row["answerer"], row["answerer"])
    for member in data["run"]["panel"]:
        member["name"] = names.get(member["name"], member["name"])
    page = browser.new_page(viewport={"width": 360, "height": 900})
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(write_report(tmp_path, data, cards).as_uri())
    page.wait_for_selector("html[data-charts=drawn]")
    assert page.locator("#chart-accuracy svg .mark-symbol path").count() == len(data["accuracy"])
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert said == []
    page.close()


def test_the_readme_picture_is_taken_from_a_report(browser, reports, tmp_path):
    # In a process of its own: two drivers do not share a thread.
    script = Path(__file__).parents[2] / "docs" / "make_picture.py"
    picture = tmp_path / "report.png"
    command = [sys.executable, str(script), str(reports["plain"].path), str(picture)]
    subprocess.run(command, check=True, timeout=120, capture_output=True)
    assert picture.stat().st_size < 300_000
    with Image.open(picture) as shown:
        assert shown.width == 1650
        assert 1200 < shown.height < 3000
        assert len(shown.convert("RGB").getcolors(1 << 24)) > 8
