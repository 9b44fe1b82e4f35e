"""Reads files and writes their records as index data files, in this process."""

import signal
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from multiprocessing import get_context
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from pycompiler.collect.footer import FooterReader, OnUnreadable, ignore_unreadable
from pycompiler.collect.table_columns import TableColumns
from pycompiler.index.data_file import write_data_file
from pycompiler.index.file_systems.factory import open_storage
from pycompiler.index.layout import file_table, narrow
from pycompiler.index.manifest import DataFile
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import IndexedFile, WriteStatus, file_rows
from pycompiler.indexing.help import Written

RECORD_ORDER: Final = ("kind", "column", "partition", "file_name")
"""Sort order of a data file's records."""

_FILES_PER_DATA_FILE: Final = 50_000
"""Bounds the memory: a data file's records are sorted there, some 10 KB a file with 50 columns."""

_SECONDS_OF_ONE_PROCESS: Final = 20.0
"""By the estimate below. Other processes take a second to start, and their records some time to arrive."""
_PARTS_PER_PROCESS: Final = 16
_MOST_FILES_PER_PART: Final = 500

# Measured on one core: a footer of some dozens of columns, records of log files, and pages of base files.
_SECONDS_PER_FOOTER: Final = 0.001
_LOG_BYTES_PER_SECOND: Final = 3_000_000
_PAGE_BYTES_PER_SECOND: Final = 15_000_000


def expected_seconds(files: Iterable[WriteStatus], options: IndexOptions) -> float:
    """How long this process takes to read files."""
    seconds = 0.0
    for file in files:
        seconds += _SECONDS_PER_FOOTER
        if file.is_log:
            seconds += file.size / _LOG_BYTES_PER_SECOND
        elif not options.only_ranges:
            seconds += file.size / _PAGE_BYTES_PER_SECOND
    return seconds


def write_here(
    table_root: str,
    statuses: Sequence[WriteStatus],
    options: IndexOptions,
    table: TableColumns,
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
    waiting = iter(statuses)
    marks: Sequence[IndexedFile] = gone
    while (some := list(islice(waiting, _FILES_PER_DATA_FILE))) or marks:
        is_long = expected_seconds(some, options) > _SECONDS_OF_ONE_PROCESS
        read = partial(_read, options, table, count=count, unread=unread)
        if is_long and processes > 1:
            read = partial(_read_in_parts, processes, options, table, count=count, unread=unread)
        found = _write(table_root, read(some), marks)
        if found is not None:
            data_file, rows = found
            files = data_file.files - len(marks)
            written = written.with_more(Written((data_file,), data_file.records, files, rows))
        marks = ()
    return written


def write_whole_index(
    table_root: str,
    statuses: Iterable[WriteStatus],
    options: IndexOptions,
    table: TableColumns,
    count: Callable[[int], None],
    gone: Iterable[IndexedFile] = (),
) -> tuple[DataFile, int] | None:
    """Reads files and writes their records as one data file; see `write_here`.

    Returns:
        The manifest entry, and the number of rows in existing files; None if there is nothing to write.
    """
    return _write(table_root, _read(options, table, statuses, count, ignore_unreadable), gone)


def _write(table_root: str, read: pa.Table, gone: Iterable[IndexedFile]) -> tuple[DataFile, int] | None:
    records = pa.concat_tables([read, file_rows(file.gone() for file in gone)])
    files = file_table(records)
    ordered = records.sort_by([(name, "ascending") for name in RECORD_ORDER])
    data_file = write_data_file(open_storage(table_root), files, narrow([ordered], files))
    return None if data_file is None else (data_file, pc.sum(files["value_count"]).as_py())


def _read(
    options: IndexOptions,
    table: TableColumns,
    statuses: Iterable[WriteStatus],
    count: Callable[[int], None],
    unread: OnUnreadable,
) -> pa.Table:
    reader = FooterReader(options, table, unread)
    for status in statuses:
        add_if_there(reader, status)
        count(1)
    return reader.take()


def _read_in_parts(
    processes: int,
    options: IndexOptions,
    table: TableColumns,
    statuses: Sequence[WriteStatus],
    count: Callable[[int], None],
    unread: OnUnreadable,
) -> pa.Table:
    """Like `_read`, in processes that start afresh: a fork would inherit locks that threads hold."""
    size = min(max(1, len(statuses) // (_PARTS_PER_PROCESS * processes)), _MOST_FILES_PER_PART)
    parts = [statuses[start : start + size] for start in range(0, len(statuses), size)]
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_leave_interrupts)
    try:
        tables = []
        for part, (records, found) in zip(
            parts, pool.map(partial(_part, options, table), parts), strict=True
        ):
            tables.append(records)
            count(len(part))
            for path, reason in found:
                unread(path, reason)
        return pa.concat_tables(tables)
    finally:
        pool.shutdown(cancel_futures=True)


def _part(
    options: IndexOptions, table: TableColumns, statuses: Sequence[WriteStatus]
) -> tuple[pa.Table, list[tuple[str, str]]]:
    found: list[tuple[str, str]] = []
    records = _read(options, table, statuses, lambda _: None, lambda *unread: found.append(unread))
    return records, found


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that people see."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def add_if_there(reader: FooterReader, status: WriteStatus) -> None:
    """Reads a file unless it is gone: if it was cleaned since it was listed, no reader will list it."""
    with suppress(FileNotFoundError):
        reader.add(status)
