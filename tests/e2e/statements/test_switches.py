"""Settings that turn skipping off, and settings that must not change answers."""

import pytest

from pycompiler.hive.server import HiveServer

from ..harness.check import Checker
from ..harness.engines import ENGINES, TEZ
from ..harness.lake import Lake
from ..harness.servers import UNKNOWN_SETTING, ServedHive
from ..harness.session import QueryFailed
from ..tables import CUSTOMERS, EVERY_TYPE

QUERY = "select id from every_type where i = 1015"


@pytest.mark.selected(2)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "predicate",
    ["i = 1015", "s >= 's44' and d > 1000.0D", "amount between 100 and 200.5 or day < date '1960-01-01'"],
)
def test_every_way_of_running_a_query_skips_alike(check: Checker, engine: str, predicate: str) -> None:
    # NaN > 1000 holds in one mode and not in the other, so Spark isn't asked about d.
    checked = check(
        f"select id from every_type where {predicate}", ENGINES[engine], spark=" d " not in predicate
    )
    checked.skips()


def test_the_session_can_turn_skipping_off_and_on_again(check: Checker) -> None:
    # Hive makes one input format object per JVM and configures it with the first job's conf.
    for settings in (TEZ, {}):
        check.run(QUERY, settings).kept(1)
        check.run(QUERY, {**settings, "hudi.skipping.mode": "off"}).kept_all("hudi.skipping.mode")
        check.run(QUERY, settings).kept(1)


def test_the_table_can_turn_skipping_off(check: Checker, lake: Lake) -> None:
    with check.session.table(lake.path("customers"), properties={"hudi.skipping.mode": "off"}) as name:
        query = f"select cust from {name} where cust = 11"
        for settings in (TEZ, {}, {"hudi.skipping.mode": "on"}):
            checked = check.run(query, settings).kept_all("hudi.skipping.mode")
            assert checked.rows == ((11,),)
        check.session.rows(f"ALTER TABLE {name} SET TBLPROPERTIES ('hudi.skipping.mode' = 'on')")
        check.run(query).kept(1)
        check.run(query, {"hudi.skipping.mode": "off"}).kept_all("hudi.skipping.mode")


@pytest.mark.selected(3)
@pytest.mark.parametrize("engine", [TEZ, {}], ids=["tez", "fetch task"])
@pytest.mark.parametrize(
    "setting", ["hive.optimize.ppd", "hive.optimize.ppd.storage", "hive.optimize.index.filter"]
)
def test_hives_own_pushdown_switches_turn_skipping_off_and_the_log_names_them(
    check: Checker, setting: str, engine: dict[str, str]
) -> None:
    for mode in ("on", "shadow"):
        checked = check.run(QUERY, {setting: "false", "hudi.skipping.mode": mode, **engine})
        assert len(checked.rows) == 2
        checked.kept_all(f"{setting}=false")
        assert not checked.shadow_checks, "nothing would be skipped, so nothing is checked"
    nothing = "select id from every_type where i = 1015 and i is null"
    check.run(nothing, {setting: "false", **engine}, scans=0).kept_all(f"{setting}=false")


def test_a_catalogue_without_its_jar_leaves_the_listing_to_the_index(check: Checker) -> None:
    query = "select id from sales where region = 'emea'"
    for settings in (TEZ, {}):
        listing = check.run(query, {"hudi.skipping.catalogue": "hbase", **settings}).scan.listing
        assert listing == "index, not hbase: no jar on the class path provides the partition catalogue hbase"


