"""The Hive type of a Parquet column, and which of its raw statistics are meaningful."""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pycompiler.compile.values.calendar import DAY_MICROS, FIRST_AGREED_DAY, FIRST_ORDERED_DAY
from pycompiler.compile.values.types import (
    FROM_MICROS,
    FROM_MILLIS,
    INTEGER_BITS,
    MAX_DECIMAL_PRECISION,
    RECORDED_MILLIS,
    TIMESTAMP,
    HiveType,
    ValueKind,
)

_INTEGER_NAMES: Final = {bits: name for name, bits in INTEGER_BITS.items()}
_UNIT_MICROS: Final = {"microseconds": 1, "milliseconds": 1000}
"""Units of timestamps. Hive truncates the only other one, nanoseconds, and no Hudi writer produces them."""

_GREATEST: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class StoredType:
    """A primitive Parquet type that the index has records for.

    Attributes:
        hive_type: The Hive type that the file stores, or the one for timestamps in milliseconds.
        has_bounds: Whether minimum and maximum have a known meaning; null counts always have.
        byte_ordered: Whether statistics compare byte strings, which old writers did wrongly.
        unit_micros: Microseconds of the unit of a timestamp.
    """

    hive_type: HiveType
    has_bounds: bool = True
    byte_ordered: bool = False
    unit_micros: int = 1

    @property
    def raw_limits(self) -> tuple[int, int] | None:
        """The least and greatest raw date or timestamp that may serve as a bound; None for other types.

        Before 1583-01-01, writers and Hive disagree by days (hybrid and proleptic calendar). Milliseconds may
        overflow 64 bits of microseconds, beyond the year 292,277.
        """
        least = self._start_of(FIRST_AGREED_DAY)
        return None if least is None else (least, _GREATEST // self.unit_micros)

    @property
    def first_in_order(self) -> int | None:
        """The least raw date or timestamp whose order Hive keeps; None for other types."""
        return self._start_of(FIRST_ORDERED_DAY)

    def _start_of(self, day: int) -> int | None:
        match self.hive_type.kind:
            case ValueKind.DATE:
                return day
            case ValueKind.TIMESTAMP:
                return day * DAY_MICROS // self.unit_micros
        return None


@lru_cache(maxsize=1024)
def stored_type(
    physical: str, logical: str, precision: int, scale: int, unit: str | None = None
) -> StoredType | None:
    """What a primitive Parquet column stores, from its physical type and its logical type as JSON.

    `unit` is that of a timestamp in the table's schema (`ms` or `us`); None if the table has none there.
    Files may label milliseconds as microseconds, and have plain numbers for timestamps without a time zone.
    Then the numbers have the table's unit.

    None for types that Hive cannot read or reads with another meaning: unsigned integers, times, enums, UUIDs
    and so on. Only decimals have a precision and scale.
    """
    annotation = json.loads(logical)
    match annotation.get("Type"), physical:
        case "None", "BOOLEAN" | "FLOAT" | "DOUBLE":
            return StoredType(HiveType(physical.lower()))
        case "None", "INT32":
            return StoredType(HiveType("int"))
        case "None", "INT64" if unit is not None:
            return _moment(unit, 1)
        case "None", "INT64":
            return StoredType(HiveType("bigint"))
        case "None", "INT96":
            # INT96 statistics are undefined: writers order the bytes, not the instants.
            return _moment(unit, None)
        case "None", "BYTE_ARRAY":
            return StoredType(HiveType("binary"), has_bounds=False)
        case "Int", "INT32" | "INT64" if annotation["isSigned"]:
            return StoredType(HiveType(_INTEGER_NAMES[annotation["bitWidth"]]))
        case "String", "BYTE_ARRAY":
            return StoredType(HiveType("string"), byte_ordered=True)
        case "Date", "INT32":
            return StoredType(HiveType("date"))
        case "Timestamp", "INT64":
            return _moment(unit, _UNIT_MICROS.get(annotation["timeUnit"]))
        case "Decimal", "INT32" | "INT64" | "BYTE_ARRAY" | "FIXED_LEN_BYTE_ARRAY":
            if not 1 <= precision <= MAX_DECIMAL_PRECISION or not 0 <= scale <= precision:
                return None
            decimal = HiveType("decimal", precision=precision, scale=scale)
            return StoredType(decimal, byte_ordered=physical.endswith("BYTE_ARRAY"))
        case _:
            return None


def _moment(unit: str | None, micros: int | None) -> StoredType:
    """A timestamp of a table's unit; the file counts `micros` microseconds, or has no usable numbers."""
    in_millis = unit == "ms"
    if micros is None:
        return StoredType(RECORDED_MILLIS if in_millis else TIMESTAMP, has_bounds=False)
    if in_millis:
        return StoredType(RECORDED_MILLIS, unit_micros=1000)
    return StoredType(FROM_MICROS if micros == 1 else FROM_MILLIS, unit_micros=micros)
