"""Regenerates `truth_tables.json`: `python -m tests.conformance.agreement.truth_tables`.

Each file has one row, for which two tests are TRUE, FALSE or NULL. Its statistics are exact, so Kleene's
truth tables decide which files are kept.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, TypeAlias

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.types import HiveType
from tests.contents import one_row, statistics_json

from ..expression_tree import tree_of
from ..vectors import DIRECTORY, value_of

FILE: Final = DIRECTORY / "truth_tables.json"
_COMMENT: Final = (
    "Files of one row each, for the pairs of what two tests are for it. 'keep' is what Kleene's tables say "
    "of the filter: TRUE or not. Made by tests/conformance/agreement/truth_tables.py, which has a row for "
    "each outcome."
)

Outcome: TypeAlias = bool | None
Value: TypeAlias = bool | int | float | str | None
Row: TypeAlias = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Test:
    """A test, with rows for which it is TRUE, FALSE and NULL.

    Attributes:
        sql: The test; `{0}` and `{1}` are its columns.
        types: Types of the columns.
        rows: A row for each possible outcome.
    """

    __test__ = False

    sql: str
    types: tuple[str, ...]
    rows: Mapping[Outcome, Row]

    def named(self, letter: str) -> tuple[str, list[str]]:
        """Returns the test over its own columns, and their names."""
        names = [f"{letter}{number}" for number in range(len(self.types))]
        return self.sql.format(*names), names


def _one(sql: str, hive_type: str, true: Value, false: Value) -> Test:
    return Test(sql, (hive_type,), {True: (true,), False: (false,), None: (None,)})


TESTS: Final = (
    _one("{0} = 5", "int", 5, 6),
    _one("{0} <> 5", "bigint", 6, 5),
    _one("{0} < 1.5", "decimal(10,2)", "1.25", "1.50"),
    _one("{0} <= date '2021-06-15'", "date", "2021-06-15", "2021-06-16"),
    _one("{0} > 'm'", "string", "ma", "m"),
    _one("{0} >= 0.5D", "double", 0.5, 0.25),
    _one("{0} between 2 and 4", "smallint", 4, 5),
    _one("{0} not between 2 and 4", "tinyint", 1, 2),
    _one("{0} in (1, 3, 5)", "int", 3, 4),
    _one("{0} not in ('a', 'c')", "string", "b", "c"),
    Test("{0} in (1, 3, null)", ("int",), {True: (3,), None: (4,)}),
    Test("{0} <=> 5", ("int",), {True: (5,), False: (None,)}),
    Test("{0} <=> null", ("int",), {True: (None,), False: (5,)}),
    Test("{0} is null", ("string",), {True: (None,), False: ("",)}),
    Test("{0} is not null", ("date",), {True: ("2021-06-15",), False: (None,)}),
    _one("{0}", "boolean", True, False),
    _one("{0} = false", "boolean", False, True),
    _one("{0} < 3 or {0} > 7 and {0} < 9", "int", 8, 9),
    _one("{0} like 'ab%'", "string", "abc", "acc"),
    _one("year({0}) = 2021", "date", "2021-12-31", "2022-01-01"),
    _one("{0} + 1 > 5", "bigint", 5, 4),
    Test("coalesce({0}, 0) = 0", ("int",), {True: (None,), False: (1,)}),
    Test("{0} = {1}", ("int", "int"), {True: (3, 3), False: (3, 4), None: (3, None)}),
    Test(
        "{0} <> {1}",
        ("date", "date"),
        {True: ("2021-06-15", "2021-06-16"), False: ("2021-06-15",) * 2, None: (None,) * 2},
    ),
    Test("{0} < {1}", ("int", "bigint"), {True: (3, 4), False: (4, 4), None: (None, 4)}),
    Test("{0} <= {1}", ("string", "string"), {True: ("a", "a"), False: ("b", "a"), None: ("a", None)}),
)


def _not(outcome: Outcome) -> Outcome:
    return None if outcome is None else not outcome


def _and(left: Outcome, right: Outcome) -> Outcome:
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def _or(left: Outcome, right: Outcome) -> Outcome:
    return _not(_and(_not(left), _not(right)))


FILTERS: Final[Mapping[str, Callable[[Outcome, Outcome], Outcome]]] = {
    "({p})": lambda p, q: p,
    "not ({p})": lambda p, q: _not(p),
    "({p}) and ({q})": _and,
    "({p}) or ({q})": _or,
    "not (({p}) and ({q}))": lambda p, q: _not(_and(p, q)),
    "not (({p}) or ({q}))": lambda p, q: _not(_or(p, q)),
    "({p}) and not ({q})": lambda p, q: _and(p, _not(q)),
    "not ({p}) or ({q})": lambda p, q: _or(_not(p), q),
    "({p}) is not true": lambda p, q: p is not True,
    "(({p}) and ({q})) is not true": lambda p, q: _and(p, q) is not True,
    "(({p}) or ({q})) is not true": lambda p, q: _or(p, q) is not True,
    "not (({p}) and ({q})) is not true": lambda p, q: _and(p, q) is True,
    "(({p}) and ({q})) is null": lambda p, q: _and(p, q) is None,
    "(({p}) or ({q})) is null": lambda p, q: _or(p, q) is None,
}


def content() -> str:
    """Writes the file, with a line for each pair of tests and each filter over it."""
    pairs = ",\n".join(map(_pair, TESTS, (*TESTS[1:], TESTS[0])))
    head = json.dumps({"comment": _COMMENT})[:-1]
    return f'{head}, "pairs": [\n{pairs}\n]}}\n'


def _pair(first: Test, second: Test) -> str:
    (p, p_columns), (q, q_columns) = first.named("p"), second.named("q")
    columns = dict(zip([*p_columns, *q_columns], [*first.types, *second.types], strict=True))
    outcomes = list(product(first.rows, second.rows))
    files = [_file(columns, (*first.rows[of_p], *second.rows[of_q])) for of_p, of_q in outcomes]
    schema = {name: HiveType.parse(hive_type) for name, hive_type in columns.items()}
    filters = ",\n    ".join(
        json.dumps(
            {
                "name": text.format(p=p, q=q),
                "expression": tree_of(compile_predicate(from_sql(text.format(p=p, q=q), schema)).expression),
                "keep": [kleene(of_p, of_q) is True for of_p, of_q in outcomes],
            }
        )
        for text, kleene in FILTERS.items()
    )
    head = json.dumps({"columns": columns, "files": files})[:-1]
    return f'  {head}, "filters": [\n    {filters}\n  ]}}'


def _file(columns: Mapping[str, str], row: Row) -> dict[str, Any]:
    return {
        name: _statistics(type_name, value)
        for (name, type_name), value in zip(columns.items(), row, strict=True)
    }


def _statistics(type_name: str, value: Value) -> dict[str, Any]:
    hive_type = HiveType.parse(type_name)
    return statistics_json(one_row(hive_type, None if value is None else value_of(hive_type, value)))


if __name__ == "__main__":
    FILE.write_text(content(), encoding="utf-8")
