"""A task that fails must not change what later queries answer, in a process that runs many tasks."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from ..harness.engines import TEZ
from ..harness.hive_release import TASKS_IN_ONE_PROCESS
from ..harness.hudi_writer import HudiWriter
from ..harness.lake import Lake
from ..harness.servers import PATIENCE, Hive, ServedHive, running_server
from ..harness.session import HUDIS_FORMAT, QueryFailed, Session


@pytest.fixture(scope="module")
def local_session(request: pytest.FixtureRequest, root: Path) -> Iterator[Session]:
    """A session whose tasks run in one process."""
    if request.config.getoption("--hive"):
        hive: Hive = request.getfixturevalue("hive")
        with hive.connect() as session:
            yield session
        return
    conf = {**PATIENCE, **TASKS_IN_ONE_PROCESS}
    with running_server(root / "local_tez", conf) as server, ServedHive(server).connect() as session:
        yield session


def test_queries_after_a_failed_native_read_have_all_rows(
    local_session: Session, spark: SparkSession, lake: Lake
) -> None:
    session, writer = local_session, HudiWriter(spark, lake.fresh("failed_reads"))
    writer.write(spark.range(100).selectExpr("cast(id as int) id", "id n", "'east' grp").coalesce(1))
    with session.table(writer.path) as name, session.settings(TEZ):
        queries = {
            f"select count(*), sum(n) from {name} where grp = 'east'": [(100, 4950)],
            f"select id from {name} where n = 5": [(5,)],
        }
        native = f"{name}_native"
        session.rows(
            f"create external table {native} (id int, n bigint) partitioned by (grp string) {HUDIS_FORMAT}"
            f" location '{writer.path}'"
        )
        session.rows(f"alter table {native} add partition (grp='east') location '{writer.path}/east'")
        # Hudi's reader fails with Hive 4, with a ClassCastException if vectorized.
        with pytest.raises(QueryFailed):
            session.rows(f"select count(*) from {native}")
        assert {query: session.rows(query) for query in queries} == queries
        session.rows(f"drop table {native}")
