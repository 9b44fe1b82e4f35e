"""Shrinks a wrong skip, and writes it as a vector."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.expression.render import to_text
from pycompiler.compile.predicate.errors import SqlPredicateError
from pycompiler.compile.predicate.model import Predicate
from tests.contents import statistics_json
from tests.drawing.collected import exact
from tests.drawing.reading import dialect_of, read
from tests.drawing.sql import Sql
from tests.drawing.tables import Table

from .batch import Batch, Checked
from .spark_oracle import SparkOracle

_MOST_CANDIDATES: Final = 200
_MOST_STEPS: Final = 100


@dataclass(frozen=True, slots=True)
class WrongSkip:
    """A file that is skipped although a row in it passes.

    Attributes:
        seed: The seed of the table.
        sql: The predicate.
        table: The columns, and the one file.
        statistics: The file's statistics.
        zone: Spark's session time zone.
    """

    seed: int
    sql: Sql
    table: Table
    statistics: FileStatistics
    zone: str

    def is_skipped_by(self, predicate: Predicate) -> bool:
        """Returns whether a predicate skips the file."""
        return not evaluate(compile_predicate(predicate).expression, [self.statistics])[0]

    def vector(self) -> dict[str, Any]:
        """Returns the case for tests/conformance/found.json: this file must be kept."""
        used = [name for name in self.statistics if _names(self.sql.text, name)]
        schema = {name: str(of) for name, of in self.table.schema.items() if _names(self.sql.text, name)}
        return {
            "name": f"fuzz, seed {self.seed}",
            "where": self.sql.text,
            "dialect": dialect_of(self.sql.text).value,
            "columns": schema,
            "rows": [{name: str(row[name]) for name in used} for rows in self.table.files for row in rows],
            "statistics": {name: statistics_json(self.statistics[name]) for name in used},
        }

    def __str__(self) -> str:
        expression = compile_predicate(read(self.sql.text, self.table)).expression
        rows = [
            {name: value for name, value in row.items() if _names(self.sql.text, name)}
            for rows in self.table.files
            for row in rows
        ]
        return "\n".join(
            [
                f"WRONG SKIP (seed {self.seed})",
                f"  WHERE {self.sql.text}",
                f"  is {to_text(expression)}",
                f"  and skips {rows} (zone {self.zone})",
                json.dumps(self.vector()),
            ]
        )


def shrunk(oracle: SparkOracle, batch: Batch, checked: Checked) -> WrongSkip:
    """Shrinks a wrong skip: to one row if possible, and to a predicate that cannot be made smaller."""
    file = min(batch.lost(checked))
    rows = batch.table.files[file]
    case = WrongSkip(
        batch.seed, checked.sql, batch.table.with_files([rows]), batch.statistics[file], batch.zone
    )
    for row in rows:
        table = batch.table.with_files([[row]])
        single = replace(case, table=table, statistics=exact(table)[0])
        if _first_lost(oracle, [case.sql], table, case.zone, single.is_skipped_by):
            case = single
            break
    sql = smallest(oracle, case.sql, case.table, case.zone, case.is_skipped_by)
    return replace(case, sql=sql)


def smallest(
    oracle: SparkOracle, sql: Sql, rows: Table, zone: str, is_skipped_by: Callable[[Predicate], bool]
) -> Sql:
    """Shrinks a predicate that skips a passing row until no smaller one does."""
    for _ in range(_MOST_STEPS):
        pieces = list(islice(sql.smaller(), _MOST_CANDIDATES))
        smaller = _first_lost(oracle, pieces, rows, zone, is_skipped_by)
        if smaller is None:
            break
        sql = smaller
    return sql


def _first_lost(
    oracle: SparkOracle,
    pieces: Sequence[Sql],
    rows: Table,
    zone: str,
    is_skipped_by: Callable[[Predicate], bool],
) -> Sql | None:
    """Returns the first predicate that skips the rows of a table although one passes."""
    skipping = [piece for piece in pieces if _is_skipped(piece, rows, is_skipped_by)]
    answers = oracle.files_with_true(rows, [piece.text for piece in skipping], zone) if skipping else []
    return next((piece for piece, matching in zip(skipping, answers, strict=True) if matching), None)


def _is_skipped(piece: Sql, rows: Table, is_skipped_by: Callable[[Predicate], bool]) -> bool:
    try:
        return is_skipped_by(read(piece.text, rows))
    except SqlPredicateError:
        return False


def _names(text: str, column: str) -> bool:
    return column.lower() in text.lower()
