"""Reads files and writes their records as index data files, in this process."""

import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Final, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from pycompiler.index.collect.footer import FooterReader, OnUnreadable, ignore_unreadable
from pycompiler.index.data_file import write_data_file
from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.manifest import DataFile
from pycompiler.index.record_rows import file_table, narrow
from pycompiler.index.records import RECORD_KEY, IndexedFile, WriteStatus, file_rows
from pycompiler.indexing.cluster import Cluster, FilesToRead, Written

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_FILES_PER_DATA_FILE: Final = 50_000
"""Bounds the memory: a data file's records are sorted there, some 10 KB a file with 50 columns."""

_SECONDS_OF_ONE_PROCESS: Final = 5.0
"""By the estimate below. Other processes take a second to start, and their records some time to arrive."""
_PARTS_PER_PROCESS: Final = 16
_MOST_FILES_PER_PART: Final = 500

# Measured on one core: a footer of some dozens of columns, records of log files, and pages of base files.
_SECONDS_PER_FOOTER: Final = 0.001
_LOG_BYTES_PER_SECOND: Final = 3_000_000
_PAGE_BYTES_PER_SECOND: Final = 15_000_000


def expected_seconds(to_read: FilesToRead) -> float:
    """How long this process takes to read files."""
    seconds = 0.0
    for file in to_read.files:
        seconds += _SECONDS_PER_FOOTER
        if file.is_log:
            seconds += file.size / _LOG_BYTES_PER_SECOND
        elif not to_read.options.only_ranges:
            seconds += file.size / _PAGE_BYTES_PER_SECOND
    return seconds


def cluster_for(to_read: FilesToRead, cluster: Cluster | None) -> Cluster | None:
    """The cluster, if there is one and reading takes this process long."""
    return cluster if cluster is not None and expected_seconds(to_read) > cluster.most_seconds else None


def processes_for(to_read: FilesToRead, most: int) -> int:
    """In how many processes to read files; one if others would not save time."""
    return most if expected_seconds(to_read) > _SECONDS_OF_ONE_PROCESS else 1


def write_here(
    to_read: FilesToRead,
    count: Callable[[int], None],
    gone: Sequence[IndexedFile] = (),
    unread: OnUnreadable = ignore_unreadable,
    processes: int = 1,
) -> Written:
    """Reads files and writes their records, a bounded number of files at a time.

    Files that have left the table, `gone`, are marked. `count` is called with the number of files done, and
    `unread` for files without statistics. If that saves time, several processes read.
    """
    written = Written()
    marks = gone
    for some in to_read.parts(_FILES_PER_DATA_FILE) or [to_read]:
        several = processes_for(some, processes)
        read = partial(_read_in_parts, several) if several > 1 else _read
        found = _write(some.root, read(some, count, unread), marks)
        if found is not None:
            data_file, rows = found
            files = data_file.files - len(marks)
            written = written.with_more(Written((data_file,), data_file.records, files, rows))
        marks = ()
    return written


def _write(root: str, read: pa.Table, gone: Iterable[IndexedFile]) -> tuple[DataFile, int] | None:
    """The manifest entry, and the number of rows in existing files; None if there is nothing to write."""
    records = pa.concat_tables([read, file_rows(file.gone() for file in gone)])
    files = file_table(records)
    ordered = records.sort_by([(name, "ascending") for name in RECORD_KEY])
    data_file = write_data_file(open_storage(root), files, narrow([ordered], files))
    return None if data_file is None else (data_file, pc.sum(files["value_count"]).as_py())


def _read(to_read: FilesToRead, count: Callable[[int], None], unread: OnUnreadable) -> pa.Table:
    reader = FooterReader(to_read.options, to_read.columns, unread)
    for status in to_read.files:
        add_if_there(reader, status)
        count(1)
    return reader.take()


def _read_in_parts(
    processes: int, to_read: FilesToRead, count: Callable[[int], None], unread: OnUnreadable
) -> pa.Table:
    """Like `_read`, in several processes."""
    number = len(to_read.files)
    parts = to_read.parts(min(max(1, number // (_PARTS_PER_PROCESS * processes)), _MOST_FILES_PER_PART))
    tables = []
    for part, (records, found) in zip(parts, in_processes(_part, parts, processes), strict=True):
        tables.append(records)
        count(len(part.files))
        for path, reason in found:
            unread(path, reason)
    return pa.concat_tables(tables)


def _part(to_read: FilesToRead) -> tuple[pa.Table, list[tuple[str, str]]]:
    found: list[tuple[str, str]] = []
    records = _read(to_read, lambda _: None, lambda *unread: found.append(unread))
    return records, found


def add_if_there(reader: FooterReader, status: WriteStatus) -> bool:
    """Reads a file unless it is gone: if it was cleaned since it was listed, no reader will list it.

    Returns:
        Whether it is there.
    """
    try:
        reader.add(status)
    except FileNotFoundError:
        return False
    return True


def in_processes(
    work: Callable[[_Item], _Result], parts: Sequence[_Item], processes: int
) -> Iterator[_Result]:
    """Does the work for each part, in order, in as many processes, or in this one.

    Others start afresh: a fork would inherit locks that threads hold. So the main module must be one that can
    be imported.
    """
    if processes == 1 or len(parts) == 1:
        yield from map(work, parts)
        return
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_leave_interrupts)
    try:
        yield from pool.map(work, parts)
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that people see."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
