"""Errors in a table's own files."""

from pycompiler.errors import HudiSkipError


class TableUnreadableError(HudiSkipError):
    """The table's properties or timeline cannot be read; the message is one line."""


class UnknownChangesError(HudiSkipError):
    """The timeline does not show what has changed since the index was updated; the message says why."""
