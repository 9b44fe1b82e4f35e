"""Adopts a native table: under a second name, or in place.

In place, the native table gets another name and stays as it is: with its partitions, properties and grants.
That is the record from which `undo` restores it. A handler table of the same columns, comments, properties
and grants takes its name. Before that, a table made by the same statement under another name has answered
like the native one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from pycompiler.hive.client.errors import ConnectionLostError, HiveError
from pycompiler.hive.client.session import HiveSession
from pycompiler.hive.client.statements import HANDLER, identifier, properties, quoted, text
from pycompiler.tools.adopt.comparison import Compared, compare
from pycompiler.tools.adopt.errors import AdoptError
from pycompiler.tools.adopt.hive_table import NATIVE, HiveTable, checked_name

SECOND = "_skip"
"""Suffix of the second name, unless another is asked for."""
KEPT = "_native"
"""Suffix of the native table's name after an adoption in place, before hive-sync's own suffix."""
_SYNCED = ("_ro", "_rt")
"""Suffixes that hive-sync adds to its setting `hoodie.datasource.hive_sync.table`."""


@dataclass(frozen=True, slots=True)
class Adopted:
    """What was done, or would be.

    Attributes:
        table: The handler table.
        native: The native table with the same data.
        location: URI of the Hudi table.
        statements: The statements that did it, without those that compare.
        compared: What was compared; None if nothing.
        notes: What else its user should know.
        next_step: What its queries skip by now, and what to run for more.
    """

    table: str
    native: str
    location: str
    statements: tuple[str, ...]
    compared: Compared | None = None
    notes: tuple[str, ...] = ()
    next_step: str = ""


class Adopter:
    """Adopts tables through one HiveServer2.

    Args:
        address: Address of the server, see `HiveSession`.
        user: User of the sessions; None for the process's user.
    """

    def __init__(self, address: str, user: str | None) -> None:
        self._address = address
        self._user = user
        self._session = HiveSession(address, user)

    def close(self) -> None:
        """Ends the session."""
        self._session.close()

    def adopt(
        self, table: str, name: str | None, in_place: bool, sample: int | None, *, dry_run: bool = False
    ) -> Adopted:
        """Adopts a table, or only checks whether that would succeed (`dry_run`).

        Args:
            table: `database.table` of the native table.
            name: The second name, with or without a database; None for the default.
            in_place: Whether the handler table takes the native table's name.
            sample: How many partitions to compare; 0 for all, None to compare nothing.
            dry_run: Whether to keep nothing.

        Raises:
            AdoptError: The table cannot be adopted, or the answers differ; everything is as it was.
            ConnectionLostError: What was begun may still be there; the message says how to undo it.
            HiveError: Hive refused a statement; everything is as it was.
        """
        native = self._read(checked_name(table))
        native.require_native_hudi()
        second = self._second_name(native.name, name)
        self._require_free(second, native.name)
        if not in_place:
            statement = _create(second, native, native.name)
            done = Adopted(second, native.name, native.location, (statement,), notes=_notes(native))
            with _undone_by_hand(native.name, name):
                return self._compared(native, done, second, statement, sample, keep=not dry_run)
        kept = _kept_name(native.name)
        self._require_free(kept, native.name)
        if native.deletes_data:
            raise AdoptError(
                f"dropping {native.name} would delete the Hudi table, so it is not renamed; first run: ALTER"
                f" TABLE {native.name} SET TBLPROPERTIES ('EXTERNAL'='TRUE', 'external.table.purge'='false')"
            )
        grants, notes = self._grants(native.name)
        synced = kept.partition(".")[2].removesuffix(_sync_suffix(kept))
        sync = (
            "hive-sync fails on the handler table, so have it go on with the native one:"
            f" hoodie.datasource.hive_sync.table={synced}"
        )
        statements = (_rename(native.name, kept), _create_alike(native.name, native, kept), *grants)
        done = Adopted(native.name, kept, native.location, statements, notes=(*notes, sync))
        with _undone_by_hand(native.name):
            alike = _create_alike(second, native, native.name)
            try:
                done = self._compared(native, done, second, alike, sample, keep=False)
            except ConnectionLostError:
                raise
            except HiveError as error:
                raise AdoptError(
                    f"{native.name} cannot be adopted in place: {error}. Without --in-place, it gets a second"
                    " name"
                ) from error
            if not dry_run:
                self._adopt_in_place(done)
            return done

    def undo(self, table: str, name: str | None = None, *, dry_run: bool = False) -> Adopted:
        """Undoes an adoption, whether it was under a second name or in place.

        Raises:
            AdoptError: The table is not adopted.
            HiveError: Hive refused a statement.
        """
        table = checked_name(table)
        kept = _kept_name(table)
        if not self._session.has_table(table):
            # An adoption was killed after it had renamed the native table.
            if not self._session.has_table(kept):
                raise AdoptError(f"{table} does not exist, and neither does {kept}: there is nothing to undo")
            native = self._read(kept)
            native.require_native_hudi()
            statements: tuple[str, ...] = (_rename(kept, table),)
            return self._run_all(Adopted(table, kept, native.location, statements), dry_run)
        found = self._read(table)
        if found.is_handler_table:
            return self._run_all(self._undo_handler_table(found, kept), dry_run)
        second = self._second_name(table, name)
        if not self._session.has_table(second) or self._read(second).native != table:
            raise AdoptError(
                f"{table} is a native table, and {second} is not its second name; if it has another,"
                " name it with --name"
            )
        return self._run_all(
            Adopted(second, table, found.location, (f"DROP TABLE {quoted(second)}",)), dry_run
        )

    def tables_to_adopt(self, database: str) -> Sequence[str]:
        """The native tables of a database that read a Hudi table and are not adopted."""
        tables = self._tables(database)
        adopted = {table.native for table in tables}
        return [table.name for table in tables if table.is_native_hudi and table.name not in adopted]

    def adopted_tables(self, database: str) -> Sequence[str]:
        """The handler tables of a database that `adopt` has made."""
        return [table.name for table in self._tables(database) if table.is_handler_table and table.native]

    def _tables(self, database: str) -> Sequence[HiveTable]:
        return [HiveTable.read(self._session, table) for table in self._session.tables(database)]

    def _undo_handler_table(self, found: HiveTable, kept: str) -> Adopted:
        if found.native is None:
            raise AdoptError(
                f"{found.name} was not made by hudi-skip adopt; DROP TABLE {found.name} keeps the data"
            )
        drop = f"DROP TABLE {quoted(found.name)}"
        if found.native != kept:
            return Adopted(found.name, found.native, found.location, (drop,))
        if not self._session.has_table(kept):
            raise AdoptError(
                f"{kept}, the native table of {found.name}, does not exist any more: run DROP TABLE"
                f" {found.name}, which keeps the data, and then hive-sync"
            )
        return Adopted(found.name, kept, found.location, (drop, _rename(kept, found.name)))

    def _adopt_in_place(self, planned: Adopted) -> None:
        rename, *others = planned.statements
        self._session.rows(rename)
        try:
            for statement in others:
                self._session.rows(statement)
        except BaseException:
            if self._session.has_table(planned.table):
                self._session.rows(f"DROP TABLE {quoted(planned.table)}")
            self._session.rows(_rename(planned.native, planned.table))
            raise

    def _compared(
        self, native: HiveTable, planned: Adopted, name: str, create: str, sample: int | None, *, keep: bool
    ) -> Adopted:
        """Creates a handler table and compares it; drops it again on failure, or if it is not to be kept."""
        self._session.rows(create)
        is_right = False
        try:
            adopted = self._read(name)
            compared = None
            if sample is not None:
                compared = compare(self._address, self._user, native, adopted, sample)
            is_right = True
        finally:
            if not (is_right and keep):
                self._session.rows(f"DROP TABLE {quoted(name)}")
        notes = (
            *planned.notes,
            *_differing_columns(native, adopted),
            *(() if compared is None else compared.notes),
        )
        return replace(planned, compared=compared, notes=notes, next_step=_next_step(native))

    def _run_all(self, planned: Adopted, dry_run: bool) -> Adopted:
        if not dry_run:
            for statement in planned.statements:
                self._session.rows(statement)
        return planned

    def _grants(self, table: str) -> tuple[Sequence[str], tuple[str, ...]]:
        """Statements that grant the privileges on a table again, and what to say if Hive does not tell them.

        Takes the session's role ADMIN if they are not visible otherwise.
        """
        query = f"SHOW GRANT ON TABLE {quoted(table)}"
        try:
            try:
                rows = self._session.rows(query)
            except HiveError:
                self._session.rows("SET ROLE ADMIN")
                rows = self._session.rows(query)
        except ConnectionLostError:
            raise
        except HiveError as error:
            return (), (f"grants were not copied, because Hive does not show them: {error}",)
        statements = []
        # database, table, partition, column, principal, kind, privilege, grant option, time, grantor
        for _, _, _, column, principal, kind, privilege, is_grantable, *_ in rows:
            of_column = f" ({identifier(str(column))})" if column else ""
            option = " WITH GRANT OPTION" if str(is_grantable).lower() == "true" else ""
            statements.append(
                f"GRANT {privilege}{of_column} ON TABLE {quoted(table)}"
                f" TO {kind} {identifier(str(principal))}{option}"
            )
        return statements, ()

    def _second_name(self, table: str, name: str | None) -> str:
        if name is None:
            return f"{table}{SECOND}"
        return checked_name(name if "." in name else f"{table.partition('.')[0]}.{name}")

    def _require_free(self, name: str, table: str) -> None:
        if not self._session.has_table(name):
            return
        if self._read(name).native == table:
            raise AdoptError(f"{table} is adopted already: its second name is {name}")
        raise AdoptError(f"{name} exists already; drop or rename it, or choose another name with --name")

    def _read(self, name: str) -> HiveTable:
        if not self._session.has_table(name):
            raise AdoptError(f"{name} does not exist")
        return HiveTable.read(self._session, name)


@contextmanager
def _undone_by_hand(table: str, name: str | None = None) -> Iterator[None]:
    """Says how to undo what was begun if the connection breaks."""
    try:
        yield
    except ConnectionLostError as error:
        named = f" --name {name}" if name else ""
        remedy = f"undo what was begun, if anything was: hudi-skip adopt --undo {table}{named}"
        raise ConnectionLostError(error.reason, remedy) from error


def _create(name: str, native: HiveTable, other: str) -> str:
    """A table with the columns of the Hudi table, which it follows; `other` is the native table's name."""
    return _created(name, native, {**native.properties_to_read_alike(), NATIVE: other})


