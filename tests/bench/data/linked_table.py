"""Creates Hudi tables with any number of files in seconds.

Hudi can read them but did not write them: the base files of a partition are hard links to one Parquet file,
and the timeline is that of table version 6, whose commits are JSON.
"""

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

_ROWS: Final = 100
_COLUMNS: Final = 20
_FIRST: Final = 20260101000000000
_COMMITS: Final = 20
"""The length of an active timeline."""

_PROPERTIES: Final = """\
hoodie.table.name={name}
hoodie.table.type=COPY_ON_WRITE
hoodie.table.version=6
hoodie.timeline.layout.version=1
hoodie.table.base.file.format=PARQUET
hoodie.table.recordkey.fields={key}
hoodie.archivelog.folder=archived
"""
_OF_PARTITIONS: Final = """hoodie.table.partition.fields=day
hoodie.table.keygenerator.class=org.apache.hudi.keygen.SimpleKeyGenerator
hoodie.datasource.write.partitionpath.urlencode=false
hoodie.datasource.write.hive_style_partitioning=true
hoodie.datasource.write.drop.partition.columns=false
"""


@dataclass(frozen=True)
class Size:
    """The size of a table."""

    files: int
    partitions: int

    def __str__(self) -> str:
        return f"{self.files:,} files in {self.partitions:,} partition{'s' if self.partitions > 1 else ''}"


@dataclass
class LinkedTable:
    """A table, and the instant that wrote the latest file of each file group.

    Attributes:
        root: Its root.
        templates: The Parquet file of each partition, in which `id` is its number; `day=00000` is the first.
        groups: The instant of each file group, by the group's number.
        instant: The last commit's instant.
    """

    root: Path
    templates: Sequence[Path]
    groups: dict[int, int] = field(default_factory=dict)
    instant: int = _FIRST

    def write(self, numbers: Sequence[int]) -> None:
        """Commits a new file for each of some file groups."""
        self.instant += 1
        stats: dict[str, list[dict[str, Any]]] = {}
        for number in numbers:
            template = self.templates[number % len(self.templates)]
            partition = f"day={template.name}"
            file_id = f"{number:08x}-0000-4000-8000-000000000000-0"
            path = f"{partition}/{file_id}_0-1-0_{self.instant}.parquet"
            os.link(template, self.root / path)
            stats.setdefault(partition, []).append(
                {
                    "fileId": file_id,
                    "path": path,
                    "prevCommit": str(self.groups.get(number, "null")),
                    "numWrites": _ROWS,
                    "fileSizeInBytes": template.stat().st_size,
                }
            )
            self.groups[number] = self.instant
        document = {"partitionToWriteStats": stats, "compacted": False, "extraMetadata": {}}
        (self.root / ".hoodie" / f"{self.instant}.commit").write_text(json.dumps(document))


def create(root: Path, size: Size) -> LinkedTable:
    """Creates a table, whose name is that of its root."""
    begin(root, "c00", _OF_PARTITIONS)
    folder = root / ".hoodie" / ".templates"
    folder.mkdir()
    table = LinkedTable(root, [folder / f"{number:05d}" for number in range(size.partitions)])
    for number, template in enumerate(table.templates):
        _write_template(template, number)
        partition = root / f"day={template.name}"
        partition.mkdir()
        # Without it, Hudi does not recognize the folder as a partition.
        (partition / ".hoodie_partition_metadata").write_text(f"commitTime={_FIRST}\npartitionDepth=1\n")
    share = size.files // _COMMITS
    for start in range(0, size.files, share):
        table.write(range(start, start + share))
    return table


def write_partitions(spark: SparkSession, root: Path, numbers: Iterable[int]) -> None:
    """Commits a file of one row to some partitions with Spark, which creates Hudi's metadata table."""
    rows = spark.createDataFrame([(number,) for number in numbers], "id long").coalesce(1)
    columns = [(F.col("id") * number).alias(f"c{number:02d}") for number in range(20)]
    text = F.format_string("%05d", F.col("id"))
    # Earlier files lack the column, so it must be nullable.
    day = F.when(text.isNotNull(), text).alias("day")
    options = {
        "hoodie.table.name": root.name,
        "hoodie.datasource.write.recordkey.field": "c00",
        "hoodie.datasource.write.partitionpath.field": "day",
        "hoodie.datasource.write.hive_style_partitioning": "true",
        "hoodie.datasource.write.operation": "bulk_insert",
        "hoodie.bulkinsert.shuffle.parallelism": "1",
        "hoodie.write.table.version": "6",
        "hoodie.write.auto.upgrade": "false",
        "hoodie.embed.timeline.server": "false",
        "hoodie.clean.automatic": "false",
    }
    rows.select(*columns, "id", day).write.format("hudi").options(**options).mode("append").save(str(root))


def begin(root: Path, key: str, more: str = "") -> None:
    """Creates a table without commits.

    Args:
        root: Its root, whose name is the table's.
        key: The record key column.
        more: Further lines of its properties.
    """
    (root / ".hoodie").mkdir(parents=True)
    (root / ".hoodie" / "hoodie.properties").write_text(_PROPERTIES.format(name=root.name, key=key) + more)


def _write_template(path: Path, number: int) -> None:
    random = np.random.default_rng(number)
    columns = {f"c{at:02d}": pa.array(random.integers(0, 1 << 40, _ROWS)) for at in range(_COLUMNS)}
    columns["id"] = pa.array(np.full(_ROWS, number))
    pq.write_table(pa.table(columns), path)
