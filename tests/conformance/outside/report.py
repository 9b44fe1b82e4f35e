"""Prints the outcomes: a table by source, what is missed and why, and what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pycompiler.compile.expression.evaluator import FileStatistics
from pycompiler.compile.expression.render import to_text, value_text
from pycompiler.compile.expression.statistics import ColumnStatistics

from .reasons import Miss, Outcome, open_cause, stated_reason

_HEADINGS = (
    "vectors",
    "must keep",
    "violations",
    "source skips",
    "skipped",
    "ratio",
    "reason stated",
    "open",
    "beyond the source",
)


@dataclass(frozen=True, slots=True)
class Reasoned:
    """A missed skip with its reason, or with only a cause if it is open."""

    miss: Miss
    stated: str | None

    @property
    def text(self) -> str:
        """The reason, or the cause if there is none."""
        return self.stated or open_cause(self.miss)


@dataclass(frozen=True, slots=True)
class SourceReport:
    """The outcomes of one source."""

    project: str
    outcomes: Sequence[Outcome]
    missed: Sequence[Reasoned]

    @staticmethod
    def of(project: str, outcomes: Sequence[Outcome]) -> SourceReport:
        """Finds the reasons of all misses."""
        misses = [Miss(outcome.case, file) for outcome in outcomes for file in sorted(outcome.missed)]
        return SourceReport(project, outcomes, [Reasoned(miss, stated_reason(miss)) for miss in misses])

    @property
    def open(self) -> list[Reasoned]:
        """Misses without a stated reason."""
        return [reasoned for reasoned in self.missed if reasoned.stated is None]


def problems(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Returns a line for each violation and each file on which Python and Java disagree."""
    for outcome in outcomes:
        case = outcome.case
        for file in sorted(outcome.violations | outcome.disagreements):
            what = "VIOLATION" if file in outcome.violations else "DISAGREEMENT"
            python, java = ("keeps" if kept[file] else "skips" for kept in (outcome.python, outcome.java))
            yield (
                f"{what} {case.vector.id} file {file}: Python {python}, Java {java}: {case.vector.where}"
                f"\n    expression: {to_text(case.expression)}"
                f"\n    statistics: {describe(case.statistics[file])}"
            )


def print_report(console: Console, reports: Sequence[SourceReport], *, verbose: bool) -> None:
    """Prints the table and the reasons, and each missed skip if `verbose`."""
    console.print(_table(reports))
    counted = Counter(
        (reasoned.stated is None, reasoned.text) for report in reports for reasoned in report.missed
    )
    for is_open, title in ((False, "Kept for a stated reason"), (True, "Open")):
        lines = [(count, text) for (open_, text), count in counted.most_common() if open_ is is_open]
        if lines:
            console.print(f"{title}:")
        for count, text in lines:
            console.print(f"  {count:4}  {escape(text)}", soft_wrap=True)
    if verbose:
        for report in reports:
            for reasoned in report.missed:
                case = reasoned.miss.case
                console.print(
                    escape(
                        f"{case.vector.id} file {reasoned.miss.file}: {case.vector.where}\n"
                        f"    statistics: {describe(reasoned.miss.statistics)}\n    reason: {reasoned.text}"
                    ),
                    soft_wrap=True,
                )


def describe(statistics: FileStatistics) -> str:
    """Formats statistics of a file on one line."""
    return "; ".join(f"{name}: {_describe_column(column)}" for name, column in sorted(statistics.items()))


def _describe_column(column: ColumnStatistics) -> str:
    low, high = (
        "?" if bound is None else value_text(column.type, bound) for bound in (column.lower, column.upper)
    )
    nulls, rows, nans = (
        "?" if count is None else str(count)
        for count in (column.null_count, column.value_count, column.nan_count)
    )
    return f"{column.type} {low} to {high}, {nulls} NULLs and {nans} NaNs of {rows} rows"


def _table(reports: Sequence[SourceReport]) -> Table:
    table = Table(title="Vectors from outside")
    table.add_column("source")
    for heading in _HEADINGS:
        table.add_column(heading, justify="right")
    for report in reports:
        table.add_row(escape(report.project), *_cells(report))
    everything = SourceReport(
        "total",
        [outcome for report in reports for outcome in report.outcomes],
        [reasoned for report in reports for reasoned in report.missed],
    )
    table.add_section()
    table.add_row(everything.project, *_cells(everything))
    return table


def _cells(report: SourceReport) -> list[str]:
    outcomes = report.outcomes
    right = sum(len(outcome.right_source_skips) for outcome in outcomes)
    skipped = right - len(report.missed)
    numbers = (
        len(outcomes),
        sum(len(outcome.case.vector.must_keep) for outcome in outcomes),
        sum(len(outcome.violations) for outcome in outcomes),
        right,
        skipped,
    )
    ratio = f"{skipped / right:.1%}" if right else "-"
    rest = (
        len(report.missed) - len(report.open),
        len(report.open),
        sum(len(outcome.beyond_the_source) for outcome in outcomes),
    )
    return [*map(str, numbers), ratio, *map(str, rest)]
