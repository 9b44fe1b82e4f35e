"""Which columns deserve a Bloom filter or a set of values with some layout, and what queries then read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np

from pycompiler.advise.expected_files import ExpectedFiles
from pycompiler.advise.expected_records import ExpectedRecords, PlannedKind, expected_records
from pycompiler.advise.sample.row_sample import TableSample
from pycompiler.advise.workload import Workload, value_tests
from pycompiler.expression.evaluator import evaluate
from pycompiler.expression.model import Leaf, Ranges
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.index.kinds import Bloom, ValueSet
from pycompiler.index.options import IndexOptions, IndexOptionsError
from pycompiler.planner.generator import outcomes_of

ENOUGH: Final = 0.9
"""A kind pays off if the queries that it answers read no more than this share of what they read without it,
its records included, and at least a file less."""

PlannedKinds: TypeAlias = Mapping[str, Sequence[PlannedKind]]
"""Kinds by lower-case column."""

KindKey: TypeAlias = tuple[str, str]
"""A lower-case column, and the name of a kind of its records."""


@dataclass(frozen=True, slots=True)
class KindAdvice:
    """What records of one kind about a column cost and save.

    Attributes:
        column: The column.
        kind: The kind.
        is_kept: Whether the index has them already.
        pays_off: Whether they save more than they cost.
        answers: Positions of the conditions that they can answer.
        share_without: The share of the table's bytes that a query with such a condition reads without them,
            on average.
        share_with: The share that it reads with them.
        distinct: About how many different values a file has.
        size: About how many bytes they have.
        error: By how much `size` changes with half of the sample.
    """

    column: str
    kind: PlannedKind
    is_kept: bool
    pays_off: bool
    answers: tuple[int, ...]
    share_without: float
    share_with: float
    distinct: float
    size: float
    error: float

    @property
    def key(self) -> KindKey:
        """What they are."""
        return self.column, self.kind.name


@dataclass(frozen=True, slots=True)
class ChosenKinds:
    """What conditions keep of some files by an index, forecast.

    Attributes:
        kinds: The kinds that were looked at, those that save most first.
        shares: The share of the table's bytes that each condition keeps by the kinds that pay off and those
            that the index has already, on top of bounds.
        shares_before: The share that it keeps by those that the index has already.
    """

    kinds: tuple[KindAdvice, ...]
    shares: tuple[float, ...]
    shares_before: tuple[float, ...]

    @property
    def added(self) -> PlannedKinds:
        """The kinds that pay off and that the index does not have yet."""
        found: dict[str, list[PlannedKind]] = {}
        for each in self.kinds:
            if each.pays_off and not each.is_kept:
                found.setdefault(each.column, []).append(each.kind)
        return found

    @property
    def added_specs(self) -> dict[str, list[str]]:
        """The same, as the options of an index spell kinds."""
        return {column: [str(kind) for kind in kinds] for column, kinds in self.added.items()}

    def scaled_to(self, shares: Sequence[float]) -> "ChosenKinds":
        """The same choice, given what conditions keep by the index as it is, which was forecast here."""
        return replace(
            self,
            shares=tuple(
                share * then / before if before else share
                for share, then, before in zip(shares, self.shares, self.shares_before, strict=True)
            ),
            shares_before=tuple(shares),
        )


def planned_kinds(kept: Mapping[str, Sequence[str]], columns: Iterable[str]) -> PlannedKinds:
    """The Bloom filters and value sets that an index has for some columns.

    Args:
        kept: Kinds by column, as the index stores them. Those of packages that are not installed do not
            matter here.
        columns: Lower-case names of columns.
    """
    known = {}
    for subject, specs in kept.items():
        try:
            IndexOptions({subject: specs})
        except IndexOptionsError:
            continue
        known[subject] = specs
    options = IndexOptions(known)
    found = {
        column: [kind for kind in options.kinds_of(column) or () if isinstance(kind, Bloom | ValueSet)]
        for column in columns
    }
    return {column: kinds for column, kinds in found.items() if kinds}


def choose_kinds(
    files: ExpectedFiles, sample: TableSample, workload: Workload, kept: PlannedKinds, size: int
) -> ChosenKinds:
    """Chooses kinds for the columns whose values conditions test.

    For a column without any, the kind with which queries read least is considered. Then those that save least
    are given up first, if they do not pay off beside the others: a filter of one column is of no use where
    that of another skips the same files, while two columns that are joined by OR skip files only together.

    Args:
        files: The table's files.
        sample: Rows of the table.
        workload: The conditions.
        kept: The kinds that the index has already, which stay.
        size: Bytes of the table.
    """
    shares = _Shares(files, sample, workload)
    considered = [
        item
        for column in _columns(workload)
        if column in sample.random.columns
        for item in _considered(column, files, sample, workload, kept.get(column, ()), shares, size)
    ]
    gain = {item.key: shares.read(item, []) - shares.read(item, [item]) for item in considered}
    chosen = list(considered)
    for item in sorted(considered, key=lambda item: (gain[item.key], item.is_kept, item.key)):
        others = [other for other in chosen if other is not item]
        before, after = shares.read(item, others), shares.read(item, chosen)
        # A forecast of what bounds keep may be off by a file: it cannot tell that less is saved.
        saves = before - after > 1 / files.number
        if not saves or after + item.records.size / max(size, 1) > ENOUGH * before:
            chosen = others
    return _chosen(shares, considered, chosen)


def forecast_kinds(
    files: ExpectedFiles, sample: TableSample, workload: Workload, choice: ChosenKinds
) -> ChosenKinds:
    """The same choice of kinds, with what they would cost and save of other files.

    Args:
        files: The files.
        sample: Rows of the table.
        workload: The conditions.
        choice: The choice; what it says of kinds that do not pay off does not matter, unless they are kept.
    """
    shares = _Shares(files, sample, workload)
    points = workload.points()
    items = [
        _Item(
            expected_records(each.column, each.kind, files, sample, points.get(each.column, frozenset())),
            each.is_kept,
            each.answers,
            sum(workload.conditions[position].count for position in each.answers),
        )
        for each in choice.kinds
        if each.is_kept or each.pays_off
    ]
    pays_off = {each.key: each.pays_off for each in choice.kinds}
    return _chosen(shares, items, [item for item in items if pays_off[item.key]])


def _chosen(shares: "_Shares", considered: Sequence["_Item"], chosen: Sequence["_Item"]) -> ChosenKinds:
    found = []
    for item in considered:
        others = [other for other in chosen if other is not item]
        before, after = shares.read(item, others), shares.read(item, [*others, item])
        found.append((item.asked * (before - after), item.advice(item in chosen, before, after)))
    stay = [item for item in considered if item.is_kept]
    return ChosenKinds(
        tuple(advice for _, advice in sorted(found, key=lambda each: each[0], reverse=True)),
        shares.of_all([*stay, *(item for item in chosen if not item.is_kept)]),
        shares.of_all(stay),
    )


def _columns(workload: Workload) -> list[str]:
    """The columns whose values conditions test."""
    return sorted({leaf.column for each in workload.conditions for leaf in value_tests(each.expression)})


@dataclass(frozen=True, slots=True)
class _Item:
    """Records that an index has or could have.

    Attributes:
        records: The records.
        is_kept: Whether the index has them.
        answers: Positions of the conditions that they can answer, ascending.
        asked: How often these were asked.
    """

    records: ExpectedRecords
    is_kept: bool
    answers: tuple[int, ...]
    asked: int

    @property
    def key(self) -> KindKey:
        return self.records.column, self.records.kind.name

    def advice(self, pays_off: bool, before: float, after: float) -> KindAdvice:
        records = self.records
        return KindAdvice(
            records.column,
            records.kind,
            self.is_kept,
            pays_off,
            self.answers,
            before,
            after,
            records.distinct,
            records.size,
            records.error,
        )


def _considered(
    column: str,
    files: ExpectedFiles,
    sample: TableSample,
    workload: Workload,
    kept: Sequence[PlannedKind],
    shares: "_Shares",
    size: int,
) -> list[_Item]:
    asked = workload.points().get(column, frozenset())
    others: list[PlannedKind] = [Bloom(), ValueSet()] if asked else [ValueSet()]
    kinds = [*kept, *(kind for kind in others if kind.name not in {each.name for each in kept})]
    items = []
    for kind in kinds:
        answers = tuple(
            position
            for position, condition in enumerate(workload.conditions)
            if any(
                leaf.column == column and _can_answer(kind, leaf)
                for leaf in value_tests(condition.expression)
            )
        )
        count = sum(workload.conditions[position].count for position in answers)
        records = expected_records(column, kind, files, sample, asked)
        # A file with more different values than a set may have gets no record.
        if any(content is not None for content in records.contents):
            items.append(_Item(records, kind in kept, answers, count))
    if kept or not items:
        return items
    # Of kinds with which the conditions on the column read as little, the smaller one.
    of_column = max(items, key=lambda item: item.asked)
    best = min(items, key=lambda item: shares.read(of_column, [item]) + item.records.size / max(size, 1))
    return [best]


def _can_answer(kind: PlannedKind, leaf: Leaf | Ranges) -> bool:
    match kind:
        case ValueSet():
            return True
        case Bloom():
            return any(one.is_point for one in outcomes_of(leaf).values.ranges)


class _Shares:
    """The shares of the table's bytes that conditions keep with some records.

    Args:
        files: The table's files.
        sample: Rows of the table.
        workload: The conditions.
    """

    def __init__(self, files: ExpectedFiles, sample: TableSample, workload: Workload) -> None:
        self._files = files
        self._types = {name: column.type for name, column in sample.random.columns.items()}
        self._conditions = workload.conditions
        self._statistics: dict[tuple[str, tuple[str, ...]], list[ColumnStatistics | None]] = {}
        self._known: dict[tuple[int, tuple[KindKey, ...]], float] = {}

    def read(self, item: _Item, chosen: Sequence[_Item]) -> float:
        """The share that a query keeps, on average, of those which an item answers."""
        shares = [self._share(position, chosen) for position in item.answers]
        counts = [self._conditions[position].count for position in item.answers]
        return float(np.dot(shares, counts)) / max(item.asked, 1)

    def of_all(self, chosen: Sequence[_Item]) -> tuple[float, ...]:
        """The share that each condition keeps."""
        return tuple(self._share(position, chosen) for position in range(len(self._conditions)))

    def _share(self, position: int, chosen: Sequence[_Item]) -> float:
        expression = self._conditions[position].expression
        columns = expression.columns()
        items = sorted((item for item in chosen if item.records.column in columns), key=lambda item: item.key)
        key = position, tuple(item.key for item in items)
        if key not in self._known:
            by_column = {
                column: self._of_column(column, [item for item in items if item.records.column == column])
                for column in columns
            }
            statistics = [
                {
                    column: known
                    for column, of_files in by_column.items()
                    if (known := of_files[file]) is not None
                }
                for file in range(self._files.count)
            ]
            kept = np.array(evaluate(expression, statistics), bool)
            self._known[key] = float(self._files.weights[kept].sum())
        return self._known[key]

    def _of_column(self, column: str, items: Sequence[_Item]) -> list[ColumnStatistics | None]:
        key = column, tuple(item.records.kind.name for item in items)
        if key not in self._statistics:
            self._statistics[key] = [
                self._with_contents(column, file, items) for file in range(self._files.count)
            ]
        return self._statistics[key]

    def _with_contents(self, column: str, file: int, items: Sequence[_Item]) -> ColumnStatistics | None:
        known = self._files.statistics[file].get(column)
        contents = {
            item.records.kind.name: content
            for item in items
            if (content := item.records.contents[file]) is not None
        }
        if not contents:
            return known
        return replace(known or ColumnStatistics(self._types[column]), contents=contents)
