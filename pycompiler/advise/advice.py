"""Advice on the layout of a table, from its queries, its index and a sample of its rows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeAlias

from pycompiler.advise.chosen_kinds import ChosenKinds, PlannedKinds, choose_kinds, planned_kinds
from pycompiler.advise.costs import Costs, costs
from pycompiler.advise.errors import AdviceError
from pycompiler.advise.expected_files import files_as_they_are, files_of_layout
from pycompiler.advise.forecast import mean_share
from pycompiler.advise.layout import Layout
from pycompiler.advise.reads import reads
from pycompiler.advise.sample.row_sample import TableSample
from pycompiler.advise.sample.sampling import MAX_ROWS, sample_rows
from pycompiler.advise.search import Candidate, best_first, candidates
from pycompiler.advise.workload import Workload, read_workload
from pycompiler.explain.open_table import open_table
from pycompiler.index.file_systems.location import Location
from pycompiler.sql.from_sql import Dialect, QueryConstants

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, and how much of it is done and in total."""

MAX_FILE_SIZE: Final = 128 << 20
"""Files of a new layout are not larger, unless that is asked for."""

WORTHWHILE: Final = 0.9
"""A layout is advised if queries would read no more than this share of what they read now."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A layout that was looked at, and what the index should have with it."""

    candidate: Candidate
    index: ChosenKinds

    @property
    def layout(self) -> Layout:
        """The layout."""
        return self.candidate.layout

    def share(self, workload: Workload) -> float:
        """The share of the table that a condition keeps on average, by the index."""
        return mean_share(self.index.shares, workload)


@dataclass(frozen=True, slots=True)
class LayoutAdvice:
    """What queries read of a table, and would read with other layouts.

    Attributes:
        workload: What the queries ask.
        files: Number of file slices of the table.
        size: Bytes of the table.
        source: Where the statistics come from, in the words of the handler's log.
        shares_now: The share of its bytes that each condition keeps now, by the statistics.
        file_size: Bytes of a file of a new layout.
        files_then: Number of files that the table would have.
        sample: The rows by which layouts were compared.
        kept: The kinds of records, besides bounds, that the index has.
        as_it_is: What its index could have with the present layout.
        proposals: The layouts with which queries would read least, best first.
        costs: What it takes to follow the advice.
    """

    workload: Workload
    files: int
    size: int
    source: str
    shares_now: tuple[float, ...]
    file_size: int
    files_then: int
    sample: TableSample
    kept: PlannedKinds
    as_it_is: ChosenKinds
    proposals: tuple[Proposal, ...]
    costs: Costs = Costs(None, None)

    @property
    def share_now(self) -> float:
        """The share of the table's bytes that a condition keeps on average now."""
        return mean_share(self.shares_now, self.workload)

    @property
    def share_as_it_is(self) -> float:
        """The share that it would keep if only the index were changed."""
        return mean_share(self.as_it_is.shares, self.workload)

    @property
    def best(self) -> Proposal | None:
        """The layout to use; None if none is worth the effort, which to change only the index is not."""
        best = next(iter(self.proposals), None)
        if best is None or best.share(self.workload) > WORTHWHILE * self.share_as_it_is:
            return None
        return best

    @property
    def index(self) -> ChosenKinds:
        """What the index should have with the layout to use, or with the present one."""
        return self.as_it_is if self.best is None else self.best.index


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

    Raises:
        AdviceError: The table has no files, no statement has a condition on it, or no file can be read.
        IndexUnavailableError: The index is unusable.
        TableUnreadableError: The table's properties or timeline cannot be read, or need a newer release.
        ExplanationError: See `explain_filter`.
    """
    with open_table(table) as opened:
        slices = opened.known.slices
        if opened.schema is None:
            raise AdviceError(f"{table} has no files")
        names = names or opened.names
        workload = read_workload(statements, names, opened.schema, dialect=dialect, query=QueryConstants(now))
        if not workload.conditions:
            raise AdviceError(_no_condition(workload, table, names))
        progress("reading statistics", 0, 1)
        statistics = opened.statistics([condition.expression for condition in workload.conditions])
        shares_now = tuple(each.share for each in reads(opened, workload, statistics))
        bases = [each.base for each in slices if each.base is not None]
        known = {base.path: statistics.by_file[base] for base in bases}
        kept = planned_kinds(opened.known.kinds, workload.columns())
    sample = sample_rows(
        table,
        bases,
        workload.columns().keys(),
        workload.points(),
        lambda done, total: progress("reading a sample of the rows", done, total),
        max_rows=max_rows,
    )
    size = sum(each.size for each in slices)
    mean = max(1, size // len(slices))
    of_file = min(mean, MAX_FILE_SIZE) if file_size is None else file_size
    files_then = max(1, round(size / of_file))
    found = candidates(
        sample.random, workload, files_then, lambda done, total: progress("comparing layouts", done, total)
    )
    mixed = sample.shuffled()
    present = files_as_they_are(mixed, known, len(slices))
    as_it_is = choose_kinds(present, mixed, workload, kept, size).scaled_to(shares_now)
    proposals = []
    for number, candidate in enumerate(found):
        progress("comparing indexes", number, len(found))
        files = files_of_layout(candidate.layout, mixed, files_then)
        proposals.append(Proposal(candidate, choose_kinds(files, mixed, workload, kept, size)))
    advice = LayoutAdvice(
        workload,
        len(slices),
        size,
        opened.known.source,
        shares_now,
        of_file,
        files_then,
        sample,
        kept,
        as_it_is,
        tuple(best_first(proposals, lambda each: each.layout, lambda each: each.share(workload))),
    )
    progress("measuring how long the advice takes to follow", 0, 1)
    return replace(
        advice,
        costs=costs(table, sample.files, advice.index.added_specs, rewrites=advice.best is not None),
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
