"""A browser for the whole session, and reports to open in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import skip_or_fail
from tests.report.factory import Design, make
from vidence.report import write_report

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESIGNS = {
    "plain": Design(n=64, videos=20),
    "hostile": Design(n=30, videos=12, hostile=True),
    "empty": Design(n=0, videos=0),
    "one": Design(n=1, videos=1),
    "many": Design(n=24, videos=8, options=12, models=9, encoders=2, threshold=9),
}


@dataclass
class Report:
    """A written report and what it was written from."""

    path: Path
    data: dict[str, Any]
    cards: list[dict[str, Any]]


@dataclass
class Heard:
    """What a page said and asked for while it was open."""

    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        skip_or_fail("browser", "playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        skip_or_fail("browser", "there is no chromium on the path")
    with sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=chromium, headless=True, args=FLAGS)
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def reports(tmp_path_factory) -> dict[str, Report]:
    made = {}
    for name, design in DESIGNS.items():
        data, cards = make(design)
        made[name] = Report(write_report(tmp_path_factory.mktemp(name), data, cards), data, cards)
    return made


@pytest.fixture
def show(browser, reports):
    """Return a function that opens a report and remembers what was heard."""
    pages = []

    def opened(name: str, *, width: int = 1200, script: bool = True, **options: Any) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, java_script_enabled=script, **options
        )
        page = context.new_page()
        page.set_default_timeout(15_000)
        heard = Heard()
        page.on("console", lambda message: heard.console.append(message.text))
        page.on("pageerror", lambda error: heard.console.append(str(error)))
        page.on("request", lambda request: heard.requests.append(request.url))
        page.add_init_script(
            "addEventListener('securitypolicyviolation', "
            "event => console.error('policy', event.blockedURI))"
        )
        page.goto(reports[name].path.as_uri())
        if script:
            page.wait_for_selector("html[data-charts=drawn]")
        pages.append(context)
        page.heard = heard
        return page

    yield opened
    for context in pages:
        context.close()


def until(page: Any, script: str, arg: Any = None) -> None:
    """Wait until a script says true, for five seconds at most.

    Not `wait_for_function`: it evaluates inside the page, which the page's own policy forbids.
    """
    for _ in range(200):
        if page.evaluate(script, arg):
            return
        page.wait_for_timeout(25)
    raise AssertionError(f"still not true after 5 s: {script}")


def stays_inside(page: Any) -> None:
    """Check on three screens that nothing but a frame of its own reaches beyond the right edge."""
    for width in (1600, 768, 360):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(150)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        wide = page.evaluate(
            """() => [...document.querySelectorAll('body *')]
              .filter(e => !e.closest('.frame, .row, svg, thead'))
              .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
              .map(e => e.tagName + '.' + e.className)"""
        )
        assert wide == [], width
