"""Statistics of row groups, of many files and columns at once, as bounds of the files.

What one row group lacks, the file lacks; a row group without values has nothing to bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pycompiler.index.records import RecordFlag
from pycompiler.statistics.stored_type import StoredType
from pycompiler.values.encoding import MAX_BOUND_BYTES, encode_unscaled, truncate_lower, truncate_upper
from pycompiler.values.types import ValueKind

RawStatistic: TypeAlias = bool | int | float | bytes
"""A minimum or maximum as the footer has it, in the physical type."""

_Array: TypeAlias = npt.NDArray[Any]
_SIGN: Final = np.uint64(1 << 63)


class RowGroups:
    """The counts that the row groups of some files have for the same columns.

    Sequences run over the row groups, and in each over the columns.

    Args:
        rows: Rows of each row group.
        first: The first row group of each file; each file has one at least.
        null_counts: NULLs, None where that is not known.
        bounded: Whether there is a minimum and a maximum.
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
        # No value in the row group, so nothing to bound.
        self._empty = counted & (nulls == np.array(rows, np.int64)[:, None])
        has_bounds = np.array(bounded, bool).reshape(shape)
        self._missing = self.together(np.logical_or, ~self._empty & ~(counted & has_bounds))
        self._counted = self.together(np.logical_and, counted)
        self._nulls = self.together(np.add, nulls)

    def together(self, function: np.ufunc, of_groups: _Array) -> _Array:
        """Reduces what there is for each row group to what there is for each file."""
        if len(self._first) == len(of_groups):
            return of_groups
        reduced: _Array = function.reduceat(of_groups, self._first, axis=0)
        return reduced

    def empty(self, columns: slice) -> _Array:
        """By row group and column: whether all is known to be NULL."""
        empty: _Array = self._empty[:, columns]
        return empty

    def missing(self, columns: slice) -> _Array:
        """By file and column: whether a row group lacks a statistic."""
        missing: _Array = self._missing[:, columns]
        return missing

    def null_counts(self, columns: slice) -> pa.Array:
        """File after file, and in each column after column: the NULLs; NULL where that is not known."""
        nulls, counted = self._nulls[:, columns].ravel(), self._counted[:, columns].ravel()
        return pa.array(nulls, pa.int64(), mask=~counted)


@dataclass(frozen=True, slots=True)
class FileBounds:
    """What is known about the columns of one stored type, file after file, and in each column after column.

    Attributes:
        lower: Encoded and cut to length; NULL where there is none.
        upper: The same.
        nan_count: 0 where no NaN is known to be there; NULL elsewhere, and for other types than float and
            double.
        flags: `RecordFlag` as int.
    """

    lower: pa.Array
    upper: pa.Array
    nan_count: pa.Array
    flags: pa.Array


def file_bounds(
    stored: StoredType,
    groups: RowGroups,
    columns: slice,
    minima: Sequence[RawStatistic | None],
    maxima: Sequence[RawStatistic | None],
) -> FileBounds:
    """Makes bounds of files of the statistics of their row groups.

    Args:
        stored: What the columns store.
        groups: Counts of the row groups.
        columns: Which of their columns the minima and maxima belong to.
        minima: Over the row groups, and in each over the columns; None where there is none or it is not to be
            trusted.
        maxima: The same.
    """
    empty = groups.empty(columns)
    lower, upper = (_Side.read(stored, raw, empty.shape) for raw in (minima, maxima))
    # Out of order they are sorted by a rule that we do not know, and bound nothing.
    fit = ~empty & ~(lower.known & upper.known & (lower.keys > upper.keys))
    lower, upper = lower.where(fit), upper.where(fit)
    nan_free = groups.together(np.logical_and, empty | (lower.known & upper.known))
    lower, upper = lower.of_files(groups, empty, np.minimum), upper.of_files(groups, empty, np.maximum)
    flags = np.where(groups.missing(columns), int(RecordFlag.STATISTICS_MISSING), 0)
    if stored.hive_type.kind is ValueKind.FLOAT:
        # NaN is left out of bounds, so these say nothing about a file that may hold one.
        lower, upper = lower.where(nan_free), upper.where(nan_free)
    else:
        nan_free = np.zeros_like(nan_free)
    # Only strings are cut: a cut decimal would be no encoded value any more, and the others are short.
    if stored.hive_type.kind is ValueKind.STRING:
        flags |= np.where(lower.long(), int(RecordFlag.LOWER_CUT), 0)
        flags |= np.where(upper.long(), int(RecordFlag.UPPER_CUT), 0)
        lower, upper = lower.cut(truncate_lower), upper.cut(truncate_upper)
    width = 1 if stored.hive_type.kind is ValueKind.BOOLEAN else 8
    return FileBounds(
        lower.encoded(width),
        upper.encoded(width),
        pa.array(np.zeros(nan_free.size, np.int64), pa.int64(), mask=~nan_free.ravel()),
        pa.array(flags.ravel(), pa.int32()),
    )


