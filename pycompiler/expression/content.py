"""What a record of an index kind says about the values of its columns in one file."""

from __future__ import annotations

from dataclasses import dataclass


class Content:
    """The content of a record, read.

    An answer may be weaker than the truth and never stronger, since files are skipped on it. What a kind does
    not override says nothing.
    """

    __slots__ = ()

    @property
    def all_values(self) -> tuple[bytes, ...] | None:
        """The column's distinct values, neither NULL nor NaN, encoded; None if they are not all known."""
        return None

    def might_contain(self, encoded: bytes) -> bool:
        """Tells whether a value may be one of the column's; False is certain."""
        return True

    def may_match(self, question: bytes) -> bool:
        """Tells whether a row may be among those that a question of the kind asks for.

        Only rows in which all columns of the record have a value, neither NULL nor NaN, are asked for. A
        question that is not understood may match.
        """
        return True


@dataclass(frozen=True, slots=True)
class AllValues(Content):
    """A set of values with nothing left out.

    Attributes:
        values: Encoded, ascending.
    """

    values: tuple[bytes, ...]

    @property
    def all_values(self) -> tuple[bytes, ...] | None:
        """The set."""
        return self.values
