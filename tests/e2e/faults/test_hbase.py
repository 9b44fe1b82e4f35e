"""A catalogue of partitions in a real HBase: the same answers as Spark's, whatever becomes of it."""

import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pycompiler.hbase.catalogue import DEFAULT_TABLE, MAIN_CLASS, HBaseCatalogue, class_path
from pycompiler.index.file_systems.location import Location
from pycompiler.installation import JVM_OPTIONS, find_java
from pycompiler.spark.writer import write_indexed
from pycompiler.table.catalogue.errors import CatalogueError
from pycompiler.table.catalogue.partitions import read_generation

from ...stores.hbase import CLIENT, HBase, running_hbase
from ..harness.check import Checker
from ..harness.scans import ScanLog
from ..harness.servers import SERVER_SETTINGS, ServedHive, running_server
from ..harness.session import HANDLER
from .hbase_lookups import lookups

ODD = "r%/ö 'x'"
REGIONS = ["as", "eu", "us", ODD, None]
HOURS = range(4)
_OPTIONS = {
    "hoodie.table.name": "planned",
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.precombine.field": "id",
    "hoodie.datasource.write.partitionpath.field": "region,hour",
    "hoodie.datasource.write.keygenerator.class": "org.apache.hudi.keygen.ComplexKeyGenerator",
    "hoodie.datasource.write.partitionpath.urlencode": "true",
    "hoodie.datasource.write.operation": "bulk_insert",
    "hoodie.bulkinsert.shuffle.parallelism": "2",
    "hoodie.bulkinsert.sort.mode": "GLOBAL_SORT",
    "hoodie.metadata.enable": "false",
}
_SLOW = 1_500
_SEED = 0


@pytest.fixture(scope="module")
def hbase(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HBase]:
    with running_hbase(tmp_path_factory.mktemp("stores") / "hbase") as hbase:
        yield hbase


@pytest.fixture(scope="module")
def check(hbase: HBase, tmp_path_factory: pytest.TempPathFactory, spark: SparkSession) -> Iterator[Checker]:
    """A server with HBase's client behind Hive's jars."""
    home = tmp_path_factory.mktemp("hive")
    jars = sorted(CLIENT.glob("*.jar"))
    settings = {
        **SERVER_SETTINGS,
        "hudi.skipping.catalogue": "hbase",
        "hudi.skipping.catalogue.hbase.quorum": hbase.quorum,
        "hudi.skipping.catalogue.hbase.timeout.ms": "20000",
    }
    with (
        running_server(home, settings, extra_jars=jars) as server,
        ServedHive(server).connect() as session,
    ):
        yield Checker(session, ScanLog(server.log), spark)


@pytest.fixture(scope="module")
def table(check: Checker, tmp_path_factory: pytest.TempPathFactory, spark: SparkSession) -> str:
    """Twenty partitions of a file each, which Hive and Spark call `planned`."""
    path = str(tmp_path_factory.mktemp("lake") / "planned")
    rows = [
        (10 * number + hour, region, hour, f"n{hour}")
        for number, region in enumerate(REGIONS)
        for hour in HOURS
    ]
    write(spark, path, rows, "overwrite")
    check.session.rows(f"CREATE EXTERNAL TABLE planned STORED BY '{HANDLER}' LOCATION '{path}'")
    show_spark(spark, path)
    return path


def write(
    spark: SparkSession, path: str, rows: Sequence[tuple[Any, ...]], mode: str = "append", **options: str
) -> None:
    """Writes a commit, which the index sees."""
    frame = spark.createDataFrame(rows, "id int, region string, hour int, name string")
    written = write_indexed(frame, path, {**_OPTIONS, **options}, mode=mode)
    assert written.index is not None, written.index_failure


def show_spark(spark: SparkSession, path: str) -> None:
    """Spark sees the commits since it last looked."""
    spark.read.format("hudi").load(path).createOrReplaceTempView("planned")


QUERIES = [
    # A get; ranges; both columns with a filter; NULL; what is written otherwise in a path.
    ("SELECT id FROM planned WHERE region = 'eu' AND hour = 2", 1),
    ("SELECT id FROM planned WHERE region IN ('eu', 'us') AND hour > 1", 4),
    ("SELECT id FROM planned WHERE hour = 3", 5),
    ("SELECT id FROM planned WHERE region > 'as' AND hour != 1", 9),
    ("SELECT id FROM planned WHERE region IS NULL AND hour < 2", 2),
    (f"""SELECT id FROM planned WHERE region = "{ODD}" AND hour = 0""", 1),
    ("SELECT id FROM planned WHERE region = 'eu' AND hour = 0 OR region = 'us' AND hour IN (1, 3)", 3),
    ("SELECT id FROM planned WHERE upper(region) = 'EU' AND hour = 1", 1),
]


