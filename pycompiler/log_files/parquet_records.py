"""Records of Parquet data blocks, whose content is a Parquet file, as Arrow tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.index.storage.random_access import RandomAccess
from pycompiler.log_files.blocks import Block, SectionReader, Source
from pycompiler.log_files.errors import LogUnreadableError

_RECORDS_AT_ONCE: Final = 10_000


def read_parquet(source: Source, block: Block, columns: pa.StructType) -> Iterator[pa.Table]:
    """Reads the records of a block, some at a time.

    Args:
        source: The file.
        block: Where the block is.
        columns: What is wanted of them.

    Raises:
        LogUnreadableError: They are not what the block's schema says.
        OSError: The file system failed.
    """
    wanted = [field.name for field in columns if not pa.types.is_list(field.type)]
    schema = pa.schema(list(columns))
    try:
        with pq.ParquetFile(_Content(source, block)) as file:
            for batch in file.iter_batches(_RECORDS_AT_ONCE, columns=wanted, use_threads=False):
                arrays = [
                    pa.nulls(batch.num_rows, field.type)
                    if pa.types.is_list(field.type)
                    else _conform(batch[field.name], field.type)
                    for field in columns
                ]
                yield pa.Table.from_arrays(arrays, schema=schema)
    except (pa.ArrowException, KeyError) as error:
        raise LogUnreadableError(f"a Parquet block can't be read ({type(error).__name__})") from error


class _Content(RandomAccess):
    def __init__(self, source: Source, block: Block) -> None:
        super().__init__(block.length)
        self._source = source
        self._block = block

    def _range(self, offset: int, length: int) -> bytes:
        start = self._block.offset + offset
        return SectionReader(self._source, start, self._block.offset + self._block.length).take(length)


def _conform(array: pa.Array, of_type: pa.DataType) -> pa.Array:
    """The same values in a type that differs at most in what has no meaning here."""
    if pa.types.is_list(of_type):
        return pa.nulls(len(array), of_type)
    if pa.types.is_struct(of_type) and pa.types.is_struct(array.type):
        children = [_conform(array.field(field.name), field.type) for field in of_type]
        return pa.StructArray.from_arrays(children, fields=list(of_type), mask=array.is_null())
    found = array.type
    if pa.types.is_timestamp(found) and pa.types.is_timestamp(of_type) and found.unit == of_type.unit:
        return array.view(of_type)
    if found != of_type:
        raise LogUnreadableError(f"a Parquet block stores {found} where its schema has {of_type}")
    return array
