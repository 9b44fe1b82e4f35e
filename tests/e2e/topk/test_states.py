"""States of a table: ORDER BY with LIMIT, min and max answer as without skipping, and as Spark's rows say."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from pyspark.sql import functions as F

from pycompiler.spark.index_creator import IndexCreator

from ..harness import engines
from ..harness.check import WITHOUT_SKIPPING, Checker, assert_same_rows
from ..merging import cases
from ..merging.cases import COPY_ON_WRITE, UNPARTITIONED, NewTable, Writer, last_commit
from ..merging.consume import incremental
from .test_first_rows import ON

FILES: Final = 8
ROWS: Final = 10
"""Rows of a base file."""

Row = Mapping[str, Any]
COLUMNS: Final = ("id", "n", "i", "l", "dec", "day")


@dataclass(frozen=True, slots=True)
class Ordered:
    """The first ids in an order."""

    column: str
    limit: int
    is_descending: bool = True
    are_nulls_last: bool = True
    where: str = "true"
    matches: Callable[[Row], bool] = lambda _: True

    @property
    def text(self) -> str:
        direction = "desc" if self.is_descending else "asc"
        nulls = "last" if self.are_nulls_last else "first"
        order = f"{self.column} {direction} nulls {nulls}, id"
        return f"select id from {{t}} where {self.where} order by {order} limit {self.limit}"

    def of(self, rows: Iterable[Row]) -> list[tuple[Any, ...]]:
        by_id = sorted(filter(self.matches, rows), key=lambda row: row["id"])
        known = [row for row in by_id if row[self.column] is not None]
        known.sort(key=lambda row: _ordered(row[self.column]), reverse=self.is_descending)
        nulls = [row for row in by_id if row[self.column] is None]
        both = [*known, *nulls] if self.are_nulls_last else [*nulls, *known]
        return [(row["id"],) for row in both[: self.limit]]


@dataclass(frozen=True, slots=True)
class Ends:
    """The least and the greatest value of a column."""

    column: str
    where: str = "true"
    matches: Callable[[Row], bool] = lambda _: True

    @property
    def text(self) -> str:
        return f"select min(`{self.column}`), max(`{self.column}`) from {{t}} where {self.where}"

    def of(self, rows: Iterable[Row]) -> list[tuple[Any, ...]]:
        values = [row[self.column] for row in rows if self.matches(row) and row[self.column] is not None]
        return [(min(values, key=_ordered, default=None), max(values, key=_ordered, default=None))]


def _ordered(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


def _above(column: str, least: Any) -> Callable[[Row], bool]:
    return lambda row: row[column] is not None and row[column] >= least


QUESTIONS: Final[Mapping[str, Ordered | Ends]] = {
    "last": Ordered("i", 5),
    "first": Ordered("l", 12, is_descending=False),
    "nulls": Ordered("i", 15, is_descending=False, are_nulls_last=False),
    "days": Ordered("day", 4),
    "range": Ordered("i", 6, False, True, "i >= 3500", _above("i", 3500)),
    "other": Ordered("id", 7, True, True, "n >= 0 and id >= 20", lambda row: row["id"] >= 20),
    "ends": Ends("i"),
    "matching": Ends("dec", "id >= 30", _above("id", 30)),
}


@dataclass(frozen=True, slots=True)
class State:
    """How a table came about; `settings` choose what Hive reads of it, and `reader` what Spark does."""

    history: Callable[[Writer], None]
    options: Mapping[str, str] = field(default_factory=dict)
    properties: Mapping[str, str] = field(default_factory=dict)
    reader: Mapping[str, str] = field(default_factory=dict)
    skips: bool = True


def _base(table: Writer) -> None:
    rows = table.rows(range(FILES * ROWS), 1)
    table.write(rows.repartitionByRange(FILES, "id"), "bulk_insert")


def _index(table: Writer) -> None:
    IndexCreator(table.spark).update(str(table.path))


def _moved(table: Writer) -> None:
    """A row of the first file becomes the last one, rows of the last file go, one of them by its values."""
    _base(table)
    table.write(table.rows([3, 12], 9_000))
    table.write(table.rows([79, 77], 2), "delete")
    table.write(table.rows([78], 3).withColumn("i", F.lit(-5)))


def _moved_and_indexed(table: Writer) -> None:
    _moved(table)
    _index(table)


def _index_behind(table: Writer) -> None:
    _base(table)
    _index(table)
    table.write(table.rows([100, 101], 4), "insert")
    table.write(table.rows([3], 9_000))


def _rolled_back(table: Writer) -> None:
    """The index has a commit that is no more."""
    _base(table)
    table.write(table.rows([3, 12], 9_000))
    table.write(table.rows([79, 77], 2), "delete")
    _index(table)
    table.call("rollback_to_instant", instant_time=last_commit(table))


def _compacted(table: Writer) -> None:
    _moved_and_indexed(table)
    table.call("run_compaction", op="run")
    _index(table)


def _compacted_behind(table: Writer) -> None:
    _moved_and_indexed(table)
    table.call("run_compaction", op="run")
    table.write(table.rows([4], 9_500))


def _clustered(table: Writer) -> None:
    _moved_and_indexed(table)
    table.call("run_clustering", op="scheduleAndExecute")
    _index(table)


def _emptied(table: Writer) -> None:
    """Every row of the last file is deleted."""
    _base(table)
    table.write(table.rows(range(70, 80), 2), "delete")
    _index(table)


def _evolved(table: Writer) -> None:
    """A column was widened, and another came later."""
    _base(table)
    rows = table.rows(range(90, 95), 3).selectExpr("*", "cast(i as bigint) as wide", "id as added")
    table.write(rows.drop("i").withColumnRenamed("wide", "i").select(*cases.COLUMNS, "added"))
    _index(table)


STATES: Final[Mapping[str, State]] = {
    "logs": State(_moved_and_indexed),
    "logs that the index does not know": State(_index_behind),
    "rewritten files": State(_moved_and_indexed, COPY_ON_WRITE),
    "rewritten files that the index does not know": State(_index_behind, COPY_ON_WRITE),
    "no index": State(_moved, COPY_ON_WRITE, skips=False),
    "rolled back": State(_rolled_back),
    "rolled back, rewritten": State(_rolled_back, COPY_ON_WRITE),
    "compacted": State(_compacted),
    "compacted, and a log": State(_compacted_behind, skips=False),
    "clustered": State(_clustered, COPY_ON_WRITE, skips=False),
    "an empty file": State(_emptied, COPY_ON_WRITE),
    "deleted rows in logs": State(_emptied),
    "base files alone": State(
        _moved_and_indexed,
        properties={"hoodie.query.as.ro.table": "true"},
        reader={"hoodie.datasource.query.type": "read_optimized"},
    ),
}


def _rows(table: Writer, reader: Mapping[str, str], columns: Iterable[str] = COLUMNS) -> list[Row]:
    options = {"hoodie.enable.data.skipping": "false", "hoodie.metadata.enable": "false", **reader}
    frame = table.spark.read.format("hudi").options(**options).load(str(table.path))
    return [row.asDict() for row in frame.select(*columns).collect()]


def _assert_answers(
    check: Checker,
    name: str,
    rows: list[Row],
    settings: Mapping[str, str],
    what: str,
    questions: Mapping[str, Ordered | Ends] = QUESTIONS,
) -> int:
    """Asserts that all questions are answered; returns how many files were skipped."""
    skipped = 0
    for kind, question in questions.items():
        query = question.text.format(t=name)
        found = check.run(query, {**engines.TEZ, **settings, **ON})
        off = check.run(query, {**engines.TEZ, **settings, **WITHOUT_SKIPPING}, scans=0)
        assert_same_rows(found.rows, off.rows, f"{what}, {kind}, with and without skipping", found.scans)
        assert_same_rows(found.rows, question.of(rows), f"{what}, {kind}, Hive and Spark", found.scans)
        skipped += sum(scan.files - scan.kept for scan in found.scans if scan.source == "topk")
    return skipped


@pytest.mark.parametrize("name", STATES)
@pytest.mark.selected(3)
def test_each_state_answers(check: Checker, new_table: NewTable, name: str) -> None:
    state = STATES[name]
    table = new_table({**UNPARTITIONED, **state.options})
    state.history(table)
    with check.session.table(table.path, properties=state.properties) as in_hive:
        skipped = _assert_answers(check, in_hive, _rows(table, state.reader), {}, name)
    assert skipped > 0 or not state.skips, "no file was skipped"


def test_past_states_and_ranges_of_commits_answer(check: Checker, new_table: NewTable) -> None:
    table = new_table({**UNPARTITIONED, **COPY_ON_WRITE})
    _base(table)
    before = last_commit(table)
    table.write(table.rows([3, 12], 9_000))
    table.write(table.rows([79, 77], 2), "delete")
    _index(table)
    past = {f"hoodie.{table.path.name}.consume.commit": before}
    since = incremental(table.path.name, start_timestamp=before, max_commits="-1")
    with check.session.table(table.path) as name:
        rows = _rows(table, {"as.of.instant": before})
        _assert_answers(check, name, rows, past, "the first commit")
        _assert_answers(
            check, f"{name} for system_version as of {before}", rows, {}, "as of", {"last": QUESTIONS["last"]}
        )
        written = [row for row in _rows(table, {}) if row["id"] in (3, 12)]
        assert _assert_answers(check, name, written, since, "a range of commits") == 0


def test_a_column_that_came_later_is_null_in_older_files(check: Checker, new_table: NewTable) -> None:
    table = new_table({**UNPARTITIONED, **COPY_ON_WRITE})
    _evolved(table)
    later: Mapping[str, Ordered | Ends] = {
        "added": Ordered("added", 7),
        "added, nulls first": Ordered("added", 7, is_descending=False, are_nulls_last=False),
        "widened": Ordered("i", 7),
        "ends": Ends("added"),
        "widened ends": Ends("i"),
        "matching": Ordered("id", 3, True, True, "added is null", lambda row: row["added"] is None),
    }
    with check.session.table(table.path) as name:
        rows = _rows(table, {}, (*COLUMNS, "added"))
        assert _assert_answers(check, name, rows, {}, "evolved", later) > 0


def test_an_empty_table_has_no_rows(check: Checker, new_table: NewTable) -> None:
    table = new_table({**UNPARTITIONED, **COPY_ON_WRITE})
    _base(table)
    table.write(table.rows(range(FILES * ROWS), 2), "delete")
    _index(table)
    with check.session.table(table.path) as name:
        _assert_answers(
            check, name, [], {}, "empty", {key: QUESTIONS[key] for key in ("last", "range", "ends")}
        )
