"""A statement that reads a table in several states answers from each of them, or says that it cannot."""

from collections.abc import Iterator, Mapping
from typing import Final

import pytest
from pyspark.sql import SparkSession

from tests.properties.frame import run
from tests.properties.states.campaign import REFUSED, Statements, names
from tests.properties.states.statements import FORMS as DRAWN
from tests.properties.states.statements import Names
from tests.properties.states.table import LATEST, TYPES, StatesTable, rows_of, write

from ..harness.lake import Lake
from ..harness.session import QueryFailed, Session
from .two_states import BETWEEN, FORMS, ISSUE, NOW, PAST, SUM_NOW, SUM_PAST, Form

SETTINGS: Final[Mapping[str, Mapping[str, str]]] = {
    "as it comes": {},
    "no fetch, row by row": {
        "hive.fetch.task.conversion": "none",
        "hive.vectorized.execution.enabled": "false",
    },
    "no CBO": {"hive.cbo.enable": "false"},
    "no shared work": {"hive.optimize.shared.work": "false"},
    "CTEs materialised, in parallel": {
        "hive.optimize.cte.materialize.threshold": "1",
        "hive.optimize.cte.materialize.full.aggregate.only": "false",
        "hive.exec.parallel": "true",
    },
    "no map joins, no skipping": {"hive.auto.convert.join": "false", "hudi.skipping.mode": "off"},
}
MAPREDUCE: Final = {"hive.execution.engine": "mr"}
REFUSED_BY_MAPREDUCE: Final = "lateral_view"
"""Its two scans become one job."""
_SEEDS: Final = range(41, 45)


@pytest.fixture(scope="module")
def tables(spark: SparkSession, lake: Lake) -> dict[str, StatesTable]:
    """A table of each type."""
    return {name: write(spark, lake.fresh(name), of_table) for name, of_table in TYPES.items()}


@pytest.fixture(scope="module")
def named(session: Session, tables: dict[str, StatesTable]) -> Iterator[dict[str, Names]]:
    """The tables in Hive."""
    with names(session, list(tables.values())) as found:
        yield dict(zip(tables, found, strict=True))


def statement(text: str, of: Names) -> str:
    """A statement with the states of a table in it."""
    past, between, now = (f"{of.table}{of.of.clause(state)}" for state in range(LATEST + 1))
    return text.format(past=past, between=between, now=now)


def answer(session: Session, text: str) -> tuple[tuple[object, ...], ...]:
    """The rows of a query, sorted."""
    return tuple(sorted(session.rows(text), key=repr))


def check(session: Session, form: Form, of: Names, settings: Mapping[str, Mapping[str, str]]) -> None:
    """Runs a statement with one set of settings after the other."""
    text = statement(form.text, of)
    for name, given in settings.items():
        if form.needs_cbo and given.get("hive.cbo.enable") == "false":
            continue
        with session.settings(given):
            assert answer(session, text) == form.expected, f"{name}: {text}"


@pytest.mark.selected(4)
@pytest.mark.parametrize("name", ISSUE)
def test_each_state_is_read_as_it_was(session: Session, named: dict[str, Names], name: str) -> None:
    check(session, ISSUE[name], named["merge_on_read"], {"as it comes": {}})


@pytest.mark.selected(2)
@pytest.mark.parametrize("of_table", TYPES)
@pytest.mark.parametrize("name", FORMS)
def test_each_state_is_read_as_it_was_with_all_settings(
    session: Session, named: dict[str, Names], name: str, of_table: str
) -> None:
    check(session, FORMS[name], named[of_table], SETTINGS)


@pytest.mark.selected(1)
@pytest.mark.parametrize("name", [name for name in FORMS if name != REFUSED_BY_MAPREDUCE])
def test_mapreduce_answers(session: Session, named: dict[str, Names], name: str) -> None:
    check(session, FORMS[name], named["copy_on_write"], {"MapReduce": MAPREDUCE})


def test_mapreduce_refuses_a_task_of_two_states(session: Session, named: dict[str, Names]) -> None:
    with session.settings(MAPREDUCE):
        text = statement(FORMS[REFUSED_BY_MAPREDUCE].text, named["copy_on_write"])
        session.assert_refused(text, REFUSED[0])


@pytest.mark.selected(2)
@pytest.mark.parametrize("of_table", TYPES)
@pytest.mark.parametrize("cbo", ["true", "false"])
def test_several_inserts_read_a_past_state(
    session: Session, named: dict[str, Names], of_table: str, cbo: str
) -> None:
    session.rows("create table first_rows (id int, i bigint)")
    session.rows("create table last_rows (id int, i bigint)")
    source = "from (select id, i from {past} union all select id + 1000, i from {now}) u"
    first = "insert into first_rows select id, i where id < 1000"
    last = "insert into last_rows select id, i where id >= 1000"
    try:
        with session.settings({"hive.cbo.enable": cbo}):
            session.rows(statement(f"{source} {first} {last}", named[of_table]))
            session.rows(statement("from {past} insert into first_rows select id, i", named[of_table]))
        found = [answer(session, f"select sum(i), count(*) from {name}_rows") for name in ("first", "last")]
    finally:
        session.rows("drop table first_rows")
        session.rows("drop table last_rows")
    assert found == [((2 * SUM_PAST, 2 * len(PAST)),), ((SUM_NOW, len(NOW)),)]


