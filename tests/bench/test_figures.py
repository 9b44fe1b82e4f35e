"""What stands in figures.md is what charts are drawn from, so that it must come back as it was written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pycompiler.demo.tpch.comparison import Way

from . import charts, figures, hive_queries
from .results import Result

RESULTS = [
    Result("pruning: index from Java", "1 column, cold", 2.5, "ms"),
    Result(
        "pruning: Iceberg planning", "1 column, cold", 1592.4, "ms", "index from Java", 637.0, "≥ 5", True
    ),
    Result("compiler: 5 terms", "p50", 0.719, "ms"),
]


def test_figures_come_back_in_their_sections(tmp_path: Path) -> None:
    figures.write(tmp_path, figures.sections_of(RESULTS, "a machine"))
    found = figures.read(tmp_path)
    assert {name: section.machine for name, section in found.items()} == dict.fromkeys(
        ("pruning", "compiler"), "a machine"
    )
    assert [(one.benchmark, one.metric, one.value, one.unit) for one in found["pruning"].figures()] == [
        ("index from Java", "1 column, cold", 2.5, "ms"),
        ("Iceberg planning", "1 column, cold", 1592, "ms"),
    ]


def test_a_run_of_one_benchmark_leaves_the_figures_of_others_and_their_machine(tmp_path: Path) -> None:
    charts.write(RESULTS[2:], "an old machine", tmp_path)
    charts.write([Result("building: a write", "rows", 7.0, "s")], "a new one", tmp_path)
    found = figures.read(tmp_path)
    assert {name: section.machine for name, section in found.items()} == {
        "compiler": "an old machine",
        "building": "a new one",
    }
    assert found["compiler"] == figures.sections_of(RESULTS, "an old machine")["compiler"]


def test_the_demo_becomes_a_chart_with_every_query_and_way(tmp_path: Path) -> None:
    times = {Way.SKIPPING.value: 0.5, Way.OFF.value: 2.0, Way.PARQUET.value: 3.25}
    query = {"title": "a day", "files_total": 900, "files_opened": 7, "seconds": times, "cpu_seconds": times}
    summary = tmp_path / "tpch.json"
    summary.write_text(json.dumps({"rows": 30_000_000, "files": 896, "queries": [query]}))
    results = hive_queries.run(summary)
    assert [result.ratio for result in results if result.metric == "seconds, native Parquet"] == [6.5]
    charts.write(results, "a machine", tmp_path)
    drawn = (tmp_path / "hive.svg").read_text()
    for text in (
        "30,000,000 rows in 896 files",
        "a day",
        "CPU seconds",
        "files opened",
        ">7<",
        ">900<",
        "3.25",
    ):
        assert text in drawn, f"{text} should be on the chart"


def test_hive_queries_without_a_run_of_the_demo_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="make demo"):
        hive_queries.run(tmp_path / "tpch.json")


def test_charts_have_no_empty_bars(tmp_path: Path) -> None:
    """Spark was not asked for 5 columns, so that it has no place in that panel."""
    peers = [
        Result(f"pruning: {name}", f"{count} column{'s' * (count > 1)}, cold", 3.0, "ms")
        for name in ("index from Java", "Spark + Hudi data skipping")
        for count in (1, 5, 20)
        if (name, count) != ("Spark + Hudi data skipping", 5)
    ]
    charts.write(peers, "a machine", tmp_path)
    drawn = (tmp_path / "pruning.svg").read_text()
    assert drawn.count("Spark with Hudi's data skipping") == 2 * drawn.count("Conditions on 5 columns")
