"""A user's own Spark application, its session made without `hudi_session`. Run as a program.

Arguments: a directory, and what the session has: `hudi` or `nothing`. It prints what happened as JSON.
"""

import json
import logging
import sys
import warnings
from collections.abc import Callable
from logging.handlers import BufferingHandler
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from pycompiler.indexing.verification import verify
from pycompiler.spark import cluster
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.session import find_bundle
from pycompiler.spark.writer import write_indexed

from .tables import options

KRYO = {"spark.serializer": "org.apache.spark.serializer.KryoSerializer"}


def happened(action: Callable[[], Any]) -> dict[str, Any]:
    """The result, the error, the log and the warnings of an action."""
    logged = BufferingHandler(1000)
    logged.setLevel(logging.WARNING)
    logging.getLogger("pycompiler").addHandler(logged)
    result = error = None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = action()
        except Exception as raised:
            error = f"{type(raised).__name__}: {raised}"
    logging.getLogger("pycompiler").removeHandler(logged)
    texts = [logged.format(record) for record in logged.buffer]
    index_warnings = [str(item.message) for item in caught if item.category.__name__ == "IndexUpdateWarning"]
    return {
        "result": repr(result),
        "error": error,
        "log": texts,
        "warnings": index_warnings,
    }


def session(settings: dict[str, str]) -> SparkSession:
    """A session as a user's program makes it."""
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    for key, value in {**settings, "spark.sql.shuffle.partitions": "2"}.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def with_hudi(folder: Path) -> dict[str, Any]:
    """Everything that a session does with Hudi and whatever Python its executors run."""
    spark = session({**KRYO, "spark.jars": str(find_bundle())})
    settings = options("t", "bulk_insert", True)
    table = folder / "t"
    bloom = {"id": "bloom(fpp=0.01)"}

    def write(index: dict[str, str] | None) -> Any:
        return write_indexed(rows(spark), table, settings, index).index

    report = {"few files": happened(lambda: write(None))}
    cluster.SECONDS_ON_DRIVER = 0.0  # type: ignore[misc]
    report |= {"pages": happened(lambda: write(bloom))}
    cluster.BYTES_WITHOUT_EXECUTORS = 0  # type: ignore[misc]
    report |= {
        "too much": happened(lambda: write(bloom)),
        "build": happened(lambda: IndexCreator(spark, bloom).build(table)),
        "verify": happened(lambda: verify(table, cluster.SparkCluster(spark, 0))),
    }
    spark.stop()
    # The JVM stays, and with it Hudi.
    spark = session({"spark.serializer": "org.apache.spark.serializer.JavaSerializer"})
    other = folder / "other serializer"
    report["serializer"] = happened(lambda: write_indexed(rows(spark), other, settings))
    report["serializer"]["written"] = other.exists()
    spark.stop()
    return report


def without_hudi(folder: Path) -> dict[str, Any]:
    """A session without Hudi."""
    spark = session({})
    settings = options("t", "bulk_insert", True)
    report = {
        "write": happened(lambda: write_indexed(rows(spark), folder / "t", settings)),
        "build": happened(lambda: IndexCreator(spark).build(folder / "t")),
    }
    report["write"]["written"] = (folder / "t").exists()
    spark.stop()
    return report


def rows(spark: SparkSession) -> DataFrame:
    """Rows for three base files or more, without a Python task."""
    return spark.range(30).selectExpr("id", "concat('p', id % 3) as part", "cast(id as string) as s")


def main(folder: str, has: str) -> None:
    """Runs the application."""
    report = (with_hudi if has == "hudi" else without_hudi)(Path(folder))
    print("\n" + json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
