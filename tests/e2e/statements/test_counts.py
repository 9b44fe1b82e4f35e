"""`SELECT count(*) FROM t` that is answered by what is known of the files."""

import re
from collections.abc import Iterator, Mapping

import pytest
from pyspark.sql import SparkSession

from pycompiler import IndexCreator

from ..counts.grouped_table import GROUPS, NAME, ROWS, GroupedTable
from ..harness import engines
from ..harness.check import Checker
from ..harness.lake import Lake
from ..merging.cases import commits
from ..merging.consume import incremental

ON = {"hudi.skipping.counts": "on"}
OFF = {"hudi.skipping.counts": "off"}


class Counted(GroupedTable):
    """The table, and what a session counts in it."""

    def ask(self, query: str, settings: Mapping[str, str] | None = None) -> tuple[int, bool]:
        """The answer, and whether it was known without reading; the one without the setting is equal."""
        asked = query.format(t=self.name)
        position = self.check.log.position()
        with self.check.session.settings({**ON, **(settings or {})}):
            with_setting = self.check.session.rows(asked)
        is_known = "hudi-skip count " in self.check.log.since(position)
        with self.check.session.settings({**(settings or {}), **OFF}):
            assert self.check.session.rows(asked) == with_setting, asked
        return with_setting[0][0], is_known


COMPACTING = {"hoodie.compact.inline": "true", "hoodie.compact.inline.max.delta.commits": "1"}
COUNT = "select count(*) from {t}"


@pytest.fixture(scope="module", params=["COPY_ON_WRITE", "MERGE_ON_READ"])
def counted(
    request: pytest.FixtureRequest, spark: SparkSession, lake: Lake, check: Checker
) -> Iterator[Counted]:
    table = Counted(check, spark, lake.fresh("counted"), request.param)
    yield table
    check.session.rows(f"drop table {table.name}")


@pytest.fixture
def changing(spark: SparkSession, lake: Lake, check: Checker) -> Iterator[Counted]:
    """Of a test's own."""
    table = Counted(check, spark, lake.fresh("counted"), "COPY_ON_WRITE")
    yield table
    check.session.rows(f"drop table {table.name}")


@pytest.mark.parametrize("engine", [engines.TEZ, engines.MAPREDUCE], ids=["tez", "mr"])
def test_a_count_starts_no_job_and_reads_no_file(counted: Counted, engine: dict[str, str]) -> None:
    assert counted.ask(COUNT, engine) == (ROWS, True)
    with counted.check.session.settings({**engine, **ON}):
        plan = counted.check.session.text(f"explain {COUNT.format(t=counted.name)}")
    assert "Map 1" not in plan, plan
    assert "TableScan" not in plan, plan
    with counted.check.session.settings({**engine, **ON}):
        told = counted.check.session.messages(COUNT.format(t=counted.name))
    assert any(f"the rows of {GROUPS} files are counted" in line for line in told), told


def test_each_commit_counts_at_once(changing: Counted) -> None:
    assert changing.ask(COUNT) == (ROWS, True)
    changing.write(range(10_000, 10_003), 2, "insert")  # the index does not see it
    assert changing.ask(COUNT) == (ROWS + 3, True)
    changing.write(range(5), 3, "delete")
    assert changing.ask(COUNT) == (ROWS + 3 - 5, True)
    IndexCreator(changing.spark).update(str(changing.path))
    assert changing.ask(COUNT) == (ROWS + 3 - 5, True)
    changing.write(range(ROWS), 4)  # rewrites more files than are opened for a count
    assert changing.ask(COUNT)[0] == ROWS + 3
    IndexCreator(changing.spark).update(str(changing.path))
    assert changing.ask(COUNT) == (ROWS + 3, True)


def test_a_deleted_partition_counts_no_longer(changing: Counted) -> None:
    changing.write(range(30), 2, "delete_partition")
    assert changing.ask(COUNT) == (ROWS - 30, True)
    IndexCreator(changing.spark).update(str(changing.path))
    assert changing.ask(COUNT) == (ROWS - 30, True)


