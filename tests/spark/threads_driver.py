"""One Spark application whose threads write, index and read tables at the same time. Run as a program.

Argument: a directory. It prints what happened as JSON.
"""

import atexit
import importlib
import json
import os
import resource
import shutil
import sys
import threading
import traceback
import warnings
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from unittest import mock

from pyspark.sql import DataFrame, SparkSession

from pycompiler.compile.sql.dialect import Dialect
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.indexing.verification import verify
from pycompiler.spark import cluster, shipping
from pycompiler.spark.incremental.reader import incremental_end, read_incremental
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.session import hudi_session
from pycompiler.spark.streaming import index_batches
from pycompiler.spark.writer import write_indexed
from pycompiler.table.index_status import status_by_timeline
from pycompiler.table.timeline import Timeline
from pycompiler.tools.explain.explanation import explain_filter
from pycompiler.tools.pull.range import next_range

from .tables import options, write

THREADS = 4
ROWS = 200
UPDATED = range(150, 250)
KINDS = {"id": "range,bloom", "v": "range,bloom"}
LOCKED = {
    "hoodie.write.concurrency.mode": "optimistic_concurrency_control",
    "hoodie.write.lock.provider": "org.apache.hudi.client.transaction.lock.InProcessLockProvider",
    "hoodie.cleaner.policy.failed.writes": "LAZY",
}
VERIFIED = ("own0", "own2", "shared", "streamed0")
"""Tables whose index is held against the files: one of each kind, because it takes long."""

_PATIENCE_SECONDS = 300
_SETTING = "spark.sql.shuffle.partitions"
_LESS_THAN_THE_PACKAGE = 200_000


def settings(name: str, operation: str, **more: str) -> dict[str, str]:
    """Options of Hudi's writer, with the metadata table only where asked for: it takes most of the time."""
    table = {
        "hoodie.datasource.write.precombine.field": "v",
        "hoodie.metadata.enable": "false",
        "hoodie.embed.timeline.server": "false",
    }
    return options(name, operation, False, **{**table, **more})


def rows(spark: SparkSession, ids: Iterable[int], added: int = 0) -> DataFrame:
    """Two partitions, and so two base files of a bulk insert: more than the driver indexes by itself."""
    numbers = list(ids)
    return spark.range(numbers[0], numbers[-1] + 1, 1, 2).selectExpr("id", f"id + {added} as v")


