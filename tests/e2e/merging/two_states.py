"""Statements that read one table as it is and as it was: all forms of a query, with their answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tests.properties.states.table import LATEST, rows_of

NOW: Final = dict(rows_of(LATEST))
PAST: Final = dict(rows_of(0))
BETWEEN: Final = dict(rows_of(1))

SUM_NOW: Final = sum(NOW.values())
SUM_PAST: Final = sum(PAST.values())
_NEW: Final = NOW.keys() - PAST.keys()
_BOTH: Final = NOW.keys() & PAST.keys()
_CHANGED: Final = len(set(NOW.items()) - set(PAST.items()))


@dataclass(frozen=True, slots=True)
class Form:
    """A statement.

    Attributes:
        text: The statement, in which `{now}` and `{past}` are the table in two of its states.
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
    "same_state_twice": Form(
        "select sum(i) from {past} union all select sum(i) from {past} where id >= 30",
        _rows((SUM_PAST,), (_where(PAST, 30),)),
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
}
"""Statements of kinds that `tests/properties/states` does not draw."""

FORMS: Final = {**ISSUE, **OTHERS}
