"""Shrinks a wrong skip, and writes it as a vector."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from pycompiler.compiler.compile import compile_predicate
from pycompiler.expression.evaluator import FileStatistics, evaluate
from pycompiler.expression.render import to_text
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.predicate.errors import SqlPredicateError
from tests.contents import content_json

from .campaign import Batch, Checked, dialect_of, read
from .collected import exact
from .spark_oracle import SparkOracle
from .sql import Sql
from .tables import Table

_MOST_CANDIDATES: Final = 200
_MOST_STEPS: Final = 100


@dataclass(frozen=True, slots=True)
class WrongSkip:
    """A file that is skipped although a row in it passes.

    Attributes:
        sql: The predicate.
        table: The columns, and the one file.
        statistics: The file's statistics.
        zone: Spark's session time zone.
    """

    sql: Sql
    table: Table
    statistics: FileStatistics
    zone: str

    def vector(self, name: str) -> dict[str, Any]:
        """Returns the case for tests/conformance/found.json: this file must be kept."""
        used = _used(self.sql.text, self.statistics)
        schema = {name: str(of) for name, of in self.table.schema.items() if _names(self.sql.text, name)}
        return {
            "name": name,
            "where": self.sql.text,
            "dialect": dialect_of(self.sql.text).value,
            "columns": schema,
            "rows": [{name: str(row[name]) for name in used} for rows in self.table.files for row in rows],
            "statistics": {name: _statistics_json(self.statistics[name]) for name in used},
        }

    def __str__(self) -> str:
        expression = compile_predicate(read(self.sql.text, self.table)).expression
        rows = [
            {name: value for name, value in row.items() if _names(self.sql.text, name)}
            for rows in self.table.files
            for row in rows
        ]
        return f"WHERE {self.sql.text}\n  is {to_text(expression)}\n  and skips {rows} (zone {self.zone})"


def shrunk(oracle: SparkOracle, batch: Batch, checked: Checked) -> WrongSkip:
    """Shrinks a wrong skip: to one row if possible, and to a predicate that cannot be made smaller."""
    file = min(batch.lost(checked))
    rows = batch.table.files[file]
    whole = WrongSkip(checked.sql, batch.table.with_files([rows]), batch.statistics[file], batch.zone)
    single = [batch.table.with_files([[row]]) for row in rows]
    found = _first(oracle, [replace(whole, table=table, statistics=exact(table)[0]) for table in single])
    case = found or whole
    for _ in range(_MOST_STEPS):
        pieces = islice(case.sql.smaller(), _MOST_CANDIDATES)
        smaller = _first(oracle, [replace(case, sql=sql) for sql in pieces])
        if smaller is None:
            break
        case = smaller
    return case


def _first(oracle: SparkOracle, cases: Sequence[WrongSkip]) -> WrongSkip | None:
    """Returns the first case that is also a wrong skip, asking Spark once per table."""
    skipping = [case for case in cases if _is_skipped(case)]
    by_table: dict[int, list[WrongSkip]] = {}
    for case in skipping:
        by_table.setdefault(id(case.table), []).append(case)
    for of_table in by_table.values():
        texts = [case.sql.text for case in of_table]
        answers = oracle.files_with_true(of_table[0].table, texts, of_table[0].zone)
        for case, matching in zip(of_table, answers, strict=True):
            if matching:
                return case
    return None


def _is_skipped(case: WrongSkip) -> bool:
    try:
        predicate = read(case.sql.text, case.table)
    except SqlPredicateError:
        return False
    return not evaluate(compile_predicate(predicate).expression, [case.statistics])[0]


def _names(text: str, column: str) -> bool:
    return column.lower() in text.lower()


def _used(text: str, statistics: Mapping[str, ColumnStatistics]) -> list[str]:
    return [name for name in statistics if _names(text, name)]


def _statistics_json(known: ColumnStatistics) -> dict[str, Any]:
    parts: dict[str, Any] = {
        "type": str(known.type),
        "lower": None if known.lower is None else known.lower.hex(),
        "upper": None if known.upper is None else known.upper.hex(),
        "null_count": known.null_count,
        "value_count": known.value_count,
        "nan_count": known.nan_count,
    }
    return parts | content_json(known)
