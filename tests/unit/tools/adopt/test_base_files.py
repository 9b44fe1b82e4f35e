"""What `adopt` compares with base files."""

from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pycompiler.tools.adopt.base_files import KEYS, Checked, check, is_comparable
from pycompiler.tools.adopt.errors import AdoptError
from pycompiler.tools.adopt.hive_table import Column

AT = datetime(2026, 1, 2, 3, 4, 5)
NUMBER = 1_767_323_045_000_000
COLUMNS = [Column("at", "bigint", ""), Column("day", "date", ""), Column("price", "decimal(10,2)", "")]
EAST = ("s1", "east", "a.parquet", NUMBER, date(2026, 1, 2), Decimal("1.50"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "east").mkdir()
    table = pa.table(
        {
            KEYS[0]: ["s1", "s2"],
            "At": pa.array([AT, None], pa.timestamp("us", "UTC")),
            "day": [date(2026, 1, 2), None],
            "price": pa.array([Decimal("1.50"), None], pa.decimal128(10, 2)),
        }
    )
    pq.write_table(table, tmp_path / "east" / "a.parquet")
    return tmp_path


def test_rows_are_found_by_their_numbers(root: Path) -> None:
    rows = [
        EAST,
        ("s2", "east", "a.parquet", None, None, None),
        ("s3", "east", "a.parquet", 1, None, None),  # a log has changed it
        ("s4", "east", ".a.log.1", 1, None, None),
    ]
    assert check(f"file:{root}", COLUMNS, rows) == Checked(2, frozenset({"a.parquet"}))


@pytest.mark.parametrize("position", [3, 4, 5])
def test_another_value_is_named(root: Path, position: int) -> None:
    row = [*EAST]
    row[position] = 7
    with pytest.raises(AdoptError, match=r"a\.parquet has .* where the handler reads .*'7'"):
        check(str(root), COLUMNS, [row])


def test_a_column_that_the_file_lacks_is_null(root: Path) -> None:
    columns = [Column("later", "int", "")]
    assert check(str(root), columns, [(*EAST[:3], None)]).rows == 1
    with pytest.raises(AdoptError):
        check(str(root), columns, [(*EAST[:3], 1)])


def test_a_file_that_cannot_be_read_is_named(root: Path) -> None:
    with pytest.raises(AdoptError, match=r"cannot read .*gone\.parquet to compare it.*--no-compare"):
        check(str(root), COLUMNS, [("s1", "east", "gone.parquet", None, None, None)])


def test_only_values_with_one_text_are_compared() -> None:
    kinds = ["bigint", "decimal(10,2)", "date", "timestamp", "double", "binary", "array<int>"]
    assert [is_comparable(Column("c", kind, "")) for kind in kinds] == [True] * 3 + [False] * 4
