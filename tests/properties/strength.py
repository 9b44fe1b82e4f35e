"""Measures how many files are kept needlessly, although no row within their statistics can pass."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.predicate.model import Call, Column, Compare, Literal, LiteralValue, Predicate
from pycompiler.compile.predicate.walk import walk
from tests.drawing.collected import exact
from tests.drawing.edges import are_in_one_order
from tests.drawing.grammar import FUNCTIONS, Grammar
from tests.drawing.reading import read, read_plain
from tests.drawing.tables import Row, Table, pool_within, random_table
from tests.drawing.values import Constants

from .boxes import has_passing_row
from .spark_oracle import SparkOracle

COMPARED_TYPES: Final = (
    *("boolean", "tinyint", "smallint", "int", "bigint", "double", "decimal(10,2)", "string", "date"),
)
"""Types whose stored values are what readers see, so that statistics decide exactly."""
_ROWS_OF_A_BOX: Final = 60


@dataclass(frozen=True, slots=True)
class Share:
    """How many files the statistics allow skipping, and how many of these are kept.

    Attributes:
        skippable: Files whose statistics allow no passing row.
        kept: Those that are not skipped.
    """

    skippable: int = 0
    kept: int = 0

    @property
    def needless(self) -> float:
        """The share of skippable files that are kept, from 0 to 1."""
        return self.kept / self.skippable if self.skippable else 0.0

    def __add__(self, other: Share) -> Share:
        return Share(self.skippable + other.skippable, self.kept + other.kept)


@dataclass(frozen=True, slots=True)
class Needless:
    """A file that is kept although no row in it can pass."""

    where: str
    statistics: FileStatistics


def comparison_share(seeds: Iterator[int] | range, predicates: int = 40) -> tuple[Share, list[Needless]]:
    """Measures comparisons, against brute force over bounds and null counts.

    Args:
        seeds: Seeds of the tables.
        predicates: Predicates per table.
    """
    share, found = Share(), []
    for seed in seeds:
        rng = random.Random(seed)
        table = random_table(rng, files=8, types=COMPARED_TYPES)
        grammar, known = Grammar(rng, table, (), constants=Constants(plain=True)), exact(table)
        for _ in range(predicates):
            where = grammar.comparison().text
            predicate = read_plain(where, table)
            if any(isinstance(o, Literal) and _is_disputed(o.value) for o in walk(predicate)):
                continue
            kept = evaluate(compile_predicate(predicate).expression, known)
            for is_kept, statistics in zip(kept, known, strict=True):
                if not _has_nan(statistics) and not has_passing_row(predicate, statistics):
                    share += Share(1, int(is_kept))
                    found += [Needless(where, statistics)] if is_kept else []
    return share, found


def needless_share(oracle: SparkOracle, seeds: range, predicates: int = 200) -> Mapping[str, Share]:
    """Measures each function, against Spark's answers for many rows within the bounds of each file.

    Not every row within the bounds is tried, so the true share may be lower.

    Args:
        oracle: Spark.
        seeds: Seeds of the tables.
        predicates: Comparisons of functions with constants per table.
    """
    shares: dict[str, Share] = {}
    for seed in seeds:
        rng = random.Random(seed)
        stored = random_table(rng, files=12)
        known = exact(stored)
        filled = stored.with_files([_rows_within(rng, stored, rows) for rows in stored.files])
        grammar = Grammar(rng, stored, FUNCTIONS)
        texts = sorted({grammar.call().text for _ in range(predicates)})
        answers = oracle.files_with_true(filled, texts)
        for text, matching in zip(texts, answers, strict=True):
            predicate = read(text, stored)
            name = _function(predicate)
            if matching is None or name is None:
                continue
            kept = evaluate(compile_predicate(predicate).expression, known)
            apart = [is_kept for number, is_kept in enumerate(kept) if number not in matching]
            shares[name] = shares.get(name, Share()) + Share(len(apart), sum(apart))
    return dict(sorted(shares.items()))


def _is_disputed(value: LiteralValue | None) -> bool:
    return isinstance(value, str) and not are_in_one_order(value)


def _has_nan(statistics: FileStatistics) -> bool:
    """Returns whether a NaN makes tests of numbers keep the file."""
    return any(column.nan_count for column in statistics.values())


def _rows_within(rng: random.Random, table: Table, rows: tuple[Row, ...]) -> list[Row]:
    """Draws rows with values between a file's smallest and largest."""
    columns = {
        column.name: pool_within(rng, column.type, [row[column.name] for row in rows], _ROWS_OF_A_BOX)
        for column in table.columns
    }
    return [
        {name: of_column[number] for name, of_column in columns.items()} for number in range(_ROWS_OF_A_BOX)
    ]


def _function(predicate: Predicate) -> str | None:
    """Returns the compared function if it has a single column."""
    if not isinstance(predicate, Compare):
        return None
    calls = [operand.name for operand in walk(predicate) if isinstance(operand, Call)]
    columns = {operand.name for operand in walk(predicate) if isinstance(operand, Column)}
    return calls[0] if calls and len(columns) == 1 else None
