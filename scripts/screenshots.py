#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
r"""Takes pictures of pages, as people see them: narrow and wide, light and dark, and printed.

    pip install playwright
    python scripts/screenshots.py --browser "$(command -v chromium)" --to DIR page.html …

The pictures of the docs, after `make demo`:

    python scripts/screenshots.py --browser "$(command -v chromium)" --to docs/guides \
      --width 1000 --scale 1.5 --until 'figure .axis' build/demo/explain.html

Fails if a page asks the network for something, has an error, or is wider than the window.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, sync_playwright

WIDTHS = (400, 1400)
HEIGHT = 900
MARGIN_BELOW = 4
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
MARGIN = dict.fromkeys(("top", "right", "bottom", "left"), "12mm")


@dataclass(frozen=True, slots=True)
class Window:
    """What a page is shown in."""

    width: int
    scale: float
    scheme: Literal["light", "dark"]


def main() -> int:
    """Writes PAGE-WIDTH-SCHEME.png for each page, and PAGE.pdf.

    With one width, its name has none; of a part of a page there is no PDF.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--browser", required=True, help="path of a Chromium")
    parser.add_argument("--to", required=True, type=Path, help="directory for the pictures")
    parser.add_argument("--width", type=int, action="append", help="of the window; may be repeated")
    parser.add_argument("--scale", type=float, default=1, help="pixels of a picture for one of the window")
    parser.add_argument("--until", metavar="SELECTOR", help="take the page only down to this element")
    arguments = parser.parse_args()
    arguments.to.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        # As root, for example in a container, Chromium runs only without its sandbox. The pages are our own.
        browser = playwright.chromium.launch(executable_path=arguments.browser, args=["--no-sandbox"])
        widths = arguments.width or WIDTHS
        problems = [
            problem
            for page in arguments.pages
            for width in widths
            for scheme in SCHEMES
            for problem in take(
                browser,
                page,
                Window(width, arguments.scale, scheme),
                arguments.to / f"{page.stem}{f'-{width}' if len(widths) > 1 else ''}-{scheme}.png",
                arguments.until,
            )
        ]
        for page in [] if arguments.until else arguments.pages:
            shown = browser.new_page()
            shown.goto(page.resolve().as_uri())
            shown.pdf(path=arguments.to / f"{page.stem}.pdf", format="A4", margin=MARGIN)
            shown.close()
        browser.close()
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def take(browser: Browser, page: Path, window: Window, picture: Path, until: str | None) -> list[str]:
    """Takes one picture; returns what is wrong with the page."""
    problems: list[str] = []
    shown = browser.new_page(
        viewport={"width": window.width, "height": HEIGHT},
        device_scale_factor=window.scale,
        color_scheme=window.scheme,
    )
    shown.on(
        "request", lambda asked: problems.append(f"asks for {asked.url}") if asked.url != address else None
    )
    shown.on("pageerror", lambda error: problems.append(str(error)))
    shown.on("console", lambda message: problems.append(message.text))
    address = page.resolve().as_uri()
    shown.goto(address)
    if (needed := shown.evaluate("document.documentElement.scrollWidth")) > window.width:
        problems.append(f"is {needed} pixels wide")
    if until is None:
        shown.screenshot(path=picture, full_page=True)
    elif (last := shown.locator(until).first.bounding_box()) is None:
        problems.append(f"has no {until}")
    else:
        part = {"x": 0, "y": 0, "width": window.width, "height": last["y"] + last["height"] + MARGIN_BELOW}
        shown.screenshot(path=picture, full_page=True, clip=part)
    shown.close()
    return [f"{page} at {window.width} pixels, {window.scheme}: {problem}" for problem in problems]


if __name__ == "__main__":
    sys.exit(main())
