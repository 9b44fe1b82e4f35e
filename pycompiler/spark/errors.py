"""Errors in indexing or reading a table."""

from pycompiler.errors import HudiSkipError


class SparkUnavailableError(HudiSkipError):
    """The Spark session lacks Hudi or the table's file system, or no session can be started."""


class ExecutorPythonError(HudiSkipError):
    """The executors have no Python, or it lacks a library."""


class IncrementalReadError(HudiSkipError):
    """A range of commits cannot be read completely. The message says what to do."""


class IndexUpdateWarning(UserWarning):
    """The data was written, the index was not. Queries stay correct; `hudi-skip index update` catches up."""
