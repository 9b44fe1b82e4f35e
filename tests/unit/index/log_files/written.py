"""Log files written as Hudi writes them, without Hudi."""

import io
import json
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import fastavro
import pyarrow as pa
import pyarrow.parquet as pq

from pycompiler.index.log_files.blocks import BlockKind, HeaderKey
from pycompiler.index.records import WriteStatus

NAME = ".f0001-0_20260101000000000.log.1_0-1-0"


def schema(**columns: Any) -> str:
    """An Avro schema of optional columns."""
    fields = [{"name": name, "type": ["null", kind], "default": None} for name, kind in columns.items()]
    return json.dumps({"type": "record", "name": "row", "fields": fields})


def block(
    kind: int, content: bytes = b"", headers: Mapping[int, str] | None = None, version: int = 1
) -> bytes:
    """A whole block."""
    body = struct.pack(">ii", version, kind) + _metadata(headers or {})
    body += struct.pack(">q", len(content)) + content + _metadata({})
    return b"#HUDI#" + struct.pack(">q", len(body) + 8) + body + struct.pack(">q", len(body) + 14)


def _metadata(entries: Mapping[int, str]) -> bytes:
    packed = [struct.pack(">ii", key, len(text.encode())) + text.encode() for key, text in entries.items()]
    return struct.pack(">i", len(entries)) + b"".join(packed)


def avro_content(avro_schema: str, records: Iterable[Mapping[str, Any]]) -> bytes:
    """The content of a data block."""
    parsed, packed = fastavro.parse_schema(json.loads(avro_schema)), []
    for record in records:
        stream = io.BytesIO()
        fastavro.schemaless_writer(stream, parsed, dict(record))
        packed.append(struct.pack(">i", stream.tell()) + stream.getvalue())
    return struct.pack(">ii", 3, len(packed)) + b"".join(packed)


def avro_block(avro_schema: str, records: Iterable[Mapping[str, Any]], **more: str) -> bytes:
    """A data block with records in Avro."""
    headers = {int(HeaderKey.SCHEMA): avro_schema} | {int(HeaderKey[key]): more[key] for key in more}
    return block(BlockKind.AVRO_DATA, avro_content(avro_schema, records), headers)


def parquet_block(avro_schema: str, rows: pa.Table) -> bytes:
    """A data block with records in Parquet."""
    sink = io.BytesIO()
    pq.write_table(rows, sink)
    return block(BlockKind.PARQUET_DATA, sink.getvalue(), {int(HeaderKey.SCHEMA): avro_schema})


def log_file(folder: Path, *blocks: bytes) -> WriteStatus:
    """A log file with some blocks."""
    path = folder / NAME
    path.write_bytes(b"".join(blocks))
    return WriteStatus("", "f0001-0", str(path), path.stat().st_size, "20260101000000000")
