"""Resolves a path to Spark's file systems."""

import os
from typing import Final

from pyspark.sql import SparkSession

from pycompiler.index.file_systems.location import Location
from pycompiler.spark.causes import cause_of
from pycompiler.spark.errors import SparkUnavailableError
from pycompiler.spark.jvm import JavaError, jvm

_MISSING: Final = ("ClassNotFoundException", "NoClassDefFoundError", "UnsupportedFileSystemException")
_AWS_BUNDLE: Final = "com.amazonaws:aws-java-sdk-bundle:1.12.262"
"""The version that Hadoop 3.3.4, which Spark 3.5 includes, was built with."""


def qualified(spark: SparkSession, path: str | os.PathLike[str]) -> str:
    """The path with its file system; the session's default file system and directory if it names none."""
    text = os.fspath(path)
    packages = jvm(spark)
    hadoop_path = packages.org.apache.hadoop.fs.Path(text)
    try:
        file_system = hadoop_path.getFileSystem(spark._jsc.hadoopConfiguration())
    except JavaError as error:
        cause = cause_of(error)
        if not any(name in cause for name in _MISSING):
            raise
        raise SparkUnavailableError(
            f"Spark has no file system for {text} ({cause}); {_remedy(spark, Location.parse(text).scheme)}"
        ) from None
    root: str = file_system.makeQualified(hadoop_path).toString()
    return root


def _remedy(spark: SparkSession, scheme: str) -> str:
    if scheme != "s3a":
        return "start Spark with the file system's library (docs/start/install.md)"
    version = jvm(spark).org.apache.hadoop.util.VersionInfo.getVersion()
    packages = f"org.apache.hadoop:hadoop-aws:{version},{_AWS_BUNDLE}"
    return f"start Spark with --packages {packages} (docs/start/install.md)"
