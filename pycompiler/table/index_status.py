"""How far an index is behind its table, and what it keeps."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import Manifest
from pycompiler.index.records import FileGroup, IndexedFile
from pycompiler.table.files import FileSlice, TableFile, table_slices
from pycompiler.table.listing import TableSnapshot
from pycompiler.table.timeline import Timeline


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """An index compared with its table.

    Attributes:
        generation: Generation in force.
        created_at: When it was published, UTC.
        writer: The program that published it.
        instant: Last completed instant that the index has seen.
        table_instant: Last completed instant of the table.
        files: Files as `explain` and Hive's log count them: a base file together with its logs is one.
        files_indexed: How many of these have rows in the index for their base file and for each log.
        bytes_not_indexed: Bytes of the others, which queries always read.
        logs: Log files of the table.
        logs_indexed: How many of these have rows in the index.
        files_gone: Base files and logs with rows in the index that the table no longer has.
        without_rows: Base files of the table of which the index knows no row: they are empty, or their
            footers contradict themselves.
        columns: Columns with rows.
        records: Rows of the index.
        bytes: Total size of the data files.
        bytes_of_kinds: Compressed bytes of each kind of records in them.
    """

    table: str
    generation: int
    created_at: str
    writer: str
    instant: str
    table_instant: str
    files: int
    files_indexed: int
    bytes_not_indexed: int
    logs: int
    logs_indexed: int
    files_gone: int
    without_rows: tuple[str, ...]
    columns: int
    records: int
    data_files: int
    bytes: int
    bytes_of_kinds: Mapping[str, int]

    @property
    def files_not_indexed(self) -> int:
        """Files of the table without rows; queries always read them."""
        return self.files - self.files_indexed

    @property
    def up_to_date(self) -> bool:
        """Whether every file of the table has statistics to be skipped by."""
        return self.files == self.files_indexed


def status_by_timeline(index: StatisticsIndex, table: Location) -> IndexStatus | None:
    """Compares an index with the commits that it has not seen; None if some may have been archived.

    Raises:
        IndexUnavailableError: The index is damaged; the message says why.
        TableUnreadableError: There is no Hudi table, or a commit cannot be read.
    """
    timeline = Timeline.of(table)
    manifest, indexed = index.manifest, index.files()
    found = table_slices(table, timeline, indexed.values(), manifest.instant, manifest.timeline)
    return _status(index, indexed, found.slices, timeline.last_instant) if found.complete else None


def status_by_listing(table_root: str, snapshot: TableSnapshot) -> IndexStatus:
    """Compares an index with a listing of its table, without reading footers.

    Raises:
        IndexUnavailableError: The index is missing or unusable; the message says why.
    """
    index = StatisticsIndex.open(table_root)
    indexed = index.files()
    bases: dict[FileGroup, TableFile] = {}
    logs: defaultdict[FileGroup, list[TableFile]] = defaultdict(list)
    for written in snapshot.files:
        known = indexed.get(written.relative_path)
        is_indexed = known is not None and known.size == written.size
        file = TableFile(written.relative_path, written.size, written.commit_time, is_indexed)
        group = written.partition, written.file_id
        if written.is_log:
            logs[group].append(file)
        else:
            bases[group] = file
    slices = [FileSlice(bases.get(group), tuple(logs[group])) for group in {*bases, *logs}]
    return _status(index, indexed, slices, snapshot.instant)


def _status(
    index: StatisticsIndex,
    indexed: Mapping[str, IndexedFile],
    slices: Collection[FileSlice],
    table_instant: str,
) -> IndexStatus:
    """Compares an index, the files that it has by path, and all file slices of the table."""
    manifest = index.manifest
    files = [file for each in slices for file in each.files]
    logs = [file for each in slices for file in each.logs]
    not_indexed = [each for each in slices if not each.indexed]
    return IndexStatus(
        table=manifest.table,
        generation=manifest.generation,
        created_at=manifest.created_at,
        writer=manifest.writer,
        instant=manifest.instant,
        table_instant=table_instant,
        files=len(slices),
        files_indexed=len(slices) - len(not_indexed),
        bytes_not_indexed=sum(each.size for each in not_indexed),
        logs=len(logs),
        logs_indexed=sum(log.indexed for log in logs),
        files_gone=len(set(indexed) - {file.path for file in files}),
        without_rows=tuple(
            each.base.path
            for each in slices
            if each.base is not None and each.base.indexed and not indexed[each.base.path].rows
        ),
        columns=len(index.columns()),
        records=sum(data_file.records for data_file in manifest.data_files),
        data_files=len(manifest.data_files),
        bytes=sum(data_file.size for data_file in manifest.data_files),
        bytes_of_kinds=_bytes_of_kinds(manifest),
    )


def _bytes_of_kinds(manifest: Manifest) -> Mapping[str, int]:
    bytes_of: Counter[str] = Counter()
    for data_file in manifest.data_files:
        for group in data_file.row_groups:
            bytes_of[group.kind] += group.length
    return dict(bytes_of)
