"""Why a part of a filter skips few files, and what the table's owner can do about it.

Advice is given only if it would save files, as far as reading a few of them tells.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeGuard

from pycompiler.compile.compiler.compile import Unused
from pycompiler.compile.expression.evaluator import FileStatistics, leaf_keeps
from pycompiler.compile.expression.model import (
    ColumnDifference,
    ColumnPair,
    ColumnTest,
    HiveTerm,
    KindQuestion,
    Leaf,
    Ranges,
)
from pycompiler.compile.expression.render import node_text
from pycompiler.compile.expression.single_column import may_be_true
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.planner.generator import outcomes_of
from pycompiler.compile.values.outcomes import NOT_NULL
from pycompiler.compile.values.types import ValueKind, reads_without_loss
from pycompiler.index.choices import command_that_adds
from pycompiler.index.kinds import BLOOM, VALUES, Bloom, ValueSet
from pycompiler.index.records import RANGE
from pycompiler.tools.explain.estimate import Estimate, KeptFile, ReadColumn, estimate
from pycompiler.tools.explain.verdicts import SliceVerdict

MUCH: Final = 0.5
"""Advice is given from this share of kept files on."""

ENOUGH: Final = 0.9
"""Something helps if it would keep no more than this share of the files that are kept now."""

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


_ESTIMATED: Final = frozenset(
    {_Reason.NO_STATISTICS, _Reason.NO_BOUNDS, _Reason.BLOOM, _Reason.ENCLOSED, _Reason.OVERLAP}
)
"""Reasons that depend on values; for the others, statistics tell all that there is to know."""

_SPEC: Final = {RANGE: RANGE, VALUES: str(ValueSet()), BLOOM: str(Bloom())}
_NAME: Final = {RANGE: "statistics", VALUES: "a set of the values", BLOOM: "a Bloom filter"}


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice on one leaf that keeps many files, or on a term that the expression lacks.

    Attributes:
        leaf: The leaf or term as text.
        reasons: Why it keeps them, each with the number of files; then how many of them hold matching rows,
            if some were read to find out.
        actions: What would help, each with the number of files that would be kept if that was estimated;
            empty if nothing helps.
    """

    leaf: str
    reasons: tuple[str, ...]
    actions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Adviser:
    """Finds why the leaves of an expression keep many files, and what would help.

    Attributes:
        slices: The indexed file slices that can be skipped.
        table: Root of the table, for the commands that the advice names.
        read: Reads a column of a file.
        has_index: Whether the table has an index, and not only Hudi's column statistics.
    """

    slices: Sequence[SliceVerdict]
    table: str
    read: ReadColumn
    has_index: bool = True

    def on_leaves(self, leaves: Iterable[ColumnTest]) -> list[Advice]:
        """Advice on the leaves that keep many of the files."""
        return [found for leaf in dict.fromkeys(leaves) if (found := self._on_leaf(leaf)) is not None]

    def _on_leaf(self, leaf: ColumnTest) -> Advice | None:
        kept_by = {
            one.slice.path: next((file for file in one.files if leaf_keeps(leaf, file.statistics)), None)
            for one in self.slices
        }
        keeping = [one for one in self.slices if kept_by[one.slice.path] is not None]
        if not keeping or len(keeping) <= MUCH * len(self.slices):
            return None
        whys = Counter(_reason_of(leaf, file.statistics) for file in kept_by.values() if file is not None)
        reasons = [f"{self._text(why)} {_of(count, len(self.slices))}" for why, count in whys.most_common()]
        why = whys.most_common(1)[0][0]
        actions: list[str] = []
        # Of a table of one file a query reads that file, however it is indexed or sorted.
        if len(self.slices) > 1:
            if why not in _ESTIMATED or not tests_values(leaf):
                actions = self._unestimated(leaf, why)
            elif found := estimate(leaf, _base_files(leaf, keeping), len(self.slices), self.read):
                actions = self._worthwhile(leaf, why, found, len(keeping))
                reasons.append(self._holding(found, helps=bool(actions)))
        return Advice(node_text(leaf), tuple(reasons), tuple(actions))

    def _text(self, why: _Reason) -> str:
        if not self.has_index and why in (_Reason.NO_STATISTICS, _Reason.NO_RECORD):
            return "without an index, nothing is known of it in"
        return why.value

    def _command_that_adds(self, kinds: Mapping[str, Sequence[str]]) -> str:
        if not self.has_index:
            # A new index has statistics of all columns anyway.
            kinds = {column: of_column for column, of_column in kinds.items() if of_column != [RANGE]}
        return command_that_adds(self.table, kinds)

    def _holding(self, found: Estimate, *, helps: bool) -> str:
        nothing = "" if helps else "nothing helps: "
        text = f"{self._about(found.holding, found)} really hold matching rows"
        return f"{nothing}{text}" if found.is_exact else f"{nothing}{text} ({found.read} were read)"

    def _about(self, count: int, found: Estimate) -> str:
        total = len(self.slices)
        if found.is_exact:
            return _of(count, total)
        # That none of the files read has such a row does not mean that none has.
        return f"about {_of(count, total)}" if count else f"few, if any, of {total} files"

    def _worthwhile(self, leaf: Leaf | Ranges, why: _Reason, found: Estimate, kept: int) -> list[str]:
        """The index kind that saves most, then another layout if that saves more; each if it saves enough."""
        column, actions = leaf.column, []
        best = min(found.keeps, key=lambda kind: found.keeps[kind])
        if found.keeps[best] <= ENOUGH * kept:
            kept = found.keeps[best]
            effect = f"would keep {self._about(kept, found)}"
            if best == RANGE and why is _Reason.NO_BOUNDS:
                actions.append(f"statistics of {column}, after its files are rewritten, {effect}")
            else:
                command = self._command_that_adds({column: [_SPEC[best]]})
                actions.append(f"{_NAME[best]} of {column} {effect}: {command}")
        if found.clustered <= ENOUGH * kept:
            layout = f"if the table were sorted or clustered by {column}"
            actions.append(f"{layout}, about {_of(found.clustered, len(self.slices))} would be kept")
        return actions

    def _unestimated(self, leaf: ColumnTest, why: _Reason) -> list[str]:
        columns = " and ".join(dict.fromkeys(column for column, _ in leaf.columns))
        match why:
            case _Reason.OTHER_TYPE:
                return [f"rewrite these files, for example by clustering, so that all store {columns} alike"]
            case _Reason.NO_STATISTICS:
                command = self._command_that_adds({column: [RANGE] for column, _ in leaf.columns})
                return [f"build the index with statistics of {columns}: {command}"]
            case _Reason.NO_RECORD:
                assert isinstance(leaf, KindQuestion)
                subject, _ = leaf.subject
                command = self._command_that_adds({subject: [leaf.kind]})
                return [f"index it with that kind: {command}"]
            case _Reason.OF_KIND:
                return [f"cluster the table by {columns} together, so that matching rows share files"]
            case _:
                return []


def on_unused(unused: Iterable[Unused]) -> list[Advice]:
    """Advice on the terms that the expression lacks."""
    return [Advice(term.term, (term.reason,), (_FOR_UNUSED,)) for term in unused]


def tests_values(leaf: ColumnTest) -> TypeGuard[Leaf | Ranges]:
    """Whether a leaf tests the values of one column, and not only whether it is NULL."""
    if not isinstance(leaf, Leaf | Ranges):
        return False
    wanted = outcomes_of(leaf)
    return not wanted.null and wanted != NOT_NULL


def _base_files(leaf: Leaf | Ranges, slices: Iterable[SliceVerdict]) -> list[KeptFile]:
    """The base files that a leaf keeps."""
    return [
        KeptFile(base.path, one.files[0].statistics.get(leaf.column))
        for one in slices
        if (base := one.slice.base) is not None and leaf_keeps(leaf, one.files[0].statistics)
    ]


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
        case ColumnPair() | ColumnDifference() | HiveTerm():
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
