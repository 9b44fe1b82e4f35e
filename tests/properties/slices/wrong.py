"""Finds slices that are wrongly skipped, and differences between the handler and the rule."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.render import to_text
from pycompiler.compile.predicate.model import Predicate
from tests.drawing.reading import read
from tests.drawing.sql import Sql

from ..shrinking import smallest
from ..spark_oracle import SparkOracle
from .rule import Rule, keeps
from .state import State
from .votes import votes


@dataclass(frozen=True, slots=True)
class Wrong:
    """A slice that should have been read or skipped, and was not.

    Attributes:
        what: What is wrong.
        state: The table.
        sql: The predicate.
        slice: Position of the slice.
    """

    what: str
    state: State
    sql: Sql
    slice: int

    def __str__(self) -> str:
        state, of = self.state, self.state.slices[self.slice]
        expression = compile_predicate(read(self.sql.text, state.rows)).expression
        (known,) = votes(expression, [of], state.known, state.is_whole)
        text = self.sql.text.lower()
        named = [column.name for column in state.rows.columns if column.name.lower() in text]
        rows = [{name: row[name] for name in named} for row in state.rows.files[self.slice]]
        files = [*of.logs, *([of.base] if of.base else [])]
        statistics = [
            f"    {file.path}: { {name: state.known[file].get(name) for name in named} }" for file in files
        ]
        return "\n".join(
            [
                f"{self.what} (seed {state.seed})",
                f"  WHERE {self.sql.text}",
                f"  is {to_text(expression)}",
                f"  slice {'/'.join(of.group)}, {known}",
                *statistics,
                f"  has {rows} (zone {state.zone})",
                f"  after {', '.join(state.said)}",
            ]
        )


def wrong(state: State) -> Iterator[Wrong]:
    """Yields everything wrong in a state, lost slices first."""
    for answer in state.answers:
        sql = answer.checked.sql
        yield from (Wrong("WRONG SKIP", state, sql, number) for number in sorted(answer.lost))
    for answer in state.answers:
        sql, expected = answer.checked.sql, answer.kept_by(keeps)
        for number in sorted(answer.kept - expected):
            yield Wrong("READ BY THE HANDLER, NOT BY THE RULE", state, sql, number)
        for number in sorted(expected - answer.kept - answer.lost):
            # Before table version 8, Hudi lists the logs of a failed commit but reads no rows from them. A
            # partition in which the index excludes everything else is not even listed.
            if not (state.has_failed and any(answer.votes[number].unknown)):
                yield Wrong("SKIPPED BY THE HANDLER, NOT BY THE RULE", state, sql, number)


def shrunk(oracle: SparkOracle, found: Wrong, rule: Rule = keeps) -> Wrong:
    """Shrinks the predicate that loses a slice as far as possible.

    Args:
        oracle: Spark.
        found: A lost slice.
        rule: The rule that loses it. If only the handler does, the predicate is not shrunk.
    """
    state = found.state
    rows = state.rows.with_files([state.rows.files[found.slice]])

    def is_skipped_by(predicate: Predicate) -> bool:
        expression = compile_predicate(predicate).expression
        (known,) = votes(expression, [state.slices[found.slice]], state.known, state.is_whole)
        return not rule(known)

    return replace(found, sql=smallest(oracle, found.sql, rows, state.zone, is_skipped_by))
