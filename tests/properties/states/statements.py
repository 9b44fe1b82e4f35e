"""Draws statements that read several states of a table, with the correct answers."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from .table import STATES, Row, StatesTable, rows_of

Answer = tuple[tuple[object, ...], ...]
"""Rows, sorted."""

_MOST_KEYS: Final = 120
_MOST_VALUE: Final = 1200


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement and its answer.

    Attributes:
        form: Kind of statement.
        text: The statement.
        expected: The correct answer.
        states: The states that it reads.
    """

    form: str
    text: str
    expected: Answer
    states: frozenset[int]


@dataclass(frozen=True, slots=True)
class Names:
    """Names of a table and its views in statements.

    Attributes:
        table: The table in Hive.
        views: A view over each state.
        of: The table on storage.
    """

    table: str
    views: Sequence[str]
    of: StatesTable


@dataclass(frozen=True, slots=True)
class _Source:
    """An item in FROM.

    Attributes:
        text: Its SQL.
        name: Qualifier of its columns.
        rows: Its rows.
        state: The state that it reads.
    """

    text: str
    name: str
    rows: tuple[Row, ...]
    state: int


class Drawing:
    """Draws one statement."""

    def __init__(self, rng: random.Random, names: Names) -> None:
        self._rng = rng
        self._names = names
        self._with: list[str] = []
        self._states: set[int] = set()
        self._count = 0

    def statement(self) -> Statement:
        """Draws a statement of any form."""
        form = self._rng.choice(tuple(FORMS))
        text, expected = FORMS[form](self)
        ctes = f"with {', '.join(self._with)} " if self._with else ""
        answer = tuple(sorted(expected, key=repr))
        return Statement(form, ctes + text, answer, frozenset(self._states))

    def sources(self, count: int) -> list[_Source]:
        """Draws sources in at least two different states."""
        states = [self._rng.randrange(STATES) for _ in range(count)]
        if len(set(states)) == 1:
            states[self._rng.randrange(count)] = (states[0] + self._rng.randrange(1, STATES)) % STATES
        return [self.source(state) for state in states]

    def source(self, state: int, own_name: bool = False) -> _Source:
        """Draws a source of a state. With `own_name`, no other source of the statement has its name."""
        self._states.add(state)
        rows = rows_of(state)
        bare = f"{self._names.table}{self._names.of.clause(state)}"
        view = self._names.views[state]
        alias = self._fresh("s")
        where, passes = self.predicate()
        of_some = tuple(row for row in rows if passes(row))
        sources = [
            _Source(f"{bare} {alias}", alias, rows, state),
            _Source(f"{view} {alias}", alias, rows, state),
            _Source(f"(select id, i from {bare}) {alias}", alias, rows, state),
            _Source(f"(select id, i from {bare} where {where}) {alias}", alias, of_some, state),
            _Source(f"(select id, i from {view} where {where}) {alias}", alias, of_some, state),
        ]
        if not own_name:
            sources += [_Source(bare, self._names.table, rows, state)] * 4
            sources += [_Source(view, view, rows, state)]
        chosen = self._rng.randrange(len(sources) + 2)
        if chosen < len(sources):
            return sources[chosen]
        cte = self._fresh("w")
        of = self._rng.choice((bare, f"{bare} {self._fresh('c')}", view))
        self._with.append(f"{cte} as (select id, i from {of} where {where})")
        return _Source(cte, cte, of_some, state)

    def predicate(self, name: str = "") -> tuple[str, Callable[[Row], bool]]:
        """Draws a condition on a row, with qualified columns if a name is given."""
        column = f"{name}." if name else ""
        key, value = self._rng.randrange(_MOST_KEYS), self._rng.randrange(_MOST_VALUE)
        end = key + self._rng.randrange(30)
        return self._rng.choice(
            (
                (f"{column}id < {key}", lambda row: row[0] < key),
                (f"{column}id >= {key}", lambda row: row[0] >= key),
                (f"{column}id between {key} and {end}", lambda row: key <= row[0] <= end),
                (f"{column}i > {value}", lambda row: row[1] > value),
                (f"{column}i % 10 = 1", lambda row: row[1] % 10 == 1),
                ("1 = 1", lambda row: True),
                ("1 = 1", lambda row: True),
            )
        )

    def filtered(self, source: _Source) -> tuple[str, tuple[Row, ...]]:
        """Draws `FROM` and `WHERE` over a source, and returns the rows that pass."""
        where, passes = self.predicate(source.name)
        return f"from {source.text} where {where}", tuple(row for row in source.rows if passes(row))

    def aggregate(self, rows: Iterable[Row], name: str = "") -> tuple[str, object]:
        """Draws an aggregate, with a qualified column if a name is given, and returns its value."""
        column = f"{name}." if name else ""
        found = list(rows)
        values = [value for _, value in found]
        return self._rng.choice(
            (
                ("count(*)", len(found)),
                (f"sum({column}i)", sum(values) if values else None),
                (f"max({column}i)", max(values, default=None)),
                (f"min({column}id)", min((key for key, _ in found), default=None)),
                (f"count(distinct {column}i)", len(set(values))),
            )
        )

    def times(self, least: int, most: int) -> int:
        """Draws a number of sources."""
        return self._rng.randint(least, most)

    def choice(self, *texts: str) -> str:
        """Draws one of the texts."""
        return self._rng.choice(texts)

    def _fresh(self, stem: str) -> str:
        self._count += 1
        return f"{stem}{self._count}"


