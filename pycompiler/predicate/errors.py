"""What can be wrong with a filter that is given to us."""

from __future__ import annotations


class MalformedFilterError(ValueError):
    """A SearchArgument or filter tree that is not one well-formed tree."""


class FilterTooLargeError(ValueError):
    """A filter beyond the limits on nodes, depth, literal bytes or the members of an IN."""


class SqlPredicateError(ValueError):
    """A condition that a person typed and that is not one, or that names an unknown column.

    Attributes:
        message: What is wrong, without the place.
        line: Line of the place, from 1; None if it is not known.
        column: Column of the place, from 1; None if it is not known.
    """

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        self.message = message
        self.line = line
        self.column = column
        super().__init__(message if line is None else f"line {line}, column {column}: {message}")
