"""Which columns an index covers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """What to put into an index.

    Changed options hold for files that are indexed from then on; a new build applies them to all.

    Attributes:
        include: Names of the only columns to index; empty for all. A struct's name stands for its fields.
        exclude: Names of columns to leave out, stronger than `include`.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def selects(self, column: str) -> bool:
        """Tells whether a column, given by its lower-case dotted name, is indexed."""
        if _covers(self.exclude, column):
            return False
        return not self.include or _covers(self.include, column)


def _covers(names: Iterable[str], column: str) -> bool:
    return any(column == name or column.startswith(f"{name}.") for name in map(str.lower, names))
