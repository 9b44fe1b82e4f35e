"""Reads the golden index of format version 2. Java's tests read the same folder."""

import json
from pathlib import Path
from typing import Any

import pytest

from pycompiler.index.index import StatisticsIndex
from tests.contents import statistics_json

FOLDER = Path(__file__).parent / "index-v2"
EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
COUNTS = ("null_count", "value_count", "nan_count")


@pytest.fixture(scope="module")
def index() -> StatisticsIndex:
    return StatisticsIndex.open(FOLDER)


def test_generation_instant_and_totals(index: StatisticsIndex) -> None:
    manifest = index.manifest
    live = {"files": manifest.live.files, "rows": manifest.live.rows, "bytes": manifest.live.bytes}
    found = {"generation": manifest.generation, "instant": manifest.instant, "live": live}
    assert found == {name: EXPECTED[name] for name in found}


def test_blocks_of_a_long_column_are_summed_up_in_the_manifest(index: StatisticsIndex) -> None:
    found = {
        f"{group.first_column} {group.first_file}-{group.last_file}": None
        if group.block is None
        else {
            "type": group.block.type,
            "lower": None if group.block.lower is None else group.block.lower.hex(),
            "upper": None if group.block.upper is None else group.block.upper.hex(),
            "null_count": group.block.null_count,
            "nan_count": group.block.nan_count,
            "value_count": group.block.value_count,
        }
        for group in index.manifest.data_files[0].row_groups
        if group.kind == "range"
    }
    assert found == EXPECTED["blocks"]
    assert all(group.block is None for group in index.manifest.data_files[1].row_groups)


def test_files(index: StatisticsIndex) -> None:
    assert sorted(index.files()) == EXPECTED["files"]


@pytest.mark.parametrize("column", sorted(EXPECTED["columns"]))
def test_statistics_of_a_column(index: StatisticsIndex, column: str) -> None:
    found = {
        path: {
            **{name: known[name] for name in ("type", "lower", "upper", *COUNTS)},
            "values": known.get("value_set"),
            "bloom": known.get("bloom"),
            "file_size": row.file_size,
        }
        for path, row in index.statistics([column])[column].items()
        for known in [statistics_json(row.statistics)]
    }
    assert found == EXPECTED["columns"][column]


def test_all_columns_at_once_are_the_same_as_one_by_one(index: StatisticsIndex) -> None:
    names = sorted(EXPECTED["columns"])
    assert index.statistics(names) == {name: index.statistics([name])[name] for name in names}
    assert index.columns() == sorted(name for name in names if EXPECTED["columns"][name])
    index.check()
