"""Manifests, which list what a generation of the index consists of (docs/inside/formats.md, section 3)."""

import json
import re
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from pycompiler.index.blocks import BlockStatistics
from pycompiler.index.errors import IndexDamagedError, IndexMissingError, IndexVersionError
from pycompiler.index.file_systems.interface import IndexStorage

FORMAT_VERSION: Final = 2
"""The format that is written, and the only one that is read."""

_NAME: Final = re.compile(r"manifest-(\d{20})\.json")
_DATA_NAME: Final = re.compile(r"data-[0-9a-f-]{36}\.parquet")
_CRC: Final = re.compile(r"[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class RowGroup:
    """The place and contents of a row group in a data file.

    Attributes:
        kind: Kind of all its rows.
        offset: First byte of its column chunks.
        length: Total bytes of its column chunks.
        chunks: Bytes of each column chunk, in column order and without gaps.
        crc32: Checksum of the column chunks.
        first_column: Least column name; `last_column` is the greatest.
        first_file: Least file ordinal; `last_file` is the greatest.
        block: Statistics of all its files together, if present.
        first_name: For kind `FILES`, partition and name of the first file, if present; `last_name` of the
            last file.
    """

    kind: str
    offset: int
    length: int
    chunks: tuple[int, ...]
    crc32: int
    rows: int
    first_column: str
    last_column: str
    first_file: int
    last_file: int
    block: BlockStatistics | None = None
    first_name: tuple[str, str] | None = None
    last_name: tuple[str, str] | None = None

    def holds_any(self, columns: Collection[str]) -> bool:
        """Whether it may have rows of one of the columns."""
        return any(self.first_column <= column <= self.last_column for column in columns)


@dataclass(frozen=True, slots=True)
class DataFile:
    """A data file's manifest entry: its name, size, and checksums of every part that is read.

    Attributes:
        files: Number of files that it covers.
        rows: Number of rows, including those of kind `FILES`.
        footer_offset: Offset of the first byte after the last row group.
        footer_crc32: Checksum from there to the end.
        row_groups: In file order.
    """

    name: str
    size: int
    files: int
    rows: int
    footer_offset: int
    footer_crc32: int
    row_groups: tuple[RowGroup, ...]

    @property
    def footer_length(self) -> int:
        """Bytes from the end of the last row group to the end of the file."""
        return self.size - self.footer_offset

    @property
    def records(self) -> int:
        """Number of records about columns of files."""
        return self.rows - self.files


@dataclass(frozen=True, slots=True)
class LiveTotals:
    """Number of the table's files at the manifest's instant, with their rows and bytes."""

    files: int = 0
    rows: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class SeenTimeline:
    """The instants after which the index covers exactly the table's latest files.

    Attributes:
        completed: Timeline file names of completed instants, except for actions that do not change the latest
            files.
        pending: Instants that were pending at that time.
    """

    completed: frozenset[str]
    pending: frozenset[str] = frozenset()

    def document(self) -> dict[str, list[str]]:
        """Its form in JSON."""
        return {"completed": sorted(self.completed), "pending": sorted(self.pending)}


@dataclass(frozen=True, slots=True)
class Manifest:
    """One generation of the index.

    Attributes:
        generation: Its number; the highest is in force.
        table: Name of the Hudi table.
        instant: Last completed instant that the index has seen.
        created_at: UTC time of publication, ISO 8601.
        writer: Program and version.
        live: Totals of the table at `instant`.
        data_files: Oldest first; if several have the same row, the last one wins.
        kinds: Kinds by column for new files; see `IndexOptions`.
        timeline: The instants after which the index is complete; None if unknown.
    """

    generation: int
    table: str
    instant: str
    created_at: str
    writer: str
    live: LiveTotals
    data_files: tuple[DataFile, ...]
    kinds: Mapping[str, Sequence[str]] = field(default_factory=dict)
    timeline: SeenTimeline | None = None


def manifest_name(generation: int) -> str:
    """File name of a generation's manifest."""
    return f"manifest-{generation:020d}.json"


def generation_of(name: str) -> int | None:
    """The generation of a manifest's file name; None for other files."""
    found = _NAME.fullmatch(name)
    return int(found[1]) if found else None


def generations(storage: IndexStorage) -> list[int]:
    """All published generations, ascending."""
    return sorted(number for name in storage.names() if (number := generation_of(name)) is not None)


def load_manifest(storage: IndexStorage, generation: int) -> Manifest:
    """Reads a generation's manifest.

    Raises:
        IndexMissingError: The manifest is gone.
        IndexDamagedError: The manifest is damaged.
        IndexVersionError: This version does not read its format.
    """
    name = manifest_name(generation)
    try:
        content = storage.read(name)
    except FileNotFoundError as error:
        raise IndexMissingError(f"{name} is gone") from error
    manifest = parse_manifest(content, name)
    if manifest.generation != generation:
        raise IndexDamagedError(f"{name} contains generation {manifest.generation}")
    return manifest


def serialize_manifest(manifest: Manifest) -> bytes:
    """Serializes a manifest: one line of JSON, and a line with its CRC-32 (excluding the line feed)."""
    document = {"format_version": FORMAT_VERSION, **_fields(manifest)}
    document["live"] = _fields(manifest.live)
    document["data_files"] = [data_file_document(data_file) for data_file in manifest.data_files]
    if manifest.timeline is None:
        del document["timeline"]
    else:
        document["timeline"] = manifest.timeline.document()
    line = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    return line + b"\n" + f"{zlib.crc32(line):08x}\n".encode("ascii")


@lru_cache(maxsize=4)  # An update reads the same manifest several times.
def parse_manifest(content: bytes, name: str = "manifest") -> Manifest:
    """Parses what `serialize_manifest` wrote. Unknown fields are ignored."""
    line, _, checksum = content.partition(b"\n")
    if checksum != f"{zlib.crc32(line):08x}\n".encode("ascii"):
        raise IndexDamagedError(f"the checksum of {name} does not match its content")
    try:
        document = json.loads(line)
        version = _integer(document, "format_version")
        if version != FORMAT_VERSION:
            raise IndexVersionError(
                f"{name} has format version {version}; this version of hudi-skip reads {FORMAT_VERSION}: "
                "rebuild the index with hudi-skip index build"
            )
        live = document["live"]
        kinds = document.get("kinds", {})
        return Manifest(
            generation=_integer(document, "generation"),
            table=_text(document, "table"),
            instant=_text(document, "instant"),
            created_at=_text(document, "created_at"),
            writer=_text(document, "writer"),
            live=LiveTotals(_integer(live, "files"), _integer(live, "rows"), _integer(live, "bytes")),
            data_files=tuple(parse_data_file(item) for item in document["data_files"]),
            kinds={column: _texts(kinds, column) for column in kinds},
            timeline=_timeline(document["timeline"]) if "timeline" in document else None,
        )
    except (ValueError, KeyError, TypeError) as error:
        raise IndexDamagedError(f"{name} is not a manifest: {error!r}") from error


def data_file_document(data_file: DataFile) -> dict[str, Any]:
    """A data file's entry in the manifest's JSON."""
    document = _fields(data_file)
    document["footer_crc32"] = f"{data_file.footer_crc32:08x}"
    document["row_groups"] = [_row_group_document(group) for group in data_file.row_groups]
    return document


def _row_group_document(group: RowGroup) -> dict[str, Any]:
    document = {name: value for name, value in _fields(group).items() if value is not None}
    document["crc32"] = f"{group.crc32:08x}"
    if group.block is not None:
        document["block"] = {
            name: value.hex() if isinstance(value, bytes) else value
            for name, value in _fields(group.block).items()
        }
    return document


def _fields(entry: Manifest | LiveTotals | DataFile | RowGroup | BlockStatistics) -> dict[str, Any]:
    """The fields of a dataclass; unlike `asdict`, without copying their contents, which may be large."""
    return {name: getattr(entry, name) for name in entry.__slots__}


def parse_data_file(item: dict[str, Any]) -> DataFile:
    """Parses what `data_file_document` returned."""
    name = _text(item, "name")
    if not _DATA_NAME.fullmatch(name):
        raise ValueError(f"not a data file name: {name}")
    data_file = DataFile(
        name=name,
        size=_integer(item, "size"),
        files=_integer(item, "files"),
        rows=_integer(item, "rows"),
        footer_offset=_integer(item, "footer_offset"),
        footer_crc32=_checksum(item, "footer_crc32"),
        row_groups=tuple(_row_group(group) for group in item["row_groups"]),
    )
    ends = [group.offset + group.length for group in data_file.row_groups]
    if any(end > data_file.footer_offset for end in ends) or data_file.footer_offset > data_file.size:
        raise ValueError(f"{name} has overlapping parts")
    if any(not group.first_file <= group.last_file < data_file.files for group in data_file.row_groups):
        raise ValueError(f"{name} has a row group with an invalid file range")
    return data_file


def _row_group(item: dict[str, Any]) -> RowGroup:
    block = item.get("block")
    return RowGroup(
        kind=_text(item, "kind"),
        offset=_integer(item, "offset"),
        length=_integer(item, "length"),
        chunks=_lengths(item),
        crc32=_checksum(item, "crc32"),
        rows=_integer(item, "rows"),
        first_column=_text(item, "first_column"),
        last_column=_text(item, "last_column"),
        first_file=_integer(item, "first_file"),
        last_file=_integer(item, "last_file"),
        block=None if block is None else _block(block),
        first_name=_name(item, "first_name"),
        last_name=_name(item, "last_name"),
    )


def _name(item: dict[str, Any], key: str) -> tuple[str, str] | None:
    if key not in item:
        return None
    match item[key]:
        case [str(partition), str(name)]:
            return partition, name
    raise ValueError(f"{key} is not a partition and name: {item[key]!r}")


def _block(item: dict[str, Any]) -> BlockStatistics:
    def bound(key: str) -> bytes | None:
        return None if item[key] is None else bytes.fromhex(_text(item, key))

    def count(key: str) -> int | None:
        return None if item[key] is None else _integer(item, key)

    return BlockStatistics(
        type=_text(item, "type"),
        lower=bound("lower"),
        upper=bound("upper"),
        null_count=count("null_count"),
        nan_count=count("nan_count"),
        value_count=_integer(item, "value_count"),
    )


def _timeline(document: Any) -> SeenTimeline:
    return SeenTimeline(frozenset(_texts(document, "completed")), frozenset(_texts(document, "pending")))


def _texts(item: dict[str, Any], key: str) -> list[str]:
    texts = item[key]
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"{key} is not a list of strings: {texts!r}")
    return texts


def _integer(item: dict[str, Any], key: str) -> int:
    value = item[key]
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError(f"{key} is not a non-negative integer: {value!r}")
    return value


def _lengths(group: dict[str, Any]) -> tuple[int, ...]:
    chunks = group["chunks"]
    if (
        not all(isinstance(length, int) and length >= 0 for length in chunks)
        or sum(chunks) != group["length"]
    ):
        raise ValueError(f"not a list of column chunk lengths: {chunks!r}")
    return tuple(chunks)


def _text(item: dict[str, Any], key: str) -> str:
    value = item[key]
    if not isinstance(value, str):
        raise ValueError(f"{key} is not a string: {value!r}")
    return value


def _checksum(item: dict[str, Any], key: str) -> int:
    value = _text(item, key)
    if not _CRC.fullmatch(value):
        raise ValueError(f"{key} is not a CRC-32: {value}")
    return int(value, 16)
