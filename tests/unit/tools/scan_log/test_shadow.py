import pytest

from pycompiler.tools.scan_log.scans import Scan
from tests.e2e.harness.shadow import ShadowCheck

START = (
    "2026-01-01 12:00:00.000 WARN  [TezChild] io.hudiskip.shadow: "
    'hudi-skip shadow query=q1 tag=nightly table=/lake/flights file="day=2/a.parquet" start=4'
)


def test_a_line_without_violations_is_read() -> None:
    check = ShadowCheck.parse(f"{START} rows=100 violations=0 ms=7")
    assert check is not None
    assert (check.table, check.file, check.start) == ("/lake/flights", "day=2/a.parquet", 4)
    assert (check.rows, check.violations, check.row, check.error) == (100, 0, "", "")


def test_the_row_of_a_violation_has_its_quotes_undone() -> None:
    check = ShadowCheck.parse(rf'{START} rows=100 violations=3 ms=7 row="carrier: \"U A\", id: 5"')
    assert check is not None
    assert (check.violations, check.row) == (3, 'carrier: "U A", id: 5')


def test_a_check_that_failed_has_no_counts() -> None:
    check = ShadowCheck.parse(f'{START} error="java.io.IOException: gone"')
    assert check is not None
    assert (check.rows, check.violations, check.error) == (0, 0, "java.io.IOException: gone")


@pytest.mark.parametrize("subject", ["scan", "shadows", "shadow about"])
def test_other_lines_are_no_checks(subject: str) -> None:
    line = START.replace("hudi-skip shadow", f"hudi-skip {subject}")
    assert ShadowCheck.parse(line) is None, line


def test_a_line_of_a_check_is_no_scan() -> None:
    assert Scan.parse(f"{START} rows=100 violations=0 ms=7") is None
