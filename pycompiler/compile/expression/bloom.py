"""Bloom filters of encoded values, in the serialized form of Apache DataSketches' `BloomFilter`.

Apache's Python package has no Bloom filter, so this module implements the format of its Java library (6.2.0,
serial version 1): little-endian; two XXH64 hashes per value, the second seeded with the first.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from pycompiler.compile.expression.content import Content

DEFAULT_SEED: Final = 9001
"""Seed of new filters; readers take the seed from the bytes."""

_SERIAL_VERSION: Final = 1
_FAMILY: Final = 21
_EMPTY_FLAG: Final = 4
_PREAMBLE_LONGS: Final = 4
_EMPTY_PREAMBLE_LONGS: Final = 3
# Preamble longs, serial version, family, flags, number of hashes, seed, longs of the bit array.
_HEADER: Final = struct.Struct("<BBBBHxxQixxxx")
# Number of bits set; the bits follow.
_BIT_COUNT: Final = struct.Struct("<q")
_MASK: Final = (1 << 64) - 1
_MAX_HASHES: Final = (1 << 15) - 1


@dataclass(frozen=True, slots=True)
class BloomFilter(Content):
    """A set that may contain values that were never added, but never misses one that was.

    Raises:
        ValueError: The bytes are not a serialized filter.
    """

    data: bytes
    _hashes: int = field(init=False, repr=False, compare=False)
    _seed: int = field(init=False, repr=False, compare=False)
    _bit_count: int = field(init=False, repr=False, compare=False)
    _first_bit_byte: int | None = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.data) < _HEADER.size:
            raise ValueError(f"a Bloom filter of {len(self.data)} bytes is too short")
        preamble, version, family, flags, hashes, seed, longs = _HEADER.unpack_from(self.data)
        is_empty = bool(flags & _EMPTY_FLAG)
        expected_preamble = _EMPTY_PREAMBLE_LONGS if is_empty else _PREAMBLE_LONGS
        if (version, family, preamble) != (_SERIAL_VERSION, _FAMILY, expected_preamble):
            raise ValueError(f"not a Bloom filter: version {version}, family {family}, preamble {preamble}")
        first_bit_byte = _PREAMBLE_LONGS * 8
        if not 0 < hashes <= _MAX_HASHES or longs < 1:
            raise ValueError(f"a Bloom filter cannot have {hashes} hashes and {longs} longs")
        if not is_empty and len(self.data) < first_bit_byte + longs * 8:
            raise ValueError(f"a Bloom filter of {longs} longs has only {len(self.data)} bytes")
        object.__setattr__(self, "_hashes", hashes)
        object.__setattr__(self, "_seed", seed)
        object.__setattr__(self, "_bit_count", longs * 64)
        object.__setattr__(self, "_first_bit_byte", None if is_empty else first_bit_byte)

    @staticmethod
    def of(values: Iterable[bytes], fpp: float) -> BloomFilter:
        """Builds a filter from encoded values, with a false-positive probability between 0 and 1."""
        if not 0 < fpp < 1:
            raise ValueError(f"the false-positive probability must be between 0 and 1, not {fpp}")
        distinct = set(values)
        longs = _longs(len(distinct), fpp)
        hashes = max(1, math.ceil(-math.log2(fpp)))
        if not distinct:
            return BloomFilter(
                _HEADER.pack(
                    _EMPTY_PREAMBLE_LONGS, _SERIAL_VERSION, _FAMILY, _EMPTY_FLAG, hashes, DEFAULT_SEED, longs
                )
            )
        bits = bytearray(longs * 8)
        for value in distinct:
            for bit in _bits_of(value, DEFAULT_SEED, hashes, longs * 64):
                bits[bit >> 3] |= 1 << (bit & 7)
        header = _HEADER.pack(_PREAMBLE_LONGS, _SERIAL_VERSION, _FAMILY, 0, hashes, DEFAULT_SEED, longs)
        bits_set = int.from_bytes(bits, "little").bit_count()
        return BloomFilter(header + _BIT_COUNT.pack(bits_set) + bytes(bits))

    def might_contain(self, encoded: bytes) -> bool:
        """Whether the set may contain a value; False is certain."""
        start = self._first_bit_byte
        if start is None:
            return False
        return all(
            self.data[start + (bit >> 3)] & (1 << (bit & 7))
            for bit in _bits_of(encoded, self._seed, self._hashes, self._bit_count)
        )


def _longs(distinct: int, fpp: float) -> int:
    """The length of the bit array."""
    wanted_bits = math.ceil(-max(distinct, 1) * math.log(fpp) / math.log(2) ** 2)
    return -(-wanted_bits // 64)


def _bits_of(value: bytes, seed: int, hashes: int, bit_count: int) -> Iterator[int]:
    xxh64 = _xxh64()
    first = xxh64(value, seed)
    second = xxh64(value, first)
    for number in range(1, hashes + 1):
        yield (((first + number * second) & _MASK) >> 1) % bit_count


@cache
def _xxh64() -> Callable[[bytes, int], int]:
    # Imported late: Spark executors may lack the library, and need it for Bloom filters only.
    from xxhash import xxh64_intdigest

    return xxh64_intdigest
