"""Joins of tables with logs, of past states and of ranges of commits, on either side."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from pyspark.sql import SparkSession

from pycompiler import IndexCreator

from ..harness import engines
from ..harness.check import Checker
from ..harness.hudi_writer import HudiWriter
from ..harness.lake import Lake
from ..merging.cases import OPTIONS, commits
from ..merging.consume import incremental
from .conftest import COPIES_OF_KEYS
from .tables import RARE, VISITS
from .test_join_forms import ON, SHUFFLE
from .test_semijoins import SEMIJOIN

GROUPS: Final = 24
FIRST: Final = {number: number for number in range(240)}
"""The key `k` of each `id` after the first commit; a group of files has ten of them."""
MOVED: Final = {5: 153, 33: 34, 100: 36, 240: 33}
"""Those that later commits change: into the dimension and out of it, and a new one."""
NOW: Final = {**FIRST, **MOVED}


@dataclass(frozen=True, slots=True)
class Moved:
    """The table in Hive, and its commits."""

    name: str
    path: Path
    commits: tuple[str, ...]


@pytest.fixture(scope="module", params=["MERGE_ON_READ", "COPY_ON_WRITE"])
def moved(
    request: pytest.FixtureRequest, spark: SparkSession, lake: Lake, check: Checker, joined: None
) -> Iterator[Moved]:
    del joined
    options = {**OPTIONS, "hoodie.datasource.write.table.type": request.param}
    table = HudiWriter(spark, lake.fresh("moved"), options)

    def write(keys: Mapping[int, int], n: int, operation: str) -> None:
        rows = [(i, n, k, f"g{i // 10:02d}") for i, k in keys.items()]
        frame = spark.createDataFrame(rows, "id int, n int, k int, grp string").coalesce(1)
        table.write(frame, operation)

    write(FIRST, 1, "bulk_insert")
    creator = IndexCreator(spark)
    creator.build(str(table.path))
    some = dict(list(MOVED.items())[:2])
    write(some, 2, "upsert")
    creator.update(str(table.path))
    write({key: MOVED[key] for key in MOVED.keys() - some.keys()}, 3, "upsert")  # the index has not seen it
    name = check.session.create_table(table.path)
    yield Moved(name, table.path, tuple(instant for instant, _ in commits(table.path)))
    check.session.rows(f"drop table {name}")


def _matching(keys: Mapping[int, int]) -> tuple[int, int]:
    found = [number for number, key in keys.items() if key in RARE]
    return len(found), sum(found)


def test_the_latest_state_with_what_a_semijoin_finds(
    check_join: Checker, moved: Moved, many_keys: None
) -> None:
    """A log brings keys to files whose bounds are outside, and the index has not seen the last commit."""
    del many_keys
    hint = "/*+ semi(f, k, m, 10000) */"
    text = f"select {hint} count(*), sum(m.id) from {moved.name} m join many_keys f on m.k = f.k"
    checked = check_join(text, {**SEMIJOIN, **ON, **SHUFFLE}, scans=1, spark=False)
    assert checked.scan.dynamic_terms, checked.scan.line
    copies = COPIES_OF_KEYS * sum(row["k"] == RARE[0] for row in VISITS.rows())
    assert checked.rows == (tuple(number * copies for number in _matching(NOW)),)


WITH_FEW: Final = "select count(*), sum(m.id) from {table} m join few_keys f on m.k = f.k"


def test_the_latest_state(check_join: Checker, moved: Moved) -> None:
    checked = check_join(WITH_FEW.format(table=moved.name), {**engines.TEZ, **ON}, spark=False)
    assert checked.rows == (_matching(NOW),)
    assert checked.scan.joins == "k: 3 values"
    assert checked.scan.kept < checked.scan.files, checked.scan.line


def test_past_states(check_join: Checker, moved: Moved) -> None:
    table = f"{moved.name} for system_version as of {moved.commits[0]}"
    checked = check_join(WITH_FEW.format(table=table), {**engines.TEZ, **ON}, spark=False)
    assert checked.rows == (_matching(FIRST),)
    assert checked.scan.kept <= 2 + len(MOVED), "files whose logs came later may be read too"
    both = (
        f"select count(*), sum(a.id), sum(b.id) from {moved.name} a join {table} b on a.k = b.k "
        "join few_keys f on b.k = f.k"
    )
    pairs = [(i, j) for i, k in NOW.items() for j, other in FIRST.items() if k == other and k in RARE]
    checked = check_join(both, {**engines.TEZ, **ON}, spark=False, scans=2)
    assert checked.rows == ((len(pairs), sum(i for i, _ in pairs), sum(j for _, j in pairs)),)


def test_a_range_of_commits_on_either_side(check_join: Checker, moved: Moved) -> None:
    since = incremental(moved.path.name, start_timestamp=moved.commits[0], max_commits="-1")
    settings = {**engines.TEZ, **ON, **since}
    checked = check_join(WITH_FEW.format(table=moved.name), settings, spark=False)
    assert checked.rows == (_matching(MOVED),)
    source = f"select count(*), sum(v.id) from visits v join {moved.name} m on v.k = m.k where m.n = 2"
    checked = check_join(source, settings, spark=False, scans=2)
    chosen = {MOVED[5], MOVED[33]}
    assert checked.rows[0][0] == 2 * len(chosen)
    assert checked.of("visits").kept == 2, checked.of("visits").line


def test_read_optimized(check_join: Checker, moved: Moved) -> None:
    with check_join.session.table(moved.path, properties={"hoodie.query.as.ro.table": "true"}) as table:
        checked = check_join(WITH_FEW.format(table=table), {**engines.TEZ, **ON}, spark=False)
        assert checked.rows[0][0] >= 2
        assert checked.scan.joins == "k: 3 values"
