"""Folds the statistics of row groups into bounds of files, for many files and columns at once.

A file lacks what one of its row groups lacks; a row group without values needs no bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pycompiler.compile.values.encoding import (
    MAX_BOUND_BYTES,
    encode_unscaled,
    truncate_lower,
    truncate_upper,
)
from pycompiler.compile.values.types import ValueKind
from pycompiler.index.collect.stored_type import StoredType
from pycompiler.index.records import RecordFlag

RawStatistic: TypeAlias = bool | int | float | bytes
"""A minimum or maximum from the footer, in the physical type."""

_Array: TypeAlias = npt.NDArray[Any]
_SIGN: Final = np.uint64(1 << 63)


class RowGroups:
    """Counts of the row groups of files with the same columns.

    Args:
        rows: Rows of each row group.
        first: Index of the first row group of each file; each file has at least one.
        null_counts: NULLs, by row group, and within each by column; None if unknown.
        bounded: Whether minimum and maximum exist, in the same order.

    Attributes:
        empty: By row group and column: whether all values are known to be NULL.
        missing: By file and column: whether a row group lacks a statistic.
        nulls: By file and column: NULLs, if they are `counted`.
        counted: By file and column: whether the NULLs of all row groups are known.
    """

    def __init__(
        self,
        rows: Sequence[int],
        first: Sequence[int],
        null_counts: Sequence[int | None],
        bounded: Sequence[bool],
    ) -> None:
        self._first = np.array(first, np.int64)
        shape = len(rows), len(null_counts) // len(rows)
        counts = pa.array(null_counts, pa.int64())
        counted = _numpy(counts.is_valid()).reshape(shape)
        nulls = _numpy(counts.fill_null(0)).reshape(shape)
        # A row group without values has nothing to bound.
        self.empty = counted & (nulls == np.array(rows, np.int64)[:, None])
        has_bounds = np.array(bounded, bool).reshape(shape)
        self.missing = self.by_file(np.logical_or, ~self.empty & ~(counted & has_bounds))
        self.counted = self.by_file(np.logical_and, counted)
        self.nulls = self.by_file(np.add, nulls)

    def by_file(self, function: np.ufunc, of_groups: _Array) -> _Array:
        """Reduces an array by row group to one by file."""
        if len(self._first) == len(of_groups):
            return of_groups
        reduced: _Array = function.reduceat(of_groups, self._first, axis=0)
        return reduced


def file_statistics(
    stored: StoredType,
    groups: RowGroups,
    columns: slice,
    minima: Sequence[RawStatistic | None],
    maxima: Sequence[RawStatistic | None],
) -> dict[str, pa.Array]:
    """Folds the statistics of row groups into those of files, for the columns of one stored type.

    Args:
        stored: The columns' stored type.
        groups: Counts of the row groups.
        columns: Which of their columns have this type.
        minima: By row group, and within each by column; None if missing or not trusted.
        maxima: As `minima`.

    Returns:
        Columns of `STATISTICS_FIELDS`, by file, and within each file by column. `nan_count` is 0 if the file
        certainly has no NaN; else NULL, as for types other than float and double.
    """
    empty = groups.empty[:, columns]
    lower, upper = (_Bounds.read(stored, raw, empty.shape) for raw in (minima, maxima))
    fit = ~empty
    if (first := stored.first_in_order) is not None:
        # Hive shows 4713 BC as AD 4713, which may be above the maximum.
        least = _numpy(pa.array(minima, pa.int64()).fill_null(first - 1))
        fit &= (least >= first).reshape(empty.shape)
    lower, upper = lower.where(fit), upper.where(fit)
    nan_free = groups.by_file(np.logical_and, empty | (lower.known & upper.known))
    lower, upper = lower.of_files(groups, empty, np.minimum), upper.of_files(groups, empty, np.maximum)
    flags = np.where(groups.missing[:, columns], int(RecordFlag.STATISTICS_MISSING), 0)
    if stored.hive_type.kind is ValueKind.FLOAT:
        # Bounds exclude NaN, so they prove nothing about a file that may hold one.
        lower, upper = lower.where(nan_free), upper.where(nan_free)
    else:
        nan_free = np.zeros_like(nan_free)
    # Only strings are cut: a cut decimal would not be a valid encoding, and the others are short.
    if stored.hive_type.kind is ValueKind.STRING:
        flags |= np.where(lower.long(), int(RecordFlag.LOWER_CUT), 0)
        flags |= np.where(upper.long(), int(RecordFlag.UPPER_CUT), 0)
        lower, upper = lower.cut(truncate_lower), upper.cut(truncate_upper)
    width = 1 if stored.hive_type.kind is ValueKind.BOOLEAN else 8
    counted = groups.counted[:, columns]
    return {
        "lower": lower.encoded(width),
        "upper": upper.encoded(width),
        "null_count": pa.array(groups.nulls[:, columns].ravel(), pa.int64(), mask=~counted.ravel()),
        "nan_count": pa.array(np.zeros(nan_free.size, np.int64), pa.int64(), mask=~nan_free.ravel()),
        "flags": pa.array(flags.ravel(), pa.int32()),
        "content": pa.nulls(counted.size, pa.binary()),
    }


@dataclass(frozen=True, slots=True)
class _Bounds:
    """Lower or upper bounds, by row group or file, and by column.

    Attributes:
        keys: The encoded values as objects, or their bytes as unsigned numbers; both have the same order.
        known: Whether there is a bound; elsewhere the key is meaningless.
    """

    keys: _Array
    known: _Array

    @staticmethod
    def read(stored: StoredType, raw: Sequence[RawStatistic | None], shape: tuple[int, ...]) -> _Bounds:
        kind = stored.hive_type.kind
        if kind is ValueKind.STRING or kind is ValueKind.DECIMAL:
            encode: Callable[[Any], bytes] = bytes
            if kind is ValueKind.DECIMAL:
                encode = partial(_decimal, stored.hive_type.scale or 0)
            encoded = [b"" if value is None else encode(value) for value in raw]
            keys, known = np.array(encoded, object), np.array([value is not None for value in raw], bool)
        elif kind is ValueKind.FLOAT:
            numbers = pa.array(raw, pa.float64())
            values = _numpy(numbers.fill_null(0))
            keys, known = _float_keys(values), _numpy(numbers.is_valid()) & ~np.isnan(values)
        elif kind is ValueKind.BOOLEAN:
            truths = pa.array(raw, pa.bool_())
            keys, known = _numpy(truths.fill_null(False)).astype(np.uint64), _numpy(truths.is_valid())
        else:
            numbers = pa.array(raw, pa.int64())
            values, known = _numpy(numbers.fill_null(0)), _numpy(numbers.is_valid())
            if stored.raw_limits is not None:
                least, greatest = stored.raw_limits
                known = known & (least <= values) & (values <= greatest)
            # Unknown values may overflow.
            keys = (values * stored.unit_micros).view(np.uint64) ^ _SIGN
        return _Bounds(keys.reshape(shape), known.reshape(shape))

    def where(self, allowed: _Array) -> _Bounds:
        return _Bounds(self.keys, self.known & allowed)

    def of_files(self, groups: RowGroups, empty: _Array, widest: np.ufunc) -> _Bounds:
        """The widest bound of each file's row groups, if all non-empty ones have a bound."""
        known = groups.by_file(np.logical_and, self.known | empty)
        known = known & groups.by_file(np.logical_or, self.known)
        if not known.any():
            return _Bounds(self.keys[: len(known)], known)
        keys = self.keys.copy()
        # The keys of empty row groups must not widen any bound.
        keys[~self.known] = (np.maximum if widest is np.minimum else np.minimum).reduce(keys[self.known])
        return _Bounds(groups.by_file(widest, keys), known)

    def long(self) -> _Array:
        """Which encoded values must be cut."""
        lengths = np.array([len(key) for key in self.keys.flat], np.int64)
        return self.known & (lengths.reshape(self.keys.shape) > MAX_BOUND_BYTES)

    def cut(self, truncate: Callable[[bytes], bytes | None]) -> _Bounds:
        keys, known = self.keys.copy(), self.known.copy()
        for at in zip(*np.nonzero(self.long()), strict=True):
            cut = truncate(keys[at])
            keys[at], known[at] = cut, cut is not None
        return _Bounds(keys, known)

    def encoded(self, width: int) -> pa.Array:
        """The bounds as bytes; for numbers, the last `width` bytes."""
        keys, unknown = self.keys.ravel(), ~self.known.ravel()
        if keys.dtype == object:
            return pa.array(keys, pa.binary(), mask=unknown)
        data = keys.astype(">u8" if width == 8 else np.uint8).tobytes()
        validity = pa.array(~unknown).buffers()[1]
        fixed = pa.FixedSizeBinaryArray.from_buffers(
            pa.binary(width), len(keys), [validity, pa.py_buffer(data)]
        )
        return fixed.cast(pa.binary())


def _decimal(scale: int, value: int | bytes) -> bytes:
    unscaled = value if isinstance(value, int) else int.from_bytes(value, "big", signed=True)
    return encode_unscaled(unscaled, scale)


def _float_keys(values: _Array) -> _Array:
    # Adding 0.0 turns -0.0 into 0.0 and changes no other value.
    bits = (values + 0.0).view(np.uint64)
    keys: _Array = np.where(bits & _SIGN, ~bits, bits ^ _SIGN)
    return keys


def _numpy(array: pa.Array) -> _Array:
    values: _Array = array.to_numpy(zero_copy_only=False)
    return values
