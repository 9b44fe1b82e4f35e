"""Random statements that count and group the rows of `draws`, with SQLite's answers."""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Final

from tests.drawing.edges import are_in_one_order
from tests.drawing.grammar import Grammar
from tests.drawing.values import Constants

from ..harness.drawing import drawing_table
from ..harness.random_statements import Statement, sqlite_with, statements
from ..topk.tables import DRAWS

SETTINGS: Final[Mapping[str, Sequence[str]]] = {
    "hive.execution.engine": ("tez", "tez", "tez", "mr"),
    "hive.cbo.enable": ("true", "true", "true", "false"),
    "hive.vectorized.execution.enabled": ("true", "false"),
    "hive.map.aggr": ("true", "true", "true", "false"),
    "hive.optimize.shared.work": ("true", "false", "false"),
    "hive.auto.convert.join": ("true", "false"),
    "hive.optimize.point.lookup": ("true", "false"),
}

_DRAWN: Final = drawing_table(DRAWS)
_TABLE: Final = _DRAWN.with_files(
    [[row for row in rows if are_in_one_order(str(row["s"]))] for rows in _DRAWN.files]
)
"""Without the strings that Hive, row by row, and SQLite order in two ways."""

_COUNT: Final = "select count(*) as c from draws where "


def counts(count: int, seed: int) -> Iterator[Statement]:
    """Draws statements."""
    with closing(sqlite_with(DRAWS)) as reference:
        yield from statements(count, seed, SETTINGS, reference, _drawn)


def _drawn(chance: random.Random) -> tuple[str, str]:
    text = _Drawing(chance).statement()
    return text, text.replace("DATE '", "'").replace("TIMESTAMP '", "'").replace(" <=> ", " is ")


class _Drawing:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._grammar = Grammar(chance, _TABLE, (), constants=Constants(plain=True), pairs=True)

    def statement(self) -> str:
        """A count, or something else that Hive plans in a similar way."""
        match self._chance.choice((*("count",) * 10, *_OTHERS)):
            case "union":
                return f"{self._counted()} union all {self._counted()}"
            case "subquery":
                return f"select c + 1 from ({self._counted()}) t where c > 20"
            case "having":
                return f"{self._counted()} having count(*) > {self._chance.choice((0, 12, 100))}"
            case "twice":
                return f"select a.c, b.c from ({self._counted()}) a cross join ({self._counted()}) b"
            case "one":
                return self._counted().replace("count(*)", "count(1)")
            case "column":
                return self._counted().replace("count(*)", f"count({self._chance.choice(_COLUMNS)})")
            case "distinct":
                return self._counted().replace("count(*)", f"count(distinct {self._group()})")
            case "sum":
                aggregates = f"count(*) as n, sum({self._chance.choice(('x', 'g'))})"
                return self._counted().replace("count(*)", aggregates)
            case "groups":
                group = self._group()
                return f"{self._counted().replace('count(*) as c', f'{group}, count(*)')} group by {group}"
            case "groups_of_all":
                group = self._group()
                return f"select {group}, count(*), min({group}) from draws group by {group}"
            case "distinct_rows":
                return f"select distinct g from draws where {self._condition()}"
            case "of_both":
                return f"select count(*) from ({self._rows()} union all {self._rows()}) t"
            case "filtered_twice":
                inner = f"select * from draws where {self._condition()}"
                return f"select count(*) from ({inner}) t where {self._condition()}"
            case _:
                return self._counted()

    def _group(self) -> str:
        return self._chance.choice(("g", "g", "g", "a", "day"))

    def _counted(self) -> str:
        return _COUNT + self._condition()

    def _rows(self) -> str:
        return f"select id from draws where {self._condition()}"

    def _condition(self) -> str:
        inner = self._grammar.comparison().text
        if self._chance.random() < 0.95:
            return inner
        return f"{inner} is {self._chance.choice(('true', 'not true', 'not false', 'false'))}"


_COLUMNS: Final = ("id", "id", "a", "b", "day", "at", "s", "d", "x", "g")
_OTHERS: Final = (
    *("union", "subquery", "having", "twice", "one", "column", "distinct", "sum", "groups"),
    *("groups", "groups_of_all", "distinct_rows"),
    *("of_both", "filtered_twice"),
)
