"""Draws statements that read several states of a table, and has SQLite answer them."""

import random
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Final

from .table import STATES, StatesTable, rows_of

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
    """

    form: str
    text: str
    expected: Answer


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
        text: Its SQL, in which `{0}`, `{1}` and so on are the table in its states.
        name: Qualifier of its columns.
        state: The state that it reads.
    """

    text: str
    name: str
    state: int


class Drawing:
    """Draws one statement."""

    def __init__(self, rng: random.Random, names: Names) -> None:
        self._rng = rng
        self._names = names
        self._with: list[str] = []
        self._count = 0

    def statement(self) -> Statement:
        """Draws a statement of any form."""
        form = self._rng.choice(tuple(FORMS))
        drawn = FORMS[form](self)
        text, of_sqlite = (drawn, drawn) if isinstance(drawn, str) else drawn
        ctes = f"with {', '.join(self._with)} " if self._with else ""
        table, of = self._names.table, self._names.of
        states = [f"{table}{of.clause(state)}" for state in range(STATES)]
        return Statement(form, (ctes + text).format(*states), _answer(ctes + of_sqlite, self._names))

    def sources(self, count: int) -> list[_Source]:
        """Draws sources in at least two different states."""
        states = [self._rng.randrange(STATES) for _ in range(count)]
        if len(set(states)) == 1:
            states[self._rng.randrange(count)] = (states[0] + self._rng.randrange(1, STATES)) % STATES
        return [self.source(state) for state in states]

    def source(self, state: int, own_name: bool = False) -> _Source:
        """Draws a source of a state. With `own_name`, no other source of the statement has its name."""
        bare = f"{{{state}}}"
        view = self._names.views[state]
        alias = self._fresh("s")
        where = self.predicate()
        sources = [
            _Source(f"{bare} {alias}", alias, state),
            _Source(f"{view} {alias}", alias, state),
            _Source(f"(select id, i from {bare}) {alias}", alias, state),
            _Source(f"(select id, i from {bare} where {where}) {alias}", alias, state),
            _Source(f"(select id, i from {view} where {where}) {alias}", alias, state),
        ]
        if not own_name:
            sources += [_Source(bare, self._names.table, state)] * 4
            sources += [_Source(view, view, state)]
        chosen = self._rng.randrange(len(sources) + 2)
        if chosen < len(sources):
            return sources[chosen]
        cte = self._fresh("w")
        of = self._rng.choice((bare, f"{bare} {self._fresh('c')}", view))
        self._with.append(f"{cte} as (select id, i from {of} where {where})")
        return _Source(cte, cte, state)

    def predicate(self, name: str = "") -> str:
        """Draws a condition on a row, with qualified columns if a name is given."""
        column = f"{name}." if name else ""
        key, value = self._rng.randrange(_MOST_KEYS), self._rng.randrange(_MOST_VALUE)
        end = key + self._rng.randrange(30)
        return self.choice(
            f"{column}id < {key}",
            f"{column}id >= {key}",
            f"{column}id between {key} and {end}",
            f"{column}i > {value}",
            f"{column}i % 10 = 1",
            "1 = 1",
            "1 = 1",
        )

    def filtered(self, source: _Source) -> str:
        """Draws `FROM` and `WHERE` over a source."""
        return f"from {source.text} where {self.predicate(source.name)}"

    def aggregate(self, name: str = "") -> str:
        """Draws an aggregate, with a qualified column if a name is given."""
        column = f"{name}." if name else ""
        return self.choice(
            "count(*)",
            f"sum({column}i)",
            f"max({column}i)",
            f"min({column}id)",
            f"count(distinct {column}i)",
        )

    def aggregates(self, most: int) -> list[tuple[str, str]]:
        """Draws an aggregate over each of 2 to `most` sources, and the rest of its query."""
        drawn = []
        for source in self.sources(self.times(2, most)):
            text = self.filtered(source)
            drawn.append((self.aggregate(), text))
        return drawn

    def times(self, least: int, most: int) -> int:
        """Draws a number of sources."""
        return self._rng.randint(least, most)

    def choice(self, *texts: str) -> str:
        """Draws one of the texts."""
        return self._rng.choice(texts)

    def _fresh(self, stem: str) -> str:
        self._count += 1
        return f"{stem}{self._count}"


def _answer(text: str, names: Names) -> Answer:
    """Runs a statement in SQLite, where each state of the table is in a database of its own."""
    # Without transactions, in which databases cannot be attached.
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        states = [f"state_{state}.{names.table}" for state in range(STATES)]
        for state, view in enumerate(names.views):
            connection.execute(f"attach ':memory:' as state_{state}")
            for table in (states[state], view):
                connection.execute(f"create table {table} (id integer, i integer)")
                connection.executemany(f"insert into {table} values (?, ?)", rows_of(state))
        return tuple(sorted(connection.execute(text.format(*states)), key=repr))


