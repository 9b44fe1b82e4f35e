"""Random statements that count and group the rows of `draws`, with SQLite's answers."""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Final

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

_COUNT: Final = "select count(*) as c from draws where "


def counts(count: int, seed: int) -> Iterator[Statement]:
    """Draws statements."""
    with closing(sqlite_with(DRAWS)) as reference:
        yield from statements(count, seed, SETTINGS, reference, _drawn)


def _drawn(chance: random.Random) -> tuple[str, str]:
    text = _Drawing(chance).statement()
    return text, text.replace("date '", "'").replace("timestamp '", "'")


class _Drawing:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

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

    def _condition(self, depth: int = 0) -> str:
        kind = self._chance.random()
        if depth > 2 or kind < 0.55:
            return self._test()
        inner = [self._condition(depth + 1) for _ in range(2)]
        if kind < 0.7:
            return f"({inner[0]} and {inner[1]})"
        if kind < 0.85:
            return f"({inner[0]} or {inner[1]})"
        if kind < 0.95:
            return f"not ({inner[0]})"
        return f"({inner[0]}) is {self._chance.choice(('true', 'not true', 'not false', 'false'))}"

    def _test(self) -> str:
        column = self._chance.choice(_COLUMNS)
        values = sorted(self._values(column) for _ in range(3))
        match self._chance.choice(
            ("<", "<=", ">", ">=", ">", "<", "=", "<>", "between", "in", "null", "pair")
        ):
            case "between":
                sign = self._chance.choice(("", "", "not "))
                return f"{column} {sign}between {values[0]} and {values[2]}"
            case "in":
                return f"{column} {self._chance.choice(('', 'not '))}in ({', '.join(values)})"
            case "null":
                return f"{column} is {self._chance.choice(('', 'not '))}null"
            case "pair":
                return self._chance.choice(("a < id", "a <= id", "x < id", "a > x", "a + 1 > 20", "a < b"))
            case operator:
                return f"{column} {operator} {values[1]}"

    def _values(self, column: str) -> str:
        file = self._chance.randrange(-1, 17)
        match column:
            case "id":
                return str(file * 12 + self._chance.choice((-1, 0, 0, 1, 5)))
            case "a":
                return str(file * 6 + self._chance.choice((-1, 0, 3, 8)))
            case "b":
                return str((file * 6 - 50) * 10**11)
            case "day":
                return f"date '2024-01-{max(1, min(28, file + 1)):02d}'"
            case "at":
                return f"timestamp '2024-01-{max(1, min(31, 2 * file + 1)):02d} 00:00:00'"
            case "s":
                letter = self._chance.choice(("a", "B", "é", ""))
                return f"'{letter}{max(file, 0):02d}'"
            case "d":
                return f"{(file * 6 - 40) / 4}"
            case "g":
                return str(file // 3)
        return str(self._chance.choice((-1, 0, 5, 45, 88, 89, 90)))


_COLUMNS: Final = ("id", "id", "a", "b", "day", "at", "s", "d", "x", "g")
_OTHERS: Final = (
    *("union", "subquery", "having", "twice", "one", "column", "distinct", "sum", "groups"),
    *("groups", "groups_of_all", "distinct_rows"),
    *("of_both", "filtered_twice"),
)
