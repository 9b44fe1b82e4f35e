"""Time travel and incremental queries: Hive answers as Spark does, for every commit and range of commits."""

import itertools
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from ..harness.check import assert_same_rows
from ..harness.session import QueryFailed, Session
from .cases import (
    COPY_ON_WRITE,
    TWO_WRITERS,
    VERSION_6,
    Cases,
    History,
    NewTable,
    clustered,
    commits,
    compacted,
    marked,
    out_of_order,
    overwritten,
    restored,
    rolled_back,
    updates_and_deletes,
)
from .consume import incremental

TABLES: Cases = {
    "updated": (updates_and_deletes, {}),
    "updated_6": (updates_and_deletes, VERSION_6),
    "compacted": (compacted, {}),
    "clustered": (clustered, {}),
    "overwritten": (overwritten, {}),
    "rolled_back": (rolled_back, {}),
    "copied_on_write": (updates_and_deletes, COPY_ON_WRITE),
    "clustered_base_files": (clustered, COPY_ON_WRITE),
}
RANGES = {
    **TABLES,
    "restored": (restored, {}),
    "restored_on_write": (restored, COPY_ON_WRITE),
    "out_of_order": (out_of_order, TWO_WRITERS),
    "out_of_order_on_write": (out_of_order, {**COPY_ON_WRITE, **TWO_WRITERS}),
}
OF_EACH_TYPE = pytest.mark.parametrize("name", ["updated", "copied_on_write"])
COLUMNS = "`_hoodie_commit_time`, id, grp, n, i, s"


def selected(frame: DataFrame) -> list[tuple[object, ...]]:
    return [tuple(row) for row in frame.selectExpr(*COLUMNS.split(", ")).collect()]


Tables = Callable[[str], Path]
"""The root of a table of `RANGES`, which is written when it is first asked for."""


@pytest.fixture(scope="module")
def tables(new_table: NewTable) -> Tables:
    @cache
    def written(name: str) -> Path:
        history, options = RANGES[name]
        table = new_table(options)
        history(table)
        return table.path

    return written


@pytest.mark.selected(1)
@pytest.mark.parametrize("name", marked(TABLES))
def test_every_commit_can_be_read_as_it_was(
    session: Session, spark: SparkSession, tables: Tables, name: str
) -> None:
    path = tables(name)
    with session.table(path) as table:
        for number, (instant, _) in enumerate(commits(path)):
            theirs = selected(spark.read.format("hudi").option("as.of.instant", instant).load(str(path)))
            fetch = {"hive.fetch.task.conversion": ("none", "more")[number % 2]}
            with session.settings(fetch):
                ours = session.rows(f"select {COLUMNS} from {table} for system_version as of {instant}")
            assert_same_rows(ours, theirs, f"{name} as of {instant}")


@pytest.mark.full
@pytest.mark.parametrize("name", marked(RANGES))
def test_every_range_of_commits_has_the_rows_that_they_wrote(
    session: Session, spark: SparkSession, tables: Tables, name: str
) -> None:
    path = tables(name)
    known = commits(path)
    by_completion = bool(known[0][1])
    times = sorted(completed or requested for requested, completed in known)
    with session.table(path) as table:
        for start, end in itertools.combinations(times, 2):
            of_range = [
                requested
                for requested, completed in known
                # Of requested times the start is not in the range.
                if (start <= completed <= end if by_completion else start < requested <= end)
            ]
            snapshot = spark.read.format("hudi").option("as.of.instant", max(of_range)).load(str(path))
            theirs = selected(snapshot.where(F.col("_hoodie_commit_time").isin(of_range)))
            span = "completion" if by_completion else "requested"
            settings = incremental(path.name, start_timestamp=start, end_timestamp=end, range=span)
            with session.settings(settings):
                ours = session.rows(f"select {COLUMNS} from {table}")
            assert_same_rows(ours, theirs, f"{name} from {start} to {end}")


