import json
from pathlib import Path

from rich.console import Console

from pycompiler.demo.common.hive import Run
from pycompiler.demo.common.query import DemoQuery
from pycompiler.demo.tpch.comparison import Comparison, Way
from pycompiler.demo.tpch.report import TpchReport
from pycompiler.hiveserver.scans import Scan

QUERY = DemoQuery("a day", "SELECT 1")


def run(seconds: float, cpu_seconds: float, *scans: Scan) -> Run:
    return Run([("1",)], seconds, cpu_seconds, scans)


def scan(kept: int, files: int) -> Scan:
    return Scan("q", "t", "/lake/t", files, kept, files * 10, kept * 10, "pushed", "a = 1", "", "")


def comparison(kept: int, *, same: bool = True, query: DemoQuery = QUERY) -> Comparison:
    runs = {
        Way.SKIPPING: [run(0.5, 1.5, scan(kept, 99)), run(0.75, 1.25, scan(kept, 99))],
        Way.OFF: [run(4, 6, scan(99, 99)), run(3, 7, scan(99, 99))],
        Way.PARQUET: [run(8, 9), run(8, 9)],
    }
    return Comparison(query, runs, same)


def test_of_several_runs_the_least_of_each_time_counts() -> None:
    done = comparison(3)
    assert [(done.seconds(way), done.cpu_seconds(way)) for way in Way] == [(0.5, 1.25), (3, 6), (8, 9)]


def test_a_selective_query_may_open_a_third_of_the_files() -> None:
    assert comparison(33).failure() is None
    assert comparison(34).failure() == "a day: opened 34 of 99 files"


def test_any_query_must_skip_some_file() -> None:
    weak = DemoQuery("keys", "SELECT 1", selective=False)
    assert comparison(98, query=weak).failure() is None
    assert comparison(99, query=weak).failure() is not None, "nothing was skipped"


def test_different_answers_fail_whatever_was_opened() -> None:
    failure = comparison(1, same=False).failure()
    assert failure is not None and "differ" in failure


def test_the_table_shows_files_seconds_and_cpu_seconds_of_each_way() -> None:
    console = Console(width=130, record=True, quiet=False)
    with console.capture() as printed:
        console.print(TpchReport(0.5, 3_000_000, 95, [comparison(3)]).table())
    text = printed.get()
    for shown in (
        "3,000,000 rows in 95 files",
        "3 / 99",
        "0.5 s",
        "1.2 s CPU",
        "8.0 s",
        "9.0 s CPU",
        "identical",
    ):
        assert shown in text, f"{shown} should be in\n{text}"


def test_the_summary_has_the_scale_and_one_object_for_each_query(tmp_path: Path) -> None:
    TpchReport(0.5, 3_000_000, 95, [comparison(3)]).write(tmp_path / "tpch.json")
    assert json.loads((tmp_path / "tpch.json").read_text()) == {
        "scale": 0.5,
        "rows": 3_000_000,
        "files": 95,
        "queries": [
            {
                "title": "a day",
                "query": "SELECT 1",
                "files_total": 99,
                "files_opened": 3,
                "seconds": {"with skipping": 0.5, "mode=off": 3, "native Parquet": 8},
                "cpu_seconds": {"with skipping": 1.25, "mode=off": 6, "native Parquet": 9},
                "same_answer": True,
            }
        ],
    }
