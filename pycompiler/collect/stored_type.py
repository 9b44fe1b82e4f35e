"""The Hive type of a Parquet column, and which of its raw statistics are meaningful."""

import json
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from pycompiler.values.calendar import DAY_MICROS, FIRST_AGREED_DAY
from pycompiler.values.types import INTEGER_BITS, MAX_DECIMAL_PRECISION, HiveType, ValueKind

_INTEGER_NAMES: Final = {bits: name for name, bits in INTEGER_BITS.items()}
_GREATEST: Final = (1 << 63) - 1


class Unit(Enum):
    """Unit of a stored timestamp with usable statistics; the value is its length in microseconds."""

    MICROS = 1
    MILLIS = 1000


@dataclass(frozen=True, slots=True)
class StoredType:
    """A primitive Parquet type that the index has records for.

    Attributes:
        hive_type: The Hive type that the file stores.
        has_bounds: Whether minimum and maximum have a known meaning; null counts always have.
        byte_ordered: Whether statistics compare byte strings, which old writers did wrongly.
        unit: Unit of a timestamp.
    """

    hive_type: HiveType
    has_bounds: bool = True
    byte_ordered: bool = False
    unit: Unit = Unit.MICROS

    @property
    def raw_limits(self) -> tuple[int, int] | None:
        """The least and greatest raw date or timestamp that may serve as a bound; None for other types.

        Before 1583-01-01, writers and Hive disagree by days (hybrid and proleptic calendar). Milliseconds may
        overflow 64 bits of microseconds, beyond the year 292,277.
        """
        match self.hive_type.kind:
            case ValueKind.DATE:
                return FIRST_AGREED_DAY, _GREATEST
            case ValueKind.TIMESTAMP:
                least = FIRST_AGREED_DAY * DAY_MICROS // self.unit.value
                return least, _GREATEST // self.unit.value
            case _:
                return None


@lru_cache(maxsize=1024)
def stored_type(physical: str, logical: str, precision: int, scale: int) -> StoredType | None:
    """What a primitive Parquet column stores.

    Args:
        physical: Physical type: `INT32`, `BYTE_ARRAY`, ….
        logical: Logical type as JSON, from pyarrow.
        precision: For decimals.
        scale: For decimals.

    Returns:
        None for types that Hive cannot read or reads with another meaning: unsigned integers, times, enums,
        UUIDs and so on.
    """
    annotation = json.loads(logical)
    match annotation.get("Type"), physical:
        case "None", "BOOLEAN":
            return StoredType(HiveType("boolean"))
        case "None", "INT32":
            return StoredType(HiveType("int"))
        case "None", "INT64":
            return StoredType(HiveType("bigint"))
        case "None", "FLOAT":
            return StoredType(HiveType("float"))
        case "None", "DOUBLE":
            return StoredType(HiveType("double"))
        case "None", "INT96":
            # INT96 statistics are undefined: writers order the bytes, not the instants.
            return StoredType(HiveType("timestamp"), has_bounds=False)
        case "None", "BYTE_ARRAY":
            return StoredType(HiveType("binary"), has_bounds=False)
        case "Int", "INT32" | "INT64" if annotation["isSigned"]:
            return StoredType(HiveType(_INTEGER_NAMES[annotation["bitWidth"]]))
        case "String", "BYTE_ARRAY":
            return StoredType(HiveType("string"), byte_ordered=True)
        case "Date", "INT32":
            return StoredType(HiveType("date"))
        case "Timestamp", "INT64":
            return _timestamp(annotation["timeUnit"])
        case "Decimal", "INT32" | "INT64" | "BYTE_ARRAY" | "FIXED_LEN_BYTE_ARRAY":
            if not 1 <= precision <= MAX_DECIMAL_PRECISION or not 0 <= scale <= precision:
                return None
            decimal = HiveType("decimal", precision=precision, scale=scale)
            return StoredType(decimal, byte_ordered=physical.endswith("BYTE_ARRAY"))
        case _:
            return None


def _timestamp(unit: str) -> StoredType:
    match unit:
        case "microseconds":
            return StoredType(HiveType("timestamp"))
        case "milliseconds":
            return StoredType(HiveType("timestamp"), unit=Unit.MILLIS)
        case _:
            # Hive truncates nanoseconds, and no Hudi writer produces them.
            return StoredType(HiveType("timestamp"), has_bounds=False)
