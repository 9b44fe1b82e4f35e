import json
from pathlib import Path

import pytest
from rich.console import Console

from examples.demo.hive import Run
from examples.demo.part import DemoQuery
from examples.demo.report import ON_AND_OFF, Outcome, Way, table, write_summary
from pycompiler.tools.scan_log.scans import Scan

QUERY = DemoQuery("a day", "SELECT 1")


def scan(kept: int, files: int, reason: str = "") -> Scan:
    return Scan("q", "t", "/lake/t", files, kept, files * 10, kept * 10, "pushed", "a = 1", reason, "")


def outcome(*scans: Scan, query: DemoQuery = QUERY, same: bool = True) -> Outcome:
    run = Run([("1",)], 0.5, 0.75, scans)
    return Outcome(query, dict.fromkeys(ON_AND_OFF, [run]), same)


def compared() -> Outcome:
    """A query that ran twice in each of three ways."""

    def runs(kept: int, *times: tuple[float, float]) -> list[Run]:
        return [Run([("1",)], seconds, cpu_seconds, [scan(kept, 99)]) for seconds, cpu_seconds in times]

    ways = {
        Way.SKIPPING: runs(3, (0.5, 1.5), (0.75, 1.25)),
        Way.OFF: runs(99, (4, 6), (3, 7)),
        Way.PARQUET: runs(99, (8, 9), (8, 9)),
    }
    return Outcome(QUERY, ways, True)


ANY = DemoQuery("any", "SELECT 1", most=1)
WEAK = DemoQuery("keys", "SELECT 1", most=0.99)
TOO_MANY = "a day: read 21 of 60 files (no statistics index)"


@pytest.mark.parametrize(
    ("found", "failure"),
    [
        pytest.param(outcome(scan(20, 60)), None, id="a third of the files"),
        pytest.param(outcome(scan(21, 60, "no statistics index")), TOO_MANY, id="more than a third"),
        pytest.param(outcome(scan(1, 60), scan(12, 12)), None, id="scans of a join count together"),
        pytest.param(outcome(scan(60, 60), query=ANY), None, id="the query allows all"),
        pytest.param(outcome(scan(98, 99), query=WEAK), None, id="the query allows more"),
        pytest.param(
            outcome(scan(99, 99), query=WEAK), "keys: read 99 of 99 files (a = 1)", id="no skipping"
        ),
        pytest.param(
            outcome(scan(1, 60), same=False), "a day: Hive's answers and Spark's differ", id="other answers"
        ),
        pytest.param(outcome(), "a day: the server's log contains no scan", id="not read by the handler"),
    ],
)
def test_what_makes_the_demo_fail(found: Outcome, failure: str | None) -> None:
    assert found.failure() == failure


def test_of_several_runs_the_least_of_each_time_counts() -> None:
    done = compared()
    assert [(done.seconds(way), done.cpu_seconds(way)) for way in Way] == [(0.5, 1.25), (3, 6), (8, 9)]


def test_the_table_shows_files_seconds_and_cpu_seconds_of_each_way() -> None:
    console = Console(width=130)
    with console.capture() as printed:
        console.print(table([compared()], "TPC-H lineitem in Hive"))
    text = printed.get()
    for shown in ("TPC-H lineitem", "3 / 99", "0.5 s", "1.2 s CPU", "8.0 s", "9.0 s CPU", "identical"):
        assert shown in text, f"{shown} should be in\n{text}"


def test_the_summary_has_one_object_for_each_query(tmp_path: Path) -> None:
    write_summary([compared()], tmp_path / "tpch.json", rows=3_000_000, files=95)
    assert json.loads((tmp_path / "tpch.json").read_text()) == {
        "rows": 3_000_000,
        "files": 95,
        "queries": [
            {
                "title": "a day",
                "files_total": 99,
                "files_opened": 3,
                "seconds": {"with skipping": 0.5, "mode=off": 3, "native Parquet": 8},
                "cpu_seconds": {"with skipping": 1.25, "mode=off": 6, "native Parquet": 9},
            }
        ],
    }
