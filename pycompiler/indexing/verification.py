"""Whether an index is true: each of its rows is compared with the file that it is about."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pycompiler.collect.footer import FooterReader, values_of
from pycompiler.collect.table_columns import TableColumns
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.kinds import denied_by
from pycompiler.index.layout import paths
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import (
    FILES,
    RANGE,
    HoodieMetadataRecord,
    WriteStatus,
    from_table,
)
from pycompiler.indexing.collecting import expected_seconds, processes_for
from pycompiler.indexing.help import Cluster, FilesToRead
from pycompiler.indexing.processes import in_processes
from pycompiler.indexing.progress import FileCounter, Progress, no_progress
from pycompiler.indexing.table import IndexedTable, columns_of_files, listed
from pycompiler.log_files.errors import StatisticsUntrustedError
from pycompiler.values.types import FROM_MICROS, FROM_MILLIS, RECORDED_MILLIS, TIMESTAMP

MAX_FINDINGS: Final = 1000
"""Beyond this, findings are counted but not listed."""

_EVERY_KIND: Final = IndexOptions({"*": "bloom,values"})
"""The kinds to compare; contents of kinds that are not installed are ignored."""

_MOMENTS: Final = (TIMESTAMP, FROM_MICROS, FROM_MILLIS)
"""Types of records of timestamps that the table does not count in milliseconds."""

_FILES_PER_PART: Final = 512
_PARTS: Final = 32
"""Their rows of the index are in memory together."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A row of the index that is not true of its file."""

    column: str
    path: str
    problem: str


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of `verify`.

    Attributes:
        records: Rows that were compared with their files.
        wrong: How many of them could make a reader skip a file wrongly.
        findings: These rows by column and path, at most `MAX_FINDINGS`.
        files_gone: Files with rows that the table no longer has: harmless.
        files_resized: Files with rows for another size: readers ignore these rows.
        files_missing: Files of the table without rows: never skipped.
    """

    generation: int
    records: int
    wrong: int
    findings: tuple[Finding, ...]
    files_gone: int
    files_resized: int
    files_missing: int

    @property
    def sound(self) -> bool:
        """Whether every row is true."""
        return self.wrong == 0


def verify(
    path: str | PathLike[str],
    cluster: Cluster | None = None,
    progress: Progress = no_progress,
    processes: int = 1,
) -> Verification:
    """Reads all indexed files again, and compares every row of the index.

    A range is true if its bounds enclose the footer's and its counts equal the footer's; for a partition
    column that belongs only in the path, the path replaces the footer. A Bloom filter or value set is true if
    it denies no value in the file's pages.

    Args:
        path: Root of the table.
        cluster: Spark, for what takes long; None where there is none.
        progress: Called with the number of files done and in total.
        processes: How many processes may read files, as for `Indexer`.

    Raises:
        IndexUnavailableError: The index is missing or damaged; the message says why.
        NotAHudiTableError: There is no Hudi table at the path.
        UnsupportedTableError: The table is bootstrapped, or not Parquet.
        UnknownFilesError: The table's files do not show which of them are current, and there is no Spark.
    """
    table = IndexedTable(fspath(path))
    index = StatisticsIndex.open(table.root)
    indexed = index.files()
    index.check()
    files = {file.relative_path: file for file in listed(table.root, cluster).files}
    present = [file for name, file in sorted(files.items()) if name in indexed]
    # Records of a log file stay true however the table's schema changes.
    columns = replace(columns_of_files(table, cluster), may_differ=True)
    kinds = {group.kind for data_file in index.manifest.data_files for group in data_file.row_groups}
    options = IndexOptions() if kinds <= {FILES, RANGE} else _EVERY_KIND
    to_read = FilesToRead(table.root, columns, options, present)
    is_long = cluster is not None and expected_seconds(to_read) > cluster.most_seconds
    processes = processes_for(to_read, processes)
    counter = FileCounter(len(present), progress)
    compared, findings = 0, list[Finding]()
    for some in to_read.parts(_FILES_PER_PART * _PARTS):
        parts = list(_parts(index, some))
        found = cluster.map(_compare, parts, options) if cluster is not None and is_long else None
        for number, wrong in in_processes(_compare, parts, processes) if found is None else found:
            compared += number
            findings += wrong
        counter.add(len(some.files))
    findings.sort(key=lambda finding: (finding.column, finding.path))
    return Verification(
        generation=index.manifest.generation,
        records=compared,
        wrong=len(findings),
        findings=tuple(findings[:MAX_FINDINGS]),
        files_gone=len(indexed.keys() - files.keys()),
        files_resized=sum(indexed[file.relative_path].size != file.size for file in present),
        files_missing=len(files.keys() - indexed.keys()),
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """Files, and the index's rows about them, in `RECORD_SCHEMA`."""

    files: FilesToRead
    rows: pa.Table


