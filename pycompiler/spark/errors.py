"""Errors in indexing or reading a table."""

from pycompiler.errors import HudiSkipError


class SparkUnavailableError(HudiSkipError):
    """The Spark session lacks Hudi or the table's file system, or no session can be started."""


class ExecutorPythonError(HudiSkipError):
    """The executors have no Python, or it lacks a library."""


class NotAHudiTableError(HudiSkipError):
    """The path is not the root of a Hudi table."""


class UnsupportedTableError(HudiSkipError):
    """This kind of table is not indexed yet. Queries on it read all files."""


class UnknownVersionError(UnsupportedTableError):
    """The table version is newer than this release supports, or invalid. The message says what to do."""


class IncrementalReadError(HudiSkipError):
    """A range of commits cannot be read completely. The message says what to do."""


class IndexUpdateWarning(UserWarning):
    """The data was written, the index was not. Queries stay correct; `hudi-skip index update` catches up."""
