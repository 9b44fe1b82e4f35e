"""Draws ranges over tables with random histories, with the correct answers."""

import datetime as dt
import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from pycompiler.compile.predicate.model import Column
from pycompiler.compile.values.types import HiveType
from tests.drawing.grammar import Grammar
from tests.drawing.sql import Sql
from tests.drawing.tables import Table
from tests.e2e.harness.check import comparable

from ..slices.history import PARTIAL, History, Step
from ..slices.records import ORDERING, exact_session
from ..spark_oracle import SparkOracle
from .layouts import TYPES, random_layout_of_ranges
from .rule import BROKEN, OF_THE_RANGE_ALONE, Found
from .spans import Range, completed_commits, random_ranges
from .truth import Table as HistoryTable
from .truth import Truth
from .ways import random_way

KEY: Final = Column("id", HiveType("int"))
PARTITION: Final = Column("part", HiveType("string"))
TEXT_ORDERING: Final = Column(ORDERING.name, HiveType("string"))

_UPDATE_SHARE: Final = 0.4
"""Share of steps followed by an index update."""

_FILTERED_SHARE: Final = 0.3
_OF_FILES_SHARE: Final = 0.25
"""Share of ranges over older base files for which Spark's own incremental query runs too."""

_EPOCH: Final = dt.date(1970, 1, 1).toordinal()
_COMMIT_TIME: Final = "`_hoodie_commit_time`"


@dataclass(frozen=True, slots=True)
class Size:
    """Size of the tables.

    Attributes:
        partitions: Partitions of a table.
        steps: Steps of its history.
        ranges: Maximum number of ranges.
    """

    partitions: int
    steps: int
    ranges: int


LARGE: Final = Size(partitions=4, steps=9, ranges=80)
SMALL: Final = Size(partitions=3, steps=5, ranges=16)


@dataclass(frozen=True, slots=True)
class Question:
    """A range to query.

    Attributes:
        range: The range.
        commits: Request times of its commits.
        way: How Hive runs the query.
        columns: Selected columns, besides the commit time.
        where: A filter, or None.
        rows: The correct rows after the filter; None if they are unknown.
        in_range: Number of rows before the filter.
        is_beyond: Whether a commit outside the range wrote the base file of one of the rows' slices.
        repeats_a_key: Whether a slice has several of the rows, before the filter, with the same key.
        told_apart: Broken rules that would return other rows.
    """

    range: Range
    commits: frozenset[str]
    way: str
    columns: tuple[Column, ...]
    where: Sql | None
    rows: Sequence[Found] | None
    in_range: int
    is_beyond: bool
    repeats_a_key: bool
    told_apart: frozenset[str]

    def query(self, table: str) -> str:
        """Returns the statement."""
        selected = ", ".join([_COMMIT_TIME, *(column.name for column in self.columns)])
        where = "" if self.where is None else f" where {self.where.text}"
        return f"select {selected} from {table}{where}"

    def expected(self) -> Counter[tuple[str, ...]]:
        """Returns the correct rows in comparable form."""
        return Counter(
            comparable((row.commit, *(_value(column, row.values[column.name]) for column in self.columns)))
            for row in self.rows or ()
        )


@dataclass(frozen=True, slots=True)
class Written:
    """A table with its history, and the questions about it.

    Attributes:
        seed: Seed of the history and the questions.
        path: The table's root.
        name: The table's name in Hudi.
        said: The history.
        questions: The ranges.
    """

    seed: int
    path: Path
    name: str
    said: tuple[str, ...]
    questions: tuple[Question, ...]


def written(
    spark: SparkSession, folder: Path, seed: int, size: Size = LARGE, first: Sequence[Step] = ()
) -> Written:
    """Draws a table from a seed, and ranges of it with their correct answers.

    Tables of odd seeds have keys several times, unless only Hudi's old readers, which merge by key alone,
    read them correctly.

    Args:
        spark: Writes the table.
        folder: Parent folder of the table.
        seed: The seed.
        size: Size of the table.
        first: The first steps of its history; the others are random.
    """
    rng = random.Random(seed)
    own = exact_session(spark)
    layout = random_layout_of_ranges(rng, own)
    path = folder / f"r{seed}"
    repeats_keys = bool(seed % 2) and not layout.is_misread_by_group_reader
    history = History(
        own,
        path,
        layout,
        rng,
        size.partitions,
        size.steps,
        types=TYPES,
        is_eventful=True,
        repeats_keys=repeats_keys,
    )
    history.begin()
    history.index()
    for step in [*first, *[None] * size.steps][: size.steps]:
        history.step(step)
        if rng.random() < _UPDATE_SHARE:
            history.index()
    completed = completed_commits(path)
    ordering = TEXT_ORDERING if layout.orders_by_text else ORDERING
    columns = (KEY, ordering, PARTITION, *history.table.columns)
    in_part = PARTIAL.name in history.said
    truth = Truth(own, HistoryTable(path, layout, columns, completed, in_part, repeats_keys))
    questions = _Questions(SparkOracle(own), truth, rng).drawn(size.ranges)
    name = layout.options["hoodie.table.name"]
    return Written(seed, path, name, tuple(history.said), tuple(questions))


