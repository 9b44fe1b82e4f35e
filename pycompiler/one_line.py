"""One-line text for logs and terminals."""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

_CONTROLS: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def one_line(text: str) -> str:
    """Replaces each control character and line separator by a blank, as the handler's log does."""
    return _CONTROLS.sub(" ", text)


def table_lines(rows: Sequence[Sequence[str]], *, right: Collection[int]) -> Iterator[str]:
    """Writes rows of cells, some columns aligned on their right, without columns that are empty."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            if width
        )
        yield one_line("  ".join(cells).rstrip())
