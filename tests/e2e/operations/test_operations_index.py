"""Hive over an index whose publisher or compactor was killed at any step, and over one that lies."""

import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import generations
from pycompiler.tools.cli.main import app
from tests.records import records_in_force

from ...unit.index.faults import OPERATIONS, start
from ..harness.check import SHADOW, WITHOUT_SKIPPING, Checker, assert_same_rows
from ..harness.lake import INDEX_DIRECTORY, Lake, publish


def _query(name: str) -> str:
    return f"select cust from {name} where segment = 'segment4'"


def _in_a_data_file_each(path: Path) -> None:
    """Publishes the index again, with one data file per base file, so that the next update folds them."""
    index = StatisticsIndex.open(path)
    records = records_in_force(index)
    shutil.rmtree(path / INDEX_DIRECTORY)
    for file in sorted(index.files()):
        publish(path, [record for record in records if record.path == file], index)


def _what_a_reader_sees(path: Path) -> tuple[int, tuple[tuple[str, int], ...]]:
    """The generation in force, and how many files of each kind lie there."""
    storage = LocalStorage(path)
    return generations(storage)[-1], tuple(sorted(Counter(name[:4] for name in storage.names()).items()))


@pytest.mark.full
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_publisher_killed_at_any_step_costs_neither_rows_nor_skipping(
    check: Checker, lake: Lake, tmp_path: Path, operation: str
) -> None:
    pristine = lake.copy("customers")
    _in_a_data_file_each(pristine)
    # The index alone is copied for each step.
    alone = tmp_path / "alone"
    shutil.copytree(pristine / INDEX_DIRECTORY, alone / INDEX_DIRECTORY)
    steps = tmp_path / "steps"
    assert start("killed", operation, alone, steps).wait() == 0
    different = {_what_a_reader_sees(path): path for path in steps.iterdir()}
    assert len(different) > 4, f"steps that leave something else each: {different}"
    assert {generation for generation, _ in different} == {8, 9}, "killed before and after the publication"
    for seen, path in different.items():
        table = lake.copy("customers")
        shutil.rmtree(table / INDEX_DIRECTORY)
        shutil.copytree(path / INDEX_DIRECTORY, table / INDEX_DIRECTORY)
        with check.session.table(table) as name:
            checked = check(_query(name), spark=_query("customers"))
            assert checked.scan.kept == 1, f"killed at step {path.name}, {seen}: {checked.scan.line}"


def test_verification_names_a_bound_that_is_not_true_and_a_build_ends_it(check: Checker, lake: Lake) -> None:
    path = lake.copy("customers")
    index = StatisticsIndex.open(path)
    truth = encode_value(HiveType("string"), "segment4")
    lie = encode_value(HiveType("string"), "segment5")
    (victim,) = (item for item in records_in_force(index, ["segment"]) if item.lower == truth)
    publish(path, [replace(victim, lower=lie, upper=lie)], index)
    with check.session.table(path) as name:
        assert check.run(_query(name)).rows == (), "the index is believed, or this test would show nothing"
        without = check.run(_query(name), WITHOUT_SKIPPING, scans=0)
        assert len(without.rows) == 10
        shadow = check.run(_query(name), SHADOW)
        assert_same_rows(shadow.rows, without.rows, "in shadow mode")
        assert any(found.violations for found in shadow.shadow_checks), "shadow mode finds it as well"
        verified = CliRunner().invoke(app, ["index", "verify", str(path), "--json"])
        assert verified.exit_code == 1
        found = json.loads(verified.stdout)
        assert [(item["path"], item["column"], item["problem"]) for item in found["findings"]] == [
            (victim.path, "segment", "lower bound above a value")
        ]
        assert CliRunner().invoke(app, ["index", "build", str(path)]).exit_code == 0
        assert check(_query(name), spark=_query("customers")).scan.kept == 1
