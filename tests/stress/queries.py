"""Queries that run as several tasks, as Hive and Spark write them."""

import random
from dataclasses import dataclass, field, replace
from itertools import cycle, islice
from typing import Final

from .tables import GROUPS, REGIONS, Size

SHADOW: Final = {"hudi.skipping.mode": "shadow"}
OFF: Final = {"hudi.skipping.mode": "off"}
ROW_MODE: Final = {"hive.vectorized.execution.enabled": "false"}

_NATIVE_FILE: Final = "regexp_extract(INPUT__FILE__NAME, '[^/]+$', 0)"


@dataclass(frozen=True, slots=True)
class Query:
    """One query.

    Attributes:
        kind: What it shows, for the report.
        hive: Its text for Hive; in `_KINDS` with names in braces for what is drawn.
        settings: Settings of the session for it.
    """

    kind: str
    hive: str
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def spark(self) -> str:
        """Its text for Spark."""
        return self.hive.replace("INPUT__FILE__NAME", "input_file_name()")


def pool(size: Size, seed: int, count: int) -> list[Query]:
    """Returns as many different queries, all kinds alike often; the same ones for the same seed."""
    draw = random.Random(seed)
    return [replace(kind, hive=_drawn(kind.hive, draw, size)) for kind in islice(cycle(_KINDS), count)]


def _drawn(template: str, draw: random.Random, size: Size) -> str:
    low, high = sorted(draw.sample(range(size.rows), 2))
    return template.format(
        range=_range(draw, size),
        other_range=_range(draw, size),
        keys=", ".join(str(draw.randrange(size.rows)) for _ in range(8)),
        regions=", ".join(f"'r{draw.randrange(REGIONS)}'" for _ in range(3)),
        group=draw.randrange(10, GROUPS),
        few=draw.randrange(20, 60),
        low=low,
        high=high,
    )


def _range(draw: random.Random, size: Size) -> str:
    width = size.rows // draw.choice((3, 10, 40))
    low = draw.randrange(size.rows - width)
    return f"id between {low} and {low + width}"


_KINDS: Final = (
    Query(
        "aggregate",
        "select count(*), count(s), sum(v), min(id), max(id), sum(amount), max(d) from big where {range}",
    ),
    Query("group by", "select k, count(*), sum(v), max(s) from big where {range} group by k"),
    Query(
        "group by of scattered keys",
        "select region, count(*), sum(amount) from big where id in ({keys}) group by region",
    ),
    Query(
        "file names of a native table",
        f"select n.f, n.c, b.c from (select {_NATIVE_FILE} f, count(*) c from native where k < {{group}} "
        f"group by {_NATIVE_FILE}) n cross join (select count(*) c from big where {{range}}) b",
    ),
    Query(
        "join",
        "select b.region, count(*), sum(b.v), max(t.v) from big b join small t on b.k = t.k "
        "where b.{range} and t.id < {few} group by b.region",
    ),
    Query(
        "values from paths",
        "select region, count(*), sum(v), min(id) from paths where region in ({regions}) group by region",
    ),
    Query("shadow mode", "select k, count(*), sum(v) from big where {range} group by k", SHADOW),
    Query("count distinct", "select region, count(distinct s) from big where k = {group} group by region"),
    Query(
        "self join",
        "select count(*), sum(a.v - b.v) from big a join big b on a.id = b.id + 1 where a.{range}",
    ),
    Query("native table", "select k, count(*), sum(v) from native where {range} group by k"),
    Query(
        "union",
        "select region, count(*), sum(v) from (select v, region from big where {range} union all "
        "select v, region from big where {other_range}) u group by region",
    ),
    Query("skipping off", "select region, sum(v) from big where {range} group by region", OFF),
    Query(
        "scans that are merged",
        "select (select count(*) from big where id < {low}), (select sum(v) from big where id > {high})",
    ),
    Query(
        "row mode",
        "select region, count(*), sum(v), max(s) from big where {range} group by region",
        ROW_MODE,
    ),
)
