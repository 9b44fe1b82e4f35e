import json
from pathlib import Path

from pycompiler.demo.common.hive import Run
from pycompiler.demo.common.query import DemoQuery
from pycompiler.demo.common.report import Outcome, write_summary
from pycompiler.hiveserver.scans import Scan

QUERY = DemoQuery("equality", "SELECT 1")


def scan(kept: int, files: int, reason: str = "") -> Scan:
    return Scan("q", "t", "/lake/t", files, kept, files * 10, kept * 10, "pushed", "a = 1", reason, "")


def outcome(*scans: Scan, query: DemoQuery = QUERY, same: bool = True) -> Outcome:
    run = Run([("1",)], 0.5, 0.75, scans)
    return Outcome(query, run, run, same)


def test_a_selective_query_may_open_a_third_of_the_files() -> None:
    assert outcome(scan(20, 60)).failure() is None


def test_a_selective_query_that_opens_more_fails_with_the_reason() -> None:
    failure = outcome(scan(21, 60, "no statistics index")).failure()
    assert failure == "equality: opened 21 of 60 files, more than a third (no statistics index)"


def test_the_scans_of_a_join_count_together() -> None:
    assert outcome(scan(1, 60), scan(12, 12)).failure() is None


def test_a_query_that_cannot_be_pruned_may_open_all() -> None:
    assert outcome(scan(60, 60), query=DemoQuery("any", "SELECT 1", selective=False)).failure() is None


def test_different_answers_fail_whatever_was_opened() -> None:
    failure = outcome(scan(1, 60), same=False).failure()
    assert failure is not None
    assert "differ" in failure


def test_a_query_without_a_scan_in_the_log_fails() -> None:
    assert outcome().failure() is not None, "nothing shows that the handler read the table"


def test_the_summary_has_one_object_for_each_query(tmp_path: Path) -> None:
    write_summary([outcome(scan(2, 60))], tmp_path / "summary.json")
    assert json.loads((tmp_path / "summary.json").read_text()) == [
        {
            "query": "SELECT 1",
            "files_total": 60,
            "files_opened": 2,
            "rows": 1,
            "seconds": 0.5,
            "seconds_without": 0.5,
            "same_answer": True,
        }
    ]
