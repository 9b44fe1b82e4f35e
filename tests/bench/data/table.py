"""Generates the statistics of large tables."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]

INSTANT: Final = "20210301000000000"
FIRST_DAY: Final = date(2021, 2, 3)
_MICROS_PER_DAY: Final = 86_400_000_000
_ROWS: Final = 1_000_000
_EPOCH: Final = date(1970, 1, 1)

# A wide event table: name, Hive type, shape, and number of such columns in 100. As Parquet, 1,288 files
# and 2,078 columns then take about the RFC's 43 MB.
_KINDS: Final = (
    ("event_ts", "timestamp", "day", 16),
    ("updated_ts", "timestamp", "any", 8),
    ("order_date", "date", "date", 3),
    ("city_id", "int", "small", 8),
    ("status_code", "int", "enum", 4),
    ("rider_id", "bigint", "wide", 16),
    ("attempts", "bigint", "enum", 2),
    ("fare", "double", "money", 16),
    ("rating", "double", "rating", 3),
    ("currency", "string", "code", 5),
    ("session_id", "string", "uuid", 14),
    ("vehicle_model", "string", "word", 5),
)
_WORDS: Final = ("economy", "black", "pool", "comfort", "green", "van", "access", "premier", "taxi", "moto")
_CODES: Final = ("AED", "BRL", "CHF", "EUR", "GBP", "INR", "JPY", "MXN", "USD", "ZAR")


@dataclass(frozen=True)
class BaseFiles:
    """The base files of a table, sorted by partition and name; `days` since 1970 are the partitions'."""

    partitions: list[str]
    days: Integers
    names: list[str]
    ids: list[str]
    sizes: Integers

    def __len__(self) -> int:
        return len(self.names)

    @property
    def rows(self) -> Integers:
        """Rows of each."""
        return np.full(len(self), _ROWS, np.int64)

    def paths(self) -> list[str]:
        """Path of each, relative to the table."""
        return [f"{folder}/{name}" for folder, name in zip(self.partitions, self.names, strict=True)]


@dataclass(frozen=True)
class ColumnKind:
    """A column and the shape of its values. In a sparse column, most files have only NULL."""

    name: str
    hive_type: str
    shape: str
    sparse: bool = False


@dataclass(frozen=True)
class ColumnBounds:
    """One column's statistics in all files; bounds are meaningless for files that are not `filled`."""

    name: str
    hive_type: str
    lower: npt.NDArray[Any]
    upper: npt.NDArray[Any]
    filled: npt.NDArray[np.bool_]
    null_counts: Integers


def base_files(count: int, partitions: int) -> BaseFiles:
    """Spreads files evenly over partitions by day, and names them as Hudi does."""
    random = np.random.default_rng(1)
    bits = random.bytes(16 * count)
    identifiers = [str(uuid.UUID(bytes=bits[16 * i : 16 * i + 16], version=4)) for i in range(count)]
    of_file = np.sort(np.arange(count) % partitions)
    folders = [f"datestr={FIRST_DAY + timedelta(days=day)}" for day in range(partitions)]
    named = sorted(
        (folders[day], f"{identifier}-0_{number % 200}-55-{98 + number % 200}_{INSTANT}.parquet", day)
        for number, (day, identifier) in enumerate(zip(of_file.tolist(), identifiers, strict=True))
    )
    first = (FIRST_DAY - _EPOCH).days
    return BaseFiles(
        partitions=[folder for folder, _, _ in named],
        days=np.array([day for _, _, day in named], np.int64) + first,
        names=[name for _, name, _ in named],
        ids=[name.split("_")[0] for _, name, _ in named],
        sizes=random.integers(150_000_000, 250_000_000, count),
    )


def wide_columns(count: int) -> list[ColumnKind]:
    """Returns the columns of a wide table, sorted by name."""
    shares = [kind for kind in _KINDS for _ in range(kind[3])]
    # Drawn once for 100 columns and repeated, so that narrow tables also have every kind.
    order = np.random.default_rng(3).permutation(len(shares))
    drawn = [shares[order[number % len(shares)]] for number in range(count)]
    named = sorted((f"{kind[0]}_{number:04d}", kind[1], kind[2]) for number, kind in enumerate(drawn))
    # Wide tables are sparse: one column in eight has values in few files.
    return [
        ColumnKind(name, hive_type, shape, sparse=number % 8 == 3)
        for number, (name, hive_type, shape) in enumerate(named)
    ]


def column_bounds(files: BaseFiles, columns: Sequence[ColumnKind]) -> Iterator[ColumnBounds]:
    """Generates the statistics of some columns, the same in every run."""
    for number, column in enumerate(columns):
        random = np.random.default_rng([7, number])
        lower, upper = _bounds(column.shape, files.days, random)
        filled = random.random(len(files)) < (0.1 if column.sparse else 0.98)
        some = random.integers(0, _ROWS // 100, len(files)) if number % 3 else np.zeros(len(files), np.int64)
        nulls = np.where(filled, some, _ROWS)
        yield ColumnBounds(column.name, column.hive_type, lower, upper, filled, nulls)


def _bounds(
    shape: str, days: Integers, random: np.random.Generator
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    count = len(days)
    match shape:
        case "day":
            start = days * _MICROS_PER_DAY + random.integers(0, _MICROS_PER_DAY // 2, count)
            return start, start + random.integers(1, _MICROS_PER_DAY // 2, count)
        case "date":
            return days, days + random.integers(0, 2, count)
        case "any":
            low = random.integers(0, 365, count) * _MICROS_PER_DAY + 1_580_000_000_000_000
            return low, low + random.integers(1, 50 * _MICROS_PER_DAY, count)
        case "enum":
            return np.zeros(count, np.int64), random.integers(1, 9, count)
        case "small":
            low = random.integers(1, 400, count)
            return low, low + random.integers(0, 600, count)
        case "wide":
            # Clustered: each file has its own range of values.
            step = (1 << 40) // max(count, 1)
            low = random.permutation(count) * step + random.integers(0, step, count)
            return low, low + step
        case "money":
            cents = random.integers(0, 500, count) / 100
            return cents, cents + random.integers(1, 50_000, count) / 100
        case "rating":
            return np.full(count, 1.0), np.full(count, 5.0)
        case "code":
            return _texts(_CODES, count, random)
        case "word":
            return _texts(_WORDS, count, random)
        case _:
            bits = random.integers(0, 1 << 48, (2, count))
            low, high = np.minimum(bits[0], bits[1]), np.maximum(bits[0], bits[1])
            return _hexadecimal(low), _hexadecimal(high)


def _texts(
    values: tuple[str, ...], count: int, random: np.random.Generator
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    drawn = np.sort(random.integers(0, len(values), (2, count)), axis=0)
    ordered = np.array(sorted(values), dtype=object)
    return ordered[drawn[0]], ordered[drawn[1]]


def _hexadecimal(values: Integers) -> npt.NDArray[Any]:
    return np.array(
        [f"{value >> 16:08x}-{value & 0xFFFF:04x}-4d7e-9a37-6f0c2d84be15" for value in values.tolist()],
        dtype=object,
    )
