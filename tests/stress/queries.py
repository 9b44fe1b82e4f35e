"""Queries that run as several tasks, as Hive and Spark write them."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from .tables import GROUPS, REGIONS, Size

SHADOW: Final = {"hudi.skipping.mode": "shadow"}
OFF: Final = {"hudi.skipping.mode": "off"}


@dataclass(frozen=True, slots=True)
class Query:
    """One query.

    Attributes:
        kind: What it shows, for the report.
        hive: Its text for Hive.
        spark: Its text for Spark.
        settings: Settings of the session for it.
    """

    kind: str
    hive: str
    spark: str
    settings: dict[str, str] = field(default_factory=dict)


def pool(size: Size, seed: int, count: int) -> list[Query]:
    """Returns as many different queries, all kinds alike often; the same ones for the same seed."""
    draw = random.Random(seed)
    return [_KINDS[i % len(_KINDS)](draw, size) for i in range(count)]


def _same(kind: str, text: str, settings: dict[str, str] | None = None) -> Query:
    return Query(kind, text, text, settings or {})


def _range(draw: random.Random, size: Size) -> str:
    width = size.rows // draw.choice((3, 10, 40))
    low = draw.randrange(size.rows - width)
    return f"id between {low} and {low + width}"


def _of_a_range(
    kind: str, text: str, settings: dict[str, str] | None = None
) -> Callable[[random.Random, Size], Query]:
    """Makes queries of a random range of ids, which stands for `{}` in the text."""
    return lambda draw, size: _same(kind, text.format(_range(draw, size)), settings)


def _scattered_keys(draw: random.Random, size: Size) -> Query:
    keys = ", ".join(str(draw.randrange(size.rows)) for _ in range(8))
    return _same(
        "group by of scattered keys",
        f"select region, count(*), sum(amount) from big where id in ({keys}) group by region",
    )


def _count_distinct(draw: random.Random, size: Size) -> Query:
    group = draw.randrange(GROUPS)
    return _same(
        "count distinct", f"select region, count(distinct s) from big where k = {group} group by region"
    )


def _join(draw: random.Random, size: Size) -> Query:
    return _same(
        "join",
        "select b.region, count(*), sum(b.v), max(t.v) from big b join small t on b.k = t.k "
        f"where b.{_range(draw, size)} and t.id < {draw.randrange(20, 60)} group by b.region",
    )


def _union(draw: random.Random, size: Size) -> Query:
    parts = " union all ".join(f"select v, region from big where {_range(draw, size)}" for _ in range(2))
    return _same("union", f"select region, count(*), sum(v) from ({parts}) u group by region")


def _two_filters(draw: random.Random, size: Size) -> Query:
    low, high = sorted(draw.sample(range(size.rows), 2))
    return _same(
        "scans that are merged",
        f"select (select count(*) from big where id < {low}), (select sum(v) from big where id > {high})",
    )


def _native_file_names(draw: random.Random, size: Size) -> Query:
    def text(name: str) -> str:
        base = f"regexp_extract({name}, '[^/]+$', 0)"
        return (
            f"select n.f, n.c, b.c from "
            f"(select {base} f, count(*) c from native where k < {group} group by {base}) n "
            f"cross join (select count(*) c from big where {ids}) b"
        )

    group, ids = draw.randrange(10, GROUPS), _range(draw, size)
    return Query("file names of a native table", text("INPUT__FILE__NAME"), text("input_file_name()"))


def _path_values(draw: random.Random, size: Size) -> Query:
    regions = ", ".join(f"'r{draw.randrange(REGIONS)}'" for _ in range(3))
    return _same(
        "values from paths",
        f"select region, count(*), sum(v), min(id) from paths where region in ({regions}) group by region",
    )


_KINDS: Final[tuple[Callable[[random.Random, Size], Query], ...]] = (
    _of_a_range(
        "aggregate",
        "select count(*), count(s), sum(v), min(id), max(id), sum(amount), max(d) from big where {}",
    ),
    _of_a_range("group by", "select k, count(*), sum(v), max(s) from big where {} group by k"),
    _scattered_keys,
    _native_file_names,
    _join,
    _path_values,
    _of_a_range("shadow mode", "select k, count(*), sum(v) from big where {} group by k", SHADOW),
    _count_distinct,
    _of_a_range(
        "self join",
        "select count(*), sum(a.v - b.v) from big a join big b on a.id = b.id + 1 where a.{}",
    ),
    _of_a_range("native table", "select k, count(*), sum(v) from native where {} group by k"),
    _union,
    _of_a_range("skipping off", "select region, sum(v) from big where {} group by region", OFF),
    _two_filters,
    _of_a_range(
        "row mode",
        "select region, count(*), sum(v), max(s) from big where {} group by region",
        {"hive.vectorized.execution.enabled": "false"},
    ),
)