def _create_alike(name: str, native: HiveTable, other: str) -> str:
    """A table with the native table's columns in their order, comments and properties."""
    columns = ", ".join(
        f"{identifier(column.name)} {column.kind} COMMENT {text(column.comment)}" for column in native.columns
    )
    comment = native.properties.get("comment")
    all_properties = {
        "hudi.skipping.columns": "extended",
        **native.own_properties(),
        **native.properties_to_read_alike(),
        NATIVE: other,
    }
    return _created(
        name, native, all_properties, f" ({columns}){f' COMMENT {text(comment)}' if comment else ''}"
    )


def _created(name: str, native: HiveTable, of_table: Mapping[str, str], columns: str = "") -> str:
    return (
        f"CREATE EXTERNAL TABLE {quoted(name)}{columns} STORED BY '{HANDLER}'"
        f" LOCATION {text(native.location)} TBLPROPERTIES ({properties(of_table)})"
    )


def _kept_name(table: str) -> str:
    """The name of a native table after its adoption in place, which hive-sync can be told to use."""
    suffix = _sync_suffix(table)
    return f"{table.removesuffix(suffix)}{KEPT}{suffix}"


def _sync_suffix(table: str) -> str:
    """What hive-sync has added to the name that it was told."""
    return next((suffix for suffix in _SYNCED if table.endswith(suffix)), "")


def _rename(table: str, to: str) -> str:
    return f"ALTER TABLE {quoted(table)} RENAME TO {quoted(to)}"


def _notes(native: HiveTable) -> tuple[str, ...]:
    if not native.deletes_data:
        return ()
    return (
        f"{native.name} is not EXTERNAL, or has external.table.purge=true: dropping it deletes the data of"
        " both names",
    )


def _next_step(native: HiveTable) -> str:
    partitions = "partition columns and " if native.partition_columns else ""
    return (
        f"queries skip files by {partitions}Hudi's statistics of integers, if it keeps them; an index adds"
        " all columns, functions of them, and log files. To build it:"
        f" hudi-skip index build {native.location.removeprefix('file:')}"
    )


def _differing_columns(native: HiveTable, adopted: HiveTable) -> tuple[str, ...]:
    kinds = {column.name: column.kind for column in adopted.columns}
    return tuple(
        f"column {column.name} is {column.kind} in {native.name} and {kinds.get(column.name, 'missing')} in"
        f" {adopted.name}, so it was not compared; --in-place keeps the type"
        for column in native.columns
        if kinds.get(column.name) != column.kind
    )
