"""A Hudi table on which Spark operates: writes, statements and procedures."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

from pyspark.sql import DataFrame, SparkSession

from pycompiler.table.known_properties import VERSION
from pycompiler.table.properties import parse_properties
from tests.hudi_releases import release_of

_NUMBERS = itertools.count(1)
_METADATA: Final = "hoodie.metadata.enable"
COLUMN_STATISTICS: Final = {_METADATA: "true", "hoodie.metadata.index.column.stats.enable": "true"}

_VERSIONS: Final = {6: "SIX", 8: "EIGHT", 9: "NINE"}

QUICK: Final = {
    # Hudi's own column statistics take most of a small commit's time, and no test of ours reads them.
    "hoodie.metadata.index.column.stats.enable": "false",
    "hoodie.metadata.index.partition.stats.enable": "false",
    # The Bloom filter of record keys takes 430 KB of each file by default.
    "hoodie.bloom.index.filter.type": "SIMPLE",
    "hoodie.index.bloom.num_entries": "100",
}

OPTIONS: Final[Mapping[str, str]] = {
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.precombine.field": "n",
    "hoodie.datasource.write.partitionpath.field": "grp",
    "hoodie.bulkinsert.sort.mode": "NONE",
    "hoodie.upsert.shuffle.parallelism": "2",
    "hoodie.delete.shuffle.parallelism": "2",
    **QUICK,
    # Tests that need cleaning or archiving turn them on.
    "hoodie.clean.automatic": "false",
    "hoodie.archive.automatic": "false",
}


@dataclass(frozen=True, slots=True)
class HudiWriter:
    """Writes a table whose key is `id` and whose ordering field is `n`.

    Attributes:
        spark: Spark.
        path: The table's root.
        options: Of Hudi's writer, in all writes.
    """

    defaults: ClassVar[Mapping[str, str]] = OPTIONS

    spark: SparkSession
    path: Path
    options: Mapping[str, str] = field(default_factory=dict)

    def write_options(self, operation: str, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Options of Hudi's writer for an operation."""
        return {
            # Statements take it from the session, where a test may have turned it on; the writer does not.
            _METADATA: self.spark.conf.get(_METADATA, "false") or "false",
            "hoodie.table.name": self.path.name,
            **self.defaults,
            **self.options,
            **(extra or {}),
            "hoodie.datasource.write.operation": operation,
        }

    def write(
        self, rows: DataFrame, operation: str = "upsert", extra: Mapping[str, str] | None = None
    ) -> None:
        """One write of Hudi's Spark writer, without updating the index."""
        options = self.write_options(operation, extra)
        rows.write.format("hudi").options(**options).mode("append").save(str(self.path))

    def version(self) -> int:
        """The table version."""
        return int(parse_properties((self.path / ".hoodie" / "hoodie.properties").read_text())[VERSION])

    def versions_to_go_through(self) -> list[int]:
        """The older versions, from new to old, and then from old to new those up to the newest known."""
        known = [version for version in _VERSIONS if version <= release_of(self.spark).newest_version]
        older = [version for version in reversed(known) if version < self.version()]
        return [*older, *(version for version in known if version > min([*older, self.version()]))]

    def go_to_version(self, version: int) -> dict[str, str]:
        """Upgrades or downgrades the table; returns the options of writers that leave it at that version."""
        procedure = "upgrade_table" if version > self.version() else "downgrade_table"
        self.call(procedure, to_version=_VERSIONS[version])
        assert self.version() == version
        return {"hoodie.write.table.version": str(version), "hoodie.write.auto.upgrade": "false"}

    def sql(self, statement: str) -> None:
        """A statement in which `{table}` stands for the table."""
        name = f"written_{next(_NUMBERS)}"
        self.spark.sql(f"create table {name} using hudi location '{self.path}'")
        try:
            self.spark.sql(statement.format(table=name)).collect()
        finally:
            self.spark.sql(f"drop table {name}")

    def call(self, procedure: str, **arguments: object) -> None:
        """One of Hudi's procedures on the table."""
        if procedure in ("run_compaction", "run_clustering"):
            # By default a compaction waits for five delta commits.
            options = {"hoodie.compact.inline.max.delta.commits": "1", **self.options}
            arguments["options"] = ",".join(f"{key}={value}" for key, value in options.items() if value)
        given = "".join(f", {name} => {_literal(value)}" for name, value in arguments.items())
        self.sql(f"call {procedure}(table => '{{table}}'{given})")


def _literal(value: object) -> str:
    return f"'{value}'" if isinstance(value, str) else str(value).lower()
