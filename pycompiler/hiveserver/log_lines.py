"""The lines of the handler's log that programs read: a subject and `key=value` pairs.

A value with blanks is in double quotes, with a backslash before double quotes and backslashes in it.
"""

from __future__ import annotations

import re

_LINE = re.compile(r"hudi-skip (\w+) (?=query=)(.*)$")
_PAIR = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|\S*)')


def fields_about(subject: str, line: str) -> dict[str, str] | None:
    """Reads a line of the log.

    Args:
        subject: What the line has to be about: `scan` or `shadow`.
        line: The line, with whatever the logger has put before it.

    Returns:
        The values by key, or None if the line is about something else.
    """
    match = _LINE.search(line)
    if match is None or match.group(1) != subject:
        return None
    return {key: _unquoted(value) for key, value in _PAIR.findall(match.group(2))}


def _unquoted(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if value.startswith('"') else value
