"""`hudi-skip explain` of tables without an index: what it says is what a query then reads."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

import pytest
from pyspark.sql import DataFrame
from typer.testing import CliRunner

from pycompiler.tools.cli.main import app

from ..harness.check import Checker
from ..harness.command import hudi_skip
from ..harness.hudi_writer import COLUMN_STATISTICS
from ..harness.operated_table import OperatedTable, row
from ..harness.session import HANDLER
from ..merging.cases import VERSION_6

_VERSIONS: Final[Mapping[str, Mapping[str, str]]] = {"6": VERSION_6, "of the release": {}}
_PARTITIONS: Final[Mapping[str, Mapping[str, str]]] = {
    "partitioned": {},
    "unpartitioned": {
        "hoodie.datasource.write.partitionpath.field": "",
        "hoodie.datasource.write.keygenerator.class": "org.apache.hudi.keygen.NonpartitionedKeyGenerator",
    },
}

_CONDITIONS: Final[Mapping[str, Sequence[str]]] = {
    "integers": (
        "id between 12 and 19",
        "n >= 10000",
        "m between 5 and 9 or id = 30",
        "m is null",
        "m is not null and id < 0",
    ),
    "others too": (
        "id = 3 and v = 'v0'",
        "day = date '2020-01-05'",
        "grp = 'west'",
        "upper(v) = 'V5' or n < 0",
        "`_hoodie_commit_time` > '{first}'",
    ),
}
"""Integers, with and without NULL; columns together, types without proof, and times of commits."""


def _write(table: OperatedTable, options: Mapping[str, str]) -> None:
    """Six files, some of which have later versions, logs, a NULL, or a number beyond the others."""
    every = {**COLUMN_STATISTICS, **options}

    def rows(*numbers: int, n: str, m: str) -> DataFrame:
        of_numbers = table.frame(row(number) for number in numbers)
        return of_numbers.selectExpr(
            *("id", "grp", "v", f"cast({n} as bigint) n", f"cast({m} as int) m"),
            "date_add('2020-01-01', id) day",
        )

    table.write(rows(*range(48), n="n", m="id").repartitionByRange(6, "id"), "bulk_insert", every)
    table.write(rows(3, 44, n="10000 + id", m="id"), "upsert", every)
    table.write(rows(4, 20, n="n + 1", m="if(id = 4, null, 7)"), "upsert", every)


@pytest.mark.selected(2)
@pytest.mark.parametrize("kind", ["COPY_ON_WRITE", "MERGE_ON_READ"])
@pytest.mark.parametrize("partitions", _PARTITIONS)
@pytest.mark.parametrize("version", _VERSIONS)
@pytest.mark.parametrize("conditions", _CONDITIONS)
def test_explain_says_what_hive_then_reads(
    check: Checker, table: OperatedTable, kind: str, partitions: str, version: str, conditions: str
) -> None:
    of_kind = {"hoodie.datasource.write.table.type": kind, "hoodie.compact.inline": "false"}
    _write(table, {**of_kind, **_PARTITIONS[partitions], **_VERSIONS[version]})
    first = min(instant for instant, _ in table.completed())
    skipping = 0
    with check.session.table(table.path) as name:
        for condition in _CONDITIONS[conditions]:
            where = condition.format(first=first)
            scan = check.run(f"select * from {name} where {where}").scan
            told = hudi_skip("explain", str(table.path), "--where", where)
            kept = (told["files_kept"], told["bytes_kept"])
            assert kept == (scan.kept, scan.kept_size), f"{where}: {told} {scan.line}"
            if "partitions_left_out=" not in scan.line:
                assert (told["files_total"], told["bytes_total"]) == (scan.files, scan.size), scan.line
            assert f'index="{told["source"]}"' in scan.line, scan.line
            skipping += scan.kept < scan.files
    # Before version 8, a file may have been written a day after its instant.
    least = 1 if conditions == "others too" and table.version() < 8 else 2
    assert skipping >= least, "control: some of the conditions skip files"


@pytest.mark.default_hudi  # For Hudi 1.2, the column is a string: only queries of it are refused.
def test_explain_refuses_a_table_that_hive_refuses_in_the_same_words(
    check: Checker, table: OperatedTable
) -> None:
    only_in_paths = {
        "hoodie.datasource.write.partitionpath.field": "n",
        "hoodie.datasource.write.drop.partition.columns": "true",
    }
    table.write([row(1), row(2)], "bulk_insert", only_in_paths)
    told = CliRunner().invoke(app, ["explain", str(table.path), "--where", "id = 1"])
    assert (told.exit_code, told.stdout) == (1, ""), told
    reason = told.stderr.strip().removeprefix(f"error: Hive cannot query {table.path}: ")
    beginning = f"partition column n of {table.path}"
    assert reason.startswith(beginning), told.stderr
    check.session.assert_refused(
        f"create external table refused stored by '{HANDLER}' location '{table.path}'",
        # Hive gives the location a scheme.
        f"partition column n of file:{re.escape(str(table.path))}{re.escape(reason.removeprefix(beginning))}",
    )
