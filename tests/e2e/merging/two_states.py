"""Statements that read one table as it is and as it was: all forms of a query, with their answers."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tests.properties.states.table import LATEST, rows_of

NOW: Final = dict(rows_of(LATEST))
PAST: Final = dict(rows_of(0))
BETWEEN: Final = dict(rows_of(1))

SUM_NOW: Final = sum(NOW.values())
SUM_PAST: Final = sum(PAST.values())
SUM_BETWEEN: Final = sum(BETWEEN.values())
_NEW: Final = NOW.keys() - PAST.keys()
_BOTH: Final = NOW.keys() & PAST.keys()
_CHANGED: Final = len(set(NOW.items()) - set(PAST.items()))
_UNCHANGED: Final = len(set(NOW.items()) & set(PAST.items()))


@dataclass(frozen=True, slots=True)
class Form:
    """A statement.

    Attributes:
        text: The statement, in which `{now}`, `{past}` and `{between}` are the table in its states, and
            `{view_now}`, `{view_past}` and `{view_between}` views over them.
        expected: Its rows, sorted.
        needs_cbo: Whether Hive has such statements with its cost-based optimizer alone.
    """

    text: str
    expected: tuple[tuple[object, ...], ...]
    needs_cbo: bool = False


def _rows(*rows: tuple[object, ...]) -> tuple[tuple[object, ...], ...]:
    return tuple(sorted(rows, key=repr))


def _where(rows: Mapping[int, int], least: int) -> int:
    return sum(value for key, value in rows.items() if key >= least)


ISSUE: Final[Mapping[str, Form]] = {
    "union_all": Form(
        "select sum(i) from {past} union all select sum(i) from {now}", _rows((SUM_PAST,), (SUM_NOW,))
    ),
    "union_all_latest_first": Form(
        "select sum(i) from {now} union all select sum(i) from {past}", _rows((SUM_PAST,), (SUM_NOW,))
    ),
    "union_all_with_filters": Form(
        "select sum(i) from {past} where id >= 30 union all select sum(i) from {now} where id >= 60",
        _rows((_where(PAST, 30),), (_where(NOW, 60),)),
    ),
    "except": Form(
        "select count(*) from (select id, i from {now} except select id, i from {past}) d",
        _rows((_CHANGED,)),
        needs_cbo=True,
    ),
    "not_in": Form("select count(*) from {now} where id not in (select id from {past})", _rows((len(_NEW),))),
    "scalars": Form(
        "select (select sum(i) from {now}), (select sum(i) from {past})",
        _rows((SUM_NOW, SUM_PAST)),
        needs_cbo=True,
    ),
    "two_ctes": Form(
        "with x as (select sum(i) s from {now}), y as (select sum(i) s from {past}) "
        "select x.s, y.s from x cross join y",
        _rows((SUM_NOW, SUM_PAST)),
    ),
    "two_ctes_with_aliases": Form(
        "with x as (select sum(a.i) s from {now} a), y as (select sum(b.i) s from {past} b) "
        "select x.s, y.s from x cross join y",
        _rows((SUM_NOW, SUM_PAST)),
    ),
    "join_of_three": Form(
        "select count(*), sum(a.i), sum(c.i), sum(r.i) from {past} a join {now} c on a.id = c.id "
        "join {now} r on a.id = r.id where a.i >= 600",
        _rows(
            (
                sum(PAST[key] >= 600 for key in _BOTH),
                sum(PAST[key] for key in _BOTH if PAST[key] >= 600),
                *(sum(NOW[key] for key in _BOTH if PAST[key] >= 600),) * 2,
            )
        ),
    ),
}
"""The statements of the report that Hive merges the scans of different states."""

OTHERS: Final[Mapping[str, Form]] = {
    "union_of_two_past_states": Form(
        "select sum(i) from {past} union all select sum(i) from {between} union all select sum(i) from {now}",
        _rows((SUM_PAST,), (SUM_BETWEEN,), (SUM_NOW,)),
    ),
    "union_distinct": Form(
        "select count(*) from (select id, i from {past} union select id, i from {now}) u",
        _rows((len(set(PAST.items()) | set(NOW.items())),)),
    ),
    "counts_of_all_rows": Form(
        "select count(*) from {past} union all select count(*) from {now}", _rows((len(PAST),), (len(NOW),))
    ),
    "same_state_twice": Form(
        "select sum(i) from {past} union all select sum(i) from {past} where id >= 30",
        _rows((SUM_PAST,), (_where(PAST, 30),)),
    ),
    "intersect": Form(
        "select count(*) from (select id, i from {now} intersect select id, i from {past}) d",
        _rows((_UNCHANGED,)),
        needs_cbo=True,
    ),
    "in": Form(
        "select count(*) from {now} where id in (select id from {past} where id >= 60)",
        _rows((sum(key >= 60 for key in _BOTH),)),
    ),
    "not_exists": Form(
        "select count(*) from {now} a where not exists "
        "(select 1 from {past} b where a.id = b.id and a.i = b.i)",
        _rows((_CHANGED,)),
    ),
    "exists": Form(
        "select count(*) from {now} a where exists (select 1 from {past} b where a.id = b.id and a.i = b.i)",
        _rows((_UNCHANGED,)),
    ),
    "scalar_in_where": Form(
        "select count(*) from {now} where i > (select max(i) from {past})",
        _rows((sum(value > max(PAST.values()) for value in NOW.values()),)),
        needs_cbo=True,
    ),
    "scalar_in_where_without_columns": Form(
        "select count(*) from {now} where id < (select count(*) from {past})",
        _rows((sum(key < len(PAST) for key in NOW),)),
        needs_cbo=True,
    ),
    "cte_read_twice": Form(
        "with x as (select id, i from {past}) select sum(x.i), sum(y.i), sum(n.i) from x "
        "join x y on x.id = y.id join {now} n on n.id = x.id",
        _rows(
            (
                *(sum(PAST[key] for key in _BOTH),) * 2,
                sum(NOW[key] for key in _BOTH),
            )
        ),
    ),
    "self_join": Form(
        "select sum(a.i), sum(b.i) from {past} a join {now} b on a.id = b.id",
        _rows((sum(PAST[key] for key in _BOTH), sum(NOW[key] for key in _BOTH))),
    ),
    "join_of_subqueries": Form(
        "select sum(a.i), sum(b.i) from (select id, i from {past}) a join (select id, i from {now}) b "
        "on a.id = b.id",
        _rows((sum(PAST[key] for key in _BOTH), sum(NOW[key] for key in _BOTH))),
    ),
    "full_outer_join": Form(
        "select k, count(*) from (select case when a.id is null then 'new' when a.i = b.i then 'same' "
        "else 'other' end k from {past} a full outer join {now} b on a.id = b.id) c group by k",
        _rows(
            *Counter(
                "new" if key not in PAST else "same" if PAST[key] == value else "other"
                for key, value in NOW.items()
            ).items()
        ),
    ),
    "groups_joined": Form(
        "select p.g, p.s, n.s from (select id % 3 g, sum(i) s from {past} group by id % 3) p "
        "join (select id % 3 g, sum(i) s from {now} group by id % 3) n on p.g = n.g",
        _rows(
            *(
                (
                    group,
                    sum(value for key, value in PAST.items() if key % 3 == group),
                    sum(value for key, value in NOW.items() if key % 3 == group),
                )
                for group in range(3)
            )
        ),
    ),
    "lateral_view": Form(
        "select sum(x) from (select i from {past} union all select i from {now}) u "
        "lateral view explode(array(u.i, 1)) e as x",
        _rows((SUM_PAST + SUM_NOW + len(PAST) + len(NOW),)),
    ),
    "lateral_views_without_columns": Form(
        "select count(*) from {past} lateral view explode(array(1, 2)) e as x union all "
        "select count(*) from {now} lateral view explode(array(1, 2)) e as x",
        _rows((2 * len(PAST),), (2 * len(NOW),)),
    ),
    "without_columns": Form(
        "select 1 from (select 1) o where exists (select 1 from {past} where 1 = 1) "
        "and not exists (select 1 from {now} where id < 0)",
        _rows((1,)),
        needs_cbo=True,
    ),
    "window": Form(
        "select max(r) from (select row_number() over (order by id) r from {past}) a union all "
        "select max(r) from (select row_number() over (order by id) r from {now}) b",
        _rows((len(PAST),), (len(NOW),)),
    ),
    "two_views": Form(
        "select sum(i) from {view_past} union all select sum(i) from {view_now}",
        _rows((SUM_PAST,), (SUM_NOW,)),
    ),
    "views_of_two_past_states": Form(
        "select sum(i) from {view_past} union all select sum(i) from {view_between}",
        _rows((SUM_PAST,), (SUM_BETWEEN,)),
    ),
    "view_and_table": Form(
        "select count(*) from {view_past} where id not in (select id from {now})",
        _rows((len(PAST.keys() - NOW.keys()),)),
    ),
    "view_in_cte": Form(
        "with x as (select sum(i) s from {view_now}), y as (select sum(i) s from {view_past}) "
        "select x.s, y.s from x cross join y",
        _rows((SUM_NOW, SUM_PAST)),
    ),
}
"""More statements of the kind."""

FORMS: Final = {**ISSUE, **OTHERS}
