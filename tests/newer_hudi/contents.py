"""Tables that Hudi 1.2.0 wrote, and what is in them by arithmetic."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final
from zipfile import ZipFile

Row = tuple[int, int, int, str]
"""The key `id`, the ordering field `n`, and two more columns `i` and `s`."""

ARCHIVE: Final = Path(__file__).parent / "tables.zip"

INSERTED: Final[tuple[Row, ...]] = tuple((id_, 100, id_ * 10, f"s{id_}") for id_ in range(20))

Write = tuple[str, tuple[Row, ...]]
"""An operation of Hudi's writer and its rows."""

WRITES: Final[tuple[Write, ...]] = (
    ("bulk_insert", INSERTED),
    ("upsert", tuple((id_, 200, id_ * 10 + 1, f"newer{id_}") for id_ in range(5))),
    ("upsert", tuple((id_, 50, id_ * 10 + 2, f"older{id_}") for id_ in range(3, 10))),
)
"""An insert and two upserts: of the second, no row wins over what is there."""

REPEATED_WRITES: Final[tuple[Write, ...]] = (
    ("bulk_insert", ((1, 1, 1, "a1"), (1, 1, 2, "a2"), (2, 1, 3, "b1"), (2, 1, 4, "b2"), (3, 1, 5, "c"))),
    ("upsert", ((1, 2, 6, "a-new"),)),
    ("delete", ((2, 3, 7, ""),)),
)
"""An insert that writes keys twice, an update and a delete."""

REPEATED_ROWS: Final[tuple[Row, ...]] = ((1, 2, 6, "a-new"), (1, 2, 6, "a-new"), (3, 1, 5, "c"))
"""The rows then: the log records have the positions of both rows of their key."""


def _rows() -> Mapping[int, Row]:
    rows = {row[0]: row for row in INSERTED}
    for _, written in WRITES[1:]:
        rows |= {row[0]: row for row in written if row[1] >= rows[row[0]][1]}
    return rows


ROWS: Final = tuple(_rows().values())
"""The rows of a table after `WRITES`: of each key, the one with the greatest ordering value."""


def unpacked(folder: Path) -> Path:
    """Unpacks all tables into a folder, each in one of its name, and returns the folder."""
    with ZipFile(ARCHIVE) as archive:
        archive.extractall(folder)
    return folder
