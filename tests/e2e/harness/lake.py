"""The Hudi tables of the tests on disk."""

import itertools
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.options import IndexChoice
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.records import HoodieMetadataRecord
from pycompiler.spark.index_creator import IndexCreator
from pycompiler.spark.writer import write_indexed
from tests.hudi_releases import release_of
from tests.records import records_in_force, write_records

from ..tables import CUSTOMERS, EVERY_TYPE, Row, TableData
from .hudi_writer import QUICK

_NUMBERS = itertools.count(1)
WITH_METADATA_TABLE = (CUSTOMERS.name, EVERY_TYPE.name)
"""Tables with a metadata table, from which Hive lists their files."""

UPSERT = {"hoodie.datasource.write.operation": "upsert"}
INDEX_DIRECTORY = Path(".hoodie") / ".skipping_index"


class Lake:
    """Hudi tables under one directory, each row group of the data in a base file of its own."""

    def __init__(self, root: Path, spark: SparkSession) -> None:
        self._root = root
        self.spark = spark

    def path(self, name: str) -> Path:
        """The path of the table with this name."""
        return self._root / name

    def fresh(self, stem: str) -> Path:
        """An unused path in the lake."""
        return self._root / f"{stem}_{next(_NUMBERS)}"

    def write(self, data: TableData, index: IndexChoice = None) -> Path:
        """Writes a table and its statistics index: ranges, unless `index` says more."""
        path = self.path(data.name)
        options = self.options(data)
        if data.name in WITH_METADATA_TABLE:
            options["hoodie.metadata.enable"] = "true"
        result = write_indexed(self.frame(data, data.files), str(path), options, index, mode="overwrite")
        assert result.index is not None, result.index_failure
        return path

    def build_index(self, path: Path) -> None:
        """Rebuilds the index of a table."""
        IndexCreator(self.spark).build(str(path))

    def write_unindexed(self, data: TableData, path: Path, extra: Mapping[str, str] | None = None) -> Path:
        """Writes a table without an index."""
        self.append(data, path, data.files, extra)
        return path

    def append(
        self,
        data: TableData,
        path: Path,
        files: tuple[tuple[Row, ...], ...],
        extra: Mapping[str, str] | None = None,
    ) -> None:
        """Appends files in a commit, without updating the index."""
        options = {**self.options(data), **(extra or {})}
        self.frame(data, files).write.format("hudi").options(**options).mode("append").save(str(path))

    def update_index(self, path: Path) -> None:
        """Brings the index of a table up to date."""
        assert IndexCreator(self.spark).update(str(path)).published, "there was something to do"

    def copy(self, name: str) -> Path:
        """A copy of a table with its index, to be damaged."""
        target = self.fresh(name)
        shutil.copytree(self.path(name), target)
        return target

    def frame(self, data: TableData, files: tuple[tuple[Row, ...], ...]) -> DataFrame:
        """The rows as a DataFrame with one partition for each file.

        Files have the same number of rows and keys ascend, so that equal ranges of the key are files.
        """
        columns = [column.split()[0] for column in data.schema.split(", ")]
        rows = [tuple(row[column] for column in columns) for file in files for row in file]
        frame = self.spark.createDataFrame(rows, data.schema)
        return frame.repartitionByRange(len(files), data.key)

    def options(self, data: TableData) -> dict[str, str]:
        """Writer options under which a DataFrame partition becomes a base file."""
        options = {
            "hoodie.table.name": data.name,
            "hoodie.datasource.write.recordkey.field": data.key,
            "hoodie.datasource.write.precombine.field": data.key,
            "hoodie.datasource.write.operation": "bulk_insert",
            "hoodie.bulkinsert.sort.mode": "NONE",
            **QUICK,
        }
        if release_of(self.spark).newest_version >= 9:
            # The row writer of Hudi 1.2 fails for a tinyint.
            options["hoodie.datasource.write.row.writer.enable"] = "false"
        if data.partition is not None:
            options["hoodie.datasource.write.partitionpath.field"] = data.partition
        return options


def publish(
    path: Path, records: Iterable[HoodieMetadataRecord], index: StatisticsIndex, *, is_complete: bool = False
) -> None:
    """Publishes records, true or not, after an index of the table.

    Args:
        is_complete: Whether the index still knows all files, as it says.
    """
    storage = LocalStorage(path)
    manifest = index.manifest
    data_files = write_records(storage, records)
    delta = Delta(
        data_files,
        manifest.table,
        manifest.instant,
        manifest.live,
        None if is_complete else frozenset(),
        manifest.generation if is_complete else None,
        timeline=manifest.timeline if is_complete else None,
    )
    IndexPublisher(storage).add(delta)


def publish_lie(path: Path, column: str, file: int) -> str:
    """Publishes an index that says that the values of a column in one file are above all others.

    Args:
        path: A table with one record of the column for each file.
        column: A column in whose order the files are.
        file: The file's position in that order.

    Returns:
        Path of that base file relative to the table.
    """
    index = StatisticsIndex.open(path)
    records = sorted(records_in_force(index, [column]), key=lambda record: record.lower or b"")
    highest = records[-1].upper
    assert highest is not None
    publish(path, [replace(records[file], lower=highest, upper=highest)], index, is_complete=True)
    return records[file].path
