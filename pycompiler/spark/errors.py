"""What can keep a table from being indexed or read. The messages are for people."""

from __future__ import annotations


class SparkUnavailableError(Exception):
    """The Spark session lacks Hudi or the table's file system, or none can be started."""


class ExecutorPythonError(Exception):
    """The Python of Spark's executors lacks a library, or there is none."""


class NotAHudiTableError(Exception):
    """The path is not the root of a Hudi table."""


class UnsupportedTableError(Exception):
    """The table is of a kind that is not indexed yet. Queries on it read all files."""


class UnknownVersionError(UnsupportedTableError):
    """The table version is newer than what this release reads, or none. The message says what to do."""


class IncrementalReadError(Exception):
    """What a range of commits wrote cannot be read, or not all of it. The message says what to do."""


class IndexUpdateWarning(UserWarning):
    """The data was written, the index was not. Queries stay right; `hudi-skip index update` catches up."""
