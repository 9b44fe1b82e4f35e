"""A table in three states, whose rows follow by arithmetic."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from tests.e2e.merging.cases import COPY_ON_WRITE, OPTIONS, commits

MERGE_ON_READ: Final[Mapping[str, str]] = {}
TYPES: Final[Mapping[str, Mapping[str, str]]] = {
    "copy_on_write": COPY_ON_WRITE,
    "merge_on_read": MERGE_ON_READ,
}

Row = tuple[int, int]
"""Key and value."""

_WRITES: Final = (
    {key: 10 * key for key in range(100)},
    {key: 10 * key + 1 for key in range(50, 120)},
    {key: 7 * key for key in range(20, 70)},
)
STATES: Final = len(_WRITES)
LATEST: Final = STATES - 1


def rows_of(state: int) -> tuple[Row, ...]:
    """Returns the rows after a write."""
    rows: dict[int, int] = {}
    for written in _WRITES[: state + 1]:
        rows |= written
    return tuple(sorted(rows.items()))


@dataclass(frozen=True, slots=True)
class StatesTable:
    """A table as written.

    Attributes:
        path: Its root.
        instants: Its commits, oldest first.
    """

    path: Path
    instants: tuple[str, ...]

    def clause(self, state: int) -> str:
        """Returns the clause after the table's name in FROM; empty for the latest state."""
        return "" if state == LATEST else f" for system_version as of {self.instants[state]}"


def write(spark: SparkSession, path: Path, of_table: Mapping[str, str]) -> StatesTable:
    """Writes the table, one commit per state."""
    for number, written in enumerate(_WRITES):
        frame = spark.createDataFrame(
            [(key, value, number, "even" if key % 2 == 0 else "odd") for key, value in written.items()],
            "id int, i bigint, n int, grp string",
        )
        options = {**OPTIONS, **of_table, "hoodie.table.name": path.name}
        options["hoodie.datasource.write.operation"] = "upsert" if number else "bulk_insert"
        frame.coalesce(1).write.format("hudi").options(**options).mode("append").save(str(path))
    return StatesTable(path, tuple(instant for instant, _ in commits(path)))
