"""Random predicates and rows on which the ways in which Hive reads and compares differ."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.predicate.model import Predicate
from tests.drawing.edges import EDGES, edges
from tests.drawing.grammar import Grammar
from tests.drawing.reading import read_plain
from tests.drawing.tables import Table, random_table
from tests.drawing.values import Constants

from .hive_rows import Mode, random_mode, truth

# Types with rules of their own come up more often than the plain ones.
_TYPES: Final = (*EDGES, *("double", "string", "varchar(2)", "char(2)", "timestamp") * 2)
_FILES: Final = 8


@dataclass(frozen=True, slots=True)
class HiveCases:
    """A table, predicates over it, and a mode in which Hive evaluates each.

    Attributes:
        rng: Draws more.
        table: The table.
        predicates: The predicates with their modes.
    """

    rng: random.Random
    table: Table
    predicates: Sequence[tuple[Predicate, Mode]]

    @staticmethod
    def of(seed: int, predicates: int, types: Sequence[str] = _TYPES) -> "HiveCases":
        """Draws a table with columns of some types, and predicates over it."""
        rng = random.Random(seed)
        table = random_table(rng, _FILES, types, edges)
        grammar = Grammar(rng, table, (), constants=Constants(plain=True), pairs=True)
        drawn = (read_plain(grammar.comparison().text, table) for _ in range(predicates))
        return HiveCases(rng, table, [(predicate, random_mode(rng)) for predicate in drawn])

    def found(self, predicate: Predicate, mode: Mode, *, all_rows: bool = False) -> list[bool]:
        """Returns for each file whether Hive finds a row of it, or with `all_rows`, all of its rows."""
        choose = all if all_rows else any
        return [choose(truth(predicate, row, mode) is True for row in rows) for rows in self.table.files]


def kept(predicate: Predicate, known: Sequence[FileStatistics]) -> list[bool]:
    """Returns for each file whether the compiled predicate keeps it."""
    return evaluate(compile_predicate(predicate).expression, known)
