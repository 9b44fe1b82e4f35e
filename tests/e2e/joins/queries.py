"""Forms of queries that join `visits` with `places`, and how many files of `visits` each may open."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from .tables import FILES, FILES_OF_RARE

ALL: Final = FILES
FEW: Final = FILES_OF_RARE


@dataclass(frozen=True, slots=True)
class Form:
    """A query.

    Attributes:
        text: The query, which Spark understands too.
        kept: Files of `visits` that its scans open, all together.
        without_cbo: The same without Hive's cost-based optimizer; None where it is not tried.
    """

    text: str
    kept: int
    without_cbo: int | None = None


_form = Form


_V: Final = "select count(*), sum(v.n), sum(v.id) from visits v "

SKIPPING: Final[Mapping[str, Form]] = {
    "inner": _form(_V + "join places p on v.k = p.k where p.kind = 'rare'", FEW, FEW),
    "inner_of_orc": _form(_V + "join orc_places p on v.k = p.k where p.kind = 'rare'", FEW, FEW),
    "inner_of_rows": _form(
        "select v.id, v.s, p.pid from visits v join places p on v.k = p.k where p.kind = 'rare'", FEW, FEW
    ),
    "dimension_first": _form(
        "select count(*), sum(v.n) from places p join visits v on v.k = p.k where p.kind = 'rare'", FEW, FEW
    ),
    "bigint": _form(_V + "join places p on v.big = p.big where p.kind = 'rare'", FEW, FEW),
    "date": _form(_V + "join places p on v.day = p.day where p.kind = 'rare'", FEW, FEW),
    "string": _form(_V + "join places p on v.s = p.s where p.kind = 'rare'", FEW, FEW),
    "key_with_nulls": _form(_V + "join places p on v.sparse = p.k where p.kind = 'rare'", FEW, FEW),
    "own_filter": _form(
        _V + "join places p on v.k = p.k where p.kind = 'rare' and v.day > date '2024-01-10'", 1, 1
    ),
    "filter_of_both": _form(
        _V + "join places p on v.k = p.k where p.kind = 'rare' and v.n + p.n > 4", FEW, FEW
    ),
    "own_list": _form(_V + "join places p on v.k = p.k where p.kind = 'rare' and v.k in (33, 36, 50)", 1, 1),
    "two_keys": _form(_V + "join places p on v.k = p.k and v.n = p.n where p.kind = 'rare'", FEW, FEW),
    "range_of_the_key": _form(_V + "join places p on v.k = p.k where p.k between 31 and 39", 1),
    "constant_key": _form(_V + "join places p on v.k = p.k where p.k = 36", 1),
    "empty": _form(_V + "join places p on v.k = p.k where p.kind = 'none'", 0, 0),
    "empty_as_rows": _form(
        "select v.id from visits v join places p on v.k = p.k where p.kind = 'none'", 0, 0
    ),
    "nothing_but_nulls": _form(_V + "join places p on v.k = p.k where p.pid = 79", 0, 0),
    "small_without_filter": _form(_V + "join few_keys f on v.k = f.k", FEW, FEW),
    "semi": _form(_V + "left semi join places p on v.k = p.k and p.kind = 'rare'", FEW, FEW),
    "in": _form(_V + "where v.k in (select k from places where kind = 'rare')", FEW),
    "exists": _form(_V + "where exists (select 1 from places p where p.k = v.k and p.kind = 'rare')", FEW),
    "correlated": _form(
        _V + "where v.n in (select p.n from places p where p.k = v.k and p.kind = 'rare')", FEW
    ),
    "scalar": _form(_V + "where v.k = (select max(k) from places where kind = 'rare')", 1),
    "scalar_of_nothing": _form(_V + "where v.k = (select max(k) from places where kind = 'none')", 0),
    "two_dimensions": _form(
        _V + "join places p on v.k = p.k join orc_places d on v.day = d.day "
        "where p.kind = 'rare' and d.k = 153",
        1,
    ),
    "three_dimensions": _form(
        _V + "join places p on v.k = p.k join orc_places d on v.day = d.day join places c on v.s = c.s "
        "where p.kind = 'rare' and d.n < 9 and c.k < 100",
        1,
    ),
    "snowflake": _form(
        _V + "join places p on v.k = p.k join orc_places q on p.pid = q.pid where q.kind = 'rare'", FEW
    ),
    "grouped_fact": _form(
        "select p.pid, g.c, g.t from (select k, count(*) c, sum(n) t from visits group by k) g "
        "join places p on g.k = p.k where p.kind = 'rare'",
        FEW,
        FEW,
    ),
    "grouped_join": _form(
        "select v.s, count(*), sum(v.n) from visits v join places p on v.k = p.k where p.kind = 'rare' "
        "group by v.s",
        FEW,
        FEW,
    ),
    "grouped_dimension": _form(
        _V + "join (select k, max(n) m from places where kind = 'rare' group by k) p on v.k = p.k", FEW, FEW
    ),
    "ordered": _form(
        "select v.id from visits v join places p on v.k = p.k where p.kind = 'rare' order by v.id limit 3",
        FEW,
    ),
    "self_join": _form(
        "select count(*), sum(a.n) from visits a join visits b on a.k = b.k where b.id = 71", 1 + 1, 1 + 1
    ),
    "views": _form("select count(*), sum(v.n) from recent_visits v join rare_places p on v.k = p.k", FEW),
    "cte": _form(
        "with p as (select k from places where kind = 'rare'), v as (select k, n from visits) "
        "select count(*), sum(v.n) from v join p on v.k = p.k",
        FEW,
    ),
    "union_of_facts": _form(
        "select count(*), sum(u.n) from (select k, n from visits where n < 8 union all "
        "select k, n + 1 from visits where n > 2) u join places p on u.k = p.k where p.kind = 'rare'",
        2 * FEW,
    ),
    "join_in_a_join": _form(
        "select count(*), sum(w.n) from (select v.day, v.n from visits v join places p on v.k = p.k "
        "where p.kind = 'rare') w join orc_places d on w.day = d.day where d.n > 2",
        FEW,
    ),
    "union_of_joins": _form(
        "select sum(v.n) from visits v join places p on v.k = p.k where p.kind = 'rare' union all "
        "select sum(v.n) from visits v join places p on v.day = p.day where p.k = 150",
        FEW + 1,
    ),
}
"""Queries whose scans of `visits` skip files by what a join finds."""

KEEPING: Final[Mapping[str, Form]] = {
    "left": _form(_V + "left join places p on v.k = p.k and p.kind = 'rare'", ALL, ALL),
    "right": _form(
        "select count(*), sum(v.n) from visits v right join "
        "(select * from places where kind = 'rare') p on v.k = p.k",
        ALL,
        ALL,
    ),
    "dimension_left": _form(
        "select count(*), count(v.id) from places p left join visits v on p.k = v.k where p.kind = 'rare'",
        ALL,
        ALL,
    ),
    "full": _form(
        "select count(*), sum(v.n) from visits v full join "
        "(select * from places where kind = 'rare') p on v.k = p.k",
        ALL,
        ALL,
    ),
    "anti": _form(_V + "where not exists (select 1 from places p where p.k = v.k and p.kind = 'rare')", ALL),
    "not_in": _form(
        _V + "where v.k not in (select k from places where kind = 'rare' and k is not null)", ALL
    ),
    "not_in_with_null": _form(_V + "where v.k not in (select k from places where kind = 'rare')", ALL),
    "null_safe": _form(_V + "join places p on v.k <=> p.k where p.kind = 'rare'", ALL, ALL),
    "null_safe_with_nulls": _form(_V + "join places p on v.sparse <=> p.k where p.kind = 'rare'", ALL, ALL),
    "wider_key": _form(_V + "join places p on v.k = p.big where p.kind = 'rare'", ALL, ALL),
    "cast_key": _form(_V + "join places p on cast(v.k as bigint) = p.big where p.kind = 'rare'", ALL, ALL),
    "computed_key": _form(_V + "join places p on v.k + 1 = p.k where p.kind = 'rare'", ALL, ALL),
    "string_with_number": _form(
        _V + "join places p on cast(v.k as string) = cast(p.k as string) where p.kind = 'rare'", ALL, ALL
    ),
    "scattered_column": _form(_V + "join places p on v.scattered = p.k where p.kind = 'rare'", ALL, ALL),
    "less_than": _form(_V + "join places p on v.k < p.k where p.kind = 'rare'", ALL),
    "or_of_subqueries": _form(_V + "where v.k in (select k from places where kind = 'rare') or v.n = 3", ALL),
    "limited_fact": _form(
        "select count(*) from (select k from visits order by id limit 50) v "
        "join places p on v.k = p.k where p.kind = 'rare'",
        ALL,
    ),
    "window_over_the_fact": _form(
        "select count(*), sum(w.r) from (select k, row_number() over (order by id) r from visits) w "
        "join places p on w.k = p.k where p.kind = 'rare'",
        ALL,
    ),
    "window_by_the_key": _form(
        "select count(*), sum(w.r) from (select k, row_number() over (partition by k order by id) r "
        "from visits) w join places p on w.k = p.k where p.kind = 'rare'",
        ALL,
    ),
    "grouping_sets": _form(
        "select count(*), sum(g.c) from (select k, s, count(*) c from visits "
        "group by k, s grouping sets ((k), (s), ())) g join places p on g.k = p.k where p.kind = 'rare'",
        ALL,
    ),
    "left_in_between": _form(
        _V + "left join orc_places q on v.id = q.pid join places p on v.k = p.k where p.kind = 'rare'", ALL
    ),
    "outer_source": _form(
        _V + "join (select b.k from orc_places a left join places b on a.pid = b.pid and b.kind = 'rare') p "
        "on v.n = p.k",
        ALL,
    ),
}
"""Queries that must open every file, or for which the gate refuses the values because it is in doubt."""

FORMS: Final[Mapping[str, Form]] = {**SKIPPING, **KEEPING}
