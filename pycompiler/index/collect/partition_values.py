"""Partition columns whose values the paths of partitions give.

A table may keep them out of its files. If a file has such a column anyway, Hudi may have mixed it up or lost
it. The path counts, in Spark and in the handler. `PartitionColumns.java` reads paths by the same rules;
tests/conformance/partition_values.json covers both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from typing import Any, Final

from pycompiler.compile.values.encoding import encode_value, truncate_lower, truncate_upper
from pycompiler.compile.values.types import INTEGER_BITS, HiveType, ValueKind
from pycompiler.index.options import IndexOptions
from pycompiler.index.records import HoodieMetadataRecord, IndexedFile, RecordFlag

NULL_FOLDER: Final = "__HIVE_DEFAULT_PARTITION__"
"""Hudi's folder for NULL, and for the empty string, which is therefore read as NULL."""

_ESCAPED: Final = re.compile("%([0-9A-Fa-f]{2})")
_STRING: Final = HiveType("string")
"""Hudi and the handler read such columns as text, whatever type was written."""

_UNKNOWN: Final = object()
_WITHOUT_SLASH: Final = frozenset({ValueKind.INTEGER, ValueKind.BOOLEAN, ValueKind.DATE})
_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]{0,18}")
_DATE: Final = re.compile(r"(19|[2-9][0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}")
"""From 1900 on, every calendar counts alike."""
_BOOLEANS: Final[Mapping[str, bool]] = {"true": True, "false": False}

_HIVE_STYLE: Final = "hoodie.datasource.write.hive_style_partitioning"
_URL_ENCODED: Final = "hoodie.datasource.write.partitionpath.urlencode"
_SLASHED_DATES: Final = "hoodie.datasource.write.slash.separated.date.partitioning"
"""From Hudi 1.2 on: the day 2026-01-02 is in the folder 2026/01/02."""
_KEY_GENERATORS: Final = frozenset(
    f"org.apache.hudi.keygen.{name}KeyGenerator"
    for name in ("Simple", "SimpleAvro", "Complex", "ComplexAvro")
)
"""Key generators that write the columns' values unchanged."""
_KEY_GENERATOR_TYPES: Final = frozenset({"SIMPLE", "SIMPLE_AVRO", "COMPLEX", "COMPLEX_AVRO"})