def _parts(index: StatisticsIndex, files: FilesToRead) -> Iterator[_Part]:
    rows = index.rows_of([file.relative_path for file in files.files])
    known = paths(rows)
    for part in files.parts(_FILES_PER_PART):
        names = pa.array([file.relative_path for file in part.files], pa.string())
        yield _Part(part, rows.filter(pc.is_in(known, value_set=names)))


def _compare(part: _Part) -> tuple[int, list[Finding]]:
    """Returns the number of rows that a reader would use, and what is wrong with which."""
    columns = part.files.columns
    files = {file.relative_path: file for file in part.files.files}
    in_millis = {name for name, unit in columns.units.items() if unit == "ms"}
    used = [
        record
        for record in from_table(part.rows)
        # Readers use no row for another size of the file, nor of timestamps in another unit than the table's.
        if record.file_size == files[record.path].size
        and (
            record.type not in (RECORDED_MILLIS, *_MOMENTS)
            or (record.type == RECORDED_MILLIS) == (record.column in in_millis)
        )
    ]
    reader, gone = FooterReader(IndexOptions(), columns), set[str]()
    for path, file in files.items():
        try:
            reader.add(file)
        except FileNotFoundError:
            gone.add(path)
    truth = reader.take()
    ranges = {
        (record.path, record.column): record
        for record in from_table(truth.filter(pc.equal(truth["kind"], RANGE)))
    }
    findings = []
    number = 0
    for path, of_file in itertools.groupby(sorted(used, key=_path), _path):
        if path in gone:
            continue
        records = list(of_file)
        number += len(records)
        problems = [
            (record, _problem(record, ranges.get((path, record.column))))
            for record in records
            if record.kind == RANGE
        ]
        problems += _problems_of_contents(
            files[path], [record for record in records if record.kind != RANGE], columns
        )
        findings += [Finding(record.column, path, problem) for record, problem in problems if problem]
    return number, findings


def _path(record: HoodieMetadataRecord) -> str:
    return record.path


def _problem(stored: HoodieMetadataRecord, truth: HoodieMetadataRecord | None) -> str:
    """What is untrue in a stored range, compared with the footer's; empty if nothing is."""
    if truth is None:
        return "the file has no statistics for the column"
    # Older releases did not record in what a file counts.
    is_older = stored.type == TIMESTAMP and truth.type in _MOMENTS
    # A missing part of the stored row claims nothing; one missing in the footer proves nothing.
    checks = {
        "type differs": stored.type != truth.type and not is_older,
        "value count differs": stored.value_count != truth.value_count,
        "lower bound above a value": stored.lower is not None
        and (truth.lower is None or stored.lower > truth.lower),
        "upper bound below a value": stored.upper is not None
        and (truth.upper is None or stored.upper < truth.upper),
        "null count differs": stored.null_count not in (None, truth.null_count),
        "NaN count differs": stored.nan_count not in (None, truth.nan_count),
    }
    return ", ".join(text for text, is_untrue in checks.items() if is_untrue)


def _problems_of_contents(
    file: WriteStatus, records: Sequence[HoodieMetadataRecord], columns: TableColumns
) -> Iterator[tuple[HoodieMetadataRecord, str]]:
    """Compares Bloom filters and the like with the values in the file's pages."""
    try:
        values = values_of(file, {record.column for record in records}, columns) if records else {}
    except StatisticsUntrustedError:
        values = {}
    for record in records:
        if record.column not in values:
            yield record, "the values of the column cannot be trusted"
        elif denied_by(record.kind, record.content or b"", values[record.column]):
            yield record, "the record rules out a value that the file has"
