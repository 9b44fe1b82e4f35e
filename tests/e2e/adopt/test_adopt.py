"""`hudi-skip adopt`: a table of hive-sync is read through the handler, and can be had back as it was."""

import json
import re
from dataclasses import replace

import pytest

from pycompiler import IndexCreator

from ..harness.command import hudi_skip
from ..harness.engines import MODES, in_turn
from ..harness.session import HANDLER
from .conftest import MERGE_ON_READ, NATIVE_READER, Lake

START = 1_600_000_000_000_000
FOUR = [(1, 1), (2, 2), (101, 101), (102, 102)]


def test_a_second_name_follows_the_table_and_leaves_hive_sync_alone(synced: Lake) -> None:
    table = synced.table()
    name = table.name
    planned = synced.adopt(f"lake.{name}", "--dry-run", "--sample", "1")
    (statement,) = planned["statements"]
    assert planned["compared"] == {"partitions": 1, "counted": 2, "rows": 2}
    assert statement.startswith(f"CREATE EXTERNAL TABLE `lake`.`{name}_skip` STORED BY '{HANDLER}'")
    assert synced.tables(name) == [name], "a dry run changes nothing"
    done = synced.adopt(f"lake.{name}")
    assert (done["table"], done["native"]) == (f"lake.{name}_skip", f"lake.{name}")
    assert done["compared"] == {"partitions": 2, "counted": 4, "rows": 4}
    assert "skip files by partition columns" in done["next"]
    assert done["next"].endswith(f"hudi-skip index build {table.path}")
    assert synced.ids(f"{name}_skip") == FOUR
    assert f"lake.{name} is adopted already: its second name" in synced.refusal(f"lake.{name}")

    table.write([3, 103], more=", if(id > 0, 'x', null) added")
    assert not table.register(), "hive-sync goes on"
    columns = {row[0] for row in synced.session.rows(f"describe lake.{name}_skip")}
    assert "added" in columns, "columns of later commits appear"
    assert synced.ids(f"{name}_skip", "added = 'x'") == [(3, 3), (103, 103)]
    assert "x" in {row[0] for row in synced.session.rows(f"select added from lake.{name}")}

    assert hudi_skip("partitions", str(table.path))["partitions"] == ["east", "west"]

    synced.adopt("--undo", f"lake.{name}")
    assert synced.tables(name) == [name]


def test_in_place_keeps_columns_comments_properties_grants_and_views_until_undone(synced: Lake) -> None:
    table, session = synced.table(), synced.session
    name = f"lake.{table.name}"
    session.rows("set role admin")
    for change in (
        f"alter table {name} set tblproperties ('comment'='it\\'s \\\\ \"ours\"', 'owner.team'='a;b')",
        f"alter table {name} change column n n bigint comment 'order of \"writes\"'",
        f"grant select on table {name} to user ann with grant option",
        f"create view {name}_view as select * from {name} where id > 1",
    ):
        session.rows(change)
    before = _definition(synced, table.name)
    columns = _columns(synced, name)
    assert ("n", "bigint", 'order of "writes"') in columns and columns[-1][0] == "grp"
    done = synced.adopt(name, "--in-place")
    assert done["native"] == f"{name}_native"
    assert synced.tables(table.name) == [table.name, f"{table.name}_native", f"{table.name}_view"]

    properties = dict(session.rows(f"show tblproperties {name}"))
    assert properties["storage_handler"] == HANDLER
    assert (properties["comment"], properties["owner.team"]) == ('it\'s \\ "ours"', "a;b")
    assert _columns(synced, name) == columns, "in the same order, with the same comments"
    assert _grants(synced, name) >= {("ann", "SELECT", "true")}
    assert synced.ids(f"{table.name}_view") == FOUR[1:]

    synced.adopt("--undo", name)
    assert synced.tables(table.name) == [table.name, f"{table.name}_view"]
    assert _definition(synced, table.name) == before
    assert _grants(synced, name) >= {("ann", "SELECT", "true")}
    assert synced.ids(f"{table.name}_view") == FOUR[1:]


def test_hive_sync_fails_on_a_table_adopted_in_place_and_goes_on_under_the_native_tables_name(
    synced: Lake,
) -> None:
    table = synced.table()
    name = f"lake.{table.name}"
    synced.adopt(name, "--in-place", "--no-compare")
    table.write([3], more=", if(id > 0, 'x', null) added")
    assert "Error in loading storage handler" in table.register()
    assert synced.ids(table.name) == [*FOUR[:2], (3, 3), *FOUR[2:]], "the table is as it was"
    assert _columns(synced, name)[-1][0] == "added", "columns of later commits come last"
    assert not table.register(name=f"{table.name}_native")
    synced.adopt("--undo", name)
    assert "added" in {column[0] for column in _columns(synced, name)}, "hive-sync has kept it up to date"


