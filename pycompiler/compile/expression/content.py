"""What a record of an index kind tells about a file's column values."""

from dataclasses import dataclass


class Content:
    """The decoded content of a record.

    Answers may be weaker than the truth but never stronger, because files are skipped on them. The default
    answers tell nothing.
    """

    __slots__ = ()

    @property
    def all_values(self) -> tuple[bytes, ...] | None:
        """The column's distinct encoded values, without NULL and NaN; None unless all are known."""
        return None

    def might_contain(self, encoded: bytes) -> bool:
        """Whether a value may occur in the column; False is certain."""
        return True

    def may_match(self, question: bytes) -> bool:
        """Whether some row may match a question to the kind.

        Only rows where every column of the record has a value, neither NULL nor NaN, can match. Answers True
        if the question is not understood.
        """
        return True


@dataclass(frozen=True, slots=True)
class AllValues(Content):
    """The complete set of a column's values, encoded and ascending."""

    values: tuple[bytes, ...]

    @property
    def all_values(self) -> tuple[bytes, ...] | None:
        """The set."""
        return self.values
