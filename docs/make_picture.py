"""Take the picture of a report that the README shows.

Run `python docs/make_picture.py runs/demo/report.html docs/report.png`. It needs playwright and a
chromium (`make test` sets both up). The picture is the top of the page as it opens, in light
colours, reduced to a palette so that it stays under 300 kB.
"""

from __future__ import annotations

import argparse
import io
import shutil
import sys
from pathlib import Path

LIMIT = 300_000
WIDTH, HEIGHT = 1100, 1000
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def photograph(report: Path) -> bytes:
    """Return a PNG of the first screen, ending between two sections."""
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, headless=True, args=FLAGS)
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT},
            color_scheme="light",
            device_scale_factor=1.5,
        )
        page.goto(report.resolve().as_uri())
        page.wait_for_selector("html[data-charts=drawn]")
        bottom = page.evaluate(
            "document.querySelector('#checks figcaption').getBoundingClientRect().top"
            " + window.scrollY"
        )
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": float(bottom)}
        shot: bytes = page.screenshot(full_page=True, clip=clip)
        browser.close()
    return shot


def shrink(shot: bytes, limit: int = LIMIT) -> bytes:
    """Return the picture with as many colours as fit into `limit` bytes."""
    from PIL import Image

    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    for colours in (256, 128, 64, 32, 16):
        out = io.BytesIO()
        reduced = picture.quantize(colours, dither=Image.Dither.NONE)
        reduced.save(out, "PNG", optimize=True)
        if out.tell() < limit:
            return out.getvalue()
    raise SystemExit(f"The picture does not fit into {limit:,} bytes; make WIDTH smaller.")


def main(arguments: list[str]) -> None:
    """Read the command line and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("report", type=Path, help="a report.html")
    parser.add_argument("picture", type=Path, help="the PNG to write")
    given = parser.parse_args(arguments)
    given.picture.write_bytes(shrink(photograph(given.report)))
    print(f"{given.picture}: {given.picture.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
