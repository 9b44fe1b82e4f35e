"""How many files a leaf would keep with other indexes or another layout, estimated from a few files.

Of an index only what it adds to the statistics that are there counts.
"""

import math
import random
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from pycompiler.compile.expression.model import Leaf, Ranges
from pycompiler.compile.expression.single_column import may_be_true
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.planner.generator import outcomes_of
from pycompiler.compile.values.range_set import RangeSet
from pycompiler.compile.values.types import ValueKind, reads_without_loss
from pycompiler.index.kinds import BLOOM, FALSE_POSITIVES, VALUES, ValueSet
from pycompiler.index.records import RANGE
from pycompiler.tools.explain.sample import ColumnSample, spread

_MAX_FILES: Final = 20
_MAX_ROWS: Final = 2_000_000

ReadColumn: TypeAlias = Callable[[str, str], ColumnSample | None]
"""Reads a column of a base file, given its path; None if it cannot."""


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A base file that a leaf keeps, and what the index knows of the leaf's column in it."""

    path: str
    known: ColumnStatistics | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a few of the files that a leaf keeps tell about all of them.

    Attributes:
        read: Number of files that were read.
        is_exact: Whether these were all.
        holding: Number of files with a row that passes the leaf.
        keeps: Number of files that the leaf would keep, by the index kind that is added.
        clustered: Number of files that it would keep if the table were sorted or clustered by its column.
    """

    read: int
    is_exact: bool
    holding: int
    keeps: Mapping[str, int]
    clustered: int


def estimate(leaf: Leaf | Ranges, kept: Sequence[KeptFile], files: int, read: ReadColumn) -> Estimate | None:
    """Estimates for a leaf from files that it keeps, of a table with a number of files.

    None if none of them can be read, or if they store types that compare differently.
    """
    wanted = outcomes_of(leaf).values
    points = [one for one in wanted.ranges if one.is_point]
    is_of_points = len(points) == len(wanted.ranges)
    samples = _samples(leaf, kept, read)
    if not samples:
        return None
    holding, rows, matching = 0, 0, 0
    keeps = dict.fromkeys((RANGE, VALUES, BLOOM), 0)
    for file, sample in samples:
        of_file = _matching_rows(wanted, sample.counts)
        may_be_nan = leaf.type.kind is ValueKind.FLOAT and (file.known is None or file.known.nan_count != 0)
        in_range = _in_range(leaf, file, sample)
        holding += of_file > 0
        rows += sample.rows
        matching += of_file
        keeps[RANGE] += in_range
        keeps[VALUES] += may_be_nan or in_range and (of_file > 0 or len(sample.counts) > ValueSet().max)
        keeps[BLOOM] += may_be_nan or in_range and (of_file > 0 or not is_of_points)

    def of_all(number: int) -> int:
        return math.ceil(number * len(kept) / len(samples))

    by_kind = {kind: of_all(number) for kind, number in keeps.items()}
    by_kind[BLOOM] = min(len(kept), by_kind[BLOOM] + math.floor(FALSE_POSITIVES * len(points)))
    # Each range of values begins in the middle of a file, in each partition.
    begun = len(wanted.ranges) * len({file.path.rpartition("/")[0] for file in kept})
    return Estimate(
        read=len(samples),
        is_exact=len(samples) == len(kept),
        holding=of_all(holding),
        keeps=by_kind,
        clustered=min(files, math.ceil(len(kept) * matching / max(rows, 1)) + begun),
    )


def _samples(
    leaf: Leaf | Ranges, kept: Sequence[KeptFile], read: ReadColumn
) -> list[tuple[KeptFile, ColumnSample]]:
    found: list[tuple[KeptFile, ColumnSample]] = []
    rows = 0
    chance = random.Random(len(kept))  # the same files in each run
    positions = spread(len(kept), _MAX_FILES, chance)
    # The first few, if reading ends early, are from anywhere.
    chance.shuffle(positions)
    for position in positions:
        sample = read(kept[position].path, leaf.column)
        if sample is None or not reads_without_loss(sample.type, leaf.type):
            continue
        found.append((kept[position], sample))
        rows += sample.rows
        if rows > _MAX_ROWS and len(found) > 1:
            break
    return found


def _matching_rows(wanted: RangeSet, counts: Mapping[bytes, int]) -> int:
    if all(one.is_point for one in wanted.ranges):
        return sum(counts.get(one.low.value, 0) for one in wanted.ranges if one.low is not None)
    values = sorted(counts)
    total = 0
    for one in wanted.ranges:
        low, high = one.low, one.high
        start = 0 if low is None else (bisect_left if low.included else bisect_right)(values, low.value)
        end = (
            len(values)
            if high is None
            else (bisect_right if high.included else bisect_left)(values, high.value)
        )
        total += sum(counts[value] for value in values[start:end])
    return total


def _in_range(leaf: Leaf | Ranges, file: KeptFile, sample: ColumnSample) -> bool:
    known = file.known or ColumnStatistics(sample.type, value_count=sample.rows)
    if known.lower is None or known.upper is None:
        known = replace(known, lower=min(sample.counts, default=None), upper=max(sample.counts, default=None))
    return bool(sample.counts) and may_be_true(leaf, known)
