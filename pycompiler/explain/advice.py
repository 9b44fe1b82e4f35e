"""Why a part of a filter skips few files, and what the table's owner can do about it."""

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
    Ranges,
)
from pycompiler.expression.render import node_text
from pycompiler.expression.single_column import may_be_true
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.index.kinds import BLOOM
from pycompiler.index.options import NONE, split_kinds
from pycompiler.index.records import RANGE
from pycompiler.planner.generator import outcomes_of
from pycompiler.values.outcomes import NOT_NULL
from pycompiler.values.types import ValueKind, reads_without_loss

MUCH: Final = 0.5
"""Advice is given from this share of kept files on."""

_FOR_UNUSED: Final = (
    "compare the column itself with constants, or use a function listed in"
    " docs/reference/types-and-functions.md"
)


class _Reason(Enum):
    """Why a file is kept; followed by a number of files."""

    NO_KIND = "values of its type are not indexed in"
    NO_STATISTICS = "the index has no statistics for it in"
    OTHER_TYPE = "it is stored as a type that compares differently in"
    NO_BOUNDS = "its minimum and maximum are unknown in"
    NAN = "it may be NaN, which may match, in"
    NULLS = "it is or may be NULL in some row of"
    VALUES = "it is not NULL in some row of"
    EVERY_VALUE = "all of its values match in"
    BLOOM = "the Bloom filter does not rule it out in"
    ENCLOSED = "the wanted value lies between its minimum and maximum in"
    NO_RECORD = "the index has no record of that kind for it in"
    OF_KIND = "its index record does not rule out a match in"
    OVERLAP = "its minimum and maximum overlap the wanted values in"


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice on one leaf that keeps many files.

    Attributes:
        leaf: The leaf as text.
        reasons: Why it keeps them, each with the number of files.
        action: What to do; empty if nothing can be done.
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
    """Finds the leaves of an expression that keep many of the indexed files, and why.

    Unused terms, which the expression lacks, come last. `table` and `kinds` (as in `Manifest.kinds`) are for
    the commands that the advice names.
    """
    found = []
    for leaf in dict.fromkeys(leaves):
        kept = [statistics for statistics in files if leaf_keeps(leaf, statistics)]
        if kept and len(kept) > MUCH * len(files):
            whys = Counter(_reason_of(leaf, statistics) for statistics in kept)
            reasons = tuple(f"{why.value} {_of(count, len(files))}" for why, count in whys.most_common())
            action = _action(leaf, whys.most_common(1)[0][0], table, kinds)
            found.append(Advice(node_text(leaf), reasons, action))
    found += [Advice(term.term, (term.reason,), _FOR_UNUSED) for term in unused]
    return tuple(found)


def _of(count: int, total: int) -> str:
    return f"the file, {count} of 1" if total == 1 else f"{count} of {total} files"


def _reason_of(leaf: ColumnTest, statistics: FileStatistics) -> _Reason:
    for column, read_as in leaf.columns:
        known = statistics.get(column)
        if known is None and isinstance(leaf, KindQuestion) and column == leaf.subject[0]:
            return _Reason.NO_RECORD
        if known is None:
            return _Reason.NO_KIND if read_as.kind is None else _Reason.NO_STATISTICS
        if not reads_without_loss(known.type, read_as):
            return _Reason.OTHER_TYPE
    match leaf:
        case Leaf() | Ranges():
            return _reason_of_test(leaf, statistics[leaf.column])
        case KindQuestion():
            known = statistics[leaf.subject[0]]
            return _Reason.OF_KIND if leaf.kind in known.contents else _Reason.NO_RECORD
        case ColumnPair() | HiveTerm():
            return _Reason.OVERLAP


def _reason_of_test(leaf: Leaf | Ranges, known: ColumnStatistics) -> _Reason:
    wanted = outcomes_of(leaf)
    if wanted.null:
        return _Reason.NULLS
    if wanted == NOT_NULL:
        return _Reason.VALUES
    if leaf.type.kind is ValueKind.FLOAT and known.nan_count != 0:
        return _Reason.NAN
    if known.lower is None or known.upper is None:
        return _Reason.NO_BOUNDS
    if not may_be_true(Ranges(leaf.column, leaf.type, wanted.values.complement()), known):
        return _Reason.EVERY_VALUE
    if all(one.is_point for one in wanted.values.ranges):
        return _Reason.ENCLOSED if BLOOM not in known.contents else _Reason.BLOOM
    return _Reason.OVERLAP


def _action(leaf: ColumnTest, why: _Reason, table: str, kinds: Mapping[str, Sequence[str]]) -> str:
    columns = " and ".join(dict.fromkeys(column for column, _ in leaf.columns))
    match why:
        case _Reason.NO_STATISTICS:
            build = build_command(table, kinds, {column: [RANGE] for column, _ in leaf.columns})
            return f"build the index with statistics of {columns}: {build}"
        case _Reason.NO_BOUNDS | _Reason.OTHER_TYPE:
            return f"rewrite these files, for example by clustering, so that they get statistics of {columns}"
        case _Reason.NO_RECORD:
            assert isinstance(leaf, KindQuestion)
            subject, _ = leaf.subject
            wanted = [leaf.kind, *_others(kinds, subject)]
            return f"index it with that kind: {build_command(table, kinds, {subject: wanted})}"
        case _Reason.OF_KIND:
            return f"cluster the table by {columns} together, so that matching rows share files"
        case _Reason.OVERLAP:
            return f"sort or cluster the table by {columns}, so that each file holds a narrow range of it"
        case _Reason.ENCLOSED:
            wanted = [RANGE, BLOOM, *_others(kinds, columns)]
            build = build_command(table, kinds, {columns: wanted})
            return f"sort or cluster the table by {columns}, or add a Bloom filter for it: {build}"
        case _Reason.BLOOM:
            return f"sort or cluster the table by {columns}, unless these files do contain the value"
        case _Reason.NO_KIND | _Reason.EVERY_VALUE | _Reason.NULLS | _Reason.VALUES | _Reason.NAN:
            return ""


def build_command(
    table: str, kinds: Mapping[str, Sequence[str]], changed: Mapping[str, Sequence[str]]
) -> str:
    """The command that rebuilds the index with new kinds for some columns, keeping those of all others."""
    unchanged = {column: specs for column, specs in kinds.items() if column.lower() not in changed}
    options = [f"{column}={','.join(specs)}" for column, specs in {**unchanged, **changed}.items()]
    shown = "".join(f" --index {shlex.quote(option)}" for option in options)
    return f"hudi-skip index build {shlex.quote(table)}{shown}"


def _others(kinds: Mapping[str, Sequence[str]], column: str) -> list[str]:
    """The kinds that the index keeps for a column besides its range and Bloom filter."""
    named = [spec for name, specs in kinds.items() if name.lower() == column for spec in specs]
    texts = [text.strip() for spec in named for text in split_kinds(spec)]
    return [text for text in texts if not text.startswith((RANGE, BLOOM, NONE))]
