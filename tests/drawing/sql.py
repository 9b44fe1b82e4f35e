"""SQL text as a tree, so that a failing predicate can be shrunk without parsing it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sql:
    """A piece of SQL.

    Attributes:
        parts: Text and nested pieces.
        sort: Pieces of the same sort are interchangeable. None: not interchangeable.
        separator: If set, the parts form a list joined by it, and all but one of them can be removed.
    """

    parts: tuple[str | Sql, ...]
    sort: str | None = None
    separator: str = field(default="", kw_only=True)

    @property
    def text(self) -> str:
        """The SQL text."""
        return self.separator.join(part if isinstance(part, str) else part.text for part in self.parts)

    def smaller(self) -> Iterator[Sql]:
        """Yields smaller pieces that can replace this one, smallest first."""
        yield from (piece for piece in self._inner() if self.sort is not None and piece.sort == self.sort)
        if self.separator and len(self.parts) > 1:
            for place in range(len(self.parts)):
                yield self._with(self.parts[:place] + self.parts[place + 1 :])
        for place, part in enumerate(self.parts):
            if isinstance(part, Sql):
                for piece in part.smaller():
                    yield self._with((*self.parts[:place], piece, *self.parts[place + 1 :]))

    def _with(self, parts: tuple[str | Sql, ...]) -> Sql:
        return Sql(parts, self.sort, separator=self.separator)

    def _inner(self) -> Iterator[Sql]:
        for part in self.parts:
            if isinstance(part, Sql):
                yield part
                yield from part._inner()


def joined(separator: str, *pieces: Sql) -> Sql:
    """Builds a list whose elements can be removed."""
    return Sql(pieces, separator=separator)
