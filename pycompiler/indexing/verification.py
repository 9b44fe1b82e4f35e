"""Whether an index is true: each of its rows is compared with the file that it is about."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pycompiler.compile.values.types import FROM_MICROS, FROM_MILLIS, RECORDED_MILLIS, TIMESTAMP
from pycompiler.index.collect.footer import FooterReader, values_of
from pycompiler.index.collect.table_columns import TableColumns
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.kinds import denied_by
from pycompiler.index.log_files.errors import StatisticsUntrustedError
from pycompiler.index.options import IndexOptions
from pycompiler.index.record_rows import paths
from pycompiler.index.records import (
    FILES,
    RANGE,
    HoodieMetadataRecord,
    WriteStatus,
    from_table,
)
from pycompiler.indexing.cluster import Cluster, FilesToRead
from pycompiler.indexing.collecting import add_if_there, cluster_for, in_processes, processes_for
from pycompiler.indexing.progress import FileCounter, Progress, no_progress
from pycompiler.indexing.table import IndexedTable, columns_of_files, listed

MAX_FINDINGS: Final = 1000
"""Beyond this, findings are counted but not listed."""

_EVERY_KIND: Final = IndexOptions({"*": "bloom,values"})
"""The kinds to compare; contents of kinds that are not installed are ignored."""

_MOMENTS: Final = (TIMESTAMP, FROM_MICROS, FROM_MILLIS)
"""Types of records of timestamps that the table does not count in milliseconds."""

_PARTS: Final = 64
"""So many at a time: their rows of the index, for the most files and bytes below, are in memory."""
_FILES: Final = 16_384
_BYTES: Final = 64 << 20


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
        IndexUnavailableError: The index is missing or damaged; the message says why. Also the errors of
            `listed`.
    """
    table = IndexedTable(fspath(path))
    index = StatisticsIndex.open(table.root)
    indexed = index.files()
    index.check()
    files = {file.relative_path: file for file in listed(table.root, cluster).files}
    present = [file for name, file in sorted(files.items()) if name in indexed]
    compared, wrong, findings = 0, 0, list[Finding]()
    counter = FileCounter(len(present), progress)
    for part, number, found in _compared(table, index, present, cluster, processes) if present else ():
        compared += number
        wrong += len(found)
        findings = sorted([*findings, *found], key=lambda it: (it.column, it.path))[:MAX_FINDINGS]
        counter.add(part)
    return Verification(
        generation=index.manifest.generation,
        records=compared,
        wrong=wrong,
        findings=tuple(findings),
        files_gone=len(indexed.keys() - files.keys()),
        files_resized=sum(indexed[file.relative_path].size != file.size for file in present),
        files_missing=len(files.keys() - indexed.keys()),
    )


def _compared(
    table: IndexedTable,
    index: StatisticsIndex,
    present: Sequence[WriteStatus],
    cluster: Cluster | None,
    processes: int,
) -> Iterator[tuple[int, int, list[Finding]]]:
    """For each part the number of its files, of the rows that were compared, and which of them are wrong."""
    # Records of a log file stay true however the table's schema changes.
    columns = replace(columns_of_files(table, cluster), may_differ=True)
    data_files = index.manifest.data_files
    kinds = {group.kind for data_file in data_files for group in data_file.row_groups}
    options = IndexOptions() if kinds <= {FILES, RANGE} else _EVERY_KIND
    to_read = FilesToRead(table.root, columns, options, present)
    several = processes_for(to_read, processes)
    helper = cluster_for(to_read, cluster)
    of_file = sum(data_file.size for data_file in data_files) / len(present)
    for some in to_read.parts(max(1, min(_FILES, int(_BYTES / max(of_file, 1))))):
        parts = list(_parts(index, some))
        found = None if helper is None else helper.map(_compare, parts, some)
        results = in_processes(_compare, parts, several) if found is None else found
        for part, (number, wrong) in zip(parts, results, strict=True):
            yield len(part.files.files), number, wrong


@dataclass(frozen=True, slots=True)
class _Part:
    """Files, and the index's rows about them, in `RECORD_SCHEMA`."""

    files: FilesToRead
    rows: pa.Table


def _parts(index: StatisticsIndex, files: FilesToRead) -> Iterator[_Part]:
    names = [file.relative_path for file in files.files]
    rows = index.rows_of(names)
    size = math.ceil(len(names) / _PARTS)
    part_of_row = pc.divide(pc.index_in(paths(rows), value_set=pa.array(names, pa.string())), size)
    for number, part in enumerate(files.parts(size)):
        yield _Part(part, rows.filter(pc.equal(part_of_row, number)))


def _compare(part: _Part) -> tuple[int, list[Finding]]:
    """Returns the number of rows that a reader would use, and what is wrong with which.

    Leaves out files that were cleaned since they were listed.
    """
    columns = part.files.columns
    used = _used(part)
    reader = FooterReader(IndexOptions(), columns)
    there = [file for file in part.files.files if add_if_there(reader, file)]
    footers = reader.take()
    truth = {
        (record.path, record.column): record
        for record in from_table(footers.filter(pc.equal(footers["kind"], RANGE)))
    }
    number, findings = 0, list[Finding]()
    for file in there:
        path = file.relative_path
        contents = [record for record in used[path] if record.kind != RANGE]
        try:
            problems = list(_problems_of_contents(file, contents, columns))
        except FileNotFoundError:
            continue
        number += len(used[path])
        for record in used[path]:
            if record.kind == RANGE and (problem := _problem(record, truth.get((path, record.column)))):
                problems.append((record, problem))
        findings += [Finding(record.column, path, problem) for record, problem in problems]
    return number, findings


def _used(part: _Part) -> Mapping[str, Sequence[HoodieMetadataRecord]]:
    """The rows that a reader would use, by path: none for another size, or for timestamps in another unit."""
    sizes = {file.relative_path: file.size for file in part.files.files}
    in_millis = {name for name, unit in part.files.columns.units.items() if unit == "ms"}
    used: defaultdict[str, list[HoodieMetadataRecord]] = defaultdict(list)
    for record in from_table(part.rows):
        is_moment = record.type in (RECORDED_MILLIS, *_MOMENTS)
        is_other_unit = is_moment and (record.type == RECORDED_MILLIS) != (record.column in in_millis)
        if record.file_size == sizes[record.path] and not is_other_unit:
            used[record.path].append(record)
    return used


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
