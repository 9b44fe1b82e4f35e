"""The rows that `driver` writes, and the rows that tables must have then, by arithmetic."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

Row: TypeAlias = tuple[int, str, int, int, str | None, str]
"""The key `id`, the partition, the ordering fields `n` and `m`, the kind of change, and a text."""


def _row(number: int, n: int, m: int, text: str, change: str | None = "U") -> Row:
    """A row: three partitions have ten keys each."""
    return number, f"p{number // 10}", n, m, change, f"{text}{number:02d}"


WRITES: Final[tuple[tuple[str, tuple[Row, ...]], ...]] = (
    ("bulk_insert", tuple(_row(number, 100, 100, "s") for number in range(30))),
    ("upsert", tuple(_row(number, 200, 100, "newer") for number in range(3))),
    (
        "upsert",
        (
            *(_row(number, 50, 100, "older", None) for number in range(2, 12)),
            _row(12, 100, 50, "tied"),
            _row(13, 100, 300, "tied"),
            _row(15, 300, 100, "removed", "D"),
        ),
    ),
)
"""An insert and two upserts."""

DELETED: Final = (20, 21)

WHERE: Final = "s >= 'newer' and s < 'newerz'"
"""Rows of one partition."""

Merge: TypeAlias = Callable[[Row, Row], Row | None]
"""What a row and a later record of its key become; None if the record deletes it."""


def by_one_field(row: Row, record: Row) -> Row | None:
    """The record wins if its `n` is not less."""
    return record if record[2] >= row[2] else row


def by_two_fields(row: Row, record: Row) -> Row | None:
    """The record wins if its `n` and `m` are not less, and `D` marks one that deletes."""
    if record[2:4] < row[2:4]:
        return row
    return None if record[4] == "D" else record


def by_column(row: Row, record: Row) -> Row | None:
    """The record wins, except for columns that it leaves empty."""
    return (*record[:4], record[4] or row[4], record[5])


MERGES: Final[Mapping[str, Merge]] = {"two": by_two_fields, "mixed": by_column}


def rows_after(merge: Merge, first: int = 0, last: int = len(WRITES) - 1) -> list[Row]:
    """The rows after the writes up to one that come from the write `first`, or a later one."""
    rows: dict[int, tuple[int, Row]] = {}
    for number, (_, written) in enumerate(WRITES[: last + 1]):
        for record in written:
            _, row = rows.get(record[0], (number, record))
            merged = merge(row, record)
            if merged is None:
                rows.pop(record[0])
            elif merged != row or record[0] not in rows:
                rows[record[0]] = (number, merged)
    return sorted(row for number, row in rows.values() if number >= first)
