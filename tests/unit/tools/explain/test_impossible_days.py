import pytest

from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.types import HiveType
from pycompiler.tools.explain.impossible_days import impossible_days

SCHEMA = {
    "d": HiveType("date"),
    "ts": HiveType("timestamp"),
    "s": HiveType("string"),
    "n": HiveType("int"),
}


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("d = '2025-13-45'", ("2025-13-45",)),
        ("'2025-02-30' < d and n = 3", ("2025-02-30",)),
        ("not (ts <> '2023-02-29 10:00:00')", ("2023-02-29 10:00:00",)),
        ("d in ('2025-01-01', '2025-04-31')", ("2025-04-31",)),
        ("d between '2025-00-01' and '2025-01-32'", ("2025-00-01", "2025-01-32")),
        ("d = date '2025-13-45' or d = cast('2025-13-45' as date)", ("2025-13-45",)),
        ("ts = timestamp '2025-13-45 00:00:00'", ("2025-13-45 00:00:00",)),
        ("d = '2024-02-29'", ()),
        ("ts = '2025-01-31 25:00:00'", ()),
        # Hive reads many forms; only those whose meaning is certain are named.
        ("d = '2025-1-45' or d = 'soon' or d = '0000-13-01'", ()),
        ("s = '2025-13-45'", ()),
        ("date_add(d, 1) = '2025-13-45'", ("2025-13-45",)),
    ],
)
def test_strings_that_hive_reads_as_days_are_checked(where: str, found: tuple[str, ...]) -> None:
    assert impossible_days(from_sql(where, SCHEMA)) == found