class Application:
    """A session, and the actions of threads in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.spark = session()
        self._written = threading.Barrier(THREADS)

    def at_once(self, *actions: Callable[[], Any]) -> list[dict[str, Any]]:
        """The result or the error of each action, all of which run at the same time."""
        with ThreadPoolExecutor(len(actions)) as pool:
            return list(pool.map(happened, actions))

    def archives(self) -> list[str]:
        """The archives of the package that Spark has."""
        return [file for file in self.spark.sparkContext.listFiles if "pycompiler" in file]

    def is_alive(self) -> bool:
        """Whether the session still runs jobs that have nothing to do with an index."""
        return bool(self.spark.range(10).repartition(2).count() == 10)

    def of_table(self, path: Path) -> dict[str, Any]:
        """What is in a table, and the state of its index."""
        found = self.spark.read.format("hudi").option("hoodie.enable.data.skipping", "false").load(str(path))
        status = status_by_timeline(StatisticsIndex.open(path), Location.parse(str(path)))
        return {
            "rows": {str(row[0]): row[1] for row in found.select("id", "v").collect()},
            "up to date": status is not None and status.up_to_date,
            "sound": verify(path).sound if path.name in VERIFIED else None,
        }

    def own_table(self, number: int) -> dict[str, Any]:
        """Writes a table that no other thread writes, updates it, and reads it in each way."""
        # Sessions share the application; one half has a session for each thread.
        spark = self.spark.newSession() if number % 2 else self.spark
        hudi_session(conf={_SETTING: "7"})
        path = self.folder / f"own{number}"
        kind = "MERGE_ON_READ" if number > 1 else "COPY_ON_WRITE"
        more = {
            "hoodie.datasource.write.table.type": kind,
            "hoodie.metadata.enable": str(number == 3).lower(),
        }
        name = path.name
        write(rows(spark, range(ROWS)), path, settings(name, "bulk_insert", **more))
        # They need the archive of the package at the same moment.
        self._written.wait(_PATIENCE_SECONDS)
        built = IndexCreator(spark, KINDS).build(path)
        updated = write_indexed(rows(spark, UPDATED, 1000), path, settings(name, "upsert", **more))
        changed = read_incremental(spark, path, "0", where="v >= 1000")
        explained = explain_filter(
            Location.parse(str(path)), "v >= 5000", Dialect.HIVE, datetime.now(timezone.utc)
        )
        return {
            "failure": updated.index_failure,
            "built": built.published,
            "changed": sorted(row[0] for row in changed.select("id").collect()),
            "explained": [sum(verdict.kept for verdict in explained.slices.values()), len(explained.slices)],
        }

    def shared_table(self, number: int) -> dict[str, Any]:
        """Adds rows to a table that all threads write; half of the threads also update the same row."""
        path = self.folder / "shared"
        ids = range(1000 * (number + 1), 1000 * (number + 1) + 20)
        inserted = write_indexed(rows(self.spark, ids), path, settings("shared", "bulk_insert", **LOCKED))
        if number < 2:
            IndexCreator(self.spark, KINDS).build(path)
        if number % 2:
            return {"inserted": inserted.index_failure, "updated": None}
        update = rows(self.spark, range(1), 1 + number)
        updated = happened(
            lambda: write_indexed(update, path, settings("shared", "upsert", **LOCKED)).index_failure
        )
        return {"inserted": inserted.index_failure, "updated": updated}

    def pulled(self) -> int:
        """Commits of the shared table that a pull would take next."""
        path = Location.parse(str(self.folder / "shared"))
        commits, _ = next_range(Timeline.of(path), "0", -1)
        return 0 if commits is None else commits.commits

    def stream(self, number: int) -> list[str | None]:
        """Streams two batches into a table of its own."""
        path = self.folder / f"streamed{number}"
        into = index_batches(path, settings(path.name, "bulk_insert"), KINDS)
        source = self.folder / f"source{number}"
        query = (
            self.spark.readStream.schema("id bigint, v bigint")
            .option("maxFilesPerTrigger", 2)
            .parquet(str(source))
            .writeStream.foreachBatch(into)
            .option("checkpointLocation", str(self.folder / f"checkpoint{number}"))
            .trigger(availableNow=True)
            .start()
        )
        assert query.awaitTermination(_PATIENCE_SECONDS)
        return []


def happened(action: Callable[[], Any]) -> dict[str, Any]:
    """The result of an action, or its error."""
    try:
        return {"result": action(), "error": None}
    except Exception as error:
        traceback.print_exc()
        return {"result": None, "error": f"{type(error).__name__}: {error}"}


def session() -> SparkSession:
    """A local session that shares its two cores among the jobs of many threads."""
    spark = hudi_session(
        "threads",
        master="local[2]",
        conf={_SETTING: "2", "spark.scheduler.mode": "FAIR"},
    )
    spark.sparkContext.setLogLevel("OFF")
    return spark


def without_room(application: Application) -> dict[str, Any]:
    """A first write with an index when the archive of the package cannot be written."""
    path = application.folder / "no room"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    # Of this process alone: the JVM and its Python workers have started, or start from the JVM.
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LESS_THAN_THE_PACKAGE, before[1]))
    try:
        written = write_indexed(
            rows(application.spark, range(ROWS)), path, settings("t", "bulk_insert"), KINDS
        )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    alive = application.is_alive()
    return {"failure": written.index_failure, "alive": alive, "archives": application.archives()}


def after_a_fork(application: Application) -> None:
    """Lets a fork of this process end as programs do."""
    child = os.fork()
    if not child:
        atexit._run_exitfuncs()
        os._exit(0)
    os.waitpid(child, 0)


def after_an_upgrade(application: Application) -> None:
    """Loads the module that ships the package again, from a package with other contents."""
    changed = application.folder / "site-packages" / "pycompiler"
    shutil.copytree(Path(shipping.__file__).parents[1], changed, ignore=shutil.ignore_patterns("*.pyc"))
    with (changed / "version.py").open("a") as file:
        file.write("# upgraded\n")
    importlib.reload(shipping)
    with mock.patch.object(shipping, "_PACKAGE", changed):
        shipping.ship_package(application.spark.sparkContext)


def run(folder: Path) -> Mapping[str, Any]:
    """Runs what an application may do with threads, and then what may happen to it besides."""
    application = Application(folder)
    report: dict[str, Any] = {"no room": without_room(application)}
    for number in range(2):
        for part in range(2):
            ids = range(100 * part, 100 * part + 100)
            rows(application.spark, ids).write.mode("append").parquet(str(folder / f"source{number}"))
    shared = folder / "shared"
    rows_of_shared = rows(application.spark, range(2))
    write_indexed(rows_of_shared, shared, settings("shared", "bulk_insert", **LOCKED), {"id": "range"})
    report["own"] = application.at_once(
        *(lambda number=number: application.own_table(number) for number in range(THREADS)),
    )
    report["alive"], report["setting"] = application.is_alive(), application.spark.conf.get(_SETTING)
    report["shared"] = application.at_once(
        *(lambda number=number: application.shared_table(number) for number in range(THREADS)),
        *(lambda number=number: application.stream(number) for number in range(2)),
        application.pulled,
        lambda: read_incremental(application.spark, shared, "0", where="id < 2").count(),
        lambda: incremental_end(application.spark, shared),
    )
    names = [*(f"own{number}" for number in range(THREADS)), "shared", "streamed0", "streamed1", "no room"]
    IndexCreator(application.spark).update(folder / "no room")
    report["tables"] = dict(
        zip(
            names,
            application.at_once(*(lambda name=name: application.of_table(folder / name) for name in names)),
            strict=True,
        )
    )
    report["archives"] = application.archives()
    after_a_fork(application)
    after_an_upgrade(application)
    report["after"] = {"archives": application.archives(), "alive": application.is_alive()}
    application.spark.stop()
    application = Application(folder)
    report["restarted"] = {
        "before": application.archives(),
        "own": application.at_once(
            *(
                lambda number=number: (
                    write_indexed(
                        rows(application.spark, range(300, 400)),
                        folder / f"own{number}",
                        settings(f"own{number}", "bulk_insert"),
                        KINDS,
                    ).index_failure
                )
                for number in range(2)
            )
        ),
        "archives": application.archives(),
        "alive": application.is_alive(),
    }
    application.spark.stop()
    return report


def main(folder: str) -> None:
    """Runs the application."""
    warnings.simplefilter("always")
    # As if the tables were large: the executors index them.
    with mock.patch.object(cluster, "SECONDS_ON_DRIVER", 0):
        print("\n" + json.dumps(run(Path(folder))))


if __name__ == "__main__":
    main(sys.argv[1])
