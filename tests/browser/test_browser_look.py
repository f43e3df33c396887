"""The look in a real browser: narrow and wide, light and dark, on paper, read aloud."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.browser.conftest import DESIGNS, stays_inside

pytestmark = pytest.mark.browser


def test_right_to_left_words_run_from_right_to_left(show):
    page = show("hostile")
    line = page.locator("#cases-body .clamp", has_text="الذي").first
    assert line.evaluate("e => getComputedStyle(e).direction") == "rtl"


@pytest.mark.parametrize("name", DESIGNS)
def test_the_page_never_scrolls_sideways(show, name):
    page = show(name, width=1600)
    for button in page.locator("#cases-body .open").all()[:4]:
        button.click()
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    stays_inside(page)


def test_on_a_phone_tables_are_cards_and_figures_scroll_in_their_frame(show):
    page = show("plain", width=360)
    row = page.locator("#table-checks tbody tr").first
    assert row.evaluate("e => getComputedStyle(e).display") == "block"
    label = row.locator("td").first.evaluate("e => getComputedStyle(e, '::before').content")
    assert label == '"Right, at least"'
    frame = page.locator("#checks .frame").first
    assert frame.evaluate("e => e.scrollWidth > e.clientWidth")
    frame.evaluate("e => e.scrollTo(10000, 0)")
    right = page.locator("#chart-flags svg").evaluate("e => e.getBoundingClientRect().right")
    assert right <= 360


CONTRAST = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgba = colour => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const colour = rgba(getComputedStyle(e).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const poor = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const e = node.parentElement;
    if (!node.textContent.trim() || !e.checkVisibility()) continue;
    if (e.closest('script, :disabled')) continue;
    const style = getComputedStyle(e);
    const own = rgba(e.closest('svg') ? style.fill : style.color);
    const [a, b] = [light(own), light(behind(e.closest('svg') ? e.closest('div') : e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    // Marks beside a name are graphics: 3 is enough, as for large letters.
    const large = parseFloat(style.fontSize) >= 24 || e.closest('[aria-hidden]');
    if (own[3] && ratio < (large ? 3 : 4.5)) {
      const words = node.textContent.trim().slice(0, 20);
      poor.add(`${e.tagName}.${e.getAttribute('class')} ${ratio.toFixed(2)} ${words}`);
    }
  }
  return [...poor];
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["plain", "one"])
def test_every_word_has_contrast_in_light_and_dark(show, name, scheme):
    page = show(name, color_scheme=scheme)
    page.locator("#cases-body .open").first.click()
    page.locator(".card button").first.click()
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert page.evaluate(CONTRAST) == []


def paint(page: Any, selector: str, what: str) -> str:
    """Return a computed colour of the first element."""
    return page.locator(selector).first.evaluate(f"e => getComputedStyle(e).{what}")


def test_dark_is_a_second_palette_charts_included(show):
    light, dark = show("plain", color_scheme="light"), show("plain", color_scheme="dark")
    for selector, what in (
        ("body", "backgroundColor"),
        ("h1", "color"),
        ("#chart-curve svg .mark-line path >> nth=2", "stroke"),
        ("#chart-curve svg .role-axis-label text", "fill"),
        ("#chart-accuracy svg .mark-symbol path", "fill"),
        ("#heat-where-0 td", "backgroundColor"),
    ):
        assert paint(light, selector, what) != paint(dark, selector, what), selector
    assert paint(dark, "body", "backgroundColor") == "rgb(20, 23, 28)"


def test_a_model_has_one_colour_in_legend_chart_and_card(show, reports):
    page, data = show("plain"), reports["plain"].data
    page.locator("#cases-body .open").first.click()
    for name in ("small-vlm-2b", "wide-vlm-32b"):
        legend = page.locator(".legend li", has_text=name).locator("span").first
        colour = legend.evaluate("e => getComputedStyle(e).color")
        in_card = page.locator(".card .reply", has_text=name).first.locator("span span").first
        assert in_card.evaluate("e => getComputedStyle(e).color") == colour
        fills = page.locator("#chart-accuracy svg .mark-symbol path").evaluate_all(
            "all => all.map(e => getComputedStyle(e).fill)"
        )
        assert fills.count(colour) == sum(row["answerer"] == name for row in data["accuracy"])


def test_print_is_light_complete_and_without_controls(show):
    page = show("plain", color_scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    assert paint(page, "body", "backgroundColor") == "rgb(255, 255, 255)"
    for selector in ("nav", "#filters", ".pager", "[data-copy]"):
        assert page.locator(selector).first.is_hidden(), selector
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 0
    page.emulate_media(media="screen")
    assert page.pdf(format="A4").count(b"/Type /Page") >= 4


def test_everything_has_a_name_and_a_role(show):
    page = show("plain")
    page.locator("#cases-body .open").first.click()
    for role in ("button", "combobox", "searchbox", "img", "table", "figure"):
        places = page.get_by_role(role)
        assert places.count() > 0
        nameless = places.evaluate_all(
            """all => all.filter(e => !(e.getAttribute('aria-label') || e.getAttribute('alt')
              || e.labels?.[0]?.textContent || e.textContent).trim()).map(e => e.outerHTML)"""
        )
        assert nameless == [], role
    bad = page.evaluate(
        """() => [...document.querySelectorAll('th')].filter(e => !e.scope && e.closest('thead'))
          .concat([...document.querySelectorAll('table')].filter(e => !e.caption))
          .map(e => e.outerHTML.slice(0, 80))"""
    )
    assert bad == []
    label = page.locator("#chart-curve").get_attribute("aria-label")
    assert re.search(r"at least 3 right: \d+\s% \(\d+–\d+\) flagged, luck alone", label)
    assert page.locator("html").get_attribute("lang") == "en"