@dataclass(frozen=True, slots=True)
class _Questions:
    """Draws ranges of a table.

    Attributes:
        oracle: Evaluates filters.
        truth: Provides the correct rows.
        rng: Source of randomness.
    """

    oracle: SparkOracle
    truth: Truth
    rng: random.Random

    def drawn(self, count: int) -> list[Question]:
        """Draws ranges, some with filters."""
        drawn = [self._question(each) for each in random_ranges(self.rng, self.truth.table.completed, count)]
        return self._filtered(drawn)

    def _question(self, asked: Range) -> Question:
        commits = frozenset(commit.requested for commit in asked.commits(self.truth.table.completed))
        rows = self.truth.rows(commits)
        is_beyond = self._is_beyond(rows or (), commits)
        keys = Counter((row.slice, row.values[KEY.name]) for row in rows or ())
        known = rows is not None and bool(commits)
        return Question(
            range=asked,
            commits=commits,
            way=random_way(self.rng),
            columns=self._columns(),
            where=None,
            rows=rows,
            in_range=len(rows or ()),
            is_beyond=is_beyond,
            repeats_a_key=len(keys) < keys.total(),
            told_apart=self._told_apart(commits, rows or (), is_beyond=is_beyond) if known else frozenset(),
        )

    def _columns(self) -> tuple[Column, ...]:
        columns = self.truth.table.columns
        if self.rng.random() < 0.5:
            return tuple(columns)
        return tuple(self.rng.sample(columns, self.rng.randint(1, len(columns))))

    def _is_beyond(self, rows: Sequence[Found], commits: Collection[str]) -> bool:
        return any(
            bases and max(bases) not in commits
            for partition, file_id in {row.slice for row in rows}
            if (
                bases := [
                    instant
                    for file in (self.truth.table.path / partition).glob(f"{file_id}_*.parquet")
                    if (instant := file.stem.rpartition("_")[2]) <= max(commits)
                ]
            )
        )

    def _told_apart(
        self, commits: frozenset[str], rows: Sequence[Found], *, is_beyond: bool
    ) -> frozenset[str]:
        right = _keys(rows)
        apart = set()
        for name, rule in BROKEN.items():
            if name == OF_THE_RANGE_ALONE and not (is_beyond and self._asks_of_files()):
                continue
            try:
                if _keys(rule(self.truth.reader, commits)) != right:
                    apart.add(name)
            except PySparkException:
                continue  # An error is not a different answer.
        return frozenset(apart)

    def _asks_of_files(self) -> bool:
        """Returns whether to ask Spark what the range's files alone would return.

        Never after partial updates: Spark then returns uninitialized memory, or crashes.
        """
        table = self.truth.table
        is_drawn = bool(table.completed[0].completed) and self.rng.random() < _OF_FILES_SHARE
        return is_drawn and not table.is_updated_in_part

    def _filtered(self, drawn: Sequence[Question]) -> list[Question]:
        """Adds a filter to some questions."""
        chosen: dict[int, Sql] = {}
        everything: dict[str, Found] = {row.key: row for each in drawn for row in each.rows or ()}
        rows = list(everything.values())
        # Hive and Spark compare -0.0 and NaN differently.
        columns = tuple(column for column in self.truth.table.columns if column.type.name != "double")
        table = Table(columns, tuple((row.values,) for row in rows))
        if not rows:
            return list(drawn)
        grammar = Grammar(self.rng, table, functions=())
        for number, question in enumerate(drawn):
            if question.rows is not None and self.rng.random() < _FILTERED_SHARE:
                present = self.rng.choice(question.rows or rows)
                chosen[number] = (
                    grammar.comparison()
                    if self.rng.random() < 0.5
                    else grammar.holding(present.values, columns)
                )
        passing = self.oracle.files_with_true(table, [sql.text for sql in chosen.values()])
        places = {key: place for place, key in enumerate(everything)}
        of_question = dict(zip(chosen, passing, strict=True))
        return [
            question
            if (found := of_question.get(number)) is None
            else replace(
                question,
                where=chosen[number],
                rows=[row for row in question.rows or () if places[row.key] in found],
            )
            for number, question in enumerate(drawn)
        ]


def _keys(rows: Sequence[Found]) -> Counter[str]:
    return Counter(row.key for row in rows)


def _value(column: Column, value: Any) -> Any:
    is_day = column.type.name == "date" and value is not None
    return dt.date.fromordinal(value + _EPOCH) if is_day else value
