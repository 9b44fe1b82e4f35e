"""Errors in a filter."""

from pycompiler.errors import HudiSkipError


class MalformedFilterError(ValueError):
    """The SearchArgument or filter tree is not one well-formed tree."""


class FilterTooLargeError(HudiSkipError, ValueError):
    """The filter exceeds a limit on nodes, depth, literal bytes or IN members."""


class SqlPredicateError(HudiSkipError, ValueError):
    """A typed condition is invalid, or names an unknown column.

    Attributes:
        message: What is wrong, without the position.
        line: Line of the error, from 1; None if unknown.
        column: Column of the error, from 1; None if unknown.
    """

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        self.message = message
        self.line = line
        self.column = column
        super().__init__(message if line is None else f"line {line}, column {column}: {message}")
