"""Which of Hudi's two readers merges logs rightly.

The file group reader does, with one exception: of a record from a Parquet block it keeps a string that it
orders by in memory which the next record overwrites (Hudi 1.0.2, `BufferedRecord.toBinary`), so that updates
that lost may win. Hudi's older reader does not, but knows nothing of partial updates, and merges the records
of some payload classes in another order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pyspark.sql.types import AtomicType, StringType, StructType

from pycompiler.index.storage.factory import open_source
from pycompiler.index.storage.location import Location
from pycompiler.log_files.blocks import Block, BlockKind, HeaderKey, read_blocks
from pycompiler.log_files.errors import LogUnreadableError
from pycompiler.spark.errors import IncrementalReadError

_REMEDY: Final = "compact the table, and end the range at the compaction or later"


def may_order_by_text(schema: StructType, ordering: str) -> bool:
    """Whether records may be ordered by a string.

    Args:
        schema: Of the table.
        ordering: Its ordering field; empty if there is none.
    """
    kind = next((field.dataType for field in schema.fields if field.name.lower() == ordering.lower()), None)
    return bool(ordering) and (not isinstance(kind, AtomicType) or isinstance(kind, StringType))


def file_group_reader_is_right(table: Location, logs: Iterable[str], mixing: str) -> bool:
    """Which reader is right for a table that may order records by a string.

    Args:
        table: Root of the table.
        logs: Paths of the log files that are read, relative to it.
        mixing: The property by which one row may be made of several records; empty if every row is one.

    Returns:
        Whether it is the file group reader, else the older one.

    Raises:
        IncrementalReadError: Neither is.
        OSError: The file system failed.
    """
    blocks = [block for log in logs for block in _blocks(table.child(log))]
    if not any(block.kind is BlockKind.PARQUET_DATA for block in blocks):
        return True
    reason = ""
    if any(block.headers.get(HeaderKey.IS_PARTIAL, "").lower() == "true" for block in blocks):
        reason = "partial updates"
    elif mixing:
        reason = f"{mixing}"
    if reason:
        raise IncrementalReadError(
            f"Spark with Hudi cannot merge the Parquet log blocks of {table} by an ordering field that is a"
            f" string, with {reason}: {_REMEDY}"
        )
    return False


def _blocks(log: Location) -> list[Block]:
    try:
        with open_source(str(log)) as source:
            return list(read_blocks(source, source.size()))
    except LogUnreadableError as error:
        raise IncrementalReadError(f"{log} cannot be read ({error}): {_REMEDY}") from error
