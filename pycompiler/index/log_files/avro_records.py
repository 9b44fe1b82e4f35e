"""Records of Avro data blocks, as Arrow tables.

A block's content is a version (4 bytes), the number of records (4), and each record after its length (4).
"""

import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import pyarrow as pa

from pycompiler.index.log_files.blocks import Block, BlockContent, BlockKind, HeaderKey, SectionReader, Source
from pycompiler.index.log_files.columns import without_logical_types
from pycompiler.index.log_files.errors import LogUnreadableError

_VERSIONS: Final = range(1, 4)
_RECORDS_AT_ONCE: Final = 10_000
_BYTES_AT_ONCE: Final = 16 << 20
_BUFFER_BYTES: Final = 1 << 20


def read_avro(source: Source, block: Block, schema: str, columns: pa.StructType) -> Iterator[pa.Table]:
    """Reads the records of a block in batches.

    Raises:
        LogUnreadableError: The records do not match the schema, or the Avro library is missing.
    """
    decode = _decoder(schema)
    records: list[Any] = []
    size = 0
    for record in _packed(source, block):
        records.append(decode(record))
        size += len(record)
        if len(records) >= _RECORDS_AT_ONCE or size >= _BYTES_AT_ONCE:
            yield _table(records, columns)
            records, size = [], 0
    if records:
        yield _table(records, columns)


def decoded_records(source: Source, block: Block) -> Iterator[Any]:
    """The records of a block, without logical types."""
    schema = block.headers.get(HeaderKey.SCHEMA)
    if block.kind is not BlockKind.AVRO_DATA or schema is None:
        raise LogUnreadableError("a block has no Avro records")
    yield from map(_decoder(schema), _packed(source, block))


def _packed(source: Source, block: Block) -> Iterator[bytes]:
    content = io.BufferedReader(BlockContent(source, block), _BUFFER_BYTES)
    reader = SectionReader(content, 0, block.length)
    version, left = reader.int4(), reader.int4()
    if version not in _VERSIONS:
        raise LogUnreadableError(f"an Avro block has the unknown version {version}")
    if left < 0:
        raise LogUnreadableError("an Avro block has a negative number of records")
    for _ in range(left):
        yield reader.take(reader.int4())
    if not reader.is_at_end():
        raise LogUnreadableError("an Avro block has extra bytes after its records")


def _decoder(schema: str) -> Callable[[bytes], Any]:
    try:
        # Imported late: executors may have only the libraries for base files.
        import fastavro
    except ImportError as error:
        raise LogUnreadableError(f"fastavro is not installed where the file was read ({error})") from error
    try:
        plain = fastavro.parse_schema(without_logical_types(schema))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LogUnreadableError(
            f"cannot parse the Avro schema of a block ({type(error).__name__})"
        ) from error

    def decode(record: bytes) -> Any:
        content = io.BytesIO(record)
        try:
            decoded = fastavro.schemaless_reader(content, plain, None)
        except Exception as error:  # fastavro has no error class of its own for malformed records.
            raise LogUnreadableError(
                f"a record does not match its schema ({type(error).__name__})"
            ) from error
        if content.tell() != len(record):
            raise LogUnreadableError("a record has extra bytes after its last field")
        return decoded

    return decode


def _table(records: Sequence[Any], columns: pa.StructType) -> pa.Table:
    try:
        arrays = [_array([record[field.name] for record in records], field.type) for field in columns]
    except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
        raise LogUnreadableError(f"a value does not match its schema ({type(error).__name__})") from error
    return pa.Table.from_arrays(arrays, schema=pa.schema(list(columns)))


def _array(values: Sequence[Any], of_type: pa.DataType) -> pa.Array:
    """Converts values as Avro stores them, without logical types, to the type that they stand for."""
    if pa.types.is_struct(of_type):
        children = [
            _array([None if value is None else value[field.name] for value in values], field.type)
            for field in of_type
        ]
        missing = pa.array([value is None for value in values], pa.bool_())
        return pa.StructArray.from_arrays(children, fields=list(of_type), mask=missing)
    if pa.types.is_list(of_type):
        return pa.nulls(len(values), of_type)
    if pa.types.is_timestamp(of_type):
        return pa.array(values, pa.int64()).view(of_type)
    if pa.types.is_decimal(of_type):
        return _decimals(values, of_type)
    return pa.array(values, of_type)


def _decimals(values: Sequence[bytes | None], of_type: pa.Decimal128Type) -> pa.Array:
    greatest = 10**of_type.precision
    unscaled = [0 if value is None else int.from_bytes(value, "big", signed=True) for value in values]
    if any(abs(value) >= greatest for value in unscaled):
        raise LogUnreadableError(f"a value does not fit into {of_type}")
    data = b"".join(value.to_bytes(16, "little", signed=True) for value in unscaled)
    present = pa.array([value is not None for value in values], pa.bool_())
    return pa.Array.from_buffers(of_type, len(values), [present.buffers()[1], pa.py_buffer(data)])
