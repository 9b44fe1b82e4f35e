"""Manifests read back as written, and every damage is noticed."""

import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pycompiler.index.blocks import BlockStatistics
from pycompiler.index.errors import (
    IndexDamagedError,
    IndexMissingError,
    IndexUnavailableError,
    IndexVersionError,
)
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import (
    DataFile,
    LiveTotals,
    Manifest,
    RowGroup,
    SeenTimeline,
    manifest_name,
    parse_manifest,
    serialize_manifest,
)

from .samples import add, record

BLOCK = BlockStatistics("string", b"", None, 3, None, 336776)
MANIFEST = Manifest(
    generation=3,
    table="flüge",
    instant="20260101120000000",
    created_at="2026-01-01T12:00:05Z",
    writer="hudi-skip 0.1.0",
    live=LiveTotals(60, 336776, 21_000_000),
    data_files=(
        DataFile(
            name="data-00000000-0000-4000-8000-000000000001.parquet",
            size=90210,
            rows=1440,
            footer_offset=88000,
            footer_crc32=0x9AB3,
            files=30,
            row_groups=(
                RowGroup("files", 4, 1000, (400, 600), 0x01FE, 30, "", "", 0, 29),
                RowGroup("range", 1004, 70000, (70000,), 0x01FE, 1380, "a", "y", 0, 29),
                RowGroup("range", 71004, 1000, (1000, 0), 0x01FE, 30, "z", "z", 0, 29, BLOCK),
            ),
        ),
    ),
    kinds={"*": ["range"], "id": ["bloom(fpp=0.01)"]},
    timeline=SeenTimeline(
        frozenset({"20260101120000000_20260101120004000.commit", "20260101110000000.rollback"}),
        frozenset({"20260101115900000"}),
    ),
)


DOCUMENT = json.loads(serialize_manifest(MANIFEST).split(b"\n")[0])


def _signed(document: dict[str, Any]) -> bytes:
    line = json.dumps(document).encode()
    return line + b"\n" + f"{zlib.crc32(line):08x}\n".encode()


def test_a_manifest_reads_back() -> None:
    assert parse_manifest(serialize_manifest(MANIFEST)) == MANIFEST


def test_the_seen_timeline_is_optional() -> None:
    assert DOCUMENT["timeline"]["pending"] == ["20260101115900000"]
    without = {name: value for name, value in DOCUMENT.items() if name != "timeline"}
    assert parse_manifest(_signed(without)) == replace(MANIFEST, timeline=None)
    assert b"timeline" not in serialize_manifest(replace(MANIFEST, timeline=None))


def test_the_second_line_is_the_checksum_of_the_first_without_its_line_feed() -> None:
    line, checksum, rest = serialize_manifest(MANIFEST).split(b"\n")
    assert checksum == f"{zlib.crc32(line):08x}".encode() and rest == b""
    assert json.loads(line)["data_files"][0]["footer_crc32"] == "00009ab3", "checksums have 8 hex digits"


def test_every_flipped_bit_and_every_truncation_is_noticed() -> None:
    content = serialize_manifest(MANIFEST)
    for position in range(len(content)):
        with pytest.raises(IndexDamagedError):
            parse_manifest(content[:position])
        for bit in range(8):
            damaged = bytearray(content)
            damaged[position] ^= 1 << bit
            with pytest.raises(IndexDamagedError):
                parse_manifest(bytes(damaged))


def test_another_format_version_is_refused_by_name() -> None:
    for version in (1, 3):
        with pytest.raises(IndexVersionError, match=f"format version {version}; .*hudi-skip index build"):
            parse_manifest(_signed({**DOCUMENT, "format_version": version}))


def test_unknown_fields_are_ignored() -> None:
    assert parse_manifest(_signed({**DOCUMENT, "colour": "blue"})) == MANIFEST


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"generation": -1}, "generation is not a non-negative integer"),
        ({"generation": "3"}, "generation is not a non-negative integer"),
        ({"instant": None}, "instant is not a string"),
        ({"live": {}}, "files"),
        ({"kinds": {"id": "bloom"}}, "id is not a list of strings"),
        ({"data_files": [{"name": "../../etc/passwd"}]}, "not a data file name"),
        ({"data_files": [{**DOCUMENT["data_files"][0], "files": 29}]}, "invalid file range"),
        ({"data_files": [{}]}, "name"),
        ({"data_files": 7}, "not iterable"),
        ({"timeline": None}, "not subscriptable"),
        ({"timeline": {}}, "completed"),
        ({"timeline": {"completed": "x", "pending": []}}, "completed is not a list of strings"),
        ({"timeline": {"completed": [1], "pending": []}}, "completed is not a list of strings"),
    ],
)
def test_a_malformed_field_is_damage_despite_a_valid_checksum(change: dict[str, Any], reason: str) -> None:
    with pytest.raises(IndexDamagedError, match=reason):
        parse_manifest(_signed({**DOCUMENT, **change}))


def test_without_an_index_the_reason_says_how_to_build_one(tmp_path: Path) -> None:
    with pytest.raises(IndexMissingError, match=f"hudi-skip index build {tmp_path}"):
        StatisticsIndex.open(tmp_path)


def test_an_unsupported_file_system_is_named() -> None:
    with pytest.raises(IndexUnavailableError, match="ftp"):
        StatisticsIndex.open("ftp://host/t")


def test_an_older_manifest_does_not_replace_a_damaged_one(storage: LocalStorage, tmp_path: Path) -> None:
    add(storage, record("a", "f1.parquet"))
    add(storage, record("a", "f2.parquet"))
    (storage.folder / manifest_name(2)).write_bytes(b"{}\n00000000\n")
    with pytest.raises(IndexDamagedError, match="manifest-00000000000000000002.json"):
        StatisticsIndex.open(tmp_path)


def test_a_manifest_under_the_name_of_another_generation_is_damage(
    storage: LocalStorage, tmp_path: Path
) -> None:
    add(storage, record("a", "f1.parquet"))
    (storage.folder / manifest_name(2)).write_bytes((storage.folder / manifest_name(1)).read_bytes())
    with pytest.raises(IndexDamagedError, match="generation 1"):
        StatisticsIndex.open(tmp_path)
