#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes pictures of pages, as people see them: narrow and wide, light and dark, and printed.

    pip install playwright
    python scripts/screenshots.py --browser "$(command -v chromium)" --to DIR page.html …

Fails if a page asks the network for something, has an error, or is wider than the window.
"""

import argparse
import sys
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

WIDTHS = (400, 1400)
SCHEMES = ("light", "dark")
MARGIN = dict.fromkeys(("top", "right", "bottom", "left"), "12mm")


def main() -> int:
    """Writes PAGE-WIDTH-SCHEME.png and PAGE.pdf for each page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pages", nargs="+", type=Path)
    parser.add_argument("--browser", required=True, help="path of a Chromium")
    parser.add_argument("--to", required=True, type=Path, help="directory for the pictures")
    arguments = parser.parse_args()
    arguments.to.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        # As root, for example in a container, Chromium runs only without its sandbox. The pages are our own.
        browser = playwright.chromium.launch(executable_path=arguments.browser, args=["--no-sandbox"])
        problems = [
            problem
            for page in arguments.pages
            for width in WIDTHS
            for scheme in SCHEMES
            for problem in take(
                browser, page, width, scheme, arguments.to / f"{page.stem}-{width}-{scheme}.png"
            )
        ]
        for page in arguments.pages:
            shown = browser.new_page()
            shown.goto(page.resolve().as_uri())
            shown.pdf(path=arguments.to / f"{page.stem}.pdf", format="A4", margin=MARGIN)
            shown.close()
        browser.close()
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def take(browser: Browser, page: Path, width: int, scheme: str, picture: Path) -> list[str]:
    """Takes one picture; returns what is wrong with the page."""
    problems: list[str] = []
    shown = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    shown.on(
        "request", lambda asked: problems.append(f"asks for {asked.url}") if asked.url != address else None
    )
    shown.on("pageerror", lambda error: problems.append(str(error)))
    shown.on("console", lambda message: problems.append(message.text))
    address = page.resolve().as_uri()
    shown.goto(address)
    if (needed := shown.evaluate("document.documentElement.scrollWidth")) > width:
        problems.append(f"is {needed} pixels wide")
    shown.screenshot(path=picture, full_page=True)
    shown.close()
    return [f"{page} at {width} pixels, {scheme}: {problem}" for problem in problems]


if __name__ == "__main__":
    sys.exit(main())
