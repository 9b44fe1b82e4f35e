"""A suite's tables, twice: as Hudi tables, and as native tables with a partitioned fact table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from pyspark.sql import SparkSession

from examples.demo.lake import LakeTable, SourceTable, write_table
from examples.demo.tpch import linked_files

from ...e2e.harness.session import create_statement
from ..hive import Asked, Hive
from .suites import Suite


class Kind(Enum):
    """The tables that Hive reads; the value ends the name of their database."""

    HUDI = "hudi"
    NATIVE = "native"


@dataclass(frozen=True)
class Warehouse:
    """The tables of a suite, written.

    Attributes:
        tables: The Hudi tables, whose files have narrow ranges of what they are sorted by.
        partitions: The folder of the native fact table, with a partition for each value of that column.
    """

    suite: Suite
    tables: Sequence[LakeTable]
    partitions: Path

    @staticmethod
    def write(
        spark: SparkSession,
        suite: Suite,
        sources: Sequence[SourceTable],
        files: int,
        folder: Path,
    ) -> "Warehouse":
        """Writes all tables, the Hudi tables with their index.

        Args:
            files: The least number of the Hudi fact table's files.
        """
        tables = [write_table(spark, source, suite.layout(source, files), folder) for source in sources]
        fact = next(source for source in sources if source.name == suite.fact)
        partitions = folder / f"{suite.fact}-partitions"
        by = suite.partition
        # Hive refuses to register a partition of NULL for a number; no query reads such rows.
        rows = spark.read.parquet(str(fact.file)).where(f"{by} IS NOT NULL")
        rows.repartitionByRange(8, by).sortWithinPartitions(by).write.partitionBy(by).parquet(str(partitions))
        return Warehouse(suite, tables, partitions)

    def show_to_spark(self, spark: SparkSession) -> None:
        """Makes views of the Hudi tables, by their names."""
        for table in self.tables:
            spark.read.format("hudi").load(str(table.path)).createOrReplaceTempView(table.name)

    def show_to_hive(self, hive: Hive) -> None:
        """Creates the tables of both kinds."""
        for kind in Kind:
            hive.execute(f"CREATE DATABASE {self.database(kind)}")
        self.use(hive, Kind.HUDI)
        columns = {}
        for table in self.tables:
            hive.execute(create_statement(table.name, table.path))
            columns[table.name] = [
                f"`{name}` {kind}" for name, kind, _ in hive.execute(f"DESCRIBE {table.name}")
            ]
        self.use(hive, Kind.NATIVE)
        for table in self.tables:
            if table.name == self.suite.fact:
                self._create_partitioned(hive, columns[table.name])
            else:
                of_table = ", ".join(columns[table.name])
                hive.execute(
                    f"CREATE EXTERNAL TABLE {table.name} ({of_table}) STORED AS PARQUET "
                    f"LOCATION '{linked_files(table).as_uri()}'"
                )
            # Without sizes, Hive lists the files each time that it plans a query.
            hive.execute(f"ANALYZE TABLE {table.name} COMPUTE STATISTICS NOSCAN")

    def use(self, hive: Hive, kind: Kind) -> None:
        """Has the session read tables of a kind."""
        hive.execute(f"USE {self.database(kind)}")

    def ask(self, hive: Hive, kind: Kind, settings: Mapping[str, str], query: str) -> Asked:
        """Times a query of tables of a kind."""
        self.use(hive, kind)
        hive.set(settings)
        return hive.ask(query, scans=1 if kind is Kind.HUDI else 0)

    def _create_partitioned(self, hive: Hive, columns: Sequence[str]) -> None:
        fact, by = self.suite.fact, self.suite.partition
        key = next(column for column in columns if column.startswith(f"`{by}` "))
        stored = [column for column in columns if column != key and not column.startswith("`_hoodie_")]
        hive.execute(
            f"CREATE EXTERNAL TABLE {fact} ({', '.join(stored)}) PARTITIONED BY ({key}) STORED AS PARQUET "
            f"LOCATION '{self.partitions.as_uri()}'"
        )
        hive.execute(f"MSCK REPAIR TABLE {fact}")

    def database(self, kind: Kind) -> str:
        """The name of the database of a kind of tables."""
        return f"{self.suite.name.lower().replace('-', '')}_{kind.value}"
