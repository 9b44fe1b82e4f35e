"""Advice on the layout of a table, from its queries, its index and a sample of its rows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeAlias

from pycompiler.compile.sql.from_sql import Dialect, QueryConstants
from pycompiler.index.file_systems.location import Location
from pycompiler.tools.advise.errors import AdviceError
from pycompiler.tools.advise.forecast import Forecast, KeptNow, mean_share
from pycompiler.tools.advise.row_sample import RowSample
from pycompiler.tools.advise.sampling import MAX_ROWS, sample_rows
from pycompiler.tools.advise.search import candidates
from pycompiler.tools.advise.workload import Workload, read_workload
from pycompiler.tools.explain.known_table import KnownStatistics
from pycompiler.tools.explain.open_table import OpenTable, open_table

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, and how much of it is done and in total."""

MAX_FILE_SIZE: Final = 128 << 20
"""Files of a new layout are not larger, unless that is asked for."""

WORTHWHILE: Final = 0.9
"""A layout is advised if queries would read no more than this share of what they read now."""


@dataclass(frozen=True, slots=True)
class LayoutAdvice:
    """What queries read of a table, and would read with other layouts.

    Attributes:
        files: Number of file slices of the table.
        size: Bytes of the table.
        source: Where the statistics come from, in the words of the handler's log.
        now: The share of its bytes that each condition keeps now, by the statistics.
        file_size: Bytes of a file of a new layout.
        sample: The rows by which layouts were compared.
        layouts: The layouts with which queries would read least, best first.
    """

    workload: Workload
    files: int
    size: int
    source: str
    now: tuple[KeptNow, ...]
    file_size: int
    sample: RowSample
    layouts: tuple[Forecast, ...]

    @property
    def share_now(self) -> float:
        """The share of the table's bytes that a condition keeps on average now."""
        return mean_share([each.share for each in self.now], self.workload)

    @property
    def best(self) -> Forecast | None:
        """The layout to use; None if none is worth the effort."""
        best = next(iter(self.layouts), None)
        return None if best is None or best.share > WORTHWHILE * self.share_now else best


def shares_kept(opened: OpenTable, workload: Workload, statistics: KnownStatistics) -> tuple[float, ...]:
    """The share of a table's bytes that each condition keeps by some statistics."""
    total = max(sum(each.size for each in opened.known.slices), 1)
    return tuple(
        sum(each.size for each in kept) / total
        for kept in opened.slices_kept([each.expression for each in workload.conditions], statistics)
    )


def advise(
    table: Location,
    statements: list[str],
    names: frozenset[str],
    now: datetime,
    progress: Progress,
    *,
    dialect: Dialect = Dialect.HIVE,
    file_size: int | None = None,
    max_rows: int = MAX_ROWS,
) -> LayoutAdvice:
    """Finds the layout of a table with which queries would read least.

    Args:
        table: Root of the table.
        statements: The queries: statements, or conditions as after WHERE.
        names: The table's names in Hive, in lower case and without a database; none for `OpenTable.names`.
        now: When the queries begin, in the time zone of Hive's session.
        progress: Told what is being done.
        dialect: The SQL dialect of the statements.
        file_size: Bytes of a file of a new layout; by default the mean of today's, at most `MAX_FILE_SIZE`.
        max_rows: About how many rows are sampled.

    Raises the errors of `open_table`, and:

    Raises:
        AdviceError: The table has no files, no statement has a condition on it, or no file can be read.
    """
    with open_table(table) as opened:
        if opened.schema is None:
            raise AdviceError(f"{table} has no files")
        names = names or opened.names
        workload = read_workload(statements, names, opened.schema, dialect=dialect, query=QueryConstants(now))
        if not workload.conditions:
            raise AdviceError(_no_condition(workload, table, names))
        statistics = opened.statistics([condition.expression for condition in workload.conditions])
        by_bounds = shares_kept(opened, workload, _bounds_of(statistics))
        kept_now = tuple(map(KeptNow, shares_kept(opened, workload, statistics), by_bounds))
    slices = opened.known.slices
    sample = sample_rows(
        table,
        [each.base for each in slices if each.base is not None],
        workload.columns().keys(),
        lambda done, total: progress("reading a sample of the rows", done, total),
        max_rows=max_rows,
    )
    size = sum(each.size for each in slices)
    if file_size is None:
        file_size = min(max(1, size // len(slices)), MAX_FILE_SIZE)
    found = candidates(
        sample,
        workload,
        max(1, round(size / file_size)),
        lambda done, total: progress("comparing layouts", done, total),
        kept_now,
    )
    return LayoutAdvice(
        workload, len(slices), size, opened.known.source, kept_now, file_size, sample, tuple(found)
    )


def _bounds_of(statistics: KnownStatistics) -> KnownStatistics:
    return replace(
        statistics,
        by_file={
            file: {column: replace(known, contents={}) for column, known in of_file.items()}
            for file, of_file in statistics.by_file.items()
        },
    )


def _no_condition(workload: Workload, table: Location, names: frozenset[str]) -> str:
    if workload.unreadable:
        statement, reason = workload.unreadable[0]
        return (
            f"no statement with a condition on {table} can be read; the first, {statement[:60]!r}: {reason}"
        )
    if workload.whole:
        return f"all statements read {table} as a whole, so that no layout helps"
    listed = " or ".join(sorted(names))
    return f"no statement reads a table named {listed}; give its name in Hive with --name"
