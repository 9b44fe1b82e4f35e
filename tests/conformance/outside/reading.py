"""Reading a folder of vectors. Whatever is not as the format says is an error that names its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from pycompiler.values.types import HiveType, UnknownTypeError, ValueKind

from .model import FileContent, GivenStatistics, Scalar, Source, TableColumn, Vector

_STATISTICS: Final = frozenset({"min", "max", "nulls", "count", "nan", "values", "has_null", "bloom"})
_EPOCH: Final = date(1970, 1, 1)


class VectorFormatError(ValueError):
    """The folder, or something in it, is not as the format says."""


def read_folder(folder: Path) -> list[Source]:
    """Reads every `*.json` of a folder, in the order of their names.

    Raises:
        VectorFormatError: There is no such folder, it has no vectors, or one is malformed.
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
    columns = tuple(_read_column(column) for column in place.at("table").at("columns").each())
    types = {column.name: column.type for column in columns}
    rows, statistics = place.at("table").maybe("files"), place.maybe("stats")
    if (rows is None) is (statistics is None):
        raise place.error("either table.files or stats is needed, and not both")
    files: list[FileContent] = []
    if rows is not None:
        files += [tuple(_read_row(row, types) for row in file.each()) for file in rows.each()]
    if statistics is not None:
        files += [_read_statistics(file, types) for file in statistics.each()]
    return Vector(
        id=name,
        columns=columns,
        files=tuple(files),
        where=place.at("where").text(),
        must_keep=_read_positions(place.at("must_keep"), len(files)),
        source_skips=_read_positions(place.at("source_skips"), len(files)),
    )


def _read_column(place: _Place) -> TableColumn:
    column = TableColumn(place.at("name").text(), place.at("type").text())
    try:
        HiveType.parse(column.type)
    except UnknownTypeError as error:
        raise place.error(str(error)) from error
    return column


def _read_row(place: _Place, types: dict[str, str]) -> dict[str, Any]:
    row = place.members()
    if unknown := row.keys() - types.keys():
        raise place.error(f"no such column: {', '.join(sorted(unknown))}")
    return row


def _read_statistics(place: _Place, types: dict[str, str]) -> dict[str, GivenStatistics]:
    result = {}
    for name in place.members():
        if name not in types:
            raise place.error(f"no such column: {name}")
        result[name] = _read_column_statistics(place.at(name), HiveType.parse(types[name]))
    return result


def _read_column_statistics(place: _Place, hive_type: HiveType) -> GivenStatistics:
    if unknown := place.members().keys() - _STATISTICS:
        raise place.error(f"unknown statistics: {', '.join(sorted(unknown))}")
    nulls, rows, values = (place.count(key) for key in ("nulls", "count", "values"))
    if nulls is None and place.members().get("has_null") is False:
        nulls = 0
    bloom = place.maybe("bloom")
    return GivenStatistics(
        lower=place.scalar("min"),
        upper=place.scalar("max"),
        nulls=nulls,
        rows=rows,
        nans=place.count("nan"),
        values=values,
        bloom=None if bloom is None else tuple(_bloom_values(bloom, hive_type)),
    )


def _bloom_values(place: _Place, hive_type: HiveType) -> Iterator[Scalar]:
    template = place.members().get("template", "{}")
    first, last = (place.count(key) for key in ("from", "to"))
    texts = [str(template).format(number) for number in range(first or 0, -1 if last is None else last + 1)]
    for text in texts + [str(value) for value in place.at("plus").value]:
        match hive_type.kind:
            case ValueKind.INTEGER:
                yield int(text)
            case ValueKind.DATE:
                # These are days since 1970.
                yield (_EPOCH + timedelta(days=int(text))).isoformat()
            case _:
                yield text


def _read_positions(place: _Place, files: int) -> frozenset[int]:
    positions = [position.value for position in place.each()]
    if not all(type(position) is int and 0 <= position < files for position in positions):
        raise place.error(f"not positions in a list of {files} files: {positions}")
    return frozenset(positions)


@dataclass(frozen=True, slots=True)
class _Place:
    """A JSON value and where it stands."""

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
        """The member, or None if it is left out or null."""
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

    def scalar(self, key: str) -> Scalar | None:
        found = self.maybe(key)
        if found is not None and not isinstance(found.value, bool | int | float | str):
            raise found.error("a single value is needed here")
        return None if found is None else found.value