@OF_EACH_TYPE
def test_a_range_starts_after_its_start_and_has_one_commit_unless_more_are_asked_for(
    session: Session, tables: Tables, name: str
) -> None:
    path = tables(name)
    requested = [instant for instant, _ in commits(path)]
    with session.table(path) as table:
        for settings, expected in (
            ({"start_timestamp": requested[0]}, requested[1:2]),
            ({"start_timestamp": requested[0], "max_commits": "2"}, requested[1:3]),
            ({"start_timestamp": requested[0], "end_timestamp": requested[2]}, requested[1:3]),
            ({"start_timestamp": requested[0], "max_commits": "-1"}, requested[1:]),
            ({"start_timestamp": "0", "max_commits": "1"}, requested[:1]),
            ({"start_timestamp": requested[-1], "max_commits": "-1"}, []),
            ({"start_timestamp": "20990101000000000"}, []),
        ):
            with session.settings(incremental(path.name, **settings)):
                found = {
                    row[0] for row in session.rows(f"select distinct `_hoodie_commit_time` from {table}")
                }
            assert found <= set(expected), f"{settings}: rows of other commits"
            assert bool(found) == bool(expected), f"{settings}: {found}"


@OF_EACH_TYPE
def test_a_range_that_starts_nowhere_is_refused(session: Session, tables: Tables, name: str) -> None:
    path = tables(name)
    known = [instant for instant, _ in commits(path)]
    first, last = known[0], known[-1]
    with session.table(path) as table:
        for settings, message in (
            ({}, f"SET hoodie.{path.name}.consume.start.timestamp to an instant of the timeline"),
            ({"end_timestamp": last}, "needs a start instant"),
            (
                {"start_timestamp": "yesterday"},
                "start of an incremental query is yesterday, which is not a Hudi inst",
            ),
            ({"start_timestamp": last[:8]}, "which is not a Hudi instant: use the format yyyyMMddHHmmssSSS"),
            ({"start_timestamp": "0", "end_timestamp": "now"}, "the end of an incremental query is now"),
            (
                {"start_timestamp": last, "end_timestamp": first},
                f"ends at {first}, before it starts at {last}",
            ),
        ):
            asked = session.settings(incremental(path.name, **settings))
            with asked:
                session.assert_refused(f"select count(*) from {table}", message)


def test_one_table_of_a_query_can_be_incremental(session: Session, tables: Tables) -> None:
    path, other = tables("updated"), tables("compacted")
    first = commits(path)[0][0]
    with session.table(path) as pulled, session.table(other) as whole:
        query = f"select count(*), count(p.id) from {whole} w left join {pulled} p on p.id = w.id"
        with session.settings(incremental(path.name, start_timestamp=first, max_commits="-1")):
            (rows, changed) = session.rows(query)[0]
            expected = session.rows(f"select count(*) from {pulled}")[0][0]
    assert (rows, changed) == (39, expected - 1), (
        "all of one table, and of the other what came since (41 is new)"
    )


@pytest.mark.parametrize("engine", ["tez", "mr"])
def test_a_join_reads_each_table_in_its_own_state(session: Session, tables: Tables, engine: str) -> None:
    path = tables("updated")
    before = commits(path)[0][0]
    with (
        session.table(path) as table,
        session.table(tables("compacted")) as other,
        session.settings({"hive.execution.engine": engine, "hive.auto.convert.join": "false"}),
    ):
        sides = f"{table} for system_version as of {before} a join {other} b on a.id = b.id"
        joined = session.rows(f"select a.id, a.n, b.n from {sides} where a.n <> b.n order by a.id")
    assert joined == [(1, 1, 2), (2, 1, 3), (3, 1, 4), (4, 1, 4), (30, 1, 2), (31, 1, 4)]


def test_a_time_is_that_of_the_session(session: Session, tables: Tables) -> None:
    path = tables("updated")
    instant = commits(path)[0][0]
    date, clock = (
        f"{instant[:4]}-{instant[4:6]}-{instant[6:8]}",
        f"{instant[8:10]}:{instant[10:12]}:{instant[12:14]}",
    )
    with session.table(path) as table:
        query = (
            f"select count(*), max(n) from {table} for system_time as of '{date} {clock}.{instant[14:]}{{}}'"
        )
        assert session.rows(query.format("")) == [(40, 1)]
        with session.settings({"hive.local.time.zone": "Asia/Tokyo"}):
            assert session.rows(query.format(" UTC")) == [(40, 1)]
            assert session.rows(query.format("")) == [(0, None)], "nine hours before there was a table"


