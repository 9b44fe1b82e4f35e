"""Chooses which of Hudi's two readers merges logs correctly.

The file group reader does, with one exception: for a record from a Parquet block, it keeps a reference to an
ordering string in memory that the next record overwrites (Hudi 1.0.2, `BufferedRecord.toBinary`), so that
losing updates may win. Hudi's older reader does not, but it does not support partial updates, and merges the
records of some payload classes in another order.
"""

from collections.abc import Iterable
from typing import Final

from pyspark.sql.types import AtomicType, StringType, StructType

from pycompiler.index.file_systems.factory import open_source
from pycompiler.index.file_systems.location import Location
from pycompiler.index.log_files.blocks import Block, BlockKind, HeaderKey, read_blocks
from pycompiler.index.log_files.errors import LogUnreadableError
from pycompiler.spark.errors import IncrementalReadError

_REMEDY: Final = "compact the table, and end the range at the compaction or later"


def may_order_by_text(schema: StructType, ordering: Iterable[str]) -> bool:
    """Whether records may be ordered by a string."""
    kinds = {field.name.lower(): field.dataType for field in schema.fields}
    of_fields = [kinds.get(name.lower()) for name in ordering]
    return any(not isinstance(kind, AtomicType) or isinstance(kind, StringType) for kind in of_fields)


def file_group_reader_is_right(table: Location, logs: Iterable[str], mixing: str) -> bool:
    """Whether to read log files of a table that may order records by a string with the file group reader.

    Otherwise the older one is right. `mixing` is that of `TableProperties`.
    """
    blocks = [block for log in logs for block in _blocks(table.child(log))]
    if not any(block.kind is BlockKind.PARQUET_DATA for block in blocks):
        return True
    is_partial = any(block.headers.get(HeaderKey.IS_PARTIAL, "").lower() == "true" for block in blocks)
    if reason := "partial updates" if is_partial else mixing:
        raise IncrementalReadError(
            f"Spark with Hudi cannot merge the Parquet log blocks of {table}, because it has a string"
            f" ordering field and {reason}: {_REMEDY}"
        )
    return False


def _blocks(log: Location) -> list[Block]:
    try:
        with open_source(str(log)) as source:
            return list(read_blocks(source, source.size()))
    except LogUnreadableError as error:
        raise IncrementalReadError(f"{log} cannot be read ({error}): {_REMEDY}") from error
