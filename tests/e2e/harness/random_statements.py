"""Random statements: Hive answers as SQLite does."""

import datetime as dt
import random
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from pycompiler.tools.scan_log.scans import Scan

from ..tables import TableData
from . import engines
from .check import WITHOUT_SKIPPING, Checker, assert_same_rows
from .session import QueryFailed, Session

NOT_OF_HIVE: Final = (
    "only supported with Cost Based Optimizations enabled",
    "Unsupported SubQuery Expression",
)
"""What Hive says of statements that only SQLite has."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement, the session's settings, and the rows of its answer in any order."""

    text: str
    settings: Mapping[str, str]
    expected: tuple[tuple[Any, ...], ...]


def statements(
    count: int,
    seed: int,
    settings: Mapping[str, Sequence[str]],
    reference: sqlite3.Connection,
    draw: Callable[[random.Random], tuple[str, str]],
) -> Iterator[Statement]:
    """Draws statements; ten after one another have the same settings, which take as long as a query.

    Args:
        count: How many.
        seed: The same one draws the same statements.
        settings: The values to choose from, by setting of Hive.
        reference: A database with the tables, of `sqlite_with`.
        draw: Draws a statement, in the words of Hive and of SQLite.
    """
    chance = random.Random(seed)
    chosen: dict[str, str] = {}
    for number in range(count):
        if number % 10 == 0:
            chosen = {name: chance.choice(values) for name, values in settings.items()}
        ours, theirs = draw(chance)
        yield Statement(ours, chosen, tuple(reference.execute(theirs).fetchall()))


def sqlite_with(*tables: TableData) -> sqlite3.Connection:
    """A database in memory with tables and their rows."""
    connection = sqlite3.connect(":memory:")
    for data in tables:
        columns = [column.split()[0] for column in data.schema.split(", ")]
        connection.execute(f"create table {data.name} ({', '.join(columns)})")
        rows = [tuple(_stored(row[column]) for column in columns) for row in data.rows()]
        connection.executemany(f"insert into {data.name} values ({', '.join('?' * len(columns))})", rows)
    return connection


def _stored(value: Any) -> Any:
    match value:
        case dt.datetime():
            return value.isoformat(sep=" ")
        case dt.date():
            return value.isoformat()
        case Decimal():
            return float(value)  # exact for the quarters of the tests' tables
        case _:
            return value


@contextmanager
def copied(session: Session, database: str, tables: Sequence[str]) -> Iterator[str]:
    """A database with copies of tables in Hive's own format, for `assert_answers`."""
    session.rows(f"create database {database}")
    for name in tables:
        session.rows(f"create table {database}.{name} stored as orc as select * from {name}")
    yield database
    # Not with CASCADE: Hive 4.1 then asks the metastore for functions, which that of 4.0.1 does not know.
    for name in tables:
        session.rows(f"drop table {database}.{name}")
    session.rows(f"drop database {database}")


def assert_answers(
    check: Checker,
    drawn: Iterable[Statement],
    on: Mapping[str, str],
    *,
    scans: int,
    refused: Collection[str] = NOT_OF_HIVE,
    skips: Callable[[Scan], bool],
    native: str | None = None,
) -> None:
    """Asserts that each answer is right, and that a sixth of the statements skip files.

    Hive itself fails on some statements, and answers some wrongly: they are left out if it does the same
    with its own tables.

    Args:
        check: Runs the statements.
        drawn: The statements.
        on: The settings that are tested.
        scans: The least number of scans of a statement.
        refused: Texts of errors with which Hive refuses statements.
        skips: Whether a scan is one of those that the settings let skip files.
        native: A database with copies of the tables that are Hive's own.
    """
    outcomes = [_skipped(check, statement, on, scans, refused, skips, native) for statement in drawn]
    answered = [outcome for outcome in outcomes if outcome is not None]
    assert len(answered) > len(outcomes) / 2
    assert sum(skipped > 0 for skipped in answered) > len(outcomes) / 6, f"few skip files: {answered}"


def _skipped(
    check: Checker,
    drawn: Statement,
    on: Mapping[str, str],
    scans: int,
    refused: Collection[str],
    skips: Callable[[Scan], bool],
    native: str | None,
) -> int | None:
    """How many files were skipped; None if Hive has no such statement, or answers wrongly itself."""
    settings = {**engines.TEZ, **drawn.settings}
    where = f"{drawn.text}\n{settings}"
    try:
        ours = check.run(drawn.text, {**settings, **on}, scans=scans)
    except QueryFailed as error:
        if any(text in str(error) for text in refused) or _natively(check, drawn, native) == str(error):
            return None
        raise AssertionError(f"failed: {error}\n{where}") from error
    as_doubles = (tuple(float(v) if isinstance(v, Decimal) else v for v in row) for row in ours.rows)
    try:
        assert_same_rows(as_doubles, drawn.expected, f"Hive and SQLite: {where}", ours.scans)
    except AssertionError:
        without = check.run(drawn.text, {**settings, **WITHOUT_SKIPPING}, scans=0)
        assert_same_rows(ours.rows, without.rows, f"with and without skipping: {where}", ours.scans)
        of_copies = _natively(check, drawn, native)
        if of_copies is None or isinstance(of_copies, str):
            raise
        assert_same_rows(ours.rows, of_copies, f"handler's tables and Hive's: {where}", ours.scans)
        return None
    return sum(scan.files - scan.kept for scan in ours.scans if skips(scan))


def _natively(check: Checker, drawn: Statement, native: str | None) -> list[tuple[Any, ...]] | str | None:
    """Hive's answer from tables of its own, or how it fails; None if there are none."""
    if native is None:
        return None
    with check.session.settings({**engines.TEZ, **drawn.settings}):
        check.session.rows(f"use {native}")
        try:
            return check.session.rows(drawn.text)
        except QueryFailed as error:
            return str(error)
        finally:
            check.session.rows("use default")
