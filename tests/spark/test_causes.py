"""The one line that says why something failed, of Spark's real errors."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from pycompiler.spark.causes import cause_of
from pycompiler.spark.jvm import JvmError, jvm

pytestmark = pytest.mark.spark


def _in_a_task(spark: SparkSession) -> None:
    def fail(_: object) -> None:
        import no_such_module  # type: ignore[import-not-found]  # noqa: F401

    spark.sparkContext.parallelize([1], 1).foreach(fail)


def _in_a_chain(spark: SparkSession) -> None:
    def fail(rows: Any) -> Any:
        try:
            Path("/no/such/file").read_text()
        except OSError as error:
            raise ValueError("first line\nsecond line") from error
        yield from rows

    spark.range(1).mapInArrow(fail, "id bigint").collect()


def _in_java(spark: SparkSession) -> None:
    spark.range(1).selectExpr("raise_error('out of\tpaper')").collect()


def _in_a_class(spark: SparkSession) -> None:
    jvm(spark).java.lang.Class.forName("no.such.Class")


@pytest.mark.parametrize(
    ("fail", "cause"),
    [
        (_in_a_task, "ModuleNotFoundError: No module named 'no_such_module'"),
        (_in_a_chain, "ValueError: first line"),
        (_in_java, "java.lang.RuntimeException: out of paper"),
        (_in_a_class, "java.lang.ClassNotFoundException: no.such.Class"),
    ],
)
def test_the_cause_is_the_last_python_line_or_the_innermost_exception_of_java(
    spark: SparkSession, fail: Callable[[SparkSession], None], cause: str
) -> None:
    with pytest.raises((JvmError, PySparkException)) as failed:
        fail(spark)
    assert cause_of(failed.value).startswith(cause)
    assert len(cause_of(failed.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (
            OSError(28, "No space left on device", "/lake/t"),
            "OSError: [Errno 28] No space left on device: '/lake/t'",
        ),
        (ValueError("a\nb"), "ValueError: a"),
        (ImportError("\n\nIMPORTANT: see\n  more"), "ImportError: IMPORTANT: see"),
        (KeyError(), "KeyError"),
    ],
)
def test_of_other_errors_it_is_the_first_line(error: Exception, cause: str) -> None:
    assert cause_of(error) == cause
