"""Reads the content of the index kind `ndv`, as Java does in queries."""

import struct
from collections.abc import Iterable

from datasketches import cpc_sketch, cpc_union

from pycompiler.index.value_sketch import LG_K

_LENGTHS = struct.Struct("<fI")


def lengths(content: bytes) -> tuple[float, int]:
    """Mean and greatest length of the encoded values."""
    mean, greatest = _LENGTHS.unpack_from(content)
    return mean, greatest


def distinct_values(contents: Iterable[bytes]) -> int:
    """The estimated number of distinct values in all files together."""
    union = cpc_union(LG_K)
    for content in contents:
        union.update(cpc_sketch.deserialize(content[_LENGTHS.size :]))
    estimate: float = union.get_result().get_estimate()
    return round(estimate)