def test_a_version_that_is_none_is_refused(session: Session, tables: Tables) -> None:
    with session.table(tables("updated")) as table:
        for version, message in (
            ("20200101000000000", "is not a completed commit"),
            ("12", "is not a Hudi instant"),
        ):
            session.assert_refused(f"select * from {table} for system_version as of {version}", message)


@pytest.mark.full
@pytest.mark.parametrize(
    ("history", "options"),
    [(updates_and_deletes, COPY_ON_WRITE), (compacted, {})],
    ids=["copy_on_write", "merge_on_read"],
)
def test_cleaned_files_are_refused(
    session: Session, new_table: NewTable, history: History, options: Mapping[str, str]
) -> None:
    table = new_table(options)
    history(table)
    path = table.path
    first, second = (instant for instant, _ in commits(path)[:2])
    with session.table(path) as name:
        table.call("run_clean", retain_commits=1)
        session.assert_refused(
            f"select * from {name} for system_version as of {first}", "(?s)cannot be read.*[Cc]lean"
        )
        settings = incremental(path.name, start_timestamp=first, end_timestamp=second)
        with session.settings(settings):
            session.assert_refused(f"select * from {name}", "has been cleaned")


@pytest.mark.since_version_8
def test_a_commit_that_completed_late_and_was_archived_is_refused(
    session: Session, new_table: NewTable
) -> None:
    table = new_table({**COPY_ON_WRITE, "hoodie.metadata.enable": "false"})
    path = table.path
    table.base()
    for k in range(2, 7):
        table.write(table.rows([1, 30], k))
    known = commits(path)
    requested, completed = known[1]
    (late,) = path.glob(f".hoodie/timeline/{requested}_{completed}.*")
    late.rename(late.with_name(late.name.replace(completed, str(int(known[-1][1]) + 1))))
    table.call("run_clean", retain_commits=1)
    table.call("archive_commits", min_commits=2, max_commits=3, retain_commits=1)
    left = commits(path)
    assert requested not in [instant for instant, _ in left] and len(left) > 1, (known, left)
    asked = incremental(path.name, start_timestamp=left[-1][1], range="completion")
    refused = pytest.raises(QueryFailed, match="have been archived")
    with session.table(path) as name, session.settings(asked), refused:
        session.rows(f"select count(*) from {name}")


@pytest.mark.full
@pytest.mark.archives
@pytest.mark.parametrize("of_table", [{}, COPY_ON_WRITE], ids=["merge_on_read", "copy_on_write"])
def test_archived_commits_are_refused(
    session: Session, new_table: NewTable, of_table: dict[str, str]
) -> None:
    # What a metadata table has not compacted yet is not archived.
    table = new_table({**of_table, "hoodie.metadata.enable": "false"})
    path = table.path
    table.base()
    for k in range(2, 6):
        table.write(table.rows([1, 30], k))
    if not of_table:
        table.call("run_compaction", op="run")
        table.write(table.rows([1, 30], 6))
        table.write(table.rows([2], 7))
    known = commits(path)
    table.call("run_clean", retain_commits=1)
    table.call("archive_commits", min_commits=2, max_commits=3, retain_commits=1)
    left = commits(path)
    archived = known[: -len(left)]
    assert known[-len(left) :] == left and len(archived) > 1, (known, left)
    (first, first_completed), (last, _) = archived[0], archived[-1]
    with session.table(path) as name:
        for settings in (
            {"start_timestamp": "0", "max_commits": "1"},
            {"start_timestamp": first, "max_commits": "-1"},
            {"start_timestamp": first, "end_timestamp": left[-1][0]},
            # Before version 8, there are no times of completion.
            *([{"start_timestamp": first_completed, "range": "completion"}] if first_completed else []),
        ):
            message = f"have been archived.* Start at {left[0][0]} or later"
            asked = session.settings(incremental(path.name, **settings))
            with asked:
                session.assert_refused(f"select count(*) from {name}", message)
        # All that came after the last archived commit is known.
        with session.settings(incremental(path.name, start_timestamp=last, max_commits="-1")):
            found = session.rows(f"select distinct `_hoodie_commit_time` from {name}")
        assert found and {row[0] for row in found} <= {instant for instant, _ in left}
        session.assert_refused(
            f"select count(*) from {name} for system_version as of {first}",
            f"{first} is not a completed commit .*timeline goes from",
        )
