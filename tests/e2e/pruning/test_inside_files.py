"""Files of many pages: of a file that is read, only the pages that may match are."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pycompiler.spark.index_creator import IndexCreator

from ..harness.check import WITHOUT_SKIPPING, Checker, assert_same_rows
from ..harness.engines import TEZ
from ..harness.hudi_writer import QUICK
from ..harness.lake import Lake
from ..harness.session import Session

ROWS = 240_000
_COLUMNS = (
    "id",
    "cast(id % 251 - 125 as tinyint) as tiny",
    "cast(id % 30011 - 15000 as smallint) as small",
    "cast(id div 7 as int) as number",
    "id % 3 = 0 as flag",
    "cast(id as float) / 7 as ratio",
    "case when id % 1000 = 1 then double('NaN') when id % 1000 = 2 then -0.0D else id / 3D end as measure",
    "cast(id / 100 as decimal(18,2)) as price",
    "cast(id as decimal(30,5)) * 100000000000 as amount",
    "cast(id as string) as text",
    "case when id < 50000 then null else format_string('%08d', id) end as padded",
    "case when id % 2 = 0 then concat(repeat('long', 30), id) else 'köln' end as name",
    "cast(concat('k', id % 97, '  ') as char(8)) as code",
    "cast(concat('k', id % 97, '  ') as varchar(8)) as label",
    "date_add(date'2024-01-01', cast(id div 1000 as int)) as day",
    "date_add(date'1400-02-27', cast(id div 100 as int)) as old_day",
    "timestamp_micros(1700000000000000 + id * 600000000) as moment",
    "timestamp_micros(-12219292800000000 - 1000000 * (240000 - id)) as old_moment",
    "cast(concat('b', id) as binary) as raw",
    "if(id % 5 = 0, null, id) as holes",
    "id % 10007 as spread",
)


@pytest.fixture(scope="module")
def path(lake: Lake) -> Path:
    path = _written(lake, "pages")
    IndexCreator(lake.spark).build(str(path))
    return path


def _written(lake: Lake, name: str) -> Path:
    path = lake.fresh(name)
    options = {
        "hoodie.table.name": name,
        "hoodie.datasource.write.recordkey.field": "id",
        "hoodie.datasource.write.precombine.field": "id",
        "hoodie.datasource.write.operation": "bulk_insert",
        "hoodie.bulkinsert.sort.mode": "NONE",
        **QUICK,
    }
    frame = lake.spark.range(0, ROWS, 1, 1).selectExpr(*_COLUMNS)
    frame.write.format("hudi").options(**options).mode("overwrite").save(str(path))
    return path


@pytest.fixture(scope="module")
def table(path: Path, session: Session) -> Iterator[str]:
    with session.table(path) as name:
        yield name


_SELECTIVE = (
    "id between 100000 and 100200",
    "id = 77777",
    "id in (3, 239998)",
    "tiny = 7 and id > 235000",
    "number between 20000 and 20010",
    "text >= '99990'",
    "padded < '00050050'",
    "padded is null and id > 45000",
    "holes is null and id < 300",
    "day = date'2024-05-05'",
    "date_format(day, 'yyyy-MM-dd') = '2024-05-05'",
    "year(old_day) = 1402 or id = 5",
    "moment between timestamp'2023-11-15 00:00:00' and timestamp'2023-11-15 01:00:00'",
    "to_date(moment) = date'2023-11-17' and id % 2 = 1",
    "old_moment < timestamp'1582-10-13 00:00:00' and id < 100",
    "substr(padded, 1, 4) = '0012'",
    "id + 5 = 100000 or padded = '00200000'",
    "not (id < 239000 or name = 'köln')",
    "flag and id < 1000",
    "id > 500000",
)


_IN_ONE_PAGE = (
    "id = 77777",
    "id + 5 = 90000 or padded = '00090000'",
    "text >= '99990' and id > 99000",
    "padded is null and id < 5000",
    "day = date'2024-05-05'",
    "date_format(day, 'yyyy-MM-dd') = '2024-05-05'",
    "year(old_day) = 1599 and old_day > date'1599-03-01' and number < 200",
    "moment between timestamp'2023-11-15 00:00:00' and timestamp'2023-11-15 01:00:00'",
    "substr(padded, 1, 5) = '00128'",
)


@pytest.mark.parametrize("condition", _SELECTIVE)
def test_skipped_pages_never_show_in_an_answer(check: Checker, table: str, condition: str) -> None:
    columns = "id, tiny, small, number, flag, ratio, measure, price, amount, text, padded, name"
    query = f"select {columns}, day, old_day, moment, old_moment, raw, holes, spread from {table} where "
    ours = check.run(query + condition, TEZ)
    whole = check.run(query + condition, {**TEZ, **WITHOUT_SKIPPING})
    assert whole.rows or "500000" in condition, "control: some rows match"
    assert_same_rows(ours.rows, whole.rows, condition)


def test_pages_are_skipped_for_each_form_of_condition(check: Checker, table: str) -> None:
    for condition in _IN_ONE_PAGE:
        skipped = _skipped(check, f"select sum(id), count(*) from {table} where {condition}")
        assert ROWS * 7 // 8 <= skipped < ROWS, f"{condition}: skipped {skipped} of {ROWS} rows"


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("select sum(id) from {} where id > 1000", "most rows are left"),
        ("select sum(id) from {} where spread = 5", "each page has such rows"),
        (
            "select sum(id) from {} tablesample (1000 rows) where id > 100 and id < 900",
            "a sample counts rows",
        ),
        ("select sum(id) from {} where measure = 100 and id >= 0", "NaN is not in bounds of floats"),
    ],
)
def test_all_pages_are_read_where_it_matters(check: Checker, table: str, query: str, why: str) -> None:
    assert _skipped(check, query.format(table)) == 0, why


def test_a_char_is_read_as_without_skipping(check: Checker, path: Path) -> None:
    """Of Hive's readers, only one strips blanks of a char that the file has."""
    with check.session.table(path, columns="id bigint, code char(8), label varchar(8)") as name:
        for column in ("code", "label"):
            query = f"select concat('[', {column}, ']') from {name} where id = 77777"
            assert _skipped(check, query) == 0, column
        assert _skipped(check, f"select sum(id) from {name} where id = 77777") > 0, "control"


def test_pages_are_skipped_without_an_index(check: Checker, lake: Lake) -> None:
    with check.session.table(_written(lake, "pages_not_indexed")) as name:
        skipped = _skipped(check, f"select sum(id), count(*) from {name} where id = 77777")
        assert ROWS * 7 // 8 <= skipped < ROWS


def _skipped(check: Checker, query: str) -> int:
    """The rows that readers left out, by the counter; without skipping, the answer is the same."""
    settings = {**TEZ, "hive.tez.exec.print.summary": "true"}
    with check.session.settings(settings):
        log = "\n".join(check.session.messages(query))
    assert re.search(r"scan\.files: \d+", log), f"control: counters are printed: {log}"
    assert check.run(query, TEZ).rows == check.run(query, {**TEZ, **WITHOUT_SKIPPING}).rows, query
    found = re.search(r"reader\.skipped_rows: (\d+)", log)
    return int(found[1]) if found else 0