def test_a_table_is_made_of_what_has_changed(session: Session, named: dict[str, Names]) -> None:
    changes = "create table changes as select id, i from {now} except select id, i from {past}"
    session.rows(statement(changes, named["merge_on_read"]))
    try:
        found = answer(session, "select id, i from changes")
    finally:
        session.rows("drop table changes")
    assert found == tuple(sorted(set(NOW.items()) - set(PAST.items()), key=repr))


def test_settings_of_a_session_stay_as_they_were(session: Session, named: dict[str, Names]) -> None:
    settings = ("hive.optimize.shared.work", "hive.cbo.returnpath.hiveop")
    before = [session.text(f"set {name}") for name in settings]
    check(session, FORMS["except"], named["copy_on_write"], {"as it comes": {}})
    assert [session.text(f"set {name}") for name in settings] == before


def test_a_time_and_a_version_are_two_states(session: Session, named: dict[str, Names]) -> None:
    of = named["merge_on_read"]
    found = answer(
        session,
        f"select count(*) from {of.table} for system_time as of '2001-02-03 04:05:06' union all "
        f"{statement('select count(*) from {past} union all select count(*) from {between}', of)}",
    )
    assert found == tuple(sorted([(0,), (len(PAST),), (len(BETWEEN),)], key=repr))


@pytest.mark.selected(1)
@pytest.mark.parametrize("of_table", TYPES)
def test_a_setting_of_the_session_counts_for_the_statements_after_it(
    session: Session, named: dict[str, Names], of_table: str
) -> None:
    of = named[of_table]
    name, instants = of.of.path.name, of.of.instants
    twice = f"select sum(i) from {of.table} union all select sum(i) from {of.table} where id >= 60"
    for state in (0, 1, LATEST, 0):
        rows = dict(rows_of(state))
        commit = "" if state == LATEST else instants[state]
        with session.settings({f"hoodie.{name}.consume.commit": commit}):
            expected = {sum(rows.values()), sum(value for key, value in rows.items() if key >= 60)}
            assert {row[0] for row in session.rows(twice)} == expected, f"state {state}"
    with (
        session.settings({f"hoodie.{name}.consume.commit": instants[0]}),
        pytest.raises(QueryFailed, match="another with .*: remove one of them"),
    ):
        session.rows(statement("select sum(i) from {between} union all select sum(i) from {now}", of))


@pytest.mark.selected(1)
@pytest.mark.parametrize("of_table", TYPES)
def test_an_incremental_query_reads_a_table_twice(
    session: Session, named: dict[str, Names], of_table: str
) -> None:
    of = named[of_table]
    name, first = of.of.path.name, of.of.instants[0]
    changed = {key: value for key, value in NOW.items() if (key, value) not in PAST.items()}
    settings = {
        f"hoodie.{name}.consume.mode": "INCREMENTAL",
        f"hoodie.{name}.consume.start.timestamp": first,
        f"hoodie.{name}.consume.max.commits": "-1",
    }
    both = f"select count(*), sum(a.i), sum(b.i) from {of.table} a join {of.table} b on a.id = b.id"
    with session.settings(settings):
        assert session.rows(both) == [(len(changed), *(sum(changed.values()),) * 2)]
        session.assert_refused(
            statement("select sum(i) from {now} union all select sum(i) from {past}", of),
            "incremental or read a past state, but not both",
        )


@pytest.mark.selected(2)
@pytest.mark.parametrize("name", ["union_all", "except", "not_in", "scalars", "two_ctes"])
def test_a_read_optimized_table_and_another_over_the_same_files_stay_two(
    session: Session, spark: SparkSession, tables: dict[str, StatesTable], name: str
) -> None:
    path = tables["merge_on_read"].path
    frame = spark.read.format("hudi").option("hoodie.datasource.query.type", "read_optimized").load(str(path))
    base = {row.id: row.i for row in frame.select("id", "i").collect()}
    assert base != NOW, "some rows are in logs alone"
    expected: dict[str, list[tuple[object, ...]]] = {
        "union_all": [(sum(base.values()),), (SUM_NOW,)],
        "except": [(len(set(NOW.items()) - set(base.items())),)],
        "not_in": [(len(NOW.keys() - base.keys()),)],
        "scalars": [(SUM_NOW, sum(base.values()))],
        "two_ctes": [(SUM_NOW, sum(base.values()))],
    }
    with (
        session.table(path) as latest,
        session.table(path, properties={"hoodie.query.as.ro.table": "true"}) as optimized,
    ):
        text = FORMS[name].text.format(now=latest, past=optimized)
        assert answer(session, text) == tuple(sorted(expected[name], key=repr))


@pytest.mark.full
def test_random_statements_over_three_states_are_right(session: Session, named: dict[str, Names]) -> None:
    outcome = run(Statements(session, list(named.values())), _SEEDS)
    assert not outcome.wrong, outcome.wrong[0]
    assert DRAWN.keys() <= outcome.tally.keys(), "each form is drawn"


def test_the_states_differ() -> None:
    assert len({SUM_NOW, SUM_PAST, sum(BETWEEN.values())}) == LATEST + 1
