"""Index records and indexes for tests that need no Spark."""

from collections.abc import Collection, Iterable
from pathlib import Path

from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index.data_file import DataFileReader
from pycompiler.index.file_systems.interface import IndexStorage
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import DataFile, LiveTotals, Manifest
from pycompiler.index.publisher import Delta, IndexPublisher
from pycompiler.index.record_rows import widen
from pycompiler.index.records import HoodieMetadataRecord, from_table
from tests.records import write_records

BIGINT = HiveType("bigint")


def record(
    column: str, file_name: str, lower: int = 0, upper: int = 9, *, partition: str = "p", size: int = 100
) -> HoodieMetadataRecord:
    """A row for a bigint column without NULLs."""
    return HoodieMetadataRecord(
        column=column,
        type=BIGINT,
        partition=partition,
        file_name=file_name,
        file_id=file_name.partition("_")[0],
        commit_time="20260101000000000",
        file_size=size,
        lower=encode_value(BIGINT, lower),
        upper=encode_value(BIGINT, upper),
        null_count=0,
        value_count=10,
    )


def table_folder(folder: Path) -> Path:
    """Makes what a storage asks of a table: a `.hoodie` folder."""
    (folder / ".hoodie").mkdir(parents=True, exist_ok=True)
    return folder


def storage_of(folder: Path) -> LocalStorage:
    """The storage of a new table."""
    return LocalStorage(table_folder(folder))


def create(storage: IndexStorage, name: str, content: bytes = b"") -> None:
    """Creates a file of an index directory."""
    with storage.create(name) as sink:
        sink.write(content)


def delta(
    data_files: Iterable[DataFile],
    *,
    instant: str = "1",
    live: Iterable[str] = (),
    base: int | None = None,
) -> Delta:
    """A delta of a table whose files are `live`."""
    paths = frozenset(live)
    return Delta(tuple(data_files), "t", instant, LiveTotals(len(paths), 10 * len(paths), 100), paths, base)


def add(storage: IndexStorage, *records: HoodieMetadataRecord, instant: str = "1") -> Manifest:
    """Publishes records as one more data file."""
    return IndexPublisher(storage).add(delta(write_records(storage, records), instant=instant))


def records_in(reader: DataFileReader, columns: Collection[str] | None = None) -> list[HoodieMetadataRecord]:
    """The records of a data file, in order."""
    return [item for rows in reader.rows(columns=columns) for item in from_table(widen(rows, reader.files()))]


def bounds_in(folder: str | Path, column: str) -> dict[str, bytes | None]:
    """Lower bounds by file, as the index of a table has them now."""
    statistics = StatisticsIndex.open(folder).statistics([column])[column]
    return {path: found.statistics.lower for path, found in statistics.items()}
