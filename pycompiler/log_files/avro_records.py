"""Records of Avro data blocks, as Arrow tables.

A block's content is a version (4 bytes), the number of records (4), and each record after its length (4).
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import pyarrow as pa

from pycompiler.log_files.blocks import Block, SectionReader, Source
from pycompiler.log_files.columns import without_logical_types
from pycompiler.log_files.errors import LogUnreadableError

_VERSIONS: Final = range(1, 4)
_RECORDS_AT_ONCE: Final = 10_000
_BYTES_AT_ONCE: Final = 16 << 20
_PIECE: Final = 1 << 20


def read_avro(source: Source, block: Block, schema: str, columns: pa.StructType) -> Iterator[pa.Table]:
    """Reads the records of a block, some at a time.

    Args:
        source: The file.
        block: Where the block is.
        schema: Avro schema of its records.
        columns: What is wanted of them.

    Raises:
        LogUnreadableError: They are not what the schema says, or there is no library that reads them.
        OSError: The file system failed.
    """
    decode = _decoder(schema)
    content = _Pieces(SectionReader(source, block.offset, block.offset + block.length))
    version, left = content.int4(), content.int4()
    if version not in _VERSIONS:
        raise LogUnreadableError(f"an Avro block is of version {version}")
    if left < 0:
        raise LogUnreadableError("an Avro block has less than no records")
    records: list[Any] = []
    size = 0
    for _ in range(left):
        record = content.take(content.int4())
        records.append(decode(record))
        size += len(record)
        if len(records) >= _RECORDS_AT_ONCE or size >= _BYTES_AT_ONCE:
            yield _table(records, columns)
            records, size = [], 0
    if not content.is_at_end:
        raise LogUnreadableError("an Avro block has more in it than its records")
    if records:
        yield _table(records, columns)


class _Pieces:
    """Small reads out of larger ones, in a section of a file."""

    def __init__(self, section: SectionReader) -> None:
        self._section = section
        self._piece = b""
        self._at = 0

    def take(self, length: int) -> bytes:
        """Reads exactly so many bytes."""
        if length < 0:
            raise LogUnreadableError("a record has a length below 0")
        end = self._at + length
        if end > len(self._piece):
            rest = self._piece[self._at :]
            missing = length - len(rest)
            self._piece = rest + self._section.take(max(missing, min(_PIECE, self._section.left)))
            self._at, end = 0, length
        content = self._piece[self._at : end]
        self._at = end
        return content

    def int4(self) -> int:
        """Reads 4 bytes."""
        return int.from_bytes(self.take(4), "big", signed=True)

    @property
    def is_at_end(self) -> bool:
        """Whether nothing is left."""
        return self._at == len(self._piece) and self._section.is_at_end


def _decoder(schema: str) -> Callable[[bytes], Any]:
    try:
        # Not at the top: executors may have no other libraries than those for base files.
        import fastavro
    except ImportError as error:
        raise LogUnreadableError(
            f"Python's library fastavro is missing where it was to be read ({error})"
        ) from error
    try:
        plain = fastavro.parse_schema(without_logical_types(schema))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LogUnreadableError(
            f"the Avro schema of a block is not understood ({type(error).__name__})"
        ) from error

    def decode(record: bytes) -> Any:
        content = io.BytesIO(record)
        try:
            decoded = fastavro.schemaless_reader(content, plain, None)
        except Exception as error:  # The library has no error of its own for bytes that are no record.
            raise LogUnreadableError(
                f"a record is not what its schema says ({type(error).__name__})"
            ) from error
        if content.tell() != len(record):
            raise LogUnreadableError("a record is longer than its schema says")
        return decoded

    return decode


def _table(records: Sequence[Any], columns: pa.StructType) -> pa.Table:
    try:
        arrays = [_array([record[field.name] for record in records], field.type) for field in columns]
    except (pa.ArrowException, OverflowError, TypeError, ValueError) as error:
        raise LogUnreadableError(f"a value is not what its schema says ({type(error).__name__})") from error
    return pa.Table.from_arrays(arrays, schema=pa.schema(list(columns)))


def _array(values: Sequence[Any], of_type: pa.DataType) -> pa.Array:
    """Values as Avro stores them, without logical types, as the type that they stand for."""
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
