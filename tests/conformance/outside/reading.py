"""Reads a folder of vectors. Any violation of the format is an error that names its place."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from pycompiler.compile.expression.bloom import BloomFilter
from pycompiler.compile.expression.evaluator import FileStatistics
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType, UnknownTypeError, ValueKind
from tests.contents import contents_of

from ..vectors import value_of

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"
Row: TypeAlias = Mapping[str, Json]
"""Values by column name; a missing column is NULL."""
FileContent: TypeAlias = "tuple[Row, ...] | FileStatistics"
"""A file: its rows, or its statistics."""

_STATISTICS: Final = frozenset({"min", "max", "nulls", "count", "nan", "values", "has_null", "bloom"})
_STORED_AS_STRING: Final = frozenset({"char", "varchar"})


class VectorFormatError(ValueError):
    """The folder or a file in it violates the format."""


@dataclass(frozen=True, slots=True)
class Vector:
    """One case.

    Attributes:
        id: Its name.
        columns: The Hive types of the table's columns, as written.
        files: All given as rows, or all as statistics.
        where: The filter, in Hive's dialect.
        must_keep: Positions of files that contain a matching row or whose statistics allow one.
        source_skips: Positions of files that the source's own test expects to be skipped, rightly or wrongly.
    """

    id: str
    columns: Mapping[str, str]
    files: tuple[FileContent, ...]
    where: str
    must_keep: frozenset[int]
    source_skips: frozenset[int]


@dataclass(frozen=True, slots=True)
class Source:
    """The vectors of one project."""

    project: str
    path: Path
    vectors: tuple[Vector, ...]


def read_folder(folder: Path) -> list[Source]:
    """Reads every `*.json` of a folder, in the order of their names.

    Raises:
        VectorFormatError: The folder does not exist or has no vectors, or a vector is malformed.
    """
    if not folder.is_dir():
        raise VectorFormatError(f"not a folder: {folder}")
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise VectorFormatError(f"no vectors (*.json) in {folder}")
    sources = [_read_source(path) for path in paths]
    seen: set[str] = set()
    for source in sources:
        for vector in source.vectors:
            if vector.id in seen:
                raise VectorFormatError(f"{source.path}: the id {vector.id} is used twice")
            seen.add(vector.id)
    return sources


def _read_source(path: Path) -> Source:
    try:
        document = _Place(str(path), json.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise VectorFormatError(f"{path}: {error}") from error
    vectors = tuple(_read_vector(place) for place in document.at("vectors").each())
    if not vectors:
        raise VectorFormatError(f"{path}: no vectors")
    return Source(document.at("source").at("project").text(), path, vectors)


def _read_vector(unnamed: _Place) -> Vector:
    name = unnamed.at("id").text()
    place = _Place(f"{unnamed.name} ({name})", unnamed.value)
    columns = dict(_read_column(column) for column in place.at("table").at("columns").each())
    rows, statistics = place.at("table").maybe("files"), place.maybe("stats")
    if (rows is None) is (statistics is None):
        raise place.error("either table.files or stats is needed, and not both")
    files: list[FileContent] = []
    if rows is not None:
        files += [tuple(_read_row(row, columns) for row in file.each()) for file in rows.each()]
    if statistics is not None:
        files += [_read_statistics(file, columns) for file in statistics.each()]
    return Vector(
        id=name,
        columns=columns,
        files=tuple(files),
        where=place.at("where").text(),
        must_keep=_read_positions(place.at("must_keep"), len(files)),
        source_skips=_read_positions(place.at("source_skips"), len(files)),
    )


def _read_column(place: _Place) -> tuple[str, str]:
    name, hive_type = place.at("name").text(), place.at("type").text()
    try:
        HiveType.parse(hive_type)
    except UnknownTypeError as error:
        raise place.error(str(error)) from error
    return name, hive_type


def _read_row(place: _Place, columns: Mapping[str, str]) -> dict[str, Any]:
    row = place.members()
    if unknown := row.keys() - columns.keys():
        raise place.error(f"no such column: {', '.join(sorted(unknown))}")
    return row


def _read_statistics(place: _Place, columns: Mapping[str, str]) -> FileStatistics:
    known = _read_row(place, columns)
    return {
        name.lower(): _read_column_statistics(place.at(name), HiveType.parse(columns[name])) for name in known
    }


def _read_column_statistics(place: _Place, hive_type: HiveType) -> ColumnStatistics:
    """Returns the statistics as an index would have them. Missing ones are unknown."""
    if unknown := place.members().keys() - _STATISTICS:
        raise place.error(f"unknown statistics: {', '.join(sorted(unknown))}")
    nulls, rows, values = (place.count(key) for key in ("nulls", "count", "values"))
    if rows == 0 or (nulls is None and place.members().get("has_null") is False):
        nulls = 0
    if rows != 0 and values is not None and rows is not None:
        nulls = rows - values
    elif rows is None and values == 0:
        # It is only known that all rows are NULL: any number of rows would do, and one is the smallest.
        nulls = rows = 1
    bloom = place.maybe("bloom")
    return ColumnStatistics(
        # The type that Parquet files store.
        type=HiveType("string") if hive_type.name in _STORED_AS_STRING else hive_type,
        lower=_bound(place, "min", hive_type),
        upper=_bound(place, "max", hive_type),
        null_count=nulls,
        value_count=rows,
        nan_count=place.count("nan"),
        contents=contents_of(
            bloom=None if bloom is None else BloomFilter.of(_bloom_values(bloom, hive_type), 0.01)
        ),
    )


def _bound(place: _Place, key: str, hive_type: HiveType) -> bytes | None:
    found = place.maybe(key)
    # A NaN bound does not limit other values.
    if found is None or (hive_type.kind is ValueKind.FLOAT and found.value == "NaN"):
        return None
    if not isinstance(found.value, bool | int | float | str):
        raise found.error("a single value is needed here")
    return encode_value(hive_type, value_of(hive_type, found.value))


def _bloom_values(place: _Place, hive_type: HiveType) -> Iterator[bytes]:
    template = place.members().get("template", "{}")
    first, last = (place.count(key) for key in ("from", "to"))
    texts = [str(template).format(number) for number in range(first or 0, -1 if last is None else last + 1)]
    for text in texts + [str(value) for value in place.at("plus").value]:
        # Dates are days since 1970 here.
        is_whole = hive_type.kind in (ValueKind.INTEGER, ValueKind.DATE)
        yield encode_value(hive_type, int(text) if is_whole else value_of(hive_type, text))


def _read_positions(place: _Place, files: int) -> frozenset[int]:
    positions = [position.value for position in place.each()]
    if not all(type(position) is int and 0 <= position < files for position in positions):
        raise place.error(f"not positions in a list of {files} files: {positions}")
    return frozenset(positions)


@dataclass(frozen=True, slots=True)
class _Place:
    """A JSON value and its place in the file."""

    name: str
    value: Any

    def error(self, message: str) -> VectorFormatError:
        return VectorFormatError(f"{self.name}: {message}")

    def members(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            raise self.error("an object is needed here")
        return self.value

    def at(self, key: str) -> _Place:
        if key not in self.members():
            raise self.error(f"lacks {key!r}")
        return _Place(f"{self.name}: {key}", self.value[key])

    def maybe(self, key: str) -> _Place | None:
        """Returns the member; None if it is missing or null."""
        return None if self.members().get(key) is None else self.at(key)

    def each(self) -> list[_Place]:
        if not isinstance(self.value, list):
            raise self.error("a list is needed here")
        return [_Place(f"{self.name}[{number}]", item) for number, item in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str) or not self.value.strip():
            raise self.error("a text is needed here")
        return self.value

    def count(self, key: str) -> int | None:
        found = self.maybe(key)
        if found is not None and (type(found.value) is not int or found.value < 0):
            raise found.error("a count is needed here")
        return None if found is None else found.value
