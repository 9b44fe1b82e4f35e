"""Access to Spark's JVM, which is untyped in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JError, Py4JJavaError  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JavaError = Py4JJavaError
JvmError = Py4JError


def jvm(spark: SparkSession) -> Any:
    """The packages of a session's JVM."""
    return spark._jvm
