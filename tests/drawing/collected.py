"""Draws statistics of a table's files: exact ones, and less precise ones that are still true."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pycompiler.compile.expression.bloom import BloomFilter
from pycompiler.compile.expression.evaluator import FileStatistics
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.predicate.model import Column
from pycompiler.compile.values.encoding import encode_value, truncate_lower, truncate_upper
from pycompiler.compile.values.types import HiveType, ValueKind
from tests.contents import contents_of

from .tables import Row, Table, Value, is_nan

_WIDTHS: Final = {"tinyint": 7, "smallint": 15, "int": 31}
PARTS: Final = ("lower", "upper", "null_count", "value_count", "nan_count")
"""Parts of the statistics that may be missing."""


def statistics(drawn: Sequence[Column], stored: Sequence[Row]) -> FileStatistics:
    """Collects what an index would know about a file."""
    return {column.name: _column_statistics(column, [row[column.name] for row in stored]) for column in drawn}


def _column_statistics(column: Column, stored: Sequence[Value]) -> ColumnStatistics:
    present = [value for value in stored if value is not None]
    is_float = column.type.kind is ValueKind.FLOAT
    numbers = [value for value in present if not is_nan(value)]
    bounds = sorted(encode_value(column.type, value) for value in numbers)
    is_cut = column.type.kind is ValueKind.STRING
    return ColumnStatistics(
        type=HiveType.parse("string") if is_cut else column.type,
        lower=truncate_lower(bounds[0]) if bounds else None,
        upper=truncate_upper(bounds[-1]) if bounds else None,
        null_count=len(stored) - len(present),
        value_count=len(stored),
        nan_count=len(present) - len(numbers) if is_float else None,
    )


def _loosened(column: ColumnStatistics) -> ColumnStatistics:
    """Moves bounds of strings apart."""
    lower = column.lower[:-1] if column.lower else column.lower
    upper = column.upper + b"\x00" if column.upper is not None else None
    return replace(column, lower=lower, upper=upper)


def exact(table: Table) -> list[FileStatistics]:
    """Returns exact bounds and counts, without further kinds of statistics."""
    return [statistics(table.columns, rows) for rows in table.files]


def varied(rng: random.Random, table: Table) -> list[FileStatistics]:
    """Returns exact statistics for half of the files; the others get more kinds or less precise values."""
    return [
        known if number % 2 else _with_sets(rng, table, rows, _weakened(rng, known))
        for number, (rows, known) in enumerate(zip(table.files, exact(table), strict=True))
    ]


def without(rng: random.Random, known: FileStatistics) -> FileStatistics:
    """Returns the statistics without one part of a column, or without a whole column."""
    name = rng.choice(sorted(known))
    part = rng.choice((*PARTS, None))
    if part is None:
        return {other: column for other, column in known.items() if other != name}
    changed = replace(known[name], **{part: None})  # type: ignore[arg-type]
    return {**known, name: changed}


def _with_sets(
    rng: random.Random, table: Table, rows: Sequence[Row], known: FileStatistics
) -> FileStatistics:
    """Adds value sets and Bloom filters to some columns."""
    more = dict(known)
    for column in table.columns:
        of_column = more.get(column.name)
        if of_column is None or rng.random() < 0.6:
            continue
        values = [value for row in rows if (value := row[column.name]) is not None and not is_nan(value)]
        encoded = sorted({encode_value(column.type, value) for value in values})
        if rng.random() < 0.5:
            more[column.name] = replace(of_column, contents=contents_of(encoded))
        else:
            more[column.name] = replace(of_column, contents=contents_of(bloom=BloomFilter.of(encoded, 0.01)))
    return more


def _weakened(rng: random.Random, known: FileStatistics) -> FileStatistics:
    """Drops columns and parts of them, loosens bounds, and stores values as a narrower type."""
    left: dict[str, ColumnStatistics] = {}
    for name, column in known.items():
        match rng.randrange(8):
            case 0:
                continue
            case 1:
                left[name] = replace(column, **{rng.choice(PARTS): None})  # type: ignore[arg-type]
            case 2 if column.type.kind is ValueKind.STRING:
                left[name] = _loosened(column)
            case 3 if column.type.kind is ValueKind.INTEGER:
                left[name] = _narrowed(rng, column)
            case _:
                left[name] = column
    return left


def _narrowed(rng: random.Random, column: ColumnStatistics) -> ColumnStatistics:
    """Returns the statistics of a column that was widened after the file was written."""
    if column.lower is None or column.upper is None:
        return column
    zero = int.from_bytes(encode_value(HiveType("bigint"), 0), "big")
    ends = [int.from_bytes(bound, "big") - zero for bound in (column.lower, column.upper)]
    fitting = [
        name
        for name, bits in _WIDTHS.items()
        if bits <= _WIDTHS.get(column.type.name, 63) and all(-(1 << bits) <= end < 1 << bits for end in ends)
    ]
    return replace(column, type=HiveType(rng.choice(fitting))) if fitting else column
