"""What went wrong in Spark, out of pages of Python and Java."""

from __future__ import annotations

import re
from typing import Final

from pycompiler.one_line import one_line

_TRACEBACK: Final = "Traceback (most recent call last):"
_JAVA_CAUSE: Final = re.compile(r"^(?:Caused by)?: ")
_MODULE: Final = re.compile(r"^(?:\w+\.)+(?=\w+(?::|$))")


def cause_of(error: BaseException) -> str:
    """Finds what an error comes from: its name and message, on one line.

    Of a failed Python task it is the last line of the task's traceback, of another failure in Java the
    innermost cause, of other errors the first line.
    """
    lines = [line for line in str(error).splitlines() if line.strip()]
    # Spark repeats the traceback for each Java exception that it is wrapped into.
    for start in reversed([at for at, line in enumerate(lines) if line.endswith(_TRACEBACK)]):
        for line in lines[start + 1 :]:
            if not line[0].isspace():
                return one_line(_MODULE.sub("", line))
    causes = [line for line in lines if _JAVA_CAUSE.match(line)]
    if causes:
        return one_line(_JAVA_CAUSE.sub("", causes[-1]))
    name = type(error).__name__
    return one_line(f"{name}: {lines[0]}") if lines else name