def test_tables_of_a_merge_on_read_table_keep_what_they_mean(synced: Lake) -> None:
    table = synced.table(options=MERGE_ON_READ)
    table.write([1, 101], n="id + 900")
    assert not table.register()
    merged, base = [(1, 901), (2, 2), (101, 1001), (102, 102)], FOUR
    names = [table.name, f"{table.name}_ro", f"{table.name}_rt"]
    for name in names[1:]:
        done = synced.adopt(f"lake.{name}", "--in-place", "--sample", "1")
        assert done["compared"]["partitions"] == 1
    # Both names of the merged rows are read alike.
    synced.adopt(f"lake.{table.name}", "--in-place", "--no-compare")
    assert [synced.ids(name) for name in names] == [merged, base, merged]
    table.write([3])
    kept = f"{table.name}_native"
    assert not table.register(name=kept), "hive-sync finds all three under their new names"
    assert {f"{kept}_ro", f"{kept}_rt", kept} <= set(synced.tables(table.name))
    assert synced.ids(table.name) == [*merged[:2], (3, 3), *merged[2:]]
    for name in names:
        synced.adopt("--undo", f"lake.{name}")
    assert synced.tables(table.name) == names


def test_tables_that_answer_differently_are_not_adopted(synced: Lake) -> None:
    table = synced.table()
    table.write([3])
    # As if somebody had repaired a partition by hand.
    synced.session.rows(
        f"alter table lake.{table.name} partition (grp='east') set location 'file://{table.path}/west'"
    )
    for option in ([], ["--in-place"], ["--in-place", "--dry-run"]):
        message = synced.refusal(f"lake.{table.name}", *option)
        assert re.search(r"answer differently: partition grp=east has 2 rows there and 3 here", message)
        assert synced.tables(table.name) == [table.name], "nothing is left behind"
    assert synced.adopt(f"lake.{table.name}", "--no-compare")["compared"] is None
    assert synced.adopt("--all", "lake", "--undo")["failed"] == {}
    assert synced.tables(table.name) == [table.name]


def test_all_tables_of_a_database_are_adopted_except_those_that_fail(synced: Lake) -> None:
    synced.session.rows("create database many")
    table = synced.table()
    table.write([3])
    sync = replace(synced.sync, database="many")
    for name in ("first", "moved", "second"):
        assert not sync.run(table.path, name)
    synced.session.rows(
        f"alter table many.moved partition (grp='east') set location 'file://{table.path}/west'"
    )
    synced.session.rows("create table many.orc (id int) stored as orc")
    adopted = ["many.first_skip", "many.second_skip"]
    command = ("--all", "many", "--sample", "1")

    planned = json.loads(synced.command(*command, "--dry-run", "--json").stdout)
    assert (len(planned["done"]), list(planned["failed"])) == (2, ["many.moved"])
    shown = {row[0] for row in synced.session.rows("show tables in many")}
    assert not any(name.endswith("_skip") for name in shown), "a dry run leaves nothing behind"
    done = synced.command(*command, "--json")
    assert done.exit_code == 1, "one of them failed"
    result = json.loads(done.stdout)
    assert [each["table"] for each in result["done"]] == adopted
    assert list(result["failed"]) == ["many.moved"]
    assert "answer differently" in result["failed"]["many.moved"]
    assert "many.moved: " in done.stderr

    again = json.loads(synced.command(*command, "--json").stdout)
    assert (again["done"], list(again["failed"])) == ([], ["many.moved"]), "the others are adopted"
    undone = synced.adopt("--all", "many", "--undo")
    assert [each["table"] for each in undone["done"]] == adopted
    assert "nothing to do" in synced.command("--all", "many", "--undo").stdout


def test_what_cannot_be_adopted_is_said(synced: Lake) -> None:
    session = synced.session
    table = synced.table(more=", timestamp'2026-01-01 00:00:00' at")
    name = f"lake.{table.name}"
    session.rows("create table lake.orc (id int) stored as orc")
    session.rows(f"create view lake.seen as select * from {name}")
    refusals = {
        "nowhere.at.all": "is not a table name",
        "lake.nosuch": "lake.nosuch does not exist",
        "lake.orc": "does not read a Hudi table .* its input format is .*OrcInputFormat",
        "lake.seen": "is a view",
    }
    for wanted, message in refusals.items():
        assert re.search(message, synced.refusal(wanted))
    assert "lake.orc exists already" in synced.refusal(name, "--name", "orc")
    # Under a second name, columns have the types of the Hudi table.
    assert any("column at is bigint" in note for note in synced.adopt(name, "--name", "other")["notes"])
    assert f"lake.{table.name}_skip is not its second name" in synced.refusal("--undo", name)
    synced.adopt("--undo", name, "--name", "other")
    with session.settings({"hive.semantic.analyzer.hook": ""}):
        session.rows(f"alter table {name} set tblproperties ('external.table.purge'='true')")
    assert f"dropping {name} would delete the Hudi table" in synced.refusal(name, "--in-place")


