"""Index kinds: what is kept of columns besides the ranges that footers give, and what it answers."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final, Protocol

from pycompiler.expression.bloom import BloomFilter
from pycompiler.expression.content import AllValues, Content
from pycompiler.functions.kind_rules import KindRules
from pycompiler.index.value_set import parse_values, serialize_values
from pycompiler.plugins import INDEX_KINDS, installed

_LOG: Final = logging.getLogger(__name__)

_FILES_IN_VAIN: Final = 0.5
"""How many files a look-up by one value opens that do not have it, of those whose range may have it."""

_LEAST_FILES: Final = 1_000
"""A smaller table gets the filters of this one: it will grow, and they cost 2 bytes a value."""


class DistinctValues(Protocol):
    """The distinct values of a column in a file; or of several, the distinct rows. Without NULL and NaN."""

    @property
    def least_number(self) -> int:
        """A lower bound of their number, known without encoding them."""

    def encoded(self) -> Sequence[bytes]:
        """The encoded values, ascending. Of one column only."""

    def rows(self) -> Iterable[tuple[Any, ...]]:
        """The values of each row as `encode_value` takes them, in the order of the columns; in any order."""


class IndexKind(KindRules, ABC):
    """One kind of records: what it collects of columns in a file, and what that answers.

    What a condition of a query asks is said by `rules`: functions for which the kind makes questions. In Java
    the kind of the same name, which `ServiceLoader` finds, answers them too (docs/index-kinds.md). An object
    has to be picklable; its constructor's parameters have defaults, and are strings where a choice of columns
    sets them: `name(fpp=0.01)` calls it with `fpp="0.01"`.
    """

    __slots__ = ()

    column_count: ClassVar[int] = 1
    """How many columns a record is about."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What its records have as their kind; the name of its entry point."""

    def sized(self, files: int) -> IndexKind:
        """The kind as it serves a table of so many base files best: this one, unless it depends on that."""
        return self

    @abstractmethod
    def content(self, values: DistinctValues) -> bytes | None:
        """Makes a record's content; None for no record, so that nothing is said about the file."""

    @abstractmethod
    def denies(self, content: bytes, values: DistinctValues) -> bool:
        """Tells whether a record's content wrongly says of a value of the file that it isn't there."""

    @abstractmethod
    def read(self, content: bytes) -> Content:
        """What a record's content says.

        Raises:
            ValueError: It is not what a content of this kind has to be: it says nothing.
        """


@dataclass(frozen=True, slots=True)
class Bloom(IndexKind):
    """A bloom filter of the values.

    Args:
        fpp: How often a value that isn't there is thought to be, between 0 and 1; None for so seldom that a
            look-up opens less than one file in vain.
    """

    fpp: float | None = None

    def __post_init__(self) -> None:
        if self.fpp is None:
            return
        object.__setattr__(self, "fpp", float(self.fpp))
        if not 0 < self.fpp < 1:
            raise ValueError(f"fpp has to be between 0 and 1: {self.fpp}")

    @property
    def name(self) -> str:
        """Kind of the records."""
        return BLOOM

    def sized(self, files: int) -> Bloom:
        """With the `fpp` for so many files, if it has none of its own.

        A look-up asks the filters of all of them: half a file is opened in vain. The filters of files that
        come later, as the table grows, are larger, so that the sum grows with the logarithm of its growth.
        """
        return self if self.fpp is not None else Bloom(_fpp(files))

    def content(self, values: DistinctValues) -> bytes | None:
        """The serialized filter."""
        fpp = _fpp(0) if self.fpp is None else self.fpp
        return BloomFilter.of(values.encoded(), fpp).data

    def denies(self, content: bytes, values: DistinctValues) -> bool:
        """Asks the filter for each value."""
        found = BloomFilter(content)
        return not all(map(found.might_contain, values.encoded()))

    def read(self, content: bytes) -> Content:
        """The filter, which denies single values."""
        return BloomFilter(content)


def _fpp(files: int) -> float:
    return _FILES_IN_VAIN / max(files, _LEAST_FILES)


@dataclass(frozen=True, slots=True)
class ValueSet(IndexKind):
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

    def read(self, content: bytes) -> Content:
        """The set, besides which there are no values."""
        return AllValues(parse_values(content))


BLOOM: Final = "bloom"
"""Name of `Bloom`."""
VALUES: Final = "values"
"""Name of `ValueSet`."""


@cache
def index_kinds() -> dict[str, Callable[..., IndexKind]]:
    """The built-in kinds and those that installed packages offer, by name.

    The built-in names mean the built-in kinds, as they do in every reader.
    """
    return dict(installed(INDEX_KINDS, IndexKind)) | {BLOOM: Bloom, VALUES: ValueSet}


def denied_by(kind: str, content: bytes, values: DistinctValues) -> bool:
    """Tells whether a record's content denies a value of its file; unreadable content denies nothing."""
    known = index_kind(kind)
    if known is None:
        return False
    try:
        return known.denies(content, values)
    except ValueError:
        return False


@cache
def index_kind(name: str) -> IndexKind | None:
    """The kind of that name, as whoever reads records needs it; None, said once, if no package offers it."""
    maker = index_kinds().get(name)
    if maker is None:
        _LOG.warning("no installed package offers the index kind %s: its records are not used", name)
        return None
    return maker()
