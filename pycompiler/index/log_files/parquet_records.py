"""Records of Parquet data blocks, whose content is a Parquet file, as Arrow tables."""

from collections.abc import Iterator
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.index.log_files.blocks import Block, BlockContent, Source
from pycompiler.index.log_files.contradictions import require_agreement
from pycompiler.index.log_files.errors import LogUnreadableError

_RECORDS_AT_ONCE: Final = 10_000


def read_parquet(source: Source, block: Block, columns: pa.StructType) -> Iterator[pa.Table]:
    """Reads the records of a block in batches.

    Raises:
        LogUnreadableError: The records do not match the block's schema.
        StatisticsUntrustedError: The block's footer contradicts itself.
    """
    wanted = [field.name for field in columns if not pa.types.is_list(field.type)]
    schema = pa.schema(list(columns))
    try:
        with pq.ParquetFile(BlockContent(source, block)) as file:
            require_agreement(file.metadata, block.length)
            for batch in file.iter_batches(_RECORDS_AT_ONCE, columns=wanted, use_threads=False):
                arrays = [
                    pa.nulls(batch.num_rows, field.type)
                    if pa.types.is_list(field.type)
                    else _conform(batch[field.name], field.type)
                    for field in columns
                ]
                yield pa.Table.from_arrays(arrays, schema=schema)
    except (pa.ArrowException, KeyError) as error:
        raise LogUnreadableError(f"a Parquet block cannot be read ({type(error).__name__})") from error


def _conform(array: pa.Array, of_type: pa.DataType) -> pa.Array:
    """The same values as `of_type`, which may differ only in ways that do not matter here."""
    if pa.types.is_list(of_type):
        return pa.nulls(len(array), of_type)
    if pa.types.is_struct(of_type) and pa.types.is_struct(array.type):
        children = [_conform(array.field(field.name), field.type) for field in of_type]
        return pa.StructArray.from_arrays(children, fields=list(of_type), mask=array.is_null())
    found = array.type
    if pa.types.is_timestamp(found) and pa.types.is_timestamp(of_type) and found.unit == of_type.unit:
        return array.view(of_type)
    if found != of_type:
        raise LogUnreadableError(f"a Parquet block stores {found} but its schema says {of_type}")
    return array
