"""A user's Spark application with another release of Hudi. Run as a program, with HUDI_SPARK_BUNDLE set.

    python -m tests.e2e.releases.driver FOLDER TABLES [UNKNOWN…]

TABLES is a JSON object: for each table, its name and Hudi's options. The program writes each table to the
folder and prints a JSON report on it, then one on how the UNKNOWN tables, too new for this Hudi, are refused.
"""

import json
import logging
import shutil
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from logging.handlers import BufferingHandler
from pathlib import Path
from typing import Any, Final

from pyspark.sql import DataFrame, SparkSession

from pycompiler.compile.sql.dialect import Dialect
from pycompiler.index.file_systems.location import Location
from pycompiler.indexing.verification import verify
from pycompiler.spark.cluster import SparkCluster
from pycompiler.spark.errors import IndexUpdateWarning
from pycompiler.spark.hudi_table import HudiTable
from pycompiler.spark.incremental.reader import incremental_end, read_incremental
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.session import hudi_session
from pycompiler.spark.writer import write_indexed
from pycompiler.table.properties import TableProperties, parse_properties
from pycompiler.tools.explain.explanation import explain_filter

from ...conftest import SPARK_SETTINGS
from ...spark.tables import compact_index, status, times_of
from .contents import DELETED, WHERE, WRITES, Row

_VERSION: Final = "hoodie.write.table.version"
_ORDERING: Final = "hoodie.datasource.write.precombine.field"
_OPERATIONS: Final = ("bulkinsert", "upsert", "delete")
_SCHEMA: Final = "id int, part string, n int, m int, op string, s string"


def options(operation: str, of_table: Mapping[str, str]) -> dict[str, str]:
    """Hudi's options for a write."""
    return {
        "hoodie.table.name": "t",
        "hoodie.datasource.write.operation": operation,
        "hoodie.datasource.write.recordkey.field": "id",
        "hoodie.datasource.write.partitionpath.field": "part",
        _ORDERING: "n",
        "hoodie.write.auto.upgrade": "false",
        "hoodie.compact.inline": "false",
        **dict.fromkeys((f"hoodie.{name}.shuffle.parallelism" for name in _OPERATIONS), "1"),
        **of_table,
    }


def rows_of(frame: DataFrame) -> list[Row]:
    """The rows, sorted, without Hudi's columns."""
    return sorted(tuple(row) for row in frame.select(*_names()).collect())


def _names() -> list[str]:
    return [field.split()[0] for field in _SCHEMA.split(", ")]


def snapshot(spark: SparkSession, path: Path) -> list[Row]:
    """The table as Spark reads it without skipping any file of its own."""
    unskipped = {"hoodie.enable.data.skipping": "false", "hoodie.metadata.enable": "false"}
    return rows_of(spark.read.format("hudi").options(**unskipped).load(str(path)))


def pruned(path: Path, where: str) -> dict[str, Any]:
    """The verdict of `hudi-skip explain` on a condition."""
    found = explain_filter(
        Location.parse(str(path)), where, Dialect.HIVE, datetime(2026, 1, 1, tzinfo=timezone.utc)
    )
    return {
        "kept": found.slices_kept,
        "of": len(found.slices),
        "complete": found.known.complete,
        "not indexed": found.slices_not_indexed,
        "with logs": sum(bool(each.slice.logs) for each in found.slices.values()),
        "mixing": found.mixing,
    }


@contextmanager
def logged(name: str) -> Iterator[list[str]]:
    """The lines that a logger writes at INFO level, after the block."""
    kept, lines = BufferingHandler(1000), list[str]()
    logger = logging.getLogger(name)
    logger.setLevel(logging.INFO)
    logger.addHandler(kept)
    yield lines
    logger.removeHandler(kept)
    lines += [record.getMessage() for record in kept.buffer]


def state(spark: SparkSession, path: Path, name: str) -> dict[str, Any]:
    """The table and its index; a copy beside the table, with the state's name, stays as it is."""
    shutil.copytree(path, copy_of(path, name))
    checked = verify(path, SparkCluster(spark, 0))
    return {
        "rows": snapshot(spark, path),
        "up to date": status(spark, path).up_to_date,
        "sound": (checked.sound, checked.files_missing, checked.records > 0),
        "explain": pruned(path, WHERE),
    }


