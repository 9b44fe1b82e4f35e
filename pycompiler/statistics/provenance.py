"""Which statistics of which Parquet writers can be believed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pycompiler.statistics.stored_type import StoredType
from pycompiler.values.types import ValueKind

_CREATED_BY: Final = re.compile(r"(?P<name>[\w-]+) version (?P<version>\d+\.\d+\.\d+)(?P<rest>\S*)")

# PARQUET-1025, in 1.10.0: byte strings are compared as their logical type says, and floats by Double.compare.
_MR_ORDERED_SINCE: Final = (1, 10, 0)
# Later releases may write IEEE 754 total order, which leaves NaN out of the maximum.
_MR_NAN_IS_GREATEST_BELOW: Final = (1, 17, 0)
# PARQUET-1655: decimals were compared as unsigned bytes before.
_CPP_ORDERED_SINCE: Final = (4, 0, 0)


@dataclass(frozen=True, slots=True)
class Provenance:
    """What is known about the writer of a file.

    Attributes:
        orders_bytes: Minimum and maximum of strings and of decimals in byte strings are in the order of the
            logical type, not of signed bytes.
        nan_is_greatest: A NaN among the values makes the maximum NaN (`Double.compare`), so that a maximum
            that is a number proves that there is none. Without it, bounds of floats say nothing.
    """

    orders_bytes: bool = False
    nan_is_greatest: bool = False

    def trusted_with(self, stored: StoredType) -> bool:
        """Whether minimum and maximum of a type are what they are taken for."""
        if not stored.has_bounds:
            return False
        if stored.byte_ordered:
            return self.orders_bytes
        return stored.hive_type.kind is not ValueKind.FLOAT or self.nan_is_greatest


OWN_FILES: Final = Provenance(orders_bytes=True, nan_is_greatest=True)
"""Of Parquet that was made of a log file's records just now: bounds of columns with NaN are passed over."""


@lru_cache(maxsize=256)
def provenance(created_by: str | None) -> Provenance:
    """Judges a writer by the footer's `created_by`; an unknown one is trusted with nothing."""
    found = _CREATED_BY.match(created_by or "")
    if found is None:
        return Provenance()
    version = tuple(map(int, found["version"].split(".")))
    match found["name"]:
        case "parquet-mr":
            ordered = version >= _MR_ORDERED_SINCE
            # A suffix means a vendor's build: its own patches may touch floats.
            return Provenance(ordered, ordered and not found["rest"] and version < _MR_NAN_IS_GREATEST_BELOW)
        case "parquet-cpp-arrow":
            return Provenance(orders_bytes=version >= _CPP_ORDERED_SINCE)
        case _:
            return Provenance()
