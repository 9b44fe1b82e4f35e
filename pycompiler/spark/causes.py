"""Extracts the cause of a Spark error from pages of Python and Java traces."""

import re
from typing import Final

from pycompiler.one_line import one_line

_TRACEBACK: Final = "Traceback (most recent call last):"
_JAVA_CAUSE: Final = re.compile(r"^(?:Caused by)?: ")
_MODULE: Final = re.compile(r"^(?:\w+\.)+(?=\w+(?::|$))")


def cause_of(error: BaseException) -> str:
    """The cause of an error: its name and message, on one line.

    For a failed Python task this is the last line of the task's traceback, for other Java failures the
    innermost cause, and for other errors the first line.
    """
    lines = [line for line in str(error).splitlines() if line.strip()]
    # Spark repeats the traceback for each enclosing Java exception.
    for start in reversed([at for at, line in enumerate(lines) if line.endswith(_TRACEBACK)]):
        for line in lines[start + 1 :]:
            if not line[0].isspace():
                return one_line(_MODULE.sub("", line))
    causes = [line for line in lines if _JAVA_CAUSE.match(line)]
    if causes:
        return one_line(_JAVA_CAUSE.sub("", causes[-1]))
    name = type(error).__name__
    return one_line(f"{name}: {lines[0]}") if lines else name
