"""Which statistics of which Parquet writers can be trusted."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pycompiler.compile.values.types import ValueKind
from pycompiler.index.collect.stored_type import StoredType

_CREATED_BY: Final = re.compile(r"(?P<name>[\w-]+) version (?P<version>\d+\.\d+\.\d+)(?P<rest>\S*)")

# PARQUET-1025 (1.10.0): byte strings are compared by logical type, and floats by Double.compare.
_MR_ORDERED_SINCE: Final = (1, 10, 0)
# Later releases may write IEEE 754 total order, which excludes NaN from the maximum.
_MR_NAN_IS_GREATEST_BELOW: Final = (1, 17, 0)
# PARQUET-1655: earlier releases compared decimals as unsigned bytes.
_CPP_ORDERED_SINCE: Final = (4, 0, 0)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Trust in the writer of a file.

    Attributes:
        orders_bytes: Minimum and maximum of strings and byte-string decimals follow the logical type's order,
            not that of signed bytes.
        nan_is_greatest: Any NaN makes the maximum NaN (`Double.compare`), so a maximum that is a number
            proves that there is no NaN. Otherwise bounds of floats prove nothing.
    """

    orders_bytes: bool = False
    nan_is_greatest: bool = False

    def trusted_with(self, stored: StoredType) -> bool:
        """Whether minimum and maximum of a type can be trusted."""
        if not stored.has_bounds:
            return False
        if stored.byte_ordered:
            return self.orders_bytes
        return stored.hive_type.kind is not ValueKind.FLOAT or self.nan_is_greatest


OWN_FILES: Final = Provenance(orders_bytes=True, nan_is_greatest=True)
"""For Parquet converted from a log file's records, where bounds of columns with NaN are ignored."""


@lru_cache(maxsize=256)
def provenance(created_by: str | None) -> Provenance:
    """Trust in a writer by the footer's `created_by`; none if unknown."""
    found = _CREATED_BY.match(created_by or "")
    if found is None:
        return Provenance()
    version = tuple(map(int, found["version"].split(".")))
    match found["name"]:
        case "parquet-mr":
            ordered = version >= _MR_ORDERED_SINCE
            # A suffix marks a vendor build, whose patches may affect floats.
            return Provenance(ordered, ordered and not found["rest"] and version < _MR_NAN_IS_GREATEST_BELOW)
        case "parquet-cpp-arrow":
            return Provenance(orders_bytes=version >= _CPP_ORDERED_SINCE)
        case _:
            return Provenance()
