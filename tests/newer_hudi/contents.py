"""Tables that Hudi 1.2.0 wrote, and what is in them by arithmetic."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final
from zipfile import ZipFile

Row = tuple[int, int, int, str]
"""The key `id`, the ordering field `n`, and two more columns `i` and `s`."""

ARCHIVE: Final = Path(__file__).parent / "tables.zip"

INSERTED: Final[tuple[Row, ...]] = tuple((id_, 100, id_ * 10, f"s{id_}") for id_ in range(20))

WRITES: Final[tuple[tuple[str, tuple[Row, ...]], ...]] = (
    ("upsert", tuple((id_, 200, id_ * 10 + 1, f"newer{id_}") for id_ in range(5))),
    ("upsert", tuple((id_, 50, id_ * 10 + 2, f"older{id_}") for id_ in range(3, 10))),
)
"""Two upserts: of the second, no row wins over what is there."""


def _rows() -> Mapping[int, Row]:
    rows = {row[0]: row for row in INSERTED}
    for _, written in WRITES:
        rows |= {row[0]: row for row in written if row[1] >= rows[row[0]][1]}
    return rows


ROWS: Final = tuple(_rows().values())
"""The rows of each table in its last state: of each key, the one with the greatest ordering value."""


def unpacked(folder: Path) -> Path:
    """Unpacks all tables into a folder, each in one of its name, and returns the folder."""
    with ZipFile(ARCHIVE) as archive:
        archive.extractall(folder)
    return folder
