"""Random star queries with SQLite's answers."""

import random
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Final

from ..harness.random_statements import Statement, sqlite_with, statements
from .tables import PLACES, VISITS

DIMENSIONS: Final = ("places", "orc_places", "rare_places", "few_keys", "visits")
_KEYS: Final[Mapping[str, Sequence[str]]] = {
    "places": ("k", "k", "big", "day", "s", "n"),
    "orc_places": ("k", "k", "big", "day", "s", "n"),
    "rare_places": ("k", "day"),
    "few_keys": ("k",),
    "visits": ("k", "day", "sparse", "id"),
}
_FACT_KEYS: Final[Mapping[str, Sequence[str]]] = {
    "k": ("k", "k", "k", "sparse", "scattered", "k + 1", "cast(k as bigint)"),
    "sparse": ("k", "sparse"),
    "id": ("scattered", "id", "k"),
    "n": ("n", "k"),
    "big": ("big", "big", "k"),
    "day": ("day",),
    "s": ("s",),
}

SETTINGS: Final[Mapping[str, Sequence[str]]] = {
    "hive.cbo.enable": ("true", "true", "true", "false"),
    "hive.auto.convert.join": ("true", "false"),
    "hive.vectorized.execution.enabled": ("true", "false"),
    "hive.optimize.shared.work": ("true", "false"),
    "hive.optimize.dynamic.partition.hashjoin": ("true", "false"),
    "hive.tez.dynamic.partition.pruning.extended": ("true", "false"),
    "hive.tez.dynamic.partition.pruning.max.event.size": ("1048576", "1048576", "1048576", "60"),
    "hive.disable.unsafe.external.table.operations": ("true", "false"),
    "hive.tez.bigtable.minsize.semijoin.reduction": ("100000000", "1"),
    "hive.optimize.cte.materialize.threshold": ("2", "1"),
}


def stars(count: int, seed: int) -> Iterator[Statement]:
    """Draws queries."""
    with closing(_sqlite()) as reference:
        yield from statements(count, seed, SETTINGS, reference, _drawn)


def _drawn(chance: random.Random) -> tuple[str, str]:
    text = _Drawing(chance).statement()
    return text, text.replace("date '", "'")


class _Drawing:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def statement(self) -> str:
        shape = self._chance.choice(
            (
                "plain",
                "plain",
                "plain",
                "rows",
                "grouped",
                "grouped fact",
                "union",
                "cte",
                "scalars",
                "nested",
            )
        )
        match shape:
            case "rows":
                return self._star("v.id, v.n, v.k")
            case "grouped":
                return self._star("v.s, count(*), sum(v.n)") + " group by v.s"
            case "grouped fact":
                fact = f"(select k, day, s, count(*) n from visits{self._maybe_where('')} group by k, day, s)"
                return self._star("v.k, sum(v.n)", fact, ("k", "k", "day", "s")) + " group by v.k"
            case "union":
                parts = " union all ".join(
                    f"select id, k, day, s, n from visits{self._maybe_where('')}" for _ in range(2)
                )
                return self._star("count(*), sum(v.n), sum(v.id)", f"({parts})", ("k", "k", "day", "s"))
            case "cte":
                inner = self._star("v.id, v.k, v.day, v.n")
                return (
                    f"with c as ({inner}) select count(*), sum(a.n), sum(b.id) from c a join c b on a.k = b.k"
                )
            case "scalars":
                one, other = (self._star("count(*)") for _ in range(2))
                return f"select x.c, y.c from ({_named(one)}) x cross join ({_named(other)}) y"
            case "nested":
                inner = self._star("v.id, v.k, v.day, v.s, v.n")
                return self._star("count(*), sum(v.n), sum(v.id)", f"({inner})", ("k", "day", "s"))
            case _:
                return self._star("count(*), sum(v.n), sum(v.id)")

    def _star(self, select: str, fact: str = "visits", keys: Sequence[str] | None = None) -> str:
        joins: list[str] = []
        conditions: list[str] = []
        for number in range(self._chance.choice((1, 1, 1, 2, 2, 3))):
            dimension = self._chance.choice(DIMENSIONS)
            key = self._chance.choice(
                [key for key in _KEYS[dimension] if keys is None or key in keys] or ["k"]
            )
            of_fact = self._chance.choice(_FACT_KEYS[key]) if keys is None else key
            left = of_fact.replace("k", "v.k", 1) if of_fact != key and " " in of_fact else None
            left = left or ("cast(v.k as bigint)" if of_fact.startswith("cast") else f"v.{of_fact}")
            name = f"d{number}"
            filtered = self._filter(dimension, name)
            match self._chance.choice(
                ("inner",) * 6 + ("left", "in", "exists", "not exists", "not in", "null")
            ):
                case "left":
                    joins.append(f"left join {dimension} {name} on {left} = {name}.{key} and {filtered}")
                case "in":
                    conditions.append(
                        f"{left} in (select {name}.{key} from {dimension} {name} where {filtered})"
                    )
                case "not in":
                    conditions.append(
                        f"{left} not in (select {name}.{key} from {dimension} {name} "
                        f"where {filtered} and {name}.{key} is not null)"
                    )
                case "exists" | "not exists" as test:
                    conditions.append(
                        f"{test} (select 1 from {dimension} {name} "
                        f"where {name}.{key} = {left} and {filtered})"
                    )
                case "null":
                    joins.append(f"join {dimension} {name} on {left} = {name}.{key}")
                    conditions.append(f"{name}.k is not null")
                case _:
                    joins.append(f"join {dimension} {name} on {left} = {name}.{key}")
                    conditions.append(filtered)
        if self._chance.random() < 0.4:
            conditions.append(self._of_fact("v."))
        where = " where " + " and ".join(conditions) if conditions else ""
        return f"select {select} from {fact} v {' '.join(joins)}{where}"

    def _maybe_where(self, prefix: str) -> str:
        return f" where {self._of_fact(prefix)}" if self._chance.random() < 0.5 else ""

    def _of_fact(self, prefix: str) -> str:
        low = self._chance.randrange(0, 240)
        return self._chance.choice(
            (
                f"{prefix}k >= {low}",
                f"{prefix}k between {low} and {low + 60}",
                f"{prefix}n < 7",
                f"{prefix}k in (33, 36, {low}, 153)",
                f"{prefix}day >= date '2024-01-{self._chance.randrange(1, 24):02d}'",
            )
        )

    def _filter(self, dimension: str, name: str) -> str:
        key = self._chance.randrange(0, 240)
        common = [f"{name}.k = {key}", f"{name}.k between {key} and {key + 12}", f"{name}.k in ({key}, 36)"]
        if dimension in ("places", "orc_places"):
            common += [f"{name}.kind = 'rare'", f"{name}.kind = 'none'", f"{name}.pid < {key // 3}"]
            common += [f"{name}.kind = 'rare' and {name}.n > 1", f"{name}.n = 3"]
        if dimension == "visits":
            common += [f"{name}.id = {2 * key}", f"{name}.scattered in ({key}, 7)"]
        return self._chance.choice(common)


def _named(query: str) -> str:
    return query.replace("select count(*)", "select count(*) c", 1)


def _sqlite() -> sqlite3.Connection:
    connection = sqlite_with(VISITS, PLACES)
    connection.execute("create view orc_places as select * from places")
    connection.execute("create view rare_places as select k, day, n as m from places where kind = 'rare'")
    connection.execute("create view few_keys as select k from places where kind = 'rare' and k is not null")
    return connection
