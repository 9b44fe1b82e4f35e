"""Hive as its own oracle: what it computes of expressions, and which rows a filter then selects."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

from pycompiler.compile.values.types import MOMENTS, HiveType, ValueKind
from pycompiler.tools.scan_log.scans import Scan
from tests.drawing.values import Operand

from ..harness.check import SHADOW, WITHOUT_SKIPPING, Checked, Checker
from ..harness.session import QueryFailed

_TYPES: Final[Mapping[type, str]] = {
    bool: "boolean",
    int: "int",
    float: "double",
    Decimal: "decimal(38,10)",
    str: "string",
}
_FIRST_DAY: Final = dt.date(2, 1, 1)
"""Not the first, so that there is one before it."""

LENIENT = {"hive.strict.checks.type.safety": "false"}
"""A bigint against a string is refused otherwise."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The keys that a predicate selects, and the scans that found them."""

    keys: tuple[int, ...]
    scans: tuple[Scan, ...] = ()


class Oracle:
    """Queries a table in Hive, with one way of running queries.

    Args:
        check: Runs them.
        settings: Settings of the session.
        table: Its name in Hive.
    """

    def __init__(self, check: Checker, settings: Mapping[str, str], table: str = "oracle") -> None:
        self._check = check
        self._table = table
        self._settings = {**LENIENT, **settings}

    @contextmanager
    def configured(self) -> Iterator[None]:
        """Sets the session's settings for the block."""
        with self._check.session.settings(self._settings):
            yield

    def sample(self, operands: Sequence[Operand]) -> list[Operand]:
        """The operands that Hive accepts, with the types and values that it computes."""
        # As text, because Hive has timestamps that Python lacks.
        columns = self._columns(
            [f"cast({o.sql.text} as string)" if o.type.kind in MOMENTS else o.sql.text for o in operands]
        )
        return [
            sampled
            for operand, column in zip(operands, columns, strict=True)
            if column is not None and (sampled := _sampled(operand, column)).samples
        ]

    def true_rows(self, predicates: Sequence[str]) -> list[tuple[int, ...] | None]:
        """The keys of the rows that each predicate is TRUE for, without a filter; None if Hive refuses it."""
        keys, *columns = self._columns(["id", *predicates])
        assert keys is not None
        return [
            None
            if column is None
            else tuple(sorted(key for key, truth in zip(keys, column, strict=True) if truth))
            for column in columns
        ]

    def filtered(self, predicates: Sequence[str], settings: Mapping[str, str] | None = None) -> list[Answer]:
        """The keys that each predicate selects, from one query with a branch for each of them.

        Raises:
            QueryFailed: Hive refuses it.
        """
        branches = [f"select {n} as n, id from {self._table} where {p}" for n, p in enumerate(predicates)]
        checked = self._check.run(" union all ".join(branches), settings, scans=0)
        answers: dict[int, list[int]] = defaultdict(list)
        for n, key in checked.rows:
            answers[n].append(key)
        # The log does not tell which branch a scan belongs to.
        return [
            Answer(tuple(sorted(answers[n])), checked.scans if n == 0 else ()) for n in range(len(predicates))
        ]

    def counts(self, predicates: Sequence[str], settings: Mapping[str, str] | None = None) -> Checked:
        """Counts the rows that each predicate selects, in a branch for each of them.

        Raises:
            QueryFailed: Hive refuses it.
        """
        branches = [
            f"select {n} as n, count(*) as c from {self._table} where {p}" for n, p in enumerate(predicates)
        ]
        return self._check.run(" union all ".join(branches), settings, scans=0)

    def shadowed(self, predicate: str) -> Checked:
        """Runs a filter in shadow mode."""
        return self._check.run(f"select id from {self._table} where {predicate}", SHADOW, scans=0)

    def unfiltered(self, predicate: str) -> Checked:
        """Runs a filter without skipping."""
        return self._check.run(f"select id from {self._table} where {predicate}", WITHOUT_SKIPPING, scans=0)

    def _columns(self, expressions: Sequence[str]) -> list[tuple[Any, ...] | None]:
        """The values of expressions in all rows, in one query if Hive takes all of them."""
        query = f"select {', '.join(f'({expression})' for expression in expressions)} from {self._table}"
        try:
            rows = self._check.run(query, WITHOUT_SKIPPING, scans=0).rows
        except QueryFailed:
            if len(expressions) == 1:
                return [None]
            middle = len(expressions) // 2
            return self._columns(expressions[:middle]) + self._columns(expressions[middle:])
        return list(zip(*rows, strict=True))


def _sampled(operand: Operand, column: Sequence[Any]) -> Operand:
    """The operand with some of its values, and with the type that they show."""
    values = list(dict.fromkeys(value for value in column if value is not None))
    hive_type = operand.type
    if hive_type.kind in MOMENTS:
        read = [_of_text(hive_type, value) for value in values]
        values = [value for value in read if value is not None]
    elif values:
        name = _TYPES[type(values[0])]
        is_wide = name == "int" and any(abs(value) >> 31 for value in values)
        hive_type = HiveType.parse("bigint" if is_wide else name)
    return replace(operand, type=hive_type, samples=tuple(values))


def _of_text(hive_type: HiveType, text: str) -> int | None:
    """A date or timestamp as a number; None if it is far from today's calendar."""
    try:
        moment = dt.datetime.fromisoformat(text[:26].ljust(26, "0") if "." in text else text)
    except ValueError:
        return None
    if moment.date() < _FIRST_DAY:
        return None
    since = moment - dt.datetime(1970, 1, 1)
    return since.days if hive_type.kind is ValueKind.DATE else since // dt.timedelta(microseconds=1)