def copy_of(path: Path, state: str) -> Path:
    """Where the copy of a table in this state is."""
    return path.with_name(f"{path.name}_{state}")


def application(spark: SparkSession, path: Path, of_table: Mapping[str, str]) -> dict[str, Any]:
    """Writes, deletes and compacts, and looks at the table in between."""
    report: dict[str, Any] = {}
    frames = [spark.createDataFrame(rows, _SCHEMA).coalesce(1) for _, rows in WRITES]
    for (operation, _), frame in zip(WRITES, frames, strict=True):
        written = write_indexed(frame, path, options(operation, of_table))
        assert written.index is not None
    report["written"] = state(spark, path, "written")
    properties = parse_properties((path / ".hoodie" / "hoodie.properties").read_text())
    report["version"] = properties["hoodie.table.version"]
    report["mixing"] = TableProperties.read(Location.parse(str(path))).mixing
    report["columns"] = sorted(HudiTable(spark, path).columns_of_files.names)
    report["batch"] = HudiTable(spark, path).last_batch("none", "none")
    of_commits = times_of(path)
    start = of_commits[1] if properties["hoodie.timeline.layout.version"] == "2" else of_commits[0]
    report["incremental"] = rows_of(read_incremental(spark, path, start))
    with logged("pycompiler.spark.incremental.reader") as lines:
        found = read_incremental(spark, path, start, where=WHERE)
    report["incremental where"] = rows_of(found)
    report["incremental log"] = lines
    report["incremental files"] = len(found.inputFiles())
    assert incremental_end(spark, path) == of_commits[-1]

    gone = frames[0].where(f"id in ({', '.join(map(str, DELETED))})")
    gone.write.format("hudi").options(**options("delete", of_table)).mode("append").save(str(path))
    report["stale"] = pruned(path, WHERE)
    report["update"] = IndexCreator(spark).update(path).listed_because
    report["deleted"] = state(spark, path, "deleted")
    if not TableProperties.read(Location.parse(str(path))).is_copy_on_write:
        # Hudi 0.15 does not take the ordering field from the table here, and 1.0 not the version.
        given = {
            "hoodie.compact.inline.max.delta.commits": "1",
            **({} if _ORDERING in of_table else {"hoodie.payload.ordering.field": "n"}),
            **{name: of_table[name] for name in [_VERSION] if name in of_table},
        }
        assigned = ",".join(f"{name}={value}" for name, value in given.items())
        spark.sql(
            f"call run_compaction(op => 'scheduleandexecute', path => '{path}', options => '{assigned}')"
        ).collect()
        report["update after compaction"] = IndexCreator(spark).update(path).listed_because
        report["compacted"] = state(spark, path, "compacted")
    compact_index(spark, path, 0)
    report["folded"] = state(spark, path, "folded")
    return report


def refusals(spark: SparkSession, path: str) -> list[str]:
    """How a table that is too new for this Hudi is refused by all that needs Hudi: an index does not."""
    IndexCreator(spark).build(path)
    rows = spark.createDataFrame([(1, 300, 1, "s")], "id int, n int, i int, s string")
    given = {"hoodie.table.name": Path(path).name, "hoodie.datasource.write.recordkey.field": "id"}
    said = []
    for action in (
        lambda: status(spark, path),
        lambda: read_incremental(spark, path, "0"),
        lambda: write_indexed(rows, path, given),
    ):
        try:
            said.append(f"nothing: {action()}")
        except Exception as error:
            said.append(f"{type(error).__name__}: {error}")
    return said


def main(folder: str, tables: str, *unknown: str) -> None:
    """Runs the application."""
    spark = hudi_session("releases", master="local[1]", conf=SPARK_SETTINGS)
    spark.sparkContext.setLogLevel("ERROR")
    with warnings.catch_warnings():
        warnings.simplefilter("error", IndexUpdateWarning)
        for name, of_table in json.loads(tables).items():
            report = application(spark, Path(folder) / name, of_table)
            print("\n" + json.dumps({name: report}), flush=True)
    print("\n" + json.dumps({path: refusals(spark, path) for path in unknown}))
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
