"""`hudi-skip adopt`: a table of hive-sync is read through the handler, and can be had back as it was."""

import re

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
    columns = session.rows(f"describe {name}")[: len(before[0])]
    done = synced.adopt(name, "--in-place")
    assert done["native"] == f"{name}_native"
    assert synced.tables(table.name) == [table.name, f"{table.name}_native", f"{table.name}_view"]

    properties = dict(session.rows(f"show tblproperties {name}"))
    assert properties["storage_handler"] == HANDLER
    assert (properties["comment"], properties["owner.team"]) == ('it\'s \\ "ours"', "a;b")
    described = session.rows(f"describe {name}")
    assert described == [row for row in columns if row in described] and described[-1][0] == "grp"
    assert ("n", "bigint", 'order of \\"writes\\"') in described
    assert _grants(synced, name) >= {("ann", "SELECT", "true")}
    assert synced.ids(f"{table.name}_view") == FOUR[1:]

    table.write([3], more=", if(id > 0, 'x', null) added")
    assert "HudiStorageHandler" in table.register(), "hive-sync cannot load the handler"
    assert "is a native table" in table.register(with_handler=True), "and the handler lets it change nothing"
    assert not table.register(name=f"{table.name}_native"), "hive-sync goes on under the native table's name"
    assert synced.ids(table.name) == [*FOUR[:2], (3, 3), *FOUR[2:]]
    assert session.rows(f"describe {name}")[-1][0] == "added", "later columns come last"

    synced.adopt("--undo", name)
    assert synced.tables(table.name) == [table.name, f"{table.name}_view"]
    after = _definition(synced, table.name)
    assert after[1] == before[1] and _grants(synced, name) >= {("ann", "SELECT", "true")}
    assert [line for line in before[0] if line not in after[0]] == [], "only the new column was added since"
    assert synced.ids(f"{table.name}_view") == [*FOUR[1:2], (3, 3), *FOUR[2:]]


def test_tables_of_a_merge_on_read_table_keep_what_they_mean(synced: Lake) -> None:
    table = synced.table(options=MERGE_ON_READ)
    table.write([1, 101], n="7")
    assert not table.register()
    merged, base = [(1, 7), (2, 2), (101, 7), (102, 102)], FOUR
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
    assert "other is not its second name" not in synced.refusal("--undo", name)
    synced.adopt("--undo", name, "--name", "other")
    session.rows(f"alter table {name} set tblproperties ('EXTERNAL'='FALSE')")
    assert "dropping .* would delete" in synced.refusal(name, "--in-place").replace(name, ".*")


def test_a_table_to_which_hive_sync_gave_the_handler_is_mended(synced: Lake) -> None:
    table = synced.table("--table-properties", f"storage_handler={HANDLER}")
    name = f"lake.{table.name}"
    synced.session.assert_refused(
        f"select id from {name}", f"created as a native table.*ALTER TABLE {name} UNSET TBLPROPERTIES"
    )
    mend = f"ALTER TABLE {name} UNSET TBLPROPERTIES ('storage_handler')"
    assert mend in synced.refusal(name)
    synced.session.rows(mend)
    assert synced.ids(table.name) == FOUR, "as a native table"
    synced.adopt(name)
    assert synced.ids(f"{table.name}_skip") == FOUR


def _definition(lake: Lake, table: str) -> tuple[list[str], list[str]]:
    """What SHOW CREATE TABLE says, without the times of changes, and partitions."""
    lines = lake.session.text(f"show create table lake.{table}").splitlines()
    kept = [
        line.rstrip(",)")
        for line in lines
        if not re.search("last_(modified|commit)|lastDdlTime|part.0", line)
    ]
    return kept, lake.session.text(f"show partitions lake.{table}").splitlines()


def _grants(lake: Lake, table: str) -> set[tuple[str, str, str]]:
    rows = lake.session.rows(f"show grant on table {table}")
    return {(row[4], row[6], str(row[7]).lower()) for row in rows}