@pytest.mark.parametrize("options", [{}, MERGE_ON_READ], ids=["copy_on_write", "merge_on_read"])
def test_views_and_queries_of_a_timestamp_registered_as_bigint_answer_as_before(
    synced: Lake, options: dict[str, str]
) -> None:
    moment = ", timestamp_micros(1600000000000000L + id * 60000000L) at"
    table = synced.table(options=options, more=moment)
    table.write([1, 101], n="id + 900", more=moment)
    assert not table.register()
    session, name = synced.session, f"lake.{table.name}"
    session.rows(
        f"create view {name}_view as select id, at, from_unixtime(at div 1000000) shown from {name}"
        f" where at >= {START + 60_000_000}"
    )
    queries = (
        f"select id, at, at div 1000000 from {name} where at between {START} and {START + 120_000_000}",
        f"select id, from_unixtime(at div 1000000, 'yyyy-MM-dd HH:mm') from {name} where at > {START}",
        f"select * from {name}_view where at <= {START + 101 * 60_000_000}",
        f"select id from {name}_view where shown < '2020-09-13 12:40:00'",
        f"select id, from_unixtime(at div 1000000) from {name} where at = {START + 102 * 60_000_000}",
    )
    with session.settings(NATIVE_READER):
        before = [sorted(session.rows(query)) for query in queries]
    assert [len(rows) for rows in before] == [2, 4, 3, 2, 1]
    done = synced.adopt(name, "--in-place")
    assert done["compared"] == {"partitions": 2, "counted": 4, "rows": 4}
    assert ("at", "bigint", "") in _columns(synced, name)
    for indexed in (False, True):
        if indexed:
            IndexCreator(synced.spark).build(str(table.path))
        for mode, number in in_turn(MODES.values(), range(len(queries))):
            with session.settings(mode):
                assert sorted(session.rows(queries[number])) == before[number]


def test_columns_that_the_native_table_cannot_read_are_compared_with_base_files(synced: Lake) -> None:
    # One reader of Hudi fails on dates, the other on timestamps that are registered as bigint.
    more = ", date'2026-01-02' day, timestamp'2026-01-02 03:04:05' at"
    table = synced.table(options=MERGE_ON_READ, more=more)
    table.write([1], n="id + 900", more=more)
    assert not table.register()
    done = synced.adopt(f"lake.{table.name}", "--in-place")
    assert done["compared"] == {"partitions": 2, "counted": 4, "rows": 4}
    (note,) = (note for note in done["notes"] if "cannot read column" in note)
    assert re.search("column (day|at), which was compared with 3 rows in 2 base files instead: ", note)
    shown = synced.session.rows(f"select distinct day, at from lake.{table.name}")
    assert [(str(day), at) for day, at in shown] == [("2026-01-02", 1_767_323_045_000_000)]


def test_a_native_table_that_was_given_the_handler_is_mended(synced: Lake) -> None:
    table = synced.table()
    name = f"lake.{table.name}"
    synced.sync.set_property(table.name, "storage_handler", HANDLER)
    synced.session.assert_refused(
        f"select id from {name}", f"created as a native table.*ALTER TABLE {name} UNSET TBLPROPERTIES"
    )
    mend = f"ALTER TABLE {name} UNSET TBLPROPERTIES ('storage_handler')"
    assert mend in synced.refusal(name)
    synced.session.rows(mend)
    assert synced.ids(table.name) == FOUR, "as a native table"


def _definition(lake: Lake, table: str) -> tuple[list[str], list[str]]:
    """What SHOW CREATE TABLE says, without the times of changes, and partitions."""
    lines = lake.session.text(f"show create table lake.{table}").splitlines()
    kept = [
        line.rstrip(",)")
        for line in lines
        if not re.search("last_(modified|commit)|lastDdlTime|part.0", line)
    ]
    return kept, lake.session.text(f"show partitions lake.{table}").splitlines()


def _columns(lake: Lake, table: str) -> list[tuple[str, str, str]]:
    """Columns in the order of SELECT *; DESCRIBE would show those of the SerDe, without comments."""
    with lake.session.settings({"hive.ddl.output.format": "json"}):
        ((document,),) = lake.session.rows(f"describe extended {table}")
    info = json.loads(document)["tableInfo"]
    columns = [*info["sd"]["cols"], *info["partitionKeys"]]
    return [(column["name"], column["type"], column["comment"] or "") for column in columns]


def _grants(lake: Lake, table: str) -> set[tuple[str, str, str]]:
    rows = lake.session.rows(f"show grant on table {table}")
    return {(row[4], row[6], str(row[7]).lower()) for row in rows}
