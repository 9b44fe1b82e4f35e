"""Compares the answers of a native table with those of a handler table over the same data.

Row counts are compared for some partitions, or for the whole table if it has none. Then some rows of each
partition are looked up by their key in both tables, with and without skipping.

A writer may commit between two queries. So whatever differs is asked again.

Columns that Hudi's input formats cannot read are compared with what pyarrow reads in base files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from urllib.parse import unquote

from pycompiler.hive.client.errors import ConnectionLostError, HiveError
from pycompiler.hive.client.session import HiveSession
from pycompiler.hive.client.statements import identifier, quoted, text
from pycompiler.tools.adopt.base_files import KEYS, Checked, check, is_comparable
from pycompiler.tools.adopt.errors import AdoptError
from pycompiler.tools.adopt.hive_table import Column, HiveTable

ROWS: Final = 20
"""Rows that are looked up in each partition."""
_ATTEMPTS: Final = 3
_RECORD_KEY: Final = "_hoodie_record_key"
_KEY_TYPES: Final = ("int", "bigint", "string", "smallint", "tinyint", "date")
_NULL_PARTITION: Final = "__HIVE_DEFAULT_PARTITION__"
_MODE: Final = "hudi.skipping.mode"

_SETTINGS: Final = (
    "hive.query.results.cache.enabled=false",
    "hive.compute.query.using.stats=false",
)
# Hudi's input formats return single rows, where Hive may expect batches. Hudi 1.0 has two readers: with
# Hive 4, one fails on partitioned tables in jobs, the other on dates outside of them.
_ROW_BY_ROW: Final = "hive.vectorized.execution.enabled=false"
_FILE_GROUP_READER: Final = "hoodie.file.group.reader.enabled"
_FETCH: Final = ("hive.fetch.task.conversion=more", "hive.fetch.task.conversion.threshold=-1")

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Compared:
    """What was compared.

    Attributes:
        partitions: Partitions whose rows were counted; 0 for a table without partitions.
        counted: Rows in them.
        rows: Rows that were compared value by value.
        notes: Which columns the native table cannot read, and with what they were compared instead.
    """

    partitions: int
    counted: int
    rows: int
    notes: tuple[str, ...] = ()


def compare(address: str, user: str | None, native: HiveTable, adopted: HiveTable, sample: int) -> Compared:
    """Compares `sample` partitions, evenly spaced from the first to the last; all if it is 0.

    Each table gets a session of its own, because they need different settings.

    Raises:
        AdoptError: The answers differ, or the native table cannot be read.
        HiveError: The handler table cannot be read.
    """
    with closing(HiveSession(address, user)) as session, closing(HiveSession(address, user)) as of_native:
        for one in (session, of_native):
            for setting in _SETTINGS:
                one.rows(f"SET {setting}")
        return _Comparison(session, of_native, native, adopted).run(sample)


class _Comparison:
    """Compares one pair of tables, each through a session of its own."""

    def __init__(
        self, session: HiveSession, of_native: HiveSession, native: HiveTable, adopted: HiveTable
    ) -> None:
        self._session = session
        self._of_native = of_native
        self._native = native
        self._adopted = adopted
        self._kinds = {column.name: column.kind for column in adopted.columns}
        self._columns = [each for each in native.columns if self._kinds.get(each.name) == each.kind]
        self._counts_by_job = True
        self._readers = {True: ["true", "false"], False: ["false", "true"]}
        """Values of `_FILE_GROUP_READER` to try, for a fetch and for a job; the last success comes first."""

    def run(self, sample: int) -> Compared:
        partitions = self._partitions(sample)
        unread = self._leave_out_unreadable()
        by_file = [each for each in unread if is_comparable(each)]
        counted = rows = of_files = 0
        files: set[str] = set()
        for partition in partitions:
            where = self._where(partition)
            what = f"partition {partition}" if partition else "the table"
            counted += self._compare_counts(where, what)
            rows += self._compare_rows(where, what)
            if by_file:
                checked = self._compare_files(by_file, where)
                of_files += checked.rows
                files |= checked.files
        instead = f"compared with {of_files} rows in {len(files)} base files instead"
        notes = tuple(
            f"{self._native.name} cannot read column {column.name}, which was"
            f" {instead if column in by_file else 'not compared'}: {failure}"
            for column, failure in unread.items()
        )
        return Compared(len(partitions) if partitions != [""] else 0, counted, rows, notes)

    def _leave_out_unreadable(self) -> dict[Column, str]:
        """Chooses the reader that fails on the fewest columns, if none reads all of them.

        Returns:
            The columns that the native table cannot read, with its error.

        Raises:
            AdoptError: No column can be read.
        """
        try:
            self._read_some(self._columns)
            return {}
        except AdoptError as error:
            failures = {reader: self._failures(reader) for reader in list(self._readers[True])}
            best = min(failures, key=lambda reader: len(failures[reader]))
            unread = failures[best]
            if len(unread) == len(self._columns):
                raise error
        self._readers[True] = [best]
        self._columns = [each for each in self._columns if each not in unread]
        return unread

    def _failures(self, reader: str) -> dict[Column, str]:
        """The columns that a reader cannot read by themselves, and why."""
        self._readers[True] = [reader]
        found = {}
        for column in self._columns:
            try:
                self._read_some([column])
            except AdoptError as failure:
                found[column] = str(failure.__cause__)
        return found

    def _read_some(self, columns: Sequence[Column]) -> None:
        shown = ", ".join(identifier(column.name) for column in columns)
        self._read_native(f"SELECT {shown} FROM {{}} LIMIT {ROWS}", fetch=True)

    def _compare_counts(self, where: list[str], what: str) -> int:
        query = f"SELECT count(*) FROM {{}}{_and(where)}"
        theirs, ours = _agreeing(lambda: (self._count(query, where), int(self._skipping(query, "on")[0][0])))
        if theirs != ours:
            raise self._difference(f"{what} has {theirs} rows there and {ours} here")
        return ours

    def _compare_files(self, columns: Sequence[Column], where: list[str]) -> Checked:
        shown = ", ".join(map(identifier, (*KEYS, *(column.name for column in columns))))
        query = f"SELECT {shown} FROM {{}}{_and(where)} LIMIT {ROWS}"
        return check(self._native.location, columns, self._skipping(query, "on"))

    def _compare_rows(self, where: list[str], what: str) -> int:
        names = [column.name for column in self._columns]
        shown = ", ".join(map(identifier, names))
        some = self._read_native(f"SELECT {shown} FROM {{}}{_and(where)} LIMIT {ROWS}", fetch=True)
        key = self._key(some)
        if key is None:
            return 0
        position = names.index(key)
        kind = self._columns[position].kind
        keys = sorted({str(row[position]) for row in some})
        wanted = ", ".join(value if "int" in kind else _literal(value, kind) for value in keys)
        query = f"SELECT {shown} FROM {{}}{_and([*where, f'{identifier(key)} IN ({wanted})'])}"

        def answers() -> tuple[Counter[tuple[str, ...]], Counter[tuple[str, ...]]]:
            theirs = _comparable(self._read_native(query, fetch=True))
            ours = [_comparable(self._skipping(query, mode)) for mode in ("on", "off")]
            if ours[0] != ours[1]:
                raise self._difference(f"with and without skipping, {what} has other rows: {query}")
            return theirs, ours[0]

        theirs, ours = _agreeing(answers)
        if theirs != ours:
            there, here = (next(iter(left - right), None) for left, right in ((theirs, ours), (ours, theirs)))
            raise self._difference(f"rows of {what} differ: {there} there, {here} here, in {query}")
        return ours.total()

    def _partitions(self, sample: int) -> list[str]:
        """Names of the partitions to compare; one empty name for the whole table."""
        columns = self._native.partition_columns
        if not columns or not set(columns) <= self._kinds.keys():
            return [""]
        names = [str(row[0]) for row in self._of_native.rows(f"SHOW PARTITIONS {quoted(self._native.name)}")]
        if not sample or len(names) <= sample:
            return names
        step = (len(names) - 1) / max(1, sample - 1)
        return [names[round(number * step)] for number in range(sample)]

    def _where(self, partition: str) -> list[str]:
        conditions = []
        for part in partition.split("/") if partition else ():
            name, _, value = part.partition("=")
            column = unquote(name)
            conditions.append(
                f"{identifier(column)} IS NULL"
                if value == _NULL_PARTITION
                else f"{identifier(column)} = {_literal(unquote(value), self._kinds[column])}"
            )
        return conditions

    def _key(self, rows: Sequence[Sequence[Any]]) -> str | None:
        """The column by which rows are looked up: the first of its types without NULL in these rows."""
        names = [column.name for column in self._columns]
        for name in (_RECORD_KEY, *names):
            if name not in names or name in self._native.partition_columns:
                continue
            position = names.index(name)
            has_values = bool(rows) and all(row[position] is not None for row in rows)
            if has_values and self._columns[position].kind in _KEY_TYPES:
                return name
        return None

    def _skipping(self, query: str, mode: str) -> list[tuple[Any, ...]]:
        self._session.rows(f"SET {_MODE}={mode}")
        return self._session.rows(query.format(quoted(self._adopted.name)))

    def _count(self, query: str, where: list[str]) -> int:
        """Rows of the native table: counted by a job, or if none succeeds, by reading one column."""
        if self._counts_by_job:
            try:
                return int(self._read_native(query, fetch=False)[0][0])
            except AdoptError:
                self._counts_by_job = False
        column = identifier(self._columns[0].name)
        return len(self._read_native(f"SELECT {column} FROM {{}}{_and(where)}", fetch=True))

    def _read_native(self, query: str, *, fetch: bool) -> list[tuple[Any, ...]]:
        """Runs a query with the first settings with which Hudi's input formats can answer it."""
        failure: HiveError | None = None
        readers = self._readers[fetch]
        for reader in list(readers):
            for setting in (_ROW_BY_ROW, f"{_FILE_GROUP_READER}={reader}", *(_FETCH if fetch else ())):
                self._of_native.rows(f"SET {setting}")
            try:
                rows = self._of_native.rows(query.format(quoted(self._native.name)))
            except ConnectionLostError:
                raise
            except HiveError as error:
                failure = failure or error
            else:
                readers.remove(reader)
                readers.insert(0, reader)
                return rows
        raise AdoptError(
            f"{self._native.name} cannot be read as a native table, so there is nothing to compare with:"
            f" {failure}; to adopt it without a comparison, pass --no-compare"
        ) from failure

    def _difference(self, what: str) -> AdoptError:
        return AdoptError(
            f"{self._native.name} (there) and a table of the handler (here) answer differently: {what}."
            " Nothing was changed. If a writer commits all the time, try again when it does not"
        )


def _agreeing(answers: Callable[[], tuple[_T, _T]]) -> tuple[_T, _T]:
    """Two answers; asked again if they differ, because of commits in between."""
    theirs, ours = answers()
    for _ in range(_ATTEMPTS - 1):
        if theirs == ours:
            break
        theirs, ours = answers()
    return theirs, ours


def _comparable(rows: Sequence[Sequence[Any]]) -> Counter[tuple[str, ...]]:
    # NaN is not equal to itself, but its text is.
    return Counter(tuple(map(repr, row)) for row in rows)


def _literal(value: str, kind: str) -> str:
    return text(value) if kind == "string" else f"CAST({text(value)} AS {kind})"


def _and(conditions: Sequence[str]) -> str:
    return f" WHERE {' AND '.join(conditions)}" if conditions else ""
