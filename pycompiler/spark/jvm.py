"""The way into Spark's JVM, which has no types in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JError, Py4JJavaError  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["JavaError", "JvmError", "jvm"]

JavaError = Py4JJavaError
"""An exception thrown by Java code."""

JvmError = Py4JError
"""Any failure of a call into the JVM."""


def jvm(spark: SparkSession) -> Any:
    """Gives the packages of a session's JVM."""
    return spark._jvm
