"""Index records: read from a file or an index, and written as a data file."""

from collections.abc import Collection, Iterable

import pyarrow as pa
import pyarrow.compute as pc

from pycompiler.index.collect.footer import FooterReader
from pycompiler.index.data_file import write_data_file
from pycompiler.index.file_systems.interface import IndexStorage
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import DataFile
from pycompiler.index.options import IndexOptions
from pycompiler.index.record_rows import file_table, narrow
from pycompiler.index.records import FILES, HoodieMetadataRecord, WriteStatus, from_table, to_table


def records_of(table: pa.Table) -> list[HoodieMetadataRecord]:
    """The records of what a `FooterReader` has read, without the rows of files."""
    return list(from_table(table.filter(pc.not_equal(table["kind"], FILES))))


def records_in_force(
    index: StatisticsIndex, columns: Collection[str] | None = None, kinds: Collection[str] | None = None
) -> list[HoodieMetadataRecord]:
    """The records in force of some columns (None: all) and kinds (None: all), in no order."""
    records = from_table(index.rows_of(index.files()))
    return [
        record
        for record in records
        if (columns is None or record.column in columns) and (kinds is None or record.kind in kinds)
    ]


def read_records(status: WriteStatus, options: IndexOptions | None = None) -> list[HoodieMetadataRecord]:
    """Opens one base file and returns its records."""
    reader = FooterReader(options or IndexOptions())
    reader.add(status)
    return records_of(reader.take())


def write_records(storage: IndexStorage, records: Iterable[HoodieMetadataRecord]) -> tuple[DataFile, ...]:
    """Writes records, in any order, into data files for a `Delta`."""
    ordered = sorted(records, key=lambda item: (item.kind, item.column, item.partition, item.file_name))
    table = to_table(ordered)
    files = file_table(table)
    data_file = write_data_file(storage, files, narrow([table], files))
    return () if data_file is None else (data_file,)
