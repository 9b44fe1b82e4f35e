"""Errors in a table's own files."""

from pycompiler.errors import HudiSkipError


class TableUnreadableError(HudiSkipError):
    """The table's properties or timeline cannot be read; the message is one line."""


class UnknownChangesError(HudiSkipError):
    """The timeline does not show what has changed since the index was updated; the message says why."""


class UnknownFilesError(HudiSkipError):
    """The table's own files do not show which of them are current; the message says why. Hudi is asked."""


class NotAHudiTableError(TableUnreadableError):
    """The path is not the root of a Hudi table."""


class UnsupportedTableError(TableUnreadableError):
    """This kind of table is not indexed yet. Queries on it read all files."""


class UnknownVersionError(UnsupportedTableError):
    """The table version is newer than this release supports, or invalid. The message says what to do."""
