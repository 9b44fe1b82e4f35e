"""Why a part of a filter skips few files, and what its table's owner can do about it."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from pycompiler.compiler.compile import Unused
from pycompiler.expression.evaluator import FileStatistics, leaf_keeps
from pycompiler.expression.model import (
    ColumnPair,
    ColumnTest,
    HiveTerm,
    KindQuestion,
    Leaf,
    Operator,
    Ranges,
)
from pycompiler.expression.render import node_text
from pycompiler.expression.single_column import may_be_true
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.index.kinds import BLOOM
from pycompiler.index.options import NONE, split_kinds
from pycompiler.index.records import RANGE
from pycompiler.values.types import ValueKind, reads_without_loss

MUCH: Final = 0.5
"""The share of files from which on it is worth a word that they are kept."""

_FOR_UNUSED: Final = "compare the column itself with constants, or use a function of docs/functions.md"
_POINTS: Final = frozenset({Operator.EQ, Operator.IN})
_OPPOSITES: Final = {
    Operator.LT: Operator.GTEQ,
    Operator.LTEQ: Operator.GT,
    Operator.GT: Operator.LTEQ,
    Operator.GTEQ: Operator.LT,
    Operator.NE: Operator.EQ,
    Operator.NOT_IN: Operator.IN,
}


class _Why(Enum):
    """Why a file is kept: what is said of so many files."""

    NO_KIND = "no statistics are kept of values of its type in"
    NO_STATISTICS = "the index has no statistics of it in"
    OTHER_TYPE = "it is stored as a type that compares differently in"
    NO_BOUNDS = "its minimum and maximum are not known in"
    NAN = "it may be NaN, which may match, in"
    NULLS = "it is or may be NULL in some row of"
    VALUES = "it is not NULL in some row of"
    EVERY_VALUE = "every value of it matches in"
    BLOOM = "the bloom filter does not rule it out in"
    ENCLOSED = "minimum and maximum enclose it in"
    NO_RECORD = "the index has no record of the kind for it in"
    OF_KIND = "its record does not rule the question out in"
    OVERLAP = "minimum and maximum overlap with the wanted values in"


@dataclass(frozen=True, slots=True)
class Advice:
    """About one leaf that keeps many files.

    Attributes:
        leaf: The leaf as text.
        reasons: Why, with the number of files.
        action: What to do; empty if there is nothing to be done.
    """

    leaf: str
    reasons: tuple[str, ...]
    action: str


def advice(
    leaves: Iterable[ColumnTest],
    unused: Iterable[Unused],
    files: Sequence[FileStatistics],
    table: str,
    kinds: Mapping[str, Sequence[str]],
) -> tuple[Advice, ...]:
    """Looks for the parts of a filter that keep many files, and says why they do.

    Args:
        leaves: Leaves of an expression.
        unused: The terms of the filter that are not in it.
        files: Statistics of the files that the index knows.
        table: Root of the table, for the commands.
        kinds: Which kinds the index keeps of the columns, as in `Manifest.kinds`.
    """
    found = []
    for leaf in dict.fromkeys(leaves):
        kept = [statistics for statistics in files if leaf_keeps(leaf, statistics)]
        if kept and len(kept) > MUCH * len(files):
            whys = Counter(_why(leaf, statistics) for statistics in kept)
            reasons = tuple(f"{why.value} {_of(count, len(files))}" for why, count in whys.most_common())
            action = _action(leaf, whys.most_common(1)[0][0], table, kinds)
            found.append(Advice(node_text(leaf), reasons, action))
    found += [Advice(term.term, (term.reason,), _FOR_UNUSED) for term in unused]
    return tuple(found)


def _of(count: int, total: int) -> str:
    return f"the file, {count} of 1" if total == 1 else f"{count} of {total} files"


def _why(leaf: ColumnTest, statistics: FileStatistics) -> _Why:
    for column, read_as in leaf.columns:
        known = statistics.get(column)
        if known is None and isinstance(leaf, KindQuestion) and column == leaf.subject[0]:
            return _Why.NO_RECORD
        if known is None:
            return _Why.NO_KIND if read_as.kind is None else _Why.NO_STATISTICS
        if not reads_without_loss(known.type, read_as):
            return _Why.OTHER_TYPE
    match leaf:
        case Leaf() | Ranges():
            return _why_of_one(leaf, statistics[leaf.column])
        case KindQuestion():
            known = statistics[leaf.subject[0]]
            return _Why.OF_KIND if leaf.kind in known.contents else _Why.NO_RECORD
        case ColumnPair() | HiveTerm():
            return _Why.OVERLAP


def _why_of_one(leaf: Leaf | Ranges, known: ColumnStatistics) -> _Why:
    operator = leaf.operator if isinstance(leaf, Leaf) else Operator.RANGES
    if operator is Operator.IS_NULL:
        return _Why.NULLS
    if operator is Operator.IS_NOT_NULL:
        return _Why.VALUES
    if leaf.type.kind is ValueKind.FLOAT and known.nan_count != 0:
        return _Why.NAN
    if known.lower is None or known.upper is None:
        return _Why.NO_BOUNDS
    if not may_be_true(_opposite(leaf), known):
        return _Why.EVERY_VALUE
    if operator in _POINTS or (isinstance(leaf, Ranges) and all(one.is_point for one in leaf.ranges.ranges)):
        return _Why.ENCLOSED if BLOOM not in known.contents else _Why.BLOOM
    return _Why.OVERLAP


def _opposite(leaf: Leaf | Ranges) -> Leaf | Ranges:
    """The test that is TRUE for every value for which the leaf is FALSE."""
    if isinstance(leaf, Ranges):
        return Ranges(leaf.column, leaf.type, leaf.ranges.complement())
    opposites = _OPPOSITES | {opposite: operator for operator, opposite in _OPPOSITES.items()}
    return Leaf(opposites[leaf.operator], leaf.column, leaf.type, leaf.values)


def _action(leaf: ColumnTest, why: _Why, table: str, kinds: Mapping[str, Sequence[str]]) -> str:
    columns = " and ".join(dict.fromkeys(column for column, _ in leaf.columns))
    match why:
        case _Why.NO_STATISTICS:
            build = build_command(table, kinds, {column: [RANGE] for column, _ in leaf.columns})
            return f"build the index with statistics of {columns}: {build}"
        case _Why.NO_BOUNDS | _Why.OTHER_TYPE:
            return f"rewrite these files, as clustering does, so that they have statistics of {columns}"
        case _Why.NO_RECORD:
            assert isinstance(leaf, KindQuestion)
            subject, _ = leaf.subject
            wanted = [leaf.kind, *_others(kinds, subject)]
            return f"keep records of the kind: {build_command(table, kinds, {subject: wanted})}"
        case _Why.OF_KIND:
            return f"cluster the table by {columns} together, so that rows that belong together share files"
        case _Why.OVERLAP:
            return f"sort or cluster the table by {columns}, so that each file holds a small range of it"
        case _Why.ENCLOSED:
            wanted = [RANGE, BLOOM, *_others(kinds, columns)]
            build = build_command(table, kinds, {columns: wanted})
            return f"sort or cluster the table by {columns}, or keep a bloom filter of it: {build}"
        case _Why.BLOOM:
            return f"sort or cluster the table by {columns}, if these files do not hold it"
        case _Why.NO_KIND | _Why.EVERY_VALUE | _Why.NULLS | _Why.VALUES | _Why.NAN:
            return ""


def build_command(
    table: str, kinds: Mapping[str, Sequence[str]], changed: Mapping[str, Sequence[str]]
) -> str:
    """The command that builds the index anew with other kinds of some columns, and of all others the same."""
    unchanged = {column: specs for column, specs in kinds.items() if column.lower() not in changed}
    options = "".join(
        f" --index {shlex.quote(f'{column}={_joined(specs)}')}"
        for column, specs in {**unchanged, **changed}.items()
    )
    return f"hudi-skip index build {shlex.quote(table)}{options}"


def _others(kinds: Mapping[str, Sequence[str]], column: str) -> list[str]:
    """The kinds that the index keeps of a column besides its range and a bloom filter."""
    named = [spec for name, specs in kinds.items() if name.lower() == column for spec in specs]
    texts = [text.strip() for spec in named for text in split_kinds(spec)]
    return [text for text in texts if not text.startswith((RANGE, BLOOM, NONE))]


def _joined(specs: Sequence[str]) -> str:
    return ",".join(specs)
