"""Parses the handler's machine-readable log lines: a subject and `key=value` pairs.

Values with blanks are in double quotes, with double quotes and backslashes escaped by a backslash.
"""

import re

_LINE = re.compile(r"hudi-skip (\w+) (?=query=)(.*)$")
_PAIR = re.compile(r'(\w+)=("(?:[^"\\]|\\.)*"|\S*)')


def fields_about(subject: str, line: str) -> dict[str, str] | None:
    """The values by key of a line about `scan` or `shadow`, with any prefix from the logger; else None."""
    match = _LINE.search(line)
    if match is None or match[1] != subject:
        return None
    return {key: _unquoted(value) for key, value in _PAIR.findall(match[2])}


def _unquoted(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if value.startswith('"') else value
