"""The form in which a record counts a file's distinct values, so that the counts of files can be merged.

A CPC sketch of Apache DataSketches: for the same error, its bytes are 40 % fewer than those of HyperLogLog.
With k = 2**10, the standard error of a union is 2.2 %, in at most 0.7 KB per file and column.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

from pycompiler.errors import HudiSkipError

LG_K: Final = 10
"""Logarithm of k, on which size and error depend. A union of sketches has the error of the least k."""

# Mean and greatest length of the encoded values, in bytes; the sketch follows.
_LENGTHS: Final = struct.Struct("<fI")


class SketchLibraryMissingError(HudiSkipError):
    """The library that makes sketches is not installed."""


def serialize_sketch(values: Sequence[bytes]) -> bytes:
    """Writes the lengths of distinct encoded values and a sketch of them; equal sequences give equal bytes.

    Raises:
        SketchLibraryMissingError: The library is not installed.
    """
    # Imported late: whoever only reads an index needs neither library.
    try:
        from datasketches import cpc_sketch
        from xxhash import xxh64_intdigest
    except ImportError as error:
        raise SketchLibraryMissingError(
            f"a library that counts distinct values is missing ({error}); run: pip install 'hudi-skip[spark]'"
        ) from error
    sketch = cpc_sketch(LG_K)
    for value in values:
        # Hashed first: the library takes no bytes, and would leave out an empty string. The hash must not be
        # negative, because the library converts negative integers to floats.
        sketch.update(xxh64_intdigest(value))
    lengths = [len(value) for value in values] or [0]
    serialized: bytes = sketch.serialize()
    return _LENGTHS.pack(sum(lengths) / len(lengths), max(lengths)) + serialized