def _union_of_aggregates(drawing: Drawing) -> tuple[str, list[tuple[object, ...]]]:
    branches: list[str] = []
    expected: list[tuple[object, ...]] = []
    for source in drawing.sources(drawing.times(2, 4)):
        text, rows = drawing.filtered(source)
        column, value = drawing.aggregate(rows)
        branches.append(f"select cast({column} as bigint) as a {text}")
        expected.append((value,))
    return " union all ".join(branches), expected


def _union_of_rows(drawing: Drawing) -> tuple[str, list[tuple[object, ...]]]:
    branches: list[str] = []
    found: list[Row] = []
    distinct = drawing.choice("all", "distinct")
    for source in drawing.sources(drawing.times(2, 3)):
        text, rows = drawing.filtered(source)
        branches.append(f"select id, i {text}")
        found += rows
    kept = found if distinct == "all" else list(set(found))
    column, value = drawing.aggregate(kept)
    return f"select {column} from ({f' union {distinct} '.join(branches)}) u", [(value,)]


def _set_operation(drawing: Drawing) -> tuple[str, list[tuple[object, ...]]]:
    first, second = drawing.sources(2)
    left, of_left = drawing.filtered(first)
    right, of_right = drawing.filtered(second)
    operator = drawing.choice("except", "intersect")
    a, b = set(of_left), set(of_right)
    column, value = drawing.aggregate(a - b if operator == "except" else a & b)
    return f"select {column} from (select id, i {left} {operator} select id, i {right}) u", [(value,)]


def _membership(drawing: Drawing) -> tuple[str, list[tuple[object, ...]]]:
    first, second = drawing.sources(2)
    text, rows = drawing.filtered(second)
    column = drawing.choice("id", "i")
    place = ("id", "i").index(column)
    known = {row[place] for row in rows}
    negated = drawing.choice("", "not ")
    kept = [row for row in first.rows if (row[place] in known) != bool(negated)]
    shown, value = drawing.aggregate(kept, first.name)
    test = f"{first.name}.{column} {negated}in (select {second.name}.{column} {text})"
    return f"select {shown} from {first.text} where {test}", [(value,)]


def _existence(drawing: Drawing) -> tuple[str, list[tuple[object, ...]]]:
    first, second = drawing.sources(2)
    # The correlation uses names, so each source needs its own.
    outer, inner = drawing.source(first.state, own_name=True), drawing.source(second.state, own_name=True)
    negated = drawing.choice("", "not ")
    rows = set(inner.rows)
    kept = [row for row in outer.rows if (row in rows) != bool(negated)]
    shown, value = drawing.aggregate(kept, outer.name)
    test = f"{inner.name}.id = {outer.name}.id and {inner.name}.i = {outer.name}.i"
    return (
        f"select {shown} from {outer.text} where {negated}exists (select 1 from {inner.text} where {test})",
        [(value,)],
    )


def _scalars(drawing: Drawing) -> tuple[str, list[tuple[object, ...]]]:
    columns, expected = [], []
    for source in drawing.sources(drawing.times(2, 3)):
        text, rows = drawing.filtered(source)
        column, value = drawing.aggregate(rows)
        columns.append(f"(select {column} {text})")
        expected.append(value)
    return f"select {', '.join(columns)}", [tuple(expected)]


