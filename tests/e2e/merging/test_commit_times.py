"""A filter on `_hoodie_commit_time` leaves out what older commits have written, with an index and without."""

import pytest

from ..harness.check import Checker
from .cases import COPY_ON_WRITE, UNPARTITIONED, VERSION_6, NewTable, Writer, commits, merged_in_part
from .consume import incremental
from .test_skipping import FILES, Slices, kept

COLUMN = "`_hoodie_commit_time`"

TABLES = {
    "base_files": COPY_ON_WRITE,
    "logs": {},
    "base_files_6": {**COPY_ON_WRITE, **VERSION_6},
    "logs_6": VERSION_6,
}


class Written(Slices):
    """Eight base files; a second commit changes two of them, a third commit another one."""

    def __init__(self, table: Writer) -> None:
        super().__init__(table)
        table.write(table.rows([5, 42], 9))
        table.write(table.rows([71], 9))

    def instants(self) -> list[str]:
        """The commits, in their order."""
        return [instant for instant, _ in commits(self.path)]

    def filters(self) -> dict[str, int]:
        """Filters, and how many of the eight file slices were written late enough to have a row for each."""
        (first, _), second, (third, _), *_ = commits(self.path)
        return filters(first, second, third)


def filters(first: str, second_times: tuple[str, str], third: str) -> dict[str, int]:
    """As `Written.filters`, for commits of these times; `second_times` is start and completion."""
    second, completion = second_times
    # The beginning of the third that is later than the second: they may be of the same second.
    between = next(third[:end] for end in range(14, 18) if third[:end] > max(second, completion))
    return {
        f"{COLUMN} > '{first}'": 3,
        f"{COLUMN} >= '{second}'": 3,
        f"{COLUMN} = '{second}'": 3,
        f"{COLUMN} > '{second}'": 1,
        f"{COLUMN} in ('{third}', '20990101000000000')": 1,
        f"{COLUMN} between '{third}' and '20990101000000000'": 1,
        f"{COLUMN} > '{third}'": 0,
        f"{COLUMN} > '{between}'": 1,
        f"{COLUMN} > '{first}' and id < 10": 3,
        f"({COLUMN} > '{second}' and id < 10) or {COLUMN} > '{third}'": 1,
        f"substr({COLUMN}, 1, 17) >= '{third}'": 1,
        f"{COLUMN} < '{second}'": FILES,
        f"{COLUMN} > '{second}' or id = 1": FILES,
        f"{COLUMN} is null": FILES,
        f"cast({COLUMN} as bigint) > {second}": FILES,
    }


@pytest.mark.full
@pytest.mark.parametrize("name", TABLES)
def test_files_untouched_since_are_left_out(check: Checker, new_table: NewTable, name: str) -> None:
    written = Written(new_table({**UNPARTITIONED, **TABLES[name]}))
    first, second, third = written.instants()
    every = written.filters()
    with check.session.table(written.path) as table:
        for where, expected in every.items():
            opened, _ = kept(check, written, table, where)
            if written.table.version() < 8:
                # Any commit of the day may be in a base file, and any at all in a log.
                assert opened == FILES or where == f"{COLUMN} > '{third}'", where
            else:
                assert opened == expected, where
        written.index()
        for where, expected in every.items():
            opened, _ = kept(check, written, table, where)
            assert opened <= expected, f"with an index: {where}"
        assert kept(check, written, table, f"{COLUMN} > '{first}'")[0] == 3
        # A rewritten base file has the first commit and the third, and so what lies between.
        between = 3 if COPY_ON_WRITE.items() <= TABLES[name].items() else 2
        assert kept(check, written, table, f"{COLUMN} = '{second}'")[0] == between
        written.table.write(written.table.rows([71, 13], 10))
        fourth = written.instants()[-1]
        assert kept(check, written, table, f"{COLUMN} >= '{fourth}'")[0] == 2, "not in the index yet"


@pytest.mark.full
@pytest.mark.parametrize("name", TABLES)
def test_what_table_services_rewrite_keeps_the_times_of_its_rows(
    check: Checker, new_table: NewTable, name: str
) -> None:
    written = Written(new_table({**UNPARTITIONED, **TABLES[name]}))
    third, every = written.instants()[-1], written.filters()
    if name.startswith("logs"):
        written.table.call("run_compaction", op="run")
        service = written.instants()[-1]
        with check.session.table(written.path) as table:
            for where in every:
                kept(check, written, table, where)
            if name == "logs" and written.table.version() >= 8:
                assert kept(check, written, table, f"{COLUMN} > '{third}'")[0] == 3, "it may have newer rows"
                assert kept(check, written, table, f"{COLUMN} > '{service}'")[0] == 0
    written.table.call("run_clustering", op="scheduleAndExecute")
    clustering = written.instants()[-1]
    with check.session.table(written.path) as table:
        for where in every:
            kept(check, written, table, where)
        assert kept(check, written, table, f"{COLUMN} > '{clustering}'")[0] == 0
        written.table.write(written.table.rows([5], 11))
        last = written.instants()[-1]
        opened, _ = kept(check, written, table, f"{COLUMN} > '{clustering}'")
        if name in ("base_files", "logs") and written.table.version() >= 8:
            assert opened == 1
        assert kept(check, written, table, f"{COLUMN} = '{last}'")[0] == opened


