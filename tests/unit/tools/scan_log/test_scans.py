from datetime import datetime

import pytest

from pycompiler.tools.scan_log.scans import Scan
from tests.e2e.harness.shadow import ShadowCheck

KEPT_SOME = (
    "2026-01-01 12:00:00.000 INFO  [Map 1] io.hudiskip.scan: "
    "hudi-skip scan query=q1 tag=nightly table=/lake/flights mode=shadow "
    "files=68 kept=2 bytes=9000 kept_bytes=300 not_indexed=3 not_indexed_bytes=90 commits_behind=2 "
    "covered=60 covered_rows=7000 generation=1 instant=20260101 source=pushed ms=7 "
    r'expression="(carrier = \"U A\") and (path = \"a\\\\b\")"'
)
SHADOW = (
    "2026-01-01 12:00:00.000 WARN  [TezChild] io.hudiskip.shadow: "
    'hudi-skip shadow query=q1 tag=nightly table=/lake/flights file="day=2/a.parquet" start=4'
)
HIVE_ID = "root_20261126203832_6eba1192-09ff-46e1-9194-9ef0b6247836"


def test_a_scan_line_is_read_with_its_quotes_undone() -> None:
    assert Scan.parse(KEPT_SOME) == Scan(
        query="q1",
        tag="nightly",
        table="/lake/flights",
        files=68,
        kept=2,
        size=9000,
        kept_size=300,
        source="pushed",
        expression=r'(carrier = "U A") and (path = "a\\b")',
        line=KEPT_SOME,
        mode="shadow",
        not_indexed=3,
        not_indexed_size=90,
        commits_behind=2,
        covered=60,
        covered_rows=7000,
    )


@pytest.mark.parametrize(
    "line",
    [
        "2026-01-01 12:00:00.000 INFO  [main] io.hudiskip.hive: hudi-skip scanned nothing",
        f"{SHADOW} rows=100 violations=0 ms=7",
    ],
)
def test_other_lines_are_no_scans(line: str) -> None:
    assert Scan.parse(line) is None


@pytest.mark.parametrize(
    ("before", "query", "expected"),
    [
        (
            "2026-11-26 20:38:36.692 INFO  [main] io.hudiskip.scan: ",
            HIVE_ID,
            datetime(2026, 11, 26, 20, 38, 36),
        ),
        ("2026-11-26T20:38:36,692  INFO [main] scan: ", HIVE_ID, datetime(2026, 11, 26, 20, 38, 36)),
        ("INFO [main] scan: ", HIVE_ID, datetime(2026, 11, 26, 20, 38, 32)),
        ("2026-13-26 20:38:36 INFO scan: ", HIVE_ID, None),
        ("INFO [main] scan: ", "q1", None),
    ],
)
def test_a_scan_has_the_time_of_its_line_or_else_of_its_query(
    before: str, query: str, expected: datetime | None
) -> None:
    scan = Scan.parse(before + KEPT_SOME[KEPT_SOME.index("hudi-skip") :].replace("=q1", f"={query}"))
    assert scan is not None
    assert scan.time == expected


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("rows=100 violations=0 ms=7", (100, 0, "", "")),
        (r'rows=100 violations=3 ms=7 row="carrier: \"U A\", id: 5"', (100, 3, 'carrier: "U A", id: 5', "")),
        ('error="java.io.IOException: gone"', (0, 0, "", "java.io.IOException: gone")),
    ],
)
def test_a_line_of_shadow_mode_is_read(more: str, expected: tuple[int, int, str, str]) -> None:
    check = ShadowCheck.parse(f"{SHADOW} {more}")
    assert check is not None
    assert (check.table, check.file, check.start) == ("/lake/flights", "day=2/a.parquet", 4)
    assert (check.rows, check.violations, check.row, check.error) == expected


@pytest.mark.parametrize("subject", ["scan", "shadows", "shadow about"])
def test_other_lines_are_no_checks(subject: str) -> None:
    assert ShadowCheck.parse(SHADOW.replace("hudi-skip shadow", f"hudi-skip {subject}")) is None
