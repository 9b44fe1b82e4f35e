from datetime import datetime

import pytest

from pycompiler.tools.scan_log.scans import Scan

LINE = "hudi-skip scan query={} tag= table=/t files=1 kept=1 bytes=1 kept_bytes=1 source=none ms=1 reason=x"
HIVE_ID = "root_20261126203832_6eba1192-09ff-46e1-9194-9ef0b6247836"


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
    scan = Scan.parse(before + LINE.format(query))
    assert scan is not None
    assert scan.time == expected
