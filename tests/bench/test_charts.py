"""Results become a file and charts."""

import json
from pathlib import Path

import pytest

from examples.demo.report import Way

from . import charts, hive_queries
from .results import Result, write


def test_results_of_other_benchmarks_stay_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "results.json"
    other = Result("opened: a", "b", 1.0, "s")
    newer = Result("compiler: 5 terms", "p50", 0.9, "ms", "a peer", 3.0, "< 3 ms", True)
    write([Result("compiler: 5 terms", "p50", 0.7, "ms"), other], file)
    write([newer], file)
    assert [Result(**entry) for entry in json.loads(file.read_text())] == [other, newer]


def test_the_demo_becomes_a_chart_with_every_query_and_way(tmp_path: Path) -> None:
    times = {Way.SKIPPING.value: 0.5, Way.OFF.value: 2.0, Way.PARQUET.value: 3.25}
    query = {"title": "a day", "files_total": 900, "files_opened": 7, "seconds": times, "cpu_seconds": times}
    summary = tmp_path / "tpch.json"
    summary.write_text(json.dumps({"rows": 30_000_000, "files": 896, "queries": [query]}))
    results = hive_queries.run(False, summary)
    assert [result.ratio for result in results if result.metric == "seconds, native Parquet"] == [6.5]
    charts.write(results, "a machine", tmp_path)
    drawn = (tmp_path / "benchmark-hive.svg").read_text()
    heading = "30,000,000 rows in 896 files"
    for text in (heading, "a day", "CPU seconds", "files opened", ">7<", ">900<", "3.25"):
        assert text in drawn, f"{text} should be on the chart"


def test_hive_queries_without_a_run_of_the_demo_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="make demo"):
        hive_queries.run(False, tmp_path / "tpch.json")


def test_charts_have_no_empty_bars(tmp_path: Path) -> None:
    """Spark has no figure for 5 columns, so that panel has no bar for it."""
    peers = [
        Result(f"pruning: {name}", f"{count} column{'s' * (count > 1)}, cold", 3.0, "ms")
        for name in ("index from Java", "Spark + Hudi data skipping")
        for count in (1, 5, 20)
        if (name, count) != ("Spark + Hudi data skipping", 5)
    ]
    charts.write(peers, "a machine", tmp_path)
    drawn = (tmp_path / "benchmark-pruning.svg").read_text()
    assert drawn.count("Spark with Hudi's data skipping") == 2 * drawn.count("Conditions on 5 columns")
