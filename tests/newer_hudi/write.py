"""Writes the tables of `tables.zip` with Hudi 1.2.0, which is newer than what this project builds on.

    python -m tests.newer_hudi.write BUNDLE

BUNDLE is a copy of `org.apache.hudi:hudi-spark3.5-bundle_2.12:1.2.0`. The archive is committed, so that tests
need not have the bundle; names of files and instants are others each time, rows are the same.
"""

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

from pycompiler.spark.session import hudi_session

from .contents import ARCHIVE, REPEATED_WRITES, WRITES, Write

_OPTIONS: Final[Mapping[str, str]] = {
    "hoodie.datasource.write.recordkey.field": "id",
    "hoodie.datasource.write.partitionpath.field": "",
    "hoodie.datasource.write.keygenerator.class": "org.apache.hudi.keygen.NonpartitionedKeyGenerator",
    "hoodie.bulkinsert.shuffle.parallelism": "1",
    "hoodie.upsert.shuffle.parallelism": "1",
    "hoodie.delete.shuffle.parallelism": "1",
    "hoodie.write.auto.upgrade": "false",
    "hoodie.compact.inline": "false",
    "hoodie.clean.automatic": "false",
    "hoodie.metadata.enable": "false",
    "hoodie.embed.timeline.server": "false",
    "hoodie.bloom.index.filter.type": "SIMPLE",
    "hoodie.index.bloom.num_entries": "100",
}

_TABLES: Final[Mapping[str, Mapping[str, str]]] = {
    **{
        f"{kind}_{version}": {
            "hoodie.datasource.write.table.type": name,
            "hoodie.write.table.version": version,
            "hoodie.table.ordering.fields": "n",
        }
        for kind, name in (("mor", "MERGE_ON_READ"), ("cow", "COPY_ON_WRITE"))
        for version in ("6", "8", "9")
    },
    "two_fields": {
        "hoodie.datasource.write.table.type": "MERGE_ON_READ",
        "hoodie.write.table.version": "8",
        "hoodie.table.ordering.fields": "n,i",
    },
    "repeated": {
        "hoodie.datasource.write.table.type": "MERGE_ON_READ",
        "hoodie.write.table.version": "9",
        "hoodie.table.ordering.fields": "n",
    },
}

_OTHER_WRITES: Final[Mapping[str, tuple[Write, ...]]] = {"repeated": REPEATED_WRITES}
"""Of tables that do not have the usual ones."""


def main(bundle: str) -> None:
    """Writes all tables, and puts them into the archive."""
    conf = {"spark.jars": bundle, "spark.sql.session.timeZone": "UTC"}
    spark = hudi_session("newer-hudi", master="local[1]", conf=conf)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, options in _TABLES.items():
            for operation, rows in _OTHER_WRITES.get(name, WRITES):
                given = {**_OPTIONS, **options, "hoodie.table.name": name}
                given["hoodie.datasource.write.operation"] = operation
                frame = spark.createDataFrame(rows, "id int, n int, i int, s string").coalesce(1)
                frame.write.format("hudi").options(**given).mode("append").save(str(root / name))
        with ZipFile(ARCHIVE, "w", ZIP_DEFLATED) as archive:
            for file in sorted(root.rglob("*")):
                if file.is_file() and file.suffix != ".crc":
                    archive.write(file, file.relative_to(root))
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1])