def _scalar_in_where(drawing: Drawing) -> tuple[str, list[tuple[object, ...]]]:
    first, second = drawing.sources(2)
    text, rows = drawing.filtered(second)
    limit = max((value for _, value in rows), default=None)
    kept = [row for row in first.rows if limit is not None and row[1] > limit]
    shown, value = drawing.aggregate(kept, first.name)
    return (
        f"select {shown} from {first.text} where {first.name}.i > (select max({second.name}.i) {text})",
        [(value,)],
    )


def _cross_join(drawing: Drawing) -> tuple[str, list[tuple[object, ...]]]:
    items, columns, expected = [], [], []
    for number, source in enumerate(drawing.sources(drawing.times(2, 3))):
        text, rows = drawing.filtered(source)
        column, value = drawing.aggregate(rows)
        items.append(f"(select {column} as a {text}) x{number}")
        columns.append(f"x{number}.a")
        expected.append(value)
    return f"select {', '.join(columns)} from {' cross join '.join(items)}", [tuple(expected)]


def _join(drawing: Drawing) -> tuple[str, list[tuple[object, ...]]]:
    drawn = drawing.sources(drawing.times(2, 3))
    sources = [drawing.source(source.state, own_name=True) for source in drawn]
    kind = drawing.choice("join", "left join")
    first, *others = sources
    where, passes = drawing.predicate(first.name)
    maps = [dict(other.rows) for other in others]
    joined = [
        (value, *(known.get(key) for known in maps))
        for key, value in first.rows
        if passes((key, value)) and (kind == "left join" or all(key in known for known in maps))
    ]
    text = f"from {first.text}" + "".join(
        f" {kind} {other.text} on {other.name}.id = {first.name}.id" for other in others
    )
    sums = [_sum(row[place] for row in joined) for place in range(len(sources))]
    columns = ", ".join(f"sum({source.name}.i)" for source in sources)
    return f"select count(*), {columns} {text} where {where}", [(len(joined), *sums)]


def _grouped_join(drawing: Drawing) -> tuple[str, list[tuple[object, ...]]]:
    items, counts = [], []
    for number, source in enumerate(drawing.sources(2)):
        text, rows = drawing.filtered(source)
        items.append(f"(select id % 7 as g, count(*) as c, sum(i) as s {text} group by id % 7) g{number}")
        groups: dict[int, tuple[int, int]] = {}
        for key, value in rows:
            count, total = groups.get(key % 7, (0, 0))
            groups[key % 7] = (count + 1, total + value)
        counts.append(groups)
    shared = counts[0].keys() & counts[1].keys()
    expected: list[tuple[object, ...]] = [(group, *counts[0][group], *counts[1][group]) for group in shared]
    columns = "g0.g, g0.c, g0.s, g1.c, g1.s"
    return f"select {columns} from {items[0]} join {items[1]} on g0.g = g1.g", expected


def _changes(drawing: Drawing) -> tuple[str, list[tuple[object, ...]]]:
    before, after = (drawing.source(each.state, own_name=True) for each in drawing.sources(2))
    old, new = dict(before.rows), dict(after.rows)
    kinds = Counter(
        "gone" if key not in new else "new" if key not in old else "same" if old[key] == new[key] else "other"
        for key in old.keys() | new.keys()
    )
    kind = (
        f"case when {after.name}.id is null then 'gone' when {before.name}.id is null then 'new' "
        f"when {before.name}.i = {after.name}.i then 'same' else 'other' end"
    )
    joined = f"{before.text} full outer join {after.text} on {before.name}.id = {after.name}.id"
    text = f"select k, count(*) from (select {kind} as k from {joined}) c group by k"
    return text, list(kinds.items())


def _sum(values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


FORMS: Final[Mapping[str, Callable[[Drawing], tuple[str, list[tuple[object, ...]]]]]] = {
    "UNION ALL of aggregates": _union_of_aggregates,
    "UNION of rows": _union_of_rows,
    "EXCEPT and INTERSECT": _set_operation,
    "IN and NOT IN": _membership,
    "EXISTS and NOT EXISTS": _existence,
    "scalar subqueries in SELECT": _scalars,
    "scalar subquery in WHERE": _scalar_in_where,
    "cross join of aggregates": _cross_join,
    "join": _join,
    "join of groups": _grouped_join,
    "full outer join": _changes,
}
