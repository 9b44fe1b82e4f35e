"""Two HiveServer2s on one metastore: what one has made, the other one uses, and both follow the index."""

from collections.abc import Iterator, Mapping

import pytest
from pyspark.sql import DataFrame, SparkSession

from pycompiler.spark.index_creator import IndexCreator

from ..e2e.harness.check import Checker
from ..e2e.harness.session import HANDLER
from .container_logs import ContainerLogs, application_of
from .hadoop import Hadoop
from .hive import ClusterHive
from .tables import EVENTS_PER_FILE, append, events, write

_QUERY = f"select count(*), sum(id) from shared where id >= {3 * EVENTS_PER_FILE}"


def _answer(files: int) -> tuple[tuple[int, int], ...]:
    """The answer of `_QUERY` if the table has so many files."""
    ids = range(3 * EVENTS_PER_FILE, files * EVENTS_PER_FILE)
    return ((len(ids), sum(ids)),)


@pytest.fixture
def checks(
    hive: ClusterHive, second_hive: ClusterHive, logs: ContainerLogs, spark: SparkSession
) -> Iterator[Mapping[str, Checker]]:
    """A session of each server, and an application master of each session."""
    with hive.connect() as one, second_hive.connect() as other:
        for session in (one, other):
            session.rows("SET hive.fetch.task.conversion=none")
        yield {"one": Checker(one, logs, spark), "other": Checker(other, logs, spark)}


def test_two_servers_on_one_metastore_share_tables_and_see_each_update_of_the_index(
    checks: Mapping[str, Checker], hadoop: Hadoop, logs: ContainerLogs, spark: SparkSession
) -> None:
    lake = f"{hadoop.uri}/shared_lake"

    def rows(files: range) -> DataFrame:
        ids = spark.range(files.start * EVENTS_PER_FILE, files.stop * EVENTS_PER_FILE)
        return events(ids)

    write(rows(range(4)), lake, "shared", 4)
    checks["one"].session.rows(f"CREATE EXTERNAL TABLE shared STORED BY '{HANDLER}' LOCATION '{lake}/shared'")
    applications = set()
    for check in (checks["other"], checks["one"]):
        checked = check.run(_QUERY).kept(1)
        assert checked.rows == _answer(4)
        applications |= {application_of(name) for name in logs.containers_with(checked.scan.line)}
    assert len(applications) == 2, f"both queries ran in one application master: {applications}"

    write(rows(range(4, 6)), lake, "shared", 2)
    for name, check in checks.items():
        checked = check.run(_QUERY).kept(3)
        assert (checked.rows, checked.scan.files) == (_answer(6), 6), f"the index was updated: {name}"

    append(rows(range(6, 7)), lake, "shared", 1)
    for name, check in checks.items():
        checked = check.run("select count(*) from shared where id < 10").kept(2)
        assert (checked.rows, checked.scan.files) == (((10,),), 7), f"a file is not in the index: {name}"
        assert check.run(_QUERY).rows == _answer(7), name
    IndexCreator(spark).update(f"{lake}/shared")
    for check in checks.values():
        assert check.run("select count(*) from shared where id < 10").kept(1).rows == ((10,),)

    checks["other"].session.rows("DROP TABLE shared")
    checks["one"].session.assert_refused(_QUERY, "Table not found")
    assert spark.read.format("hudi").load(f"{lake}/shared").count() == 7 * EVENTS_PER_FILE