@pytest.mark.since_version_8
def test_in_every_state_that_is_read(check: Checker, new_table: NewTable) -> None:
    written = Written(new_table(UNPARTITIONED))
    path = written.path
    first, second, third = written.instants()
    read_optimized = {"hoodie.query.as.ro.table": "true"}
    with (
        check.session.table(path) as table,
        check.session.table(path, properties=read_optimized) as base_files,
    ):
        past = check.run(
            f"select id from {table} for system_version as of {second} where {COLUMN} > '{first}'"
        )
        assert sorted(past.rows) == [(5,), (42,)]
        # The slice of the third commit's log has no row of it then, and is opened all the same.
        assert past.scan.kept == 3
        assert check.run(f"select id from {base_files} where {COLUMN} > '{first}'").scan.kept == 0
        pulled = check.session.settings(incremental(path.name, start_timestamp=first, max_commits="-1"))
        with pulled:
            for where, ids, opened in (
                (f"{COLUMN} > '{second}'", [(71,)], 1),
                (f"{COLUMN} > '{third}'", [], 0),
                (f"{COLUMN} < '{second}'", [], 0),
                (f"{COLUMN} = '{second}'", [(5,), (42,)], 3),
            ):
                checked = check.run(f"select id from {table} where {where}")
                assert sorted(checked.rows) == ids, where
                assert checked.scan.kept == opened, where


@pytest.mark.full
@pytest.mark.since_version_8
def test_commits_that_are_archived_count_with_the_time_of_their_completion(
    check: Checker, new_table: NewTable
) -> None:
    archiving = {
        "hoodie.archive.automatic": "true",
        "hoodie.keep.min.commits": "2",
        "hoodie.keep.max.commits": "3",
        "hoodie.commits.archival.batch": "1",
        "hoodie.clean.automatic": "true",
        "hoodie.clean.commits.retained": "1",
    }
    slices = Slices(new_table({**UNPARTITIONED, **COPY_ON_WRITE, **archiving}))
    first = commits(slices.path)[0][0]
    for k in range(2, 7):
        slices.table.write(slices.table.rows([5 + k * 10], k))
    known = [instant for instant, _ in commits(slices.path)]
    assert first not in known, "it is archived"
    with check.session.table(slices.path) as table:
        assert kept(check, slices, table, f"{COLUMN} > '{first}'")[0] == FILES
        assert kept(check, slices, table, f"{COLUMN} > '{known[-2]}'")[0] == 1
        assert kept(check, slices, table, f"{COLUMN} >= '{known[-2]}'")[0] == 2


@pytest.mark.full
@pytest.mark.since_version_8  # Logs of older versions have whole rows.
def test_of_logs_with_some_columns_the_slice_counts_as_a_whole(check: Checker, new_table: NewTable) -> None:
    written = new_table(UNPARTITIONED)
    merged_in_part(written)
    path = written.path
    with check.session.table(path) as table:
        known = [instant for instant, _ in commits(path)]
        for instant in known:
            theirs = (
                written.spark.read.format("hudi")
                .load(str(path))
                .where(f"{COLUMN} > '{instant}' and s = 'four'")
            )
            checked = check.run(f"select id from {table} where {COLUMN} > '{instant}' and s = 'four'")
            assert sorted(checked.rows) == sorted((row.id,) for row in theirs.collect())
        assert check.run(f"select id from {table} where {COLUMN} > '{known[-1]}'").scan.kept == 0


@pytest.mark.since_version_8
def test_an_explanation_says_that_there_is_no_index(check: Checker, new_table: NewTable) -> None:
    written = Written(new_table({**UNPARTITIONED, **COPY_ON_WRITE}))
    second = written.instants()[1]
    with check.session.table(written.path) as table:
        checked = check.run(f"select id from {table} where {COLUMN} > '{second}'")
        assert 'index="none: ' in checked.scan.line
        plan = check.session.text(f"explain select id from {table} where {COLUMN} > '{second}'")
        assert '"hudi-skip files":"1 of 8"' in plan
        check.run(f"select id from {table} where {COLUMN} is null").kept_all("index")
