"""What is known when Hive compiles a statement fails there; what tasks find fails in one sentence, too."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from ..harness.check import Checker
from ..harness.engines import FETCH, ROW_BY_ROW, TEZ
from ..harness.lake import Lake
from ..harness.operated_table import OperatedTable
from ..harness.session import QueryFailed


@pytest.mark.parametrize("engine", [TEZ, {}], ids=["tez", "fetch task"])
@pytest.mark.parametrize("columns", ["count(*)", "cust"])
@pytest.mark.parametrize("cbo", ["true", "false"])
def test_a_version_that_is_not_a_commit_fails_in_one_line(
    check: Checker, engine: dict[str, str], columns: str, cbo: str
) -> None:
    query = f"select {columns} from customers for system_version as of 20200101000000000 where cust = 11"
    with check.session.settings({**engine, "hive.cbo.enable": cbo}), pytest.raises(QueryFailed) as failure:
        check.session.rows(query)
    _assert_early(str(failure.value), "20200101000000000 is not a completed commit of ")


def test_a_range_that_is_not_there_fails_in_one_line(check: Checker) -> None:
    settings = {
        "hoodie.customers.consume.mode": "INCREMENTAL",
        "hoodie.customers.consume.start.timestamp": "yesterday",
    }
    with check.session.settings({**TEZ, **settings}), pytest.raises(QueryFailed) as failure:
        check.session.rows("select count(*) from customers where cust = 11")
    _assert_early(str(failure.value), "the start of an incremental query is yesterday")


def test_a_table_that_is_gone_fails_in_one_line(check: Checker, lake: Lake) -> None:
    path = lake.copy("customers")
    with check.session.table(path) as name:
        path.rename(path.with_name("elsewhere"))
        with check.session.settings(TEZ), pytest.raises(QueryFailed) as failure:
            check.session.rows(f"select count(*) from {name} where cust = 11")
        check.session.rows(f"describe formatted {name}")
    _assert_early(str(failure.value), "is not a Hudi table")


@pytest.mark.parametrize("engine", [TEZ, FETCH], ids=["tez", "fetch task"])
@pytest.mark.parametrize(
    "time",
    ["'2100-01-01'", "'2100-01-01 12:34:56'", "date '2100-01-01'", "timestamp '2100-01-01 12:34:56'"],
)
def test_a_time_before_which_a_write_is_pending_fails_in_one_line(
    check: Checker, lake: Lake, engine: dict[str, str], time: str
) -> None:
    path = lake.copy("customers")
    timeline = path / ".hoodie" / "timeline"
    pending = (timeline if timeline.is_dir() else timeline.parent) / "20200101000000000.commit.requested"
    pending.touch()
    query = "select cust from {} for system_time as of {} where cust = 11"
    with check.session.table(path) as name, check.session.settings(engine):
        with pytest.raises(QueryFailed) as failure:
            check.session.rows(query.format(name, time))
        pending.unlink()
        assert check.session.rows(query.format(name, time)) == [(11,)]
    _assert_early(str(failure.value), "as of 21000101")


@pytest.mark.parametrize("engine", [TEZ, FETCH], ids=["tez", "fetch task"])
def test_a_column_whose_type_became_unreadable_fails_in_one_line(
    check: Checker, table: OperatedTable, engine: dict[str, str]
) -> None:
    options = {"hoodie.datasource.write.partitionpath.field": ""}
    table.write(
        table.spark.createDataFrame([(1, 1, (1,))], "id int, n bigint, s struct<a: int>"), extra=options
    )
    with check.session.table(table.path) as name, check.session.settings(engine):
        query = f"select id, s.a from {name} where id > 0"
        assert check.session.rows(query) == [(1, 1)]
        with _case_sensitive(table.spark):
            schema = "id int, n bigint, s struct<a: int, A: int>"
            table.write(table.spark.createDataFrame([(2, 2, (2, 3))], schema), extra=options)
        with pytest.raises(QueryFailed) as failure:
            check.session.rows(query)
    _assert_early(str(failure.value), "two fields of s differ only in case: A")


@contextmanager
def _case_sensitive(spark: SparkSession) -> Iterator[None]:
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        yield
    finally:
        spark.conf.set("spark.sql.caseSensitive", "false")


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:300])


def _retype(file: Path) -> None:
    rows = pq.read_table(file)
    position = rows.schema.get_field_index("cust")
    pq.write_table(rows.set_column(position, "cust", pa.array(["x"] * rows.num_rows)), file)


FOUND_BY_TASKS: dict[str, tuple[Callable[[Path], None], str]] = {
    "a file that is gone": (Path.unlink, r"\S+\.parquet is gone: it existed when .*\. Run the query again"),
    "a file that is cut short": (_cut, r"\S+\.parquet is not a Parquet file"),
    "a type that cannot be read": (_retype, r"cannot read \S+\.parquet: column cust is string in the file"),
}


@pytest.mark.selected(5)
@pytest.mark.parametrize("engine", [TEZ, ROW_BY_ROW, FETCH], ids=["tez", "tez, row by row", "fetch task"])
@pytest.mark.parametrize("found", FOUND_BY_TASKS)
def test_what_only_a_task_finds_fails_in_one_sentence(
    check: Checker, lake: Lake, engine: dict[str, str], found: str
) -> None:
    damage, sentence = FOUND_BY_TASKS[found]
    path = lake.copy("customers")
    file = min(path.glob("*.parquet"))
    (path / f".{file.name}.crc").unlink(missing_ok=True)
    damage(file)
    with (
        check.session.table(path) as name,
        check.session.settings(engine),
        pytest.raises(QueryFailed) as failure,
    ):
        check.session.rows(f"select cust, name from {name} where cust < 1000")
    message = str(failure.value)
    told = re.search(sentence, message)
    assert told is not None, message
    # What comes before is Tez's: the statement, vertex, task and attempt.
    assert told.start() < (100 if engine is FETCH else 450), message
    assert "\tat " not in message, message
    assert len(message) < (600 if engine is FETCH else 5_000), message


def test_a_table_of_a_version_that_is_not_known_fails_in_one_line(check: Checker, lake: Lake) -> None:
    path = lake.copy("customers")
    with check.session.table(path) as name:
        file = path / ".hoodie" / "hoodie.properties"
        file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
        file.write_text(file.read_text("utf-8") + "hoodie.table.version=10\n", "utf-8")
        with check.session.settings(TEZ), pytest.raises(QueryFailed) as failure:
            check.session.rows(f"select count(*) from {name} where cust = 11")
    _assert_early(str(failure.value), "has table version 10; this release reads versions up to 9")


def _assert_early(message: str, sentence: str) -> None:
    assert sentence in message
    assert "Error while compiling statement" in message, message
    assert "\n" not in message.strip(), message
    assert len(message) < 400, message