@dataclass(frozen=True, slots=True)
class _Side:
    """Lower or upper bounds: what is known, by row group or file and column.

    Attributes:
        keys: Either the encoded values, as objects, or what their bytes mean as unsigned numbers: the order
            is the same.
        known: Whether there is a bound; the key has no meaning where there is none.
    """

    keys: _Array
    known: _Array

    @staticmethod
    def read(stored: StoredType, raw: Sequence[RawStatistic | None], shape: tuple[int, ...]) -> _Side:
        kind = stored.hive_type.kind
        if kind is ValueKind.STRING or kind is ValueKind.DECIMAL:
            encode = _decimals(stored.hive_type.scale or 0) if kind is ValueKind.DECIMAL else _same
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
            # What is not known may run over.
            keys = (values * stored.unit.value).view(np.uint64) ^ _SIGN
        return _Side(keys.reshape(shape), known.reshape(shape))

    def where(self, allowed: _Array) -> _Side:
        return _Side(self.keys, self.known & allowed)

    def of_files(self, groups: RowGroups, empty: _Array, widest: np.ufunc) -> _Side:
        """The widest bound of each file's row groups, if all that are not empty have one."""
        known = groups.together(np.logical_and, self.known | empty)
        known = known & groups.together(np.logical_or, self.known)
        if not known.any():
            return _Side(self.keys[: len(known)], known)
        keys = self.keys.copy()
        # Narrower than any, or as narrow: the key of an empty row group changes none.
        keys[~self.known] = (np.maximum if widest is np.minimum else np.minimum).reduce(keys[self.known])
        return _Side(groups.together(widest, keys), known)

    def long(self) -> _Array:
        """Which of the encoded values have to be cut."""
        lengths = np.array([len(key) for key in self.keys.flat], np.int64)
        return self.known & (lengths.reshape(self.keys.shape) > MAX_BOUND_BYTES)

    def cut(self, truncate: Callable[[bytes], bytes | None]) -> _Side:
        keys, known = self.keys.copy(), self.known.copy()
        for at in zip(*np.nonzero(self.long()), strict=True):
            cut = truncate(keys[at])
            keys[at], known[at] = cut, cut is not None
        return _Side(keys, known)

    def encoded(self, width: int) -> pa.Array:
        """The bounds as bytes; of numbers the last `width` bytes."""
        keys, unknown = self.keys.ravel(), ~self.known.ravel()
        if keys.dtype == object:
            return pa.array(keys, pa.binary(), mask=unknown)
        data = keys.astype(">u8" if width == 8 else np.uint8).tobytes()
        validity = pa.array(~unknown).buffers()[1]
        fixed = pa.FixedSizeBinaryArray.from_buffers(
            pa.binary(width), len(keys), [validity, pa.py_buffer(data)]
        )
        return fixed.cast(pa.binary())


def _same(value: Any) -> bytes:
    encoded: bytes = value
    return encoded


def _decimals(scale: int) -> Callable[[Any], bytes]:
    def encode(value: int | bytes) -> bytes:
        unscaled = value if isinstance(value, int) else int.from_bytes(value, "big", signed=True)
        return encode_unscaled(unscaled, scale)

    return encode


def _float_keys(values: _Array) -> _Array:
    # Adding 0.0 makes -0.0 into 0.0 and changes no other value.
    bits = (values + 0.0).view(np.uint64)
    keys: _Array = np.where(bits & _SIGN, ~bits, bits ^ _SIGN)
    return keys


def _numpy(array: pa.Array) -> _Array:
    values: _Array = array.to_numpy(zero_copy_only=False)
    return values
