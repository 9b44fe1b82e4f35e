"""Colours for people: of lines that a command prints to a terminal."""

import os
import re
from typing import Any, Final, TextIO

import typer

_STYLES: Final[tuple[tuple[re.Pattern[str], dict[str, Any]], ...]] = tuple(
    (re.compile(pattern), style)
    for pattern, style in (
        (r"error:|problem\b", {"fg": "red", "bold": True}),
        (r"warning:|note\b|index +behind\b", {"fg": "yellow", "bold": True}),
        (r"ok\b", {"fg": "green"}),
        (r" *-> .*", {"fg": "green"}),
        # Headings, and names of fields.
        (r"[a-z ]+:$", {"bold": True}),
        (r"\w[\w -]*?(?=  )", {"bold": True}),
    )
)


def coloured(line: str, stream: TextIO) -> str:
    """The line with the colour of how it begins, if the stream shows colours and people want them.

    Source: https://no-color.org
    """
    if not stream.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return line
    for pattern, style in _STYLES:
        if found := pattern.match(line):
            return typer.style(found[0], **style) + line[found.end() :]
    return line
