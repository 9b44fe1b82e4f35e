"""Index kinds: records about columns beyond footer ranges, and the questions that they answer."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final, Protocol

from pycompiler.compile.expression.bloom import BloomFilter
from pycompiler.compile.expression.content import AllValues, Content
from pycompiler.compile.functions.rule import KindRules
from pycompiler.index.value_set import parse_values, serialize_values
from pycompiler.plugins import INDEX_KINDS, installed

_LOG: Final = logging.getLogger(__name__)

BLOOM: Final = "bloom"
VALUES: Final = "values"

FALSE_POSITIVES: Final = 0.5
"""Expected false positives per lookup of a single value, among files whose range may contain it."""

_MIN_FILES: Final = 1_000
"""Smaller tables get the filters of a table with this many files: they will grow, at 2 bytes per value."""


class DistinctValues(Protocol):
    """The distinct values of a column in a file, or the distinct rows of several columns. No NULL or NaN."""

    @property
    def min_count(self) -> int:
        """A lower bound of their count, known without encoding."""

    def encoded(self) -> Sequence[bytes]:
        """The encoded values, ascending; for a single column only."""

    def rows(self) -> Iterable[tuple[Any, ...]]:
        """The rows, unordered; each has values for `encode_value` in the order of the columns."""


class IndexKind(KindRules, ABC):
    """A kind of index record: what it collects about columns in a file, and what it answers.

    `rules` turn conditions on functions into questions to the kind. In Java, the kind with the same name,
    found by `ServiceLoader`, answers them too (docs/inside/architecture.md). Instances must be picklable. All
    constructor parameters have defaults, and arrive as strings from a choice of columns: `name(fpp=0.01)`
    calls it with `fpp="0.01"`.
    """

    __slots__ = ()

    column_count: ClassVar[int] = 1
    """Number of columns that a record covers."""

    libraries: ClassVar[tuple[str, ...]] = ()
    """Modules besides its own that `content` imports, so that a lack of them is known before it is called."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The kind of its records, and the name of its entry point."""

    def sized(self, files: int) -> IndexKind:
        """The kind tuned to a table with this many files; by default unchanged."""
        return self

    @abstractmethod
    def content(self, values: DistinctValues) -> bytes | None:
        """Makes a record's content; None if the kind can make none for this file."""

    @abstractmethod
    def denies(self, content: bytes, values: DistinctValues) -> bool:
        """Whether the content wrongly denies one of the file's values."""

    @abstractmethod
    def read(self, content: bytes) -> Content:
        """Decodes a record's content.

        Raises:
            ValueError: The content is not valid for this kind.
        """


@dataclass(frozen=True, slots=True)
class Bloom(IndexKind):
    """A Bloom filter of the values.

    Args:
        fpp: False-positive probability, between 0 and 1; None to choose it so that a lookup reads less than
            one file needlessly.
    """

    name = BLOOM
    libraries = ("xxhash",)
    fpp: float | None = None

    def __post_init__(self) -> None:
        if self.fpp is None:
            return
        object.__setattr__(self, "fpp", _number("fpp", "a number between 0 and 1", float, self.fpp))
        if not 0 < self.fpp < 1:
            raise ValueError(f"fpp must be a number between 0 and 1, not {self.fpp}")

    def __str__(self) -> str:
        return BLOOM if self.fpp is None else f"{BLOOM}(fpp={self.fpp})"

    def sized(self, files: int) -> Bloom:
        """Chooses the `fpp` for this many files, unless it was given.

        A lookup tests the filters of all files, with 0.5 expected false positives. Files added later get
        larger filters, so the expectation grows only with the logarithm of the table's size.
        """
        return self if self.fpp is not None else Bloom(_fpp(files))

    def content(self, values: DistinctValues) -> bytes | None:
        """The serialized filter."""
        fpp = _fpp(0) if self.fpp is None else self.fpp
        return BloomFilter.of(values.encoded(), fpp).data

    def denies(self, content: bytes, values: DistinctValues) -> bool:
        """Looks up each value in the filter."""
        found = BloomFilter(content)
        return not all(map(found.might_contain, values.encoded()))

    def read(self, content: bytes) -> Content:
        """The filter, which can deny single values."""
        return BloomFilter(content)


def _number(name: str, wanted: str, parse: Callable[[Any], float], given: object) -> float:
    try:
        return parse(given)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be {wanted}, not {given}") from None


def _fpp(files: int) -> float:
    return FALSE_POSITIVES / max(files, _MIN_FILES)


@dataclass(frozen=True, slots=True)
class ValueSet(IndexKind):
    """All distinct values, if they are few.

    Args:
        max: A file with more values gets no record.
    """

    name = VALUES
    max: int = 256

    def __post_init__(self) -> None:
        object.__setattr__(self, "max", _number("max", "a whole number from 1 on", int, self.max))
        if self.max < 1:
            raise ValueError(f"max must be a whole number from 1 on, not {self.max}")

    def __str__(self) -> str:
        return f"{VALUES}(max={self.max})"

    def content(self, values: DistinctValues) -> bytes | None:
        """The serialized set."""
        if values.min_count > self.max:
            return None
        encoded = values.encoded()
        return serialize_values(encoded) if len(encoded) <= self.max else None

    def denies(self, content: bytes, values: DistinctValues) -> bool:
        """Looks up each value."""
        return not set(parse_values(content)).issuperset(values.encoded())

    def read(self, content: bytes) -> Content:
        """The complete set of values."""
        return AllValues(parse_values(content))


@cache
def index_kinds() -> dict[str, Callable[..., IndexKind]]:
    """The kinds of installed packages and the built-in ones, by name.

    Built-in names always mean the built-in kinds, as they do in every reader.
    """
    return dict(installed(INDEX_KINDS, IndexKind)) | {BLOOM: Bloom, VALUES: ValueSet}


def denied_by(kind: str, content: bytes, values: DistinctValues) -> bool:
    """Whether the content denies one of its file's values; unreadable content denies nothing."""
    known = index_kind(kind)
    if known is None:
        return False
    try:
        return known.denies(content, values)
    except ValueError:
        return False


@cache
def index_kind(name: str) -> IndexKind | None:
    """The kind with this name, for reading records; None, with one warning, if no package offers it."""
    maker = index_kinds().get(name)
    if maker is None:
        _LOG.warning("no installed package provides the index kind %s; its records are ignored", name)
        return None
    return maker()
