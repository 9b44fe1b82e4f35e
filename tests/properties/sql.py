"""SQL text as a tree, so that a failing predicate can be made smaller without parsing it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Sql:
    """A piece of SQL.

    Attributes:
        parts: Text, and pieces that it is made of.
        sort: Pieces of one sort can stand in each other's place; None for those that cannot.
        separator: What stands between the parts if they are a list from which any but the last may be taken.
    """

    parts: tuple[str | Sql, ...]
    sort: str | None = None
    separator: str = field(default="", kw_only=True)

    @property
    def text(self) -> str:
        """The SQL."""
        return self.separator.join(part if isinstance(part, str) else part.text for part in self.parts)

    def smaller(self) -> Iterator[Sql]:
        """Smaller pieces that may stand here, those that leave most away first."""
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
    """Pieces of which some may be left out."""
    return Sql(pieces, separator=separator)
