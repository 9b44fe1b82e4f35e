"""Kinds of records that are made from a column's values, besides the ranges that footers give."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Final, Protocol, runtime_checkable

from pycompiler.expression.bloom import BloomFilter
from pycompiler.index.records import BLOOM, VALUES
from pycompiler.index.value_set import parse_values, serialize_values

ENTRY_POINTS: Final = "hudi_skip.index_kinds"
"""Entry point group under which a package offers a class that makes an `IndexKind`; the point's name is the
kind's. Its parameters are strings: `name(fpp=0.01)` calls it with `fpp="0.01"`."""

_LOG: Final = logging.getLogger(__name__)


class DistinctValues(Protocol):
    """The distinct values of a column in a file, neither NULL nor NaN."""

    @property
    def least_number(self) -> int:
        """A lower bound of their number, known without encoding them."""

    def encoded(self) -> Sequence[bytes]:
        """The encoded values, ascending."""


@runtime_checkable
class IndexKind(Protocol):
    """Makes and checks the records of one kind. An object has to be picklable."""

    @property
    def name(self) -> str:
        """What its records have as their kind."""

    def content(self, values: DistinctValues) -> bytes | None:
        """Makes a record's content; None for no record, so that nothing is said about the file."""

    def denies(self, content: bytes, values: DistinctValues) -> bool:
        """Tells whether a record's content wrongly says of a value of the file that it isn't there."""


@dataclass(frozen=True, slots=True)
class Bloom:
    """A bloom filter of the values.

    Args:
        fpp: How often a value that isn't there is thought to be, between 0 and 1.
    """

    fpp: float = 0.01

    def __post_init__(self) -> None:
        object.__setattr__(self, "fpp", float(self.fpp))
        if not 0 < self.fpp < 1:
            raise ValueError(f"fpp has to be between 0 and 1: {self.fpp}")

    @property
    def name(self) -> str:
        """Kind of the records."""
        return BLOOM

    def content(self, values: DistinctValues) -> bytes | None:
        """The serialized filter."""
        return BloomFilter.of(values.encoded(), self.fpp).data

    def denies(self, content: bytes, values: DistinctValues) -> bool:
        """Asks the filter for each value."""
        found = BloomFilter(content)
        return not all(map(found.might_contain, values.encoded()))


@dataclass(frozen=True, slots=True)
class ValueSet:
    """All distinct values, where they are few.

    Args:
        max: A file with more of them has no record.
    """

    max: int = 256

    def __post_init__(self) -> None:
        object.__setattr__(self, "max", int(self.max))
        if self.max < 1:
            raise ValueError(f"max has to be at least 1: {self.max}")

    @property
    def name(self) -> str:
        """Kind of the records."""
        return VALUES

    def content(self, values: DistinctValues) -> bytes | None:
        """The serialized set."""
        if values.least_number > self.max:
            return None
        encoded = values.encoded()
        return serialize_values(encoded) if len(encoded) <= self.max else None

    def denies(self, content: bytes, values: DistinctValues) -> bool:
        """Looks each value up."""
        return not set(parse_values(content)).issuperset(values.encoded())


@cache
def index_kinds() -> dict[str, Callable[..., IndexKind]]:
    """The built-in kinds and those that installed packages offer, by name.

    One that cannot be loaded is left out with a warning. The built-in names mean the built-in kinds: readers
    know their content.
    """
    kinds: dict[str, Callable[..., IndexKind]] = {}
    for point in entry_points(group=ENTRY_POINTS):
        try:
            kinds[point.name] = point.load()
        except Exception:
            _LOG.warning("the index kind %s (%s) cannot be loaded", point.name, point.value, exc_info=True)
    return kinds | {BLOOM: Bloom, VALUES: ValueSet}


def denied_by(kind: str, content: bytes, values: DistinctValues) -> bool:
    """Tells whether a record's content denies a value of its file; unreadable content denies nothing."""
    maker = index_kinds().get(kind)
    if maker is None:
        return False
    try:
        return maker().denies(content, values)
    except ValueError:
        return False
