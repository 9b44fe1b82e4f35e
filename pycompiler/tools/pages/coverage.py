"""How many file slices may hold the values of each section of an axis."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np

from pycompiler.one_line import one_line
from pycompiler.tools.pages.axis import Axis
from pycompiler.tools.pages.bins import Stack

_SECTIONS: Final = 160


def coverage(
    axis: Axis, slices: Iterable[tuple[Sequence[tuple[bytes, bytes]], bool]], *, names_kept: bool = True
) -> list[Stack]:
    """Counts slices, each given as its ascending ranges and whether it is kept, in sections of an axis."""
    counts = {kept: np.zeros(_SECTIONS + 1, dtype=np.int64) for kept in (True, False)}
    for ranges, is_kept in slices:
        steps = counts[is_kept]
        for first, last in _touched(axis, ranges):
            steps[first] += 1
            steps[last + 1] -= 1
    kept, skipped = (np.cumsum(counts[of])[:-1].tolist() for of in (True, False))
    stacks = []
    for place, (of_kept, of_skipped) in enumerate(zip(kept, skipped, strict=True)):
        low, high = axis.value_at(place / _SECTIONS), axis.value_at((place + 1) / _SECTIONS)
        files = "file" if of_kept + of_skipped == 1 else "files"
        label = f"{low} to {high}: {of_kept + of_skipped:,} {files}"
        stacks.append(
            Stack(of_kept, of_skipped, one_line(f"{label}, {of_kept:,} kept" if names_kept else label))
        )
    return stacks


def _touched(axis: Axis, ranges: Sequence[tuple[bytes, bytes]]) -> Iterator[tuple[int, int]]:
    """The first and last section of each run of sections that ascending ranges touch; none twice."""
    begin, end = -1, -1
    for low, high in ranges:
        first, last = (min(int(axis.position(at) * _SECTIONS), _SECTIONS - 1) for at in (low, high))
        if first > end:
            if end >= 0:
                yield begin, end
            begin, end = first, last
        else:
            end = max(end, last)
    if end >= 0:
        yield begin, end
