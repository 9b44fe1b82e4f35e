"""Explanations of merge-on-read tables."""

from pathlib import Path

import pytest

from pycompiler.tools.explain.document import explanation_document
from pycompiler.tools.explain.explanation import Explanation

from .tables import NOW, Table, at, known_table


def with_logs(found: Explanation) -> int:
    return sum(bool(verdict.slice.logs) for verdict in found.slices.values())


CUSTOM = {"hoodie.record.merge.mode": "CUSTOM"}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return known_table(Table(tmp_path / "t"))


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("n = 5", {"a"}),
        ("n = 22", {"b"}),
        ("n = 44", {"b"}),
        ("n = 65", {"b"}),
        ("n = 50", set()),
        ("n < 25", {"a", "b"}),
        # Of the slice some files are excluded by one part, and the others by the other part.
        ("n > 28 and n < 25", set()),
    ],
)
def test_a_slice_is_skipped_if_its_base_file_and_all_of_its_logs_are(
    table: Table, where: str, kept: set[str]
) -> None:
    found = table.explained(where)
    assert {path.removeprefix("p/")[0] for path, verdict in found.slices.items() if verdict.kept} == kept
    assert (found.slices_kept, len(found.slices), with_logs(found)) == (len(kept), 2, 1)


def test_no_slice_with_logs_is_skipped_where_records_are_put_together(tmp_path: Path) -> None:
    table = known_table(Table(tmp_path / "t", CUSTOM))
    found = table.explained("n = 50")
    assert (found.slices_kept, len(found.slices)) == (1, 2)
    assert explanation_document("t", found, None, NOW)["mixing"] == "hoodie.record.merge.mode=CUSTOM"
    assert (
        "note    1 of 2 files have logs to merge, and are kept, because a row may combine several"
        " records (hoodie.record.merge.mode=CUSTOM)"
    ) in table.text("n = 50")


def test_a_log_without_statistics_keeps_its_slice_and_is_named_as_the_reason(tmp_path: Path) -> None:
    table = Table(tmp_path / "t")
    table.know(table.base("a", 1, range(10)), 0, 9)
    table.know(table.log("a", 3), 0, 9, column="other")
    table.publish()
    assert table.explained("n = 50").slices_kept == 1
    assert (
        "note    1 of them have a log without statistics of these columns (such as one with partial updates),"
    ) in table.text("n = 50")


def test_a_log_that_the_index_has_not_seen_keeps_its_slice(table: Table) -> None:
    table.log("a", 9)
    found = table.explained("n = 50")
    assert (found.slices_kept, found.slices_not_indexed, with_logs(found)) == (1, 1, 2)
    assert "1 of 2 files are not in it, and are always read" in table.text("n = 50")


def test_a_compaction_takes_the_logs_away_that_were_completed_before_it(table: Table) -> None:
    path = table.base("b", 9, range(20, 70), previous=3)
    written_beside = table.log("b", 11)
    found = table.explained("n = 50").slices[path]
    assert [file.file.path for file in found.files] == [path, written_beside]


def test_read_optimized_is_without_logs(table: Table) -> None:
    table.log("c", 9)
    found = table.explained("n = 44", is_read_optimized=True)
    assert (found.slices_kept, len(found.slices), with_logs(found)) == (0, 2, 0)


def test_the_columns_of_a_table_of_logs_alone_are_those_of_its_last_commit(tmp_path: Path) -> None:
    table = Table(tmp_path / "t")
    table.know(table.log("a", 1), 0, 9)
    table.publish()
    assert table.explained("n = 5").slices_kept == 1
    assert table.explained("n = 50 and _hoodie_record_key is not null").slices_kept == 0


def test_each_file_of_a_slice_says_what_it_is_kept_by(table: Table) -> None:
    path = next(path for path in table.explained("n = 44").slices if path.startswith("p/b"))
    assert table.text("n = 44", path).splitlines()[-7:] == [
        f"the slice of {path} is kept; of its files,",
        f"  base file {path} would be skipped:",
        "    skips  n = 44  (int: 20 to 29, 0 of 10 NULL)",
        f"  log p/.b_{at(5)}.log.1_0-1-0 would be kept:",
        "    keeps  n = 44  (int: 25 to 45, 0 of 10 NULL)",
        f"  log p/.b_{at(7)}.log.1_0-1-0 would be skipped:",
        "    skips  n = 44  (int: 60 to 69, 0 of 10 NULL)",
    ]
    found = table.explained("n = 44")
    of_file = explanation_document("t", found, found.slices[path], NOW)["file"]
    assert (of_file["path"], of_file["kept"]) == (path, True)
    assert [log["kept"] for log in of_file["logs"]] == [True, False]
