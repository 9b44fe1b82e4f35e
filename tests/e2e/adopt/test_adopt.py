"""`hudi-skip adopt`: a table of hive-sync is read through the handler, and can be had back as it was."""

import json
import re
from dataclasses import replace

from ..harness.command import hudi_skip
from ..harness.hive_sync import HiveSync, set_property
from ..harness.session import HANDLER
from .conftest import MERGE_ON_READ, Lake

FOUR = [(1, 1), (2, 2), (101, 101), (102, 102)]


def test_a_second_name_follows_the_table_and_leaves_hive_sync_alone(synced: Lake) -> None:
    table = synced.table()
    name = table.name
    (statement,) = synced.adopt(f"lake.{name}", "--dry-run")["statements"]
    assert statement.startswith(f"CREATE EXTERNAL TABLE `lake`.`{name}_skip` STORED BY '{HANDLER}'")
    assert synced.tables(name) == [name], "a dry run changes nothing"
    done = synced.adopt(f"lake.{name}")
    assert (done["table"], done["native"]) == (f"lake.{name}_skip", f"lake.{name}")
    assert done["compared"] == {"partitions": 2, "counted": 4, "rows": 4}
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
    for name in names:
        done = synced.adopt(f"lake.{name}", "--in-place", "--sample", "1")
        assert done["compared"]["partitions"] == 1
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
    for option in ([], ["--in-place"]):
        message = synced.refusal(f"lake.{table.name}", *option)
        assert re.search(r"answer differently: partition grp=east has 2 rows there and 3 here", message)
        assert synced.tables(table.name) == [table.name], "nothing is left behind"
    assert synced.adopt(f"lake.{table.name}", "--no-compare")["compared"] is None
    assert synced.adopt("--all", "lake", "--undo")["failed"] == {}
    assert synced.tables(table.name) == [table.name]


def test_all_tables_of_a_database_are_adopted_except_those_that_fail(synced: Lake) -> None:
    synced.session.rows("create database many")
    sync = HiveSync(synced.sync.metastore, "many")
    good, bad, other = (replace(synced.table(), sync=sync) for _ in range(3))
    bad.write([3])
    for table in (good, bad, other):
        assert not table.register()
    synced.session.rows(
        f"alter table many.{bad.name} partition (grp='east') set location 'file://{bad.path}/west'"
    )
    synced.session.rows("create table many.orc (id int) stored as orc")
    adopted = [f"many.{table.name}_skip" for table in (good, other)]

    planned = synced.adopt("--all", "many", "--dry-run")
    assert (len(planned["done"]), planned["failed"]) == (3, {})
    done = synced.command("--all", "many", "--json")
    assert done.exit_code == 1, "one of them failed"
    result = json.loads(done.stdout)
    assert [each["table"] for each in result["done"]] == adopted
    assert list(result["failed"]) == [f"many.{bad.name}"]
    assert "answer differently" in result["failed"][f"many.{bad.name}"]
    assert f"many.{bad.name}: " in done.stderr

    again = json.loads(synced.command("--all", "many", "--json").stdout)
    assert (again["done"], list(again["failed"])) == ([], [f"many.{bad.name}"]), "the others are adopted"
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
    # Hive-sync registers timestamps as numbers unless it is told otherwise.
    assert re.search(
        "column at is declared as bigint.*Without --in-place", synced.refusal(name, "--in-place")
    )
    assert any("column at is bigint" in note for note in synced.adopt(name, "--name", "other")["notes"])
    assert f"lake.{table.name}_skip is not its second name" in synced.refusal("--undo", name)
    synced.adopt("--undo", name, "--name", "other")
    with session.settings({"hive.semantic.analyzer.hook": ""}):
        session.rows(f"alter table {name} set tblproperties ('external.table.purge'='true')")
    assert f"dropping {name} would delete the Hudi table" in synced.refusal(name, "--in-place")


def test_a_native_table_that_was_given_the_handler_is_mended(synced: Lake) -> None:
    table = synced.table()
    name = f"lake.{table.name}"
    set_property(synced.sync.metastore, "lake", table.name, "storage_handler", HANDLER)
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