def test_logs_are_read(spark: SparkSession, lake: Lake, check: Checker) -> None:
    table = Counted(check, spark, lake.fresh("counted"), "MERGE_ON_READ")
    table.write(range(5), 2, "delete")
    assert table.ask(COUNT) == (ROWS - 5, False)
    with check.session.table(table.path, properties={"hoodie.query.as.ro.table": "true"}) as name:
        assert table.ask(COUNT.replace("{t}", name)) == (ROWS, False)
    table.write(range(5, 8), 3, extra=COMPACTING)
    assert table.ask(COUNT) == (ROWS - 5, True)
    check.session.rows(f"drop table {table.name}")


@pytest.mark.selected(13)
@pytest.mark.parametrize(
    "query",
    [
        "select count(*) from {t} where n = 1",
        "select count(id) from {t}",
        "select count(*) from (select * from {t}) x",
        "select count(*) from {t} for system_version as of {first}",
        "select count(*) from {t} tablesample (1 rows)",
        "select count(*) from {t}_view",
        "select sum(1) from {t}",
        "select sum(0.1D) from {t}",
        "select count(*), sum(0.1D) from {t}",
        "select max(id) from {t}",
        "select count(distinct id) from {t}",
        "select count(*) from {t} group by grp",
        "select count(*) from {t} union all select count(*) from {t}",
    ],
)
def test_everything_else_is_a_scan(counted: Counted, query: str) -> None:
    session = counted.check.session
    first = commits(counted.path)[0][0]
    session.rows(f"create view if not exists {counted.name}_view as select sum(1) s from {counted.name}")
    try:
        _, is_known = counted.ask(query.replace("{first}", first))
        assert not is_known
    finally:
        session.rows(f"drop view {counted.name}_view")


def test_a_view_of_the_same_name_in_another_database_is_a_scan(counted: Counted) -> None:
    session, view = counted.check.session, f"same_names.{counted.name}"
    session.rows("create database same_names")
    try:
        session.rows(f"create view {view} as select * from default.{counted.name}")
        assert counted.ask(f"select count(*) from {view}") == (ROWS, False)
    finally:
        session.rows("drop database same_names cascade")


@pytest.mark.parametrize(
    "settings",
    [
        {"hudi.skipping.mode": "off"},
        {"hudi.skipping.mode": "shadow"},
        {"hive.compute.query.using.stats": "false"},
    ],
    ids=str,
)
def test_caution_is_a_scan(counted: Counted, settings: dict[str, str]) -> None:
    assert counted.ask(COUNT, settings) == (ROWS, False)


def test_other_states_are_scans(changing: Counted) -> None:
    changing.write(range(10_000, 10_003), 2, "insert")
    first = commits(changing.path)[0][0]
    since = incremental(NAME, start_timestamp=first, max_commits="-1")
    assert changing.ask(COUNT, since) == (3, False)
    past = {f"hoodie.{NAME}.consume.commit": first}
    assert changing.ask(COUNT, past) == (ROWS, False)


def test_what_the_metastore_has_is_not_used(counted: Counted) -> None:
    stale = {"numRows": "7", "COLUMN_STATS_ACCURATE": '{"BASIC_STATS":"true"}'}
    session = counted.check.session
    with session.table(counted.path, properties=stale) as name:
        assert counted.ask(COUNT.replace("{t}", name)) == (ROWS, True)
        before = session.text(f"show create table {name}")
        counted.ask(COUNT.replace("{t}", name))
        assert session.text(f"show create table {name}") == before, "nothing is written"
        assert not re.search(rf"numRows\W+{ROWS}\b", before), before


def test_a_prepared_count_sees_later_commits(changing: Counted) -> None:
    session = changing.check.session
    with session.settings(ON):
        session.rows(f"prepare plain from select count(*) from {changing.name}")
        changing.write(range(10_000, 10_003), 2, "insert")
        assert session.rows("execute plain using 1") == [(ROWS + 3,)]


def test_an_unknown_value_is_refused(counted: Counted) -> None:
    with counted.check.session.settings({"hudi.skipping.counts": "yes"}):
        counted.check.session.assert_refused(COUNT.format(t=counted.name), "hudi.skipping.counts=yes")
