"""What records of an index kind would tell about files, and how large they would be, by a sample of rows."""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pycompiler.advise.expected_files import ExpectedFiles
from pycompiler.advise.sample.distinct import distinct_values
from pycompiler.advise.sample.row_sample import Codes, RowSample, SampledColumn, TableSample
from pycompiler.advise.sample.unseen import with_unseen
from pycompiler.expression.bloom import filter_bytes
from pycompiler.expression.content import Content
from pycompiler.index.kinds import Bloom, ValueSet
from pycompiler.index.value_set import serialize_values

_COMPLETE: Final = 1.05
"""A file that probably has no more than this times the sampled values is taken to have only these."""

_CODEC: Final = pa.Codec("zstd")
"""As data files of the index are compressed."""

_HEADERS: Final = 700
_REST_OF_RECORD: Final = 2
"""Bytes of a data file beside the contents of records: of headers, and of a record's other columns."""

PlannedKind: TypeAlias = Bloom | ValueSet
"""A kind whose records can be expected."""

_Counts: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ExpectedContent(Content):
    """What a record would tell.

    Attributes:
        held: The values, of those that conditions ask for, that it does not deny.
        values: All values; None if the record does not list them, or if not all are known.
    """

    held: frozenset[bytes]
    values: tuple[bytes, ...] | None = None

    @property
    def all_values(self) -> tuple[bytes, ...] | None:
        """All values, if they are known."""
        return self.values

    def might_contain(self, encoded: bytes) -> bool:
        """Whether it does not deny an asked value."""
        return encoded in self.held


@dataclass(frozen=True, slots=True)
class ExpectedRecords:
    """The records of one kind about one column.

    Attributes:
        column: The column.
        kind: The kind.
        contents: What the record of each file tells; None if it has none.
        distinct: About how many different values a file has, on average.
        size: About how many bytes the records of all files of the table have.
        error: By how much `size` changes with half of the sample.
    """

    column: str
    kind: PlannedKind
    contents: Sequence[ExpectedContent | None]
    distinct: float
    size: float
    error: float


def expected_records(
    column: str, kind: PlannedKind, files: ExpectedFiles, sample: TableSample, asked: Collection[bytes]
) -> ExpectedRecords:
    """What records of a kind about a column would tell.

    Args:
        column: The column.
        kind: The kind.
        files: The files.
        sample: Rows of the table.
        asked: The single values for which conditions ask of the column.
    """
    random = sample.random
    distinct = _distinct(column, files, sample, random, files.random)
    held = _held(sample.asked.columns[column], files, sample, asked)
    contents: Sequence[ExpectedContent | None]
    match kind:
        case Bloom():
            fpp = kind.sized(files.number).fpp
            assert fpp is not None
            _add_false_positives(held, fpp, asked)
            contents = [ExpectedContent(frozenset(of_file)) for of_file in held]

            def size_of(distinct: _Counts) -> float:
                return sum(filter_bytes(round(number), fpp) for number in distinct.tolist())

        case ValueSet():
            seen = _seen(random.columns[column], files)
            contents = [
                _value_set(of_file, values, number, kind.max)
                for of_file, values, number in zip(held, seen, distinct.tolist(), strict=True)
            ]

            def size_of(distinct: _Counts) -> float:
                return _size_of_sets(seen, distinct, kind.max)

    is_first = random.first_half()
    size = size_of(distinct)
    one, other = (
        size_of(_distinct(column, files, sample, random.part(half), files.random[half]))
        for half in (is_first, ~is_first)
    )
    # Halves that agree tell little if both differ from the whole: then more rows would change it, too.
    error = max(abs(one - other) / 2, abs((one + other) / 2 - size))
    scale = files.number / max(files.count, 1)
    overhead = _HEADERS + _REST_OF_RECORD * files.number
    return ExpectedRecords(
        column, kind, contents, float(distinct.mean()), scale * size + overhead, scale * error
    )


def _distinct(
    column: str, files: ExpectedFiles, sample: TableSample, rows: RowSample, file_of: Codes
) -> _Counts:
    total = max(files.rows, 1)
    sampled, read = min(1.0, rows.rows / total), min(1.0, sample.rows_read / total)
    return distinct_values(column, rows, file_of, files.count, sampled, read)


def _held(
    column: SampledColumn, files: ExpectedFiles, sample: TableSample, asked: Collection[bytes]
) -> list[set[bytes]]:
    """The asked values that each file probably has."""
    held: list[set[bytes]] = [set() for _ in range(files.count)]
    order = np.argsort(column.codes, kind="stable")
    ordered = column.codes[order]
    read = min(1.0, sample.rows_read / max(files.rows, 1))
    for value in asked:
        code = bisect_left(column.values, value)
        if code == len(column.values) or column.values[code] != value:
            continue
        begin, end = np.searchsorted(ordered, [code, code + 1])
        counts = np.bincount(files.asked[order[begin:end]], minlength=files.count)
        for file in np.flatnonzero(with_unseen(counts, read)).tolist():
            held[file].add(value)
    return held


def _add_false_positives(held: Sequence[set[bytes]], fpp: float, asked: Collection[bytes]) -> None:
    chance = np.random.default_rng(len(held))
    for value in sorted(asked):
        for file in chance.integers(0, len(held), chance.binomial(len(held), fpp)).tolist():
            held[file].add(value)


def _seen(column: SampledColumn, files: ExpectedFiles) -> list[tuple[bytes, ...]]:
    """The sampled values of each file, ascending."""
    last = len(column.values)
    is_value = (column.codes >= 0) & (column.codes < last)
    keys = np.unique(files.random[is_value] * max(last, 1) + column.codes[is_value])
    ends = np.searchsorted(keys, np.arange(files.count + 1) * max(last, 1))
    codes = (keys % max(last, 1)).tolist()
    return [
        tuple(column.values[code] for code in codes[begin:end])
        for begin, end in zip(ends, ends[1:], strict=False)
    ]


def _value_set(held: set[bytes], seen: tuple[bytes, ...], number: float, most: int) -> ExpectedContent | None:
    if number > most:
        return None
    is_complete = number <= _COMPLETE * len(seen)
    return ExpectedContent(frozenset(held), tuple(sorted(held.union(seen))) if is_complete else None)


def _size_of_sets(seen: Sequence[tuple[bytes, ...]], distinct: _Counts, most: int) -> float:
    """The bytes of the sets that files have, compressed, if unseen values are like the sampled ones."""
    chosen = np.flatnonzero(distinct <= most)
    content = b"".join(serialize_values(seen[file]) for file in chosen.tolist())
    known = sum(len(seen[file]) for file in chosen.tolist())
    return len(_CODEC.compress(content)) * float(distinct[chosen].sum()) / max(known, 1) if content else 0.0
