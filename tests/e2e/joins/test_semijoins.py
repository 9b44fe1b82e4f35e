"""What only tasks know of a join, its semijoin's bounds and Bloom filter, keeps them from opening files."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from pycompiler.index.index import StatisticsIndex
from tests.records import records_in_force

from ..harness import engines
from ..harness.check import SHADOW, Checker
from ..harness.lake import Lake, publish_lie
from .conftest import COPIES_OF_KEYS
from .tables import FILES, KEYS_PER_FILE, RARE, VISITS
from .test_join_forms import OFF, ON, SHUFFLE

SEMIJOIN: Final = {
    **engines.TEZ,
    "hive.tez.dynamic.semijoin.reduction": "true",
    "hive.tez.dynamic.semijoin.reduction.threshold": "-999999999999",
    "hive.tez.bigtable.minsize.semijoin.reduction": "1",
    "hive.tez.dynamic.semijoin.reduction.for.mapjoin": "true",
    "hive.disable.unsafe.external.table.operations": "false",
}
WAYS: Final[Mapping[str, Mapping[str, str]]] = {
    "batches": SHUFFLE,
    "rows": {**SHUFFLE, "hive.vectorized.execution.enabled": "false"},
}
pytestmark = pytest.mark.usefixtures("many_keys")

WITH_PARTNERS: Final = {key // KEYS_PER_FILE for key in RARE}
BETWEEN: Final = set(range(min(WITH_PARTNERS), max(WITH_PARTNERS) + 1))
"""Files between the least and the greatest value."""
HEALTHY: Final[Mapping[str, set[int]]] = {
    "k": WITH_PARTNERS,
    "day": WITH_PARTNERS,
    "big": BETWEEN,  # A file has too many numbers between its bounds to look each up in a Bloom filter.
    "s": BETWEEN,
}
"""The files that may be opened, by the column that is joined."""


def _text(table: str, column: str) -> str:
    """A statement with a hint: Hive would filter the larger table, which here has the keys."""
    key = {"day": "d", "sparse": "k", "scattered": "k"}.get(column, column)
    return (
        f"select /*+ semi(m, {key}, v, 10000) */ count(*), sum(v.id), min(v.n) "
        f"from {table} v join many_keys m on v.{column} = m.{key}"
    )


def _damaged(lake: Lake, healthy: set[int]) -> Path:
    """A copy of `visits` in which only some files can be opened; all have their sizes."""
    path = lake.copy("visits")
    known = records_in_force(StatisticsIndex.open(path), ["k"])
    records = sorted(known, key=lambda record: record.lower or b"")
    assert len(records) == FILES
    for number, record in enumerate(records):
        if number not in healthy:
            file = path / record.path
            file.write_bytes(bytes(file.stat().st_size))
    return path


def _expected(column: str) -> tuple[int, int]:
    keys = [row[column] for row in VISITS.rows() if row["k"] in RARE]
    partners = [(row["id"], keys.count(row[column]) * COPIES_OF_KEYS) for row in VISITS.rows()]
    return sum(count for _, count in partners), sum(number * count for number, count in partners)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("column", HEALTHY)
def test_a_file_without_partners_is_not_opened(check: Checker, lake: Lake, column: str, way: str) -> None:
    # Row by row, Hive's own filter has a Bloom filter of its own.
    healthy = BETWEEN if way == "rows" else HEALTHY[column]
    with check.session.table(_damaged(lake, healthy)) as name:
        assert _answer(check, _text(name, column), way)[:2] == _expected(column)


def test_the_counter_has_the_files_that_are_not_opened(check: Checker) -> None:
    counters = _counters(check, _text("visits", "k"), "batches")
    assert counters["reader.unopened"] == FILES - len(WITH_PARTNERS), counters


@pytest.mark.parametrize("way", WAYS)
def test_shadow_mode_finds_rows_that_a_semijoin_would_lose(check: Checker, lake: Lake, way: str) -> None:
    path = lake.copy("visits")
    file = RARE[0] // KEYS_PER_FILE
    publish_lie(path, "k", file)
    with check.session.table(path) as name:
        text = _text(name, "k")
        count, _ = _expected("k")
        assert _answer(check, text, way)[0] < count, "control: with skipping, the lie loses rows"
        assert _answer(check, text, way, SHADOW)[:2] == _expected("k")
        counters = _counters(check, text, way, SHADOW)
    healthy = BETWEEN if way == "rows" else HEALTHY["k"]
    checked = FILES - len(healthy) + 1
    lost = sum(row["k"] in RARE for row in VISITS.files[file])
    assert (counters["shadow.files"], counters["shadow.violations"]) == (checked, lost), counters
    assert not counters.keys() & {"shadow.failures", "reader.unopened"}, counters


def _counters(
    check: Checker, text: str, way: str, mode: Mapping[str, str] | None = None
) -> Mapping[str, int]:
    """The counters of the group `hudi-skip`, and others."""
    settings = {**SEMIJOIN, **ON, **WAYS[way], **(mode or {}), "hive.tez.exec.print.summary": "true"}
    with check.session.settings(settings):
        log = "\n".join(check.session.messages(text))
    return {name: int(value) for name, value in re.findall(r"([a-z._]+): (\d+)", log)}


def _answer(check: Checker, text: str, way: str, mode: Mapping[str, str] | None = None) -> tuple[Any, ...]:
    with check.session.settings({**SEMIJOIN, **ON, **WAYS[way], **(mode or {})}):
        plan = check.session.text(f"explain {text}")
        assert "in_bloom_filter" in plan, f"control: Hive makes no semijoin: {plan}"
        (row,) = check.session.rows(text)
    return row


@pytest.mark.parametrize("way", WAYS)
def test_no_file_is_opened_if_there_is_no_key(check: Checker, lake: Lake, way: str) -> None:
    with check.session.table(_damaged(lake, set())) as name:
        text = f"{_text(name, 'k')} where m.d < date '2000-01-01'"
        assert _answer(check, text, way) == (0, None, None)


def test_the_switch_of_joins_is_its_switch(check: Checker, lake: Lake) -> None:
    with (
        check.session.table(_damaged(lake, WITH_PARTNERS)) as name,
        check.session.settings({**SEMIJOIN, **OFF, **SHUFFLE}),
    ):
        check.session.assert_refused(_text(name, "k"), "Checksum error")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("column", [*HEALTHY, "sparse", "scattered"])
@pytest.mark.selected(6)
def test_answers_are_those_without_skipping(check_join: Checker, column: str, way: str) -> None:
    text = _text("visits", column)
    checked = check_join(text, {**SEMIJOIN, **ON, **WAYS[way]}, scans=1, spark=False)
    assert checked.rows[0][0], "the join has rows"
    assert checked.scan.dynamic_terms, checked.scan.line