@dataclass(frozen=True, slots=True)
class PartitionColumns:
    """Partition columns whose values are in paths, in that order and as Hudi spells them.

    Folders of `hive_style` are named `column=value`. If `url_encoded`, Hudi has escaped the values.
    """

    names: tuple[str, ...] = ()
    hive_style: bool = False
    url_encoded: bool = False

    @staticmethod
    def written_by(names: tuple[str, ...], properties: Mapping[str, str]) -> PartitionColumns:
        """The partition columns that a table's writers put into paths unchanged; none if they may differ."""
        generator = properties.get("hoodie.table.keygenerator.class", "")
        is_plain = (
            generator in _KEY_GENERATORS
            if generator
            else properties.get("hoodie.table.keygenerator.type", "").upper() in _KEY_GENERATOR_TYPES
        )
        if (
            not is_plain
            or any("." in name for name in names)
            or not properties.get(_HIVE_STYLE)
            or not properties.get(_URL_ENCODED)
            or properties.get(_SLASHED_DATES, "").lower() == "true"
        ):
            return IN_FILES
        hive_style, url_encoded = (properties[key].lower() == "true" for key in (_HIVE_STYLE, _URL_ENCODED))
        return PartitionColumns(names, hive_style, url_encoded)

    def values(self, partition: str) -> dict[str, str | None]:
        """The values of the columns in the rows of a partition, by lower-case name."""
        folders = list(self._folders(partition, {}))
        is_too_long = self.url_encoded and partition.count("/") >= len(self.names)
        if len(folders) != len(self.names) or is_too_long:
            raise ValueError(
                f"the path {partition!r} does not determine the values of {', '.join(self.names)}"
            )
        return {name.lower(): self._unescaped(folder) for name, folder in folders}

    def constants(self, partition: str, types: Mapping[str, HiveType]) -> dict[str, bytes | None]:
        """The values that readers take from a partition's path, encoded, by lower-case name; None for NULL.

        Those whose text is the only one that Hudi writes for a value (`PartitionValues.java`). The types are
        those of the table's columns, by lower-case name.
        """
        constants: dict[str, bytes | None] = {}
        for name, folder in self._folders(partition, types):
            hive_type = types.get(name.lower())
            if hive_type is None or self._contradicts_properties(name, folder):
                continue
            value = _parsed(hive_type, self._unescaped(folder))
            if value is not _UNKNOWN:
                constants[name.lower()] = None if value is None else encode_value(hive_type, value)
        return constants

    def may_have(self, column: str, hive_type: HiveType) -> bool:
        """Whether some paths have values of a column that readers take from there; ignores case."""
        is_here = column.lower() in (name.lower() for name in self.names)
        return is_here and (hive_type.kind in _WITHOUT_SLASH or hive_type.kind is ValueKind.STRING)

    def _folders(self, partition: str, types: Mapping[str, HiveType]) -> Iterator[tuple[str, str]]:
        """The folders of each column, by its name; none that are unclear (`PartitionColumns.java`)."""
        parts = partition.split("/")
        more, end = max(0, len(parts) - len(self.names)), len(self.names)
        long = [at for at, name in enumerate(self.names) if self._may_have_slash(types.get(name.lower()))]
        if len(parts) != end and len(long) > 1:
            end = long[0]
        rest = iter(parts)
        for at, name in enumerate(self.names[: min(end, len(parts))]):
            folder = "/".join(islice(rest, 1 + more if long == [at] else 1))
            prefix = f"{name}=" if self.hive_style else ""
            if folder.startswith(prefix) and folder != prefix:
                yield name, folder.removeprefix(prefix)

    def _contradicts_properties(self, name: str, folder: str) -> bool:
        """Whether a folder looks as it can only if a writer has ignored the table's properties."""
        has_name = folder.startswith(f"{name}=")
        has_escape = "/" not in folder and _ESCAPED.search(folder) is not None
        return (has_name and not self.hive_style) or (has_escape and not self.url_encoded)

    def _may_have_slash(self, hive_type: HiveType | None) -> bool:
        # A writer may have ignored that texts are to be escaped; then a single column is all folders.
        may_be_plain = not self.url_encoded or len(self.names) == 1
        return may_be_plain and (hive_type is None or hive_type.kind not in _WITHOUT_SLASH)

    def _unescaped(self, value: str) -> str | None:
        if value == NULL_FOLDER:
            return None
        if not self.url_encoded:
            return value
        return _ESCAPED.sub(lambda escape: chr(int(escape[1], 16)), value)


def _parsed(hive_type: HiveType, text: str | None) -> Any:
    """The value of a text; `_UNKNOWN` unless it is the one that Hudi writes for the value."""
    if text is None:
        return None if hive_type == _STRING or hive_type.kind in _WITHOUT_SLASH else _UNKNOWN
    match hive_type.kind:
        case ValueKind.STRING if hive_type == _STRING:
            return text
        case ValueKind.INTEGER if _INTEGER.fullmatch(text):
            half = 1 << INTEGER_BITS[hive_type.name] - 1
            return int(text) if -half <= int(text) < half else _UNKNOWN
        case ValueKind.BOOLEAN:
            return _BOOLEANS.get(text, _UNKNOWN)
        case ValueKind.DATE if _DATE.fullmatch(text):
            with suppress(ValueError):
                return date.fromisoformat(text)
    return _UNKNOWN


IN_FILES: Final = PartitionColumns()
"""For a table whose values are all in its files."""


def path_records(
    file: IndexedFile, not_strings: Iterable[str], columns: PartitionColumns, options: IndexOptions
) -> Iterator[HoodieMetadataRecord]:
    """Makes records of constants for the columns that a file's path determines.

    The handler refuses to read files whose path does not determine them, and the columns in `not_strings`,
    which the file itself stores as another type. These get no records.
    """
    refused = {name.lower() for name in not_strings}
    try:
        values = columns.values(file.partition)
    except ValueError:
        return
    for column, value in values.items():
        if column in refused or options.kinds_of(column) is None:
            continue
        exact = None if value is None else encode_value(_STRING, value)
        lower = None if exact is None else truncate_lower(exact)
        upper = None if exact is None else truncate_upper(exact)
        flags = RecordFlag.LOWER_CUT if lower != exact else RecordFlag.NONE
        flags |= RecordFlag.UPPER_CUT if upper != exact else RecordFlag.NONE
        yield replace(
            HoodieMetadataRecord.about(file, column, _STRING),
            lower=lower,
            upper=upper,
            null_count=file.rows if value is None else 0,
            flags=flags,
        )
