"""Reads files and writes their records as index data files, in this process."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice
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
) -> Written:
    """Reads files and writes their records, a bounded number of files at a time.

    Files that have left the table, `gone`, are marked. `count` is called with the number of files done, and
    `unread` for files without statistics.
    """
    written = Written()
    waiting = iter(statuses)
    marks: Sequence[IndexedFile] = gone
    while (some := list(islice(waiting, _FILES_PER_DATA_FILE))) or marks:
        found = write_whole_index(table_root, some, options, table, count, marks, unread)
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
    unread: OnUnreadable = ignore_unreadable,
) -> tuple[DataFile, int] | None:
    """Reads the footers of files and writes their records as one data file; see `write_here`.

    Returns:
        The manifest entry, and the number of rows in existing files; None if there is nothing to write.
    """
    reader = FooterReader(options, table, unread)
    for status in statuses:
        add_if_there(reader, status)
        count(1)
    records = pa.concat_tables([reader.take(), file_rows(file.gone() for file in gone)])
    files = file_table(records)
    ordered = records.sort_by([(name, "ascending") for name in RECORD_ORDER])
    data_file = write_data_file(open_storage(table_root), files, narrow([ordered], files))
    return None if data_file is None else (data_file, pc.sum(files["value_count"]).as_py())


def add_if_there(reader: FooterReader, status: WriteStatus) -> None:
    """Reads a file unless it is gone: if it was cleaned since it was listed, no reader will list it."""
    with suppress(FileNotFoundError):
        reader.add(status)