def _union_of_aggregates(drawing: Drawing) -> str:
    branches = [f"select cast({column} as bigint) as a {text}" for column, text in drawing.aggregates(4)]
    return " union all ".join(branches)


def _union_of_rows(drawing: Drawing) -> str:
    union = drawing.choice(" union all ", " union ")
    sources = drawing.sources(drawing.times(2, 3))
    branches = [f"select id, i {drawing.filtered(source)}" for source in sources]
    return f"select {drawing.aggregate()} from ({union.join(branches)}) u"


def _set_operation(drawing: Drawing) -> str:
    left, right = (f"select id, i {drawing.filtered(source)}" for source in drawing.sources(2))
    operator = drawing.choice("except", "intersect")
    return f"select {drawing.aggregate()} from ({left} {operator} {right}) u"


def _membership(drawing: Drawing) -> str:
    first, second = drawing.sources(2)
    text = drawing.filtered(second)
    column = drawing.choice("id", "i")
    negated = drawing.choice("", "not ")
    test = f"{first.name}.{column} {negated}in (select {second.name}.{column} {text})"
    return f"select {drawing.aggregate(first.name)} from {first.text} where {test}"


def _existence(drawing: Drawing) -> str:
    first, second = drawing.sources(2)
    # The correlation uses names, so each source needs its own.
    outer, inner = drawing.source(first.state, own_name=True), drawing.source(second.state, own_name=True)
    negated = drawing.choice("", "not ")
    shown = drawing.aggregate(outer.name)
    test = f"{inner.name}.id = {outer.name}.id and {inner.name}.i = {outer.name}.i"
    return f"select {shown} from {outer.text} where {negated}exists (select 1 from {inner.text} where {test})"


def _scalars(drawing: Drawing) -> str:
    columns = [f"(select {column} {text})" for column, text in drawing.aggregates(3)]
    return f"select {', '.join(columns)}"


def _scalar_in_where(drawing: Drawing) -> str:
    first, second = drawing.sources(2)
    text = drawing.filtered(second)
    shown = drawing.aggregate(first.name)
    return f"select {shown} from {first.text} where {first.name}.i > (select max({second.name}.i) {text})"


def _cross_join(drawing: Drawing) -> str:
    drawn = enumerate(drawing.aggregates(3))
    items = [f"(select {column} as a {text}) x{number}" for number, (column, text) in drawn]
    columns = ", ".join(f"x{number}.a" for number in range(len(items)))
    return f"select {columns} from {' cross join '.join(items)}"


def _join(drawing: Drawing) -> str:
    drawn = drawing.sources(drawing.times(2, 3))
    sources = [drawing.source(source.state, own_name=True) for source in drawn]
    kind = drawing.choice("join", "left join")
    first, *others = sources
    where = drawing.predicate(first.name)
    text = f"from {first.text}" + "".join(
        f" {kind} {other.text} on {other.name}.id = {first.name}.id" for other in others
    )
    columns = ", ".join(f"sum({source.name}.i)" for source in sources)
    return f"select count(*), {columns} {text} where {where}"


def _grouped_join(drawing: Drawing) -> str:
    left, right = (
        f"(select id % 7 as g, count(*) as c, sum(i) as s {drawing.filtered(source)} group by id % 7)"
        for source in drawing.sources(2)
    )
    return f"select g0.g, g0.c, g0.s, g1.c, g1.s from {left} g0 join {right} g1 on g0.g = g1.g"


def _changes(drawing: Drawing) -> tuple[str, str]:
    before, after = (drawing.source(each.state, own_name=True) for each in drawing.sources(2))
    kind = (
        f"case when {after.name}.id is null then 'gone' when {before.name}.id is null then 'new' "
        f"when {before.name}.i = {after.name}.i then 'same' else 'other' end"
    )
    same = f"on {before.name}.id = {after.name}.id"
    full = f"select {kind} as k from {before.text} full outer join {after.text} {same}"
    # SQLite has full joins since version 3.39 only.
    left = f"select {kind} as k from {before.text} left join {after.text} {same}"
    right = f"select {kind} from {after.text} left join {before.text} {same} where {before.name}.id is null"
    text, of_sqlite = (
        f"select k, count(*) from ({joined}) c group by k" for joined in (full, f"{left} union all {right}")
    )
    return text, of_sqlite


FORMS: Final[Mapping[str, Callable[[Drawing], str | tuple[str, str]]]] = {
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
"""Draw a statement, and an equal one for SQLite if that lacks its syntax."""
