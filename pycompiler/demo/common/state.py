"""Which rows of a table a query is about, as sessions of Hive and readers of Spark say it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class State:
    """A state of a table, or what came after one; `{first}` stands for the first commit of the table.

    Attributes:
        hive: Settings of a Hive session, without the `hoodie.<table>.consume.` before them.
        spark: Options of Spark's reader.
        where: What Spark's rows have to meet besides.
    """

    hive: Pairs = ()
    spark: Pairs = ()
    where: str = "true"

    def settings(self, table: str, first: str) -> dict[str, str]:
        """The settings for a table, by their whole names."""
        return {f"hoodie.{table}.consume.{name}": value.format(first=first) for name, value in self.hive}


NOW: Final = State()
SINCE_THE_FIRST_COMMIT: Final = State(
    hive=(("mode", "INCREMENTAL"), ("start.timestamp", "{first}"), ("max.commits", "-1")),
    where="_hoodie_commit_time > '{first}'",
)
AT_THE_FIRST_COMMIT: Final = State(hive=(("commit", "{first}"),), spark=(("as.of.instant", "{first}"),))