@pytest.mark.full
def test_queries_list_the_partitions_that_hbase_names_and_those_that_changed_since(
    hbase: HBase, table: str, check: Checker, spark: SparkSession
) -> None:
    unpublished = check(QUERIES[0][0]).kept(1).scan
    assert "not hbase: the table is not published in HBase" in unpublished.listing or "TableNotFound" in (
        unpublished.listing
    ), unpublished.line

    catalogue = HBaseCatalogue(hbase.quorum)
    first = catalogue.publish(table)
    assert (first.partitions, first.unkeyed) == (20, 0)
    for query, files in QUERIES:
        assert check(query).kept(files).scan.listing == "hbase", query
    everything = check("SELECT id FROM planned WHERE name = 'n3'").scan
    assert "the plan selects all partitions" in everything.listing

    # A new partition, new rows in an old one, and a replaced partition, all unknown to HBase.
    write(spark, table, [(100, "eu", 9, "new"), (101, "us", 1, "more")])
    write(
        spark,
        table,
        [(102, "as", 0, "instead")],
        **{"hoodie.datasource.write.operation": "insert_overwrite"},
    )
    show_spark(spark, table)
    assert sorted(check("SELECT id FROM planned WHERE hour = 9").column()) == [100]
    assert check("SELECT id FROM planned WHERE region = 'us' AND hour = 1").kept(2).scan.listing == "hbase"
    replaced = check("SELECT id FROM planned WHERE region = 'as' AND hour = 0").kept(1)
    assert (replaced.column(), replaced.scan.listing) == ([102], "hbase")

    # A publisher that is killed half way, and one that others overtake: what was there is in force.
    publish_half(hbase, table)
    assert check(QUERIES[1][0]).scan.listing == "hbase"

    # A partition that is dropped, and the next publication.
    write(
        spark,
        table,
        [(0, "us", 3, "")],
        **{
            "hoodie.datasource.write.operation": "delete_partition",
            "hoodie.datasource.write.partitions.to.delete": "us/3",
        },
    )
    show_spark(spark, table)
    assert check("SELECT id FROM planned WHERE region = 'us' AND hour = 3").rows == ()
    second = catalogue.publish(table)
    assert second.partitions == 20, "one new, one gone"
    assert second.publication > first.publication + 1, "the killed one had a number, too"
    assert check(QUERIES[0][0]).scan.listing == "hbase"

    # A writer with a catalogue publishes with its index.
    rows = spark.createDataFrame([(103, "eu", 10, "later")], "id int, region string, hour int, name string")
    write_indexed(rows, table, _OPTIONS, catalogue=catalogue)
    show_spark(spark, table)
    assert check("SELECT id FROM planned WHERE hour = 10").kept(1).scan.listing == "hbase"
    third = catalogue.publish(table)
    assert (third.partitions, third.publication) == (21, second.publication + 2), "the writer's, and this"

    # A partition without proven values is listed for every query.
    location = Location.parse(table)
    generation = read_generation(location)
    unproved = [replace(of, key=None) if of.path == "eu/2" else of for of in generation.partitions]
    catalogue.send(replace(generation, partitions=tuple(unproved)), location)
    assert check(QUERIES[0][0]).kept(1).scan.listing == "hbase"


def publish_half(hbase: HBase, table: str) -> None:
    """Sends most of a generation, with wrong keys, and kills the publisher."""
    generation = read_generation(Location.parse(table))
    command = [str(find_java()), *JVM_OPTIONS, "-cp", class_path()]
    arguments = [MAIN_CLASS, hbase.quorum, DEFAULT_TABLE, table]
    with subprocess.Popen(
        [*command, *arguments], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin is not None
        document = generation.document()
        process.stdin.write(len(document).to_bytes(4, "big") + document)
        # More than pipe and buffer hold: the publisher is reading them when it is killed.
        for partition in generation.partitions[:5] * 4_000:
            path = partition.path.encode()
            process.stdin.write(b"\2" + len(path).to_bytes(4, "big") + path + (0).to_bytes(4, "big"))
        process.stdin.flush()
        process.kill()


@pytest.mark.full
def test_random_plans_find_in_hbase_what_they_find_in_a_list(hbase: HBase, tmp_path: Path) -> None:
    found = list(lookups(hbase.quorum, f"{CLIENT}/*", tmp_path, _SEED, tables=30, plans=60))
    for each in found:
        assert each.found in (None, each.expected), f"{each.plan.text()}"
    asked = [each for each in found if each.found is not None]
    assert len(asked) > len(found) / 2, "plans that leave the whole table say nothing"
    assert sum(len(each.expected) for each in asked) > 2 * len(asked), "nor do those that leave nothing"


def test_what_hbase_refuses_is_said_in_its_words(hbase: HBase, table: str) -> None:
    with pytest.raises(CatalogueError, match="NamespaceNotFoundException"):
        HBaseCatalogue(hbase.quorum, "absent:partitions").publish(table)


def test_without_hbase_in_time_a_query_answers_all_the_same(
    hbase: HBase, table: str, check: Checker, spark: SparkSession
) -> None:
    HBaseCatalogue(hbase.quorum).publish(table)
    query = QUERIES[1][0]
    answer = check(query)
    assert answer.scan.listing == "hbase"
    deadline = {"hudi.skipping.catalogue.hbase.timeout.ms": str(_SLOW)}
    with hbase.stopped():
        started = time.monotonic()
        late = check.run(query, deadline)
        assert time.monotonic() - started < 20
    assert f"index, not hbase: no answer within {_SLOW} ms" in late.scan.listing, late.scan.line
    assert sorted(late.rows) == sorted(answer.rows)

    hbase.kill()
    down = check.run(query, deadline)
    assert down.scan.listing.startswith("index, not hbase: "), down.scan.line
    assert sorted(down.rows) == sorted(answer.rows)
    with pytest.raises(CatalogueError, match="did not accept the partitions"):
        HBaseCatalogue(hbase.quorum).publish(table)
    with_files = check.run(query, {**deadline, "hudi.skipping.listing": "files"})
    assert with_files.scan.listing == "files"
