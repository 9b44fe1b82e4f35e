"""What records say of values, and an index kind that only tests have, here and in Java."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pycompiler.compile.expression.bloom import BloomFilter
from pycompiler.compile.expression.content import AllValues, Content
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.encoding import Value, encode_value
from pycompiler.compile.values.types import HiveType, ValueKind
from pycompiler.index.kinds import BLOOM, VALUES, DistinctValues, IndexKind

OCTETS = "octets"


def contents_of(
    values: Iterable[bytes] | None = None, bloom: BloomFilter | None = None, octets: bytes | None = None
) -> dict[str, Content]:
    """The contents of those kinds that are given."""
    found: dict[str, Content] = {}
    if values is not None:
        found[VALUES] = AllValues(tuple(values))
    if bloom is not None:
        found[BLOOM] = bloom
    if octets is not None:
        found[OCTETS] = OctetSet(octets)
    return found


def one_row(hive_type: HiveType, value: Value | None) -> ColumnStatistics:
    """Statistics of a column in a file with one row."""
    bound = None if value is None else encode_value(hive_type, value)
    nans = 0 if hive_type.kind is ValueKind.FLOAT else None
    return ColumnStatistics(hive_type, bound, bound, int(value is None), value_count=1, nan_count=nans)


@dataclass(frozen=True, slots=True)
class OctetSet(Content):
    """The last bytes of all encoded values; a question is the last bytes that are asked for."""

    data: bytes

    def may_match(self, question: bytes) -> bool:
        return not set(self.data).isdisjoint(question)


class Octets(IndexKind):
    """Keeps the last byte of each value. Java's is `OctetsKind`."""

    name = OCTETS

    def content(self, values: DistinctValues) -> bytes | None:
        return bytes(sorted({encoded[-1] for encoded in values.encoded() if encoded}))

    def denies(self, content: bytes, values: DistinctValues) -> bool:
        return any(encoded and encoded[-1] not in content for encoded in values.encoded())

    def read(self, content: bytes) -> Content:
        return OctetSet(content)


def all_values(statistics: ColumnStatistics) -> tuple[bytes, ...] | None:
    """What a record of all values says."""
    known = statistics.contents.get(VALUES)
    return None if known is None else known.all_values


def bloom_filter(statistics: ColumnStatistics) -> BloomFilter | None:
    """What a record with a Bloom filter says."""
    known = statistics.contents.get(BLOOM)
    assert known is None or isinstance(known, BloomFilter)
    return known


def statistics_json(statistics: ColumnStatistics) -> dict[str, Any]:
    """Statistics as the vector files write them; contents of tests' own kinds by their attribute `data`."""
    found: dict[str, Any] = {
        "type": str(statistics.type),
        "lower": None if statistics.lower is None else statistics.lower.hex(),
        "upper": None if statistics.upper is None else statistics.upper.hex(),
        "null_count": statistics.null_count,
        "value_count": statistics.value_count,
        "nan_count": statistics.nan_count,
    }
    for kind, content in statistics.contents.items():
        match content:
            case AllValues(values):
                found["value_set"] = [value.hex() for value in values]
            case BloomFilter(data):
                found["bloom"] = data.hex()
            case _:
                found.setdefault("contents", {})[kind] = content.data.hex()  # type: ignore[attr-defined]
    return found
