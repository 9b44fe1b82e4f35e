"""Values that Hive drops or cannot hand over: the scan's own filter decides alone, and the log says so."""

import re
from typing import Final

import pytest

from ..harness import engines
from ..harness.check import Checker
from .queries import ALL, FEW, SKIPPING
from .tables import RARE
from .test_join_forms import OFF, ON, WAYS, kept

TEXT: Final = SKIPPING["inner"].text


def test_an_event_above_hives_limit(check_join: Checker) -> None:
    settings = {**engines.TEZ, **ON, "hive.tez.dynamic.partition.pruning.max.event.size": "5"}
    checked = check_join(TEXT, settings, scans=2)
    assert checked.of("visits").joins.startswith("k: none arrived"), checked.of("visits").line
    assert kept(checked) == ALL
    own = check_join(SKIPPING["own_list"].text, settings, scans=2)
    assert kept(own) == 2, "the scan's own list is no list of the join's"
    assert "none arrived" in own.of("visits").joins


def test_a_source_above_hives_limit(check_join: Checker) -> None:
    settings = {**engines.TEZ, **ON, "hive.tez.dynamic.partition.pruning.max.data.size": "1"}
    checked = check_join(TEXT, settings, scans=2)
    assert (checked.of("visits").joins, kept(checked)) == ("", ALL)


def test_hives_own_switch(check_join: Checker) -> None:
    checked = check_join(TEXT, {**engines.TEZ, **ON, "hive.tez.dynamic.partition.pruning": "false"}, scans=2)
    assert (checked.of("visits").joins, kept(checked)) == ("", ALL)


def test_the_log_and_explain_say_what_the_join_found(check_join: Checker) -> None:
    scan = check_join(TEXT, {**engines.TEZ, **ON}, scans=2).of("visits")
    assert scan.joins == f"k: {len(RARE)} values", scan.line
    assert scan.expression == "k is not null and k in (33, 36, 153)"
    assert scan.source == "pushed", "no compiler is needed where the job lists files"
    with check_join.session.settings({**engines.TEZ, **ON}):
        plan = check_join.session.text("explain " + TEXT)
    assert "values that the query finds for k may skip more files" in plan, plan
    with check_join.session.settings({**engines.TEZ, **OFF}):
        assert "may skip more files" not in check_join.session.text("explain " + TEXT)


def test_an_explanation_in_the_log_has_the_values(check_join: Checker) -> None:
    position = check_join.log.position()
    settings = {**engines.TEZ, **ON, "hudi.skipping.explain": "true"}
    assert kept(check_join(TEXT, settings, scans=2, spark=False)) == FEW
    assert re.search(rf"^ +{FEW} +k in \(33, 36, 153\)$", check_join.log.since(position), re.MULTILINE)


@pytest.mark.parametrize("bad", ["on1", "true"])
def test_an_unknown_value_of_the_setting_is_refused(check_join: Checker, bad: str) -> None:
    with check_join.session.settings({"hudi.skipping.joins": bad}):
        check_join.session.assert_refused(TEXT, f"hudi.skipping.joins={bad} is unknown")


@pytest.mark.parametrize("way", ["map join", "semijoin reduction"])
@pytest.mark.parametrize(
    "tables", ["visits v join nearly_keys p", "nearly_keys p join visits v"], ids=["fact first", "last"]
)
def test_a_constraint_that_does_not_hold(check_join: Checker, tables: str, way: str) -> None:
    """Hive trusts it and leaves out IS NOT NULL, and its pruner fails on a NULL."""
    for statement in (
        "create table nearly_keys (k int not null disable novalidate rely, m int) stored as orc",
        "insert into nearly_keys values (33, 1), (36, 2), (null, 3)",
        "analyze table nearly_keys compute statistics",
    ):
        check_join.session.rows(statement)
    try:
        text = f"select count(*), sum(v.n), sum(v.id) from {tables} on v.k = p.k"
        checked = check_join(text, {**engines.TEZ, **ON, **WAYS[way]}, spark=False)
        visits = checked.of("visits")
        assert visits.joins == "k: not sent, the values may have NULL among them", visits.line
    finally:
        check_join.session.rows("drop table nearly_keys")


def test_a_sample_of_rows_is_drawn_from_all_files(check_join: Checker) -> None:
    text = (
        "select count(*) from (select k from visits tablesample(20 rows) x) v join places p on v.k = p.k "
        "where p.kind = 'rare'"
    )
    checked = check_join(text, {**engines.TEZ, **ON}, scans=2, spark=False)
    visits = checked.of("visits")
    assert (visits.joins, kept(checked)) == ("k: not sent, the scan is a sample", ALL), visits.line
