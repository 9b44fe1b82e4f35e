"""What can keep a table from being indexed. The messages are for people."""

from __future__ import annotations


class SparkUnavailableError(Exception):
    """There is no Spark session with Hudi's bundle, and none can be started."""


class NotAHudiTableError(Exception):
    """The path is not the root of a Hudi table."""


class UnsupportedTableError(Exception):
    """The table is of a kind that is not indexed yet. Queries on it read all files."""


class IndexUpdateWarning(UserWarning):
    """The data was written, the index was not. Queries stay right; `hudi-skip index update` catches up."""
