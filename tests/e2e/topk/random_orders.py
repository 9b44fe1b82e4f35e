"""Random statements that sort and limit `draws`, with SQLite's answers."""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Final

from ..harness.random_statements import Statement, sqlite_with, statements
from .tables import DRAWS

SETTINGS: Final[Mapping[str, Sequence[str]]] = {
    "hive.cbo.enable": ("true", "true", "true", "false"),
    "hive.vectorized.execution.enabled": ("true", "false"),
    "hive.optimize.topnkey": ("true", "true", "false"),
    "hive.optimize.topnkey.max": ("128", "128", "5"),
    "hive.map.aggr": ("true", "true", "false"),
    "hive.optimize.reducededuplication": ("true", "false"),
    "hive.optimize.shared.work": ("true", "false"),
    "hive.remove.orderby.in.subquery": ("true", "true", "false"),
    "hive.auto.convert.join": ("true", "false"),
    "hive.optimize.cte.materialize.threshold": ("2", "1"),
}

_KEYS: Final = ("a", "b", "day", "at", "s", "d", "x")
_OFFSETS: Final = (0, 0, 0, 0, 0, 0, 1, 12, 50, 180)
_ENDS: Final = ("a", "b", "day", "at", "d", "x")
"""Not strings: row by row, Hive orders those by UTF-16, and SQLite by UTF-8."""
_NULLS_FIRST, _NULLS_LAST = "@first", "@last"
"""What Hive means if a key does not say where its NULLs are; SQLite means the opposite."""


def orders(count: int, seed: int) -> Iterator[Statement]:
    """Draws statements."""
    with closing(sqlite_with(DRAWS)) as reference:
        yield from statements(count, seed, SETTINGS, reference, _drawn)


def _drawn(chance: random.Random) -> tuple[str, str]:
    text = _Drawing(chance).statement()
    theirs = text.replace("date '", "'")
    return (
        text.replace(_NULLS_FIRST, "").replace(_NULLS_LAST, ""),
        theirs.replace(_NULLS_FIRST, "nulls first").replace(_NULLS_LAST, "nulls last"),
    )


class _Drawing:
    """A statement with one answer: ties are of equal rows, or the key decides between them."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def statement(self) -> str:
        key = self._chance.choice(_KEYS)
        shape = self._chance.choice(
            (
                *("rows", "rows", "rows", "ties", "ties", "filtered"),
                *("aggregated", "nested", "union", "ends", "joined", "cte", "window"),
                *("ranges", "ranges", "extremes", "extremes"),
                *("grouped", "grouped over a sort", "distinct", "grouped in a scalar"),
            )
        )
        match shape:
            case "ties":
                keys = self._chance.sample(_KEYS, self._chance.choice((1, 2)))
                order = ", ".join(map(self._key, keys))
                return f"select {', '.join(keys)} from draws order by {order} {self._limit()}"
            case "filtered":
                return self._rows("draws where " + self._condition())
            case "ranges":
                return self._rows("draws where " + self._range())
            case "extremes":
                where = self._chance.choice(("", " where " + self._range(), " where " + self._condition()))
                ends = [f"{self._chance.choice(('min', 'max'))}({name})" for name in self._some(_ENDS)]
                return f"select {', '.join(ends)} from draws{where}"
            case "aggregated":
                return f"select count(*), sum(id), min(x) from ({self._rows()}) t"
            case "nested":
                # Hive forgets an OFFSET over a subquery of one row.
                return self._rows(f"({self._rows()}) t", ("a", "x"), offsets=(0,))
            case "union":
                more = "" if self._chance.random() < 0.6 else " where " + self._condition()
                swapped = f"select id + 1000 as id, x as a, a as x from draws{more}"
                both = f"select id, a, x from draws union all {swapped}"
                return self._rows(f"({both}) u", ("a", "x"))
            case "ends":
                first, last = (self._rows(keys=("a", "x")) for _ in range(2))
                return f"select * from ({first}) f union all select * from ({last}) l"
            case "joined":
                return f"select t.id, o.x from ({self._rows()}) t join draws o on t.id = o.id"
            case "cte":
                return f"with t as ({self._rows()}) select t.id, o.a from t join t o on t.id = o.id"
            case "window":
                number = f"row_number() over (order by {self._order(self._some(_KEYS))}) r"
                numbered = f"select id, a, x, {number} from draws"
                return f"select id, r from ({numbered}) t where r <= {self._chance.choice((1, 5, 40))}"
            case "grouped":
                having = self._chance.choice(("", "", " having count(*) > 1"))
                return self._grouped(key, "draws", having)
            case "grouped over a sort":
                return self._grouped(key, self._sorted(key))
            case "distinct":
                grouped = f"select distinct {key} from draws order by {self._key(key)} {self._limit()}"
                return f"select count(*), count({key}) from ({grouped}) t"
            case "grouped in a scalar":
                grouped = self._grouped(key, self._sorted(key))
                return f"select one, (select sum(c) from ({grouped}) g) from (select 1 as one) o"
            case _:
                return self._rows()

    def _rows(
        self, source: str = "draws", keys: Sequence[str] = _KEYS, offsets: Sequence[int] = _OFFSETS
    ) -> str:
        chosen = self._some(keys)
        # Without its optimizer, Hive sorts by selected columns alone.
        shown = ", ".join(dict.fromkeys(("id", "a", "x", *chosen)))
        return f"select {shown} from {source} order by {self._order(chosen)} {self._limit(offsets)}"

    def _some(self, keys: Sequence[str]) -> Sequence[str]:
        return self._chance.sample(keys, self._chance.choice((1, 1, 2)))

    def _grouped(self, key: str, source: str, having: str = "") -> str:
        order = f"order by {self._key(key)} {self._limit()}"
        return f"select {key}, count(*) as c from {source} group by {key}{having} {order}"

    def _sorted(self, key: str) -> str:
        return f"(select {key} from draws order by {self._key(key)}) z"

    def _order(self, keys: Sequence[str]) -> str:
        return ", ".join([*map(self._key, keys), self._chance.choice(("id", "id desc"))])

    def _key(self, name: str) -> str:
        descending = self._chance.random() < 0.5
        nulls = self._chance.choice(
            ("nulls first", "nulls last", "nulls last", _NULLS_FIRST if descending else _NULLS_LAST)
        )
        return f"{name}{' desc' if descending else ''} {nulls}"

    def _limit(self, offsets: Sequence[int] = _OFFSETS) -> str:
        limit = self._chance.choice((1, 1, 2, 2, 5, 11, 12, 13, 13, 40, 40, 130, 1000, 0))
        offset = self._chance.choice(offsets)
        return f"limit {limit} offset {offset}" if offset else f"limit {limit}"

    def _range(self) -> str:
        """Conditions that all rows of some files match."""
        low = self._chance.randrange(100)
        return self._chance.choice(
            (
                f"a >= {low}",
                f"a between {low} and {low + 40}",
                f"not a < {low}",
                f"a is not null and b > {(low - 50) * 10**11}",
                f"day >= date '2024-01-{low // 6 + 1:02}' and d < {low}",
                f"id < {2 * low} or id > {2 * low + 30}",
                f"coalesce(a, {low}) >= {low}",
            )
        )

    def _condition(self) -> str:
        return self._chance.choice(
            ("x > 40", "a is not null", "id % 3 = 0", "day >= date '2024-01-05'", "s is null or x < 9")
        )