@pytest.mark.selected(4)
@pytest.mark.parametrize("engine", [TEZ, {}], ids=["tez", "fetch task"])
@pytest.mark.parametrize(
    ("setting", "value", "allowed"),
    [
        ("hudi.skipping.mode", "onn", "off, shadow or on"),
        ("hudi.skipping.mode", "true", "off, shadow or on"),
        ("hudi.skipping.explain", "yes", "true or false"),
        ("hudi.skipping.index", "hfile", "auto, parquet or metadata-table"),
        ("hudi.skipping.listing", "hudi", "index or files"),
    ],
)
def test_an_unknown_value_of_a_setting_fails_the_query_and_names_the_known_ones(
    check: Checker,
    lake: Lake,
    setting: str,
    value: str,
    allowed: str,
    engine: dict[str, str],
) -> None:
    message = f"{setting}={value} is unknown: use {allowed}"
    session = check.session
    with session.settings({setting: value, **engine}):
        for query in (QUERY, "select count(*) from every_type", f"explain {QUERY}"):
            session.assert_refused(query, f"the session's {message}")
    check.run(QUERY, engine).kept(1)
    with pytest.raises(QueryFailed, match=f"the table's {message}"):
        check.session.create_table(lake.path("customers"), properties={setting: value})
    with check.session.table(lake.path("customers")) as name:
        session.assert_refused(
            f"ALTER TABLE {name} SET TBLPROPERTIES ('{setting}' = '{value}')", f"the table's {message}"
        )
        session.rows(f"ALTER TABLE {name} SET TBLPROPERTIES ('{setting}' = '{allowed.split()[-1]}')")


@pytest.mark.selected(2)
@pytest.mark.parametrize("engine", [TEZ, {}], ids=["tez", "fetch task"])
@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [("hudi.skipping.mod", "hudi.skipping.mode"), ("hudi.skip.joins", "hudi.skipping.joins")],
)
def test_an_unknown_name_of_a_setting_fails_the_query_and_names_a_similar_one(
    check: Checker, misspelt: str, meant: str, engine: dict[str, str]
) -> None:
    session = check.session
    with session.settings({misspelt: "off", **engine}):
        for query in (QUERY, "select count(*) from every_type", f"explain {QUERY}"):
            session.assert_refused(query, rf"{misspelt} does nothing: .* Did you mean {meant}\?")
        assert session.rows("select 1") == [(1,)], "a query of no handler table"
    check.run(QUERY, engine).kept(1)


def test_an_unknown_name_in_the_servers_configuration_fails_no_query_and_is_named_to_its_session(
    far_check: Checker, far_server: HiveServer
) -> None:
    told = far_check.session.messages(QUERY)
    assert sum(f"hudi-skip: {UNKNOWN_SETTING} does nothing" in line for line in told) == 1, told
    far_check.run(QUERY).kept(1)
    # A session of its own: none can give a name that it has set back to the server's configuration.
    with ServedHive(far_server).connect() as session:
        session.rows(f"SET {UNKNOWN_SETTING}=off")
        session.assert_refused(QUERY, f"{UNKNOWN_SETTING} does nothing")


def test_columns_that_are_read_by_position_keep_all_files(check: Checker) -> None:
    checked = check.run(QUERY, {"parquet.column.index.access": "true"})
    checked.kept_all("parquet.column.index.access")


def test_a_query_without_a_filter_keeps_all_files(check: Checker) -> None:
    checked = check("select count(*) from every_type")
    assert checked.rows == ((len(EVERY_TYPE.rows()),),)
    assert checked.scan.kept == checked.scan.files == len(EVERY_TYPE.files)


def test_a_setting_of_one_session_is_not_seen_by_another(check: Checker, second_check: Checker) -> None:
    with check.session.settings({"hudi.skipping.mode": "off", **TEZ}):
        second_check.run(QUERY, TEZ).kept(1)
        check.run(QUERY).kept_all("hudi.skipping.mode")
        second_check.run(QUERY, TEZ).kept(1)


def test_two_hive_tables_on_one_location_answer_alike(check: Checker, lake: Lake) -> None:
    query = (
        "select a.cust, b.name from {} a join customers b on a.cust = b.cust "
        "where a.cust = 11 and b.name >= 'name-01'"
    )
    with check.session.table(lake.path("customers")) as name:
        checked = check(
            query.format(name),
            scans=2,
            spark=query.format("customers"),
        )
        assert len(checked.rows) == 1
    assert len(check.run("select cust from customers").rows) == len(CUSTOMERS.rows()), (
        "DROP TABLE of the one left the other"
    )
