"""Every form of a join, in every way in which Hive runs one: right, and no file opened for nothing."""

from collections.abc import Mapping
from typing import Final

import pytest

from ..harness import engines
from ..harness.canary import MANY_TASKS
from ..harness.check import Checked, Checker
from .queries import ALL, FORMS, KEEPING, SKIPPING

ON: Final = {"hudi.skipping.joins": "on"}
OFF: Final = {"hudi.skipping.joins": "off"}
SHUFFLE: Final = {"hive.auto.convert.join": "false"}

WAYS: Final[Mapping[str, Mapping[str, str]]] = {
    "map join": {},
    "shuffle join": SHUFFLE,
    "hash join": {
        "hive.optimize.dynamic.partition.hashjoin": "true",
        "hive.auto.convert.join.noconditionaltask.size": "1",
    },
    "sort-merge join": {
        **SHUFFLE,
        "hive.auto.convert.sortmerge.join": "true",
        "hive.optimize.bucketmapjoin.sortedmerge": "true",
    },
    "bucket join": {"hive.convert.join.bucket.mapjoin.tez": "true", "hive.optimize.bucketmapjoin": "true"},
    "rows": engines.ROW_BY_ROW,
    "no shared work": {"hive.optimize.shared.work": "false"},
    "semijoin reduction": {
        "hive.tez.dynamic.semijoin.reduction": "true",
        "hive.tez.bigtable.minsize.semijoin.reduction": "1",
        "hive.tez.dynamic.semijoin.reduction.for.mapjoin": "true",
        "hive.disable.unsafe.external.table.operations": "false",
    },
}


def kept(checked: Checked) -> int:
    """Files of `visits` that all its scans opened."""
    return sum(scan.kept for scan in checked.scans if scan.table.endswith("/visits"))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.selected(30)
def test_a_join_opens_the_files_that_it_needs(check_join: Checker, form: str) -> None:
    checked = check_join(FORMS[form].text, {**engines.TEZ, **ON})
    lines = [scan.line for scan in checked.scans]
    assert kept(checked) == FORMS[form].kept, lines


@pytest.mark.parametrize("way", [way for way in WAYS if way != "map join"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.selected(12)
def test_a_join_is_right_in_every_way_to_run_it(check_join: Checker, form: str, way: str) -> None:
    checked = check_join(FORMS[form].text, {**engines.TEZ, **ON, **WAYS[way]})
    if form in KEEPING:
        assert kept(checked) >= ALL, [scan.line for scan in checked.scans]
    elif way != "semijoin reduction":
        # Hive may put a semijoin's branch beside a scan, which is then read whole.
        assert kept(checked) == FORMS[form].kept, [scan.line for scan in checked.scans]


@pytest.mark.parametrize("form", [name for name, form in FORMS.items() if form.without_cbo is not None])
@pytest.mark.selected(8)
def test_a_join_without_the_optimizer(check_join: Checker, form: str) -> None:
    settings = {**engines.TEZ, **ON, "hive.cbo.enable": "false"}
    checked = check_join(FORMS[form].text, settings)
    assert kept(checked) == FORMS[form].without_cbo, [scan.line for scan in checked.scans]


@pytest.mark.parametrize("form", ["inner", "string", "two_dimensions", "empty", "left"])
@pytest.mark.selected(2)
def test_the_values_of_many_tasks_come_together(second_check: Checker, joined: None, form: str) -> None:
    """Each file of the dimension sends an event. The settings cannot be unset: they end with the session."""
    del joined
    for name, value in {**MANY_TASKS, **ON, **SHUFFLE}.items():
        second_check.session.rows(f"SET {name}={value}")
    checked = second_check(FORMS[form].text)
    assert kept(checked) == FORMS[form].kept, [scan.line for scan in checked.scans]


@pytest.mark.parametrize("form", ["inner", "in", "two_dimensions", "empty", "left", "self_join"])
@pytest.mark.selected(2)
def test_mapreduce_has_no_values_of_joins(check_join: Checker, form: str) -> None:
    checked = check_join(FORMS[form].text, {**engines.MAPREDUCE, **ON, **SHUFFLE})
    assert all(scan.joins == "" for scan in checked.scans), [scan.line for scan in checked.scans]


def test_it_is_on_unless_switched_off(check_join: Checker) -> None:
    assert kept(check_join(SKIPPING["inner"].text, engines.TEZ, scans=2)) == SKIPPING["inner"].kept
    checked = check_join(SKIPPING["inner"].text, {**engines.TEZ, **OFF}, scans=2)
    assert kept(checked) == ALL
    assert all(scan.joins == "" for scan in checked.scans)
