"""The page of `hudi-skip scans`: what queries read and skipped over time, and which read most."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

from pycompiler.compile.predicate.text import shorten
from pycompiler.figures import bytes_text
from pycompiler.one_line import one_line
from pycompiler.tools.pages.axis import Tick
from pycompiler.tools.pages.bins import Bin, Stack, bins_of
from pycompiler.tools.pages.commands import quoted
from pycompiler.tools.pages.page import Page, rendered
from pycompiler.tools.scan_log.conditions import sql_condition
from pycompiler.tools.scan_log.scans import Scan

_MOST_BINS: Final = 120
_MOST_GROUPS: Final = 50
_MOST_TEXT: Final = 2000
_MOST_TAGS: Final = 3
_MOST_REASON: Final = 300


@dataclass(frozen=True, slots=True)
class ScanGroup:
    """Scans of one table by the same condition, or that skipped nothing for the same reason.

    Attributes:
        text: The expression.
        reason: Why nothing was skipped, if so.
        command: What explains it; empty if the log does not have the whole condition.
        page: The file name of the page that this command writes.
        has_page: Whether it is there.
    """

    table: str
    text: str
    reason: str
    scans: int
    files: int
    kept: int
    size: int
    kept_size: int
    tags: str
    last: str
    last_query: str
    command: str
    page: str
    has_page: bool


@dataclass(frozen=True, slots=True)
class TableTotal:
    """The scans of one table. The numbers about the index are those of the last scan."""

    table: str
    scans: int
    size: int
    kept_size: int
    files: int
    not_indexed: int
    commits_behind: int


@dataclass(frozen=True, slots=True)
class TimeChart:
    """Bytes that scans read and skipped, over time, or in the order of the log if it has no times."""

    ticks: Sequence[Tick]
    bins: Sequence[Bin]
    most: int
    is_timed: bool
    wanted: Sequence[object] = ()


def page_of_scans(log: str, scans: Sequence[Scan], beside: Path | None = None) -> Page:
    """Draws the scans of a log.

    Args:
        log: Name of the log, for the heading.
        scans: Its scans, latest last.
        beside: The directory where pages of `hudi-skip explain` are linked if they are there.
    """
    size, kept_size = sum(scan.size for scan in scans), sum(scan.kept_size for scan in scans)
    return rendered(
        "scans",
        f"{bytes_text(size - kept_size)} of {bytes_text(size)} skipped: {log}",
        log=log,
        scans=len(scans),
        queries=len({scan.query for scan in scans}),
        shadowed=sum(scan.mode == "shadow" for scan in scans),
        size=size,
        kept_size=kept_size,
        files=sum(scan.files for scan in scans),
        kept=sum(scan.kept for scan in scans),
        chart=_time_chart(scans) if scans else None,
        tables=_tables(scans),
        groups=(groups := _groups(scans, beside))[:_MOST_GROUPS],
        all_groups=len(groups),
        reasons=Counter(
            one_line(shorten(scan.reason, _MOST_REASON)) for scan in scans if scan.reason
        ).most_common(20),
    )


def explanation_name(table: str, condition: str) -> str:
    """The file name under which a page of scans looks for the page that explains a condition."""
    named = "\n".join((table, condition))
    return f"explain-{sha256(named.encode(errors='replace')).hexdigest()[:8]}.html"


def _time_chart(scans: Sequence[Scan]) -> TimeChart:
    times = [scan.time for scan in scans if scan.time is not None]
    is_timed = len(times) == len(scans) and min(times) < max(times)
    if is_timed:
        first, span, number = min(times), max(times) - min(times), _MOST_BINS
        places = [min(int((time - first) / span * number), number - 1) for time in times]
        ticks = [Tick(at / 4, _to_the_second(first + span * at / 4)) for at in range(5)]
        names = [_to_the_second(first + span * at / number) for at in range(number)]
    else:
        number = min(len(scans), _MOST_BINS)
        places = [place * number // len(scans) for place in range(len(scans))]
        ticks = [Tick(0, "first scan"), Tick(1, "last scan")]
        names = [f"from scan {-(-at * len(scans) // number) + 1:,} on" for at in range(number)]
    binned: list[list[Scan]] = [[] for _ in range(number)]
    for scan, place in zip(scans, places, strict=True):
        binned[place].append(scan)
    stacks = [_stack(name, of_bin) for name, of_bin in zip(names, binned, strict=True)]
    return TimeChart(ticks, bins_of(stacks), max(stack.height for stack in stacks), is_timed)


def _to_the_second(time: datetime) -> str:
    return time.isoformat(" ", "seconds")


def _stack(name: str, scans: Sequence[Scan]) -> Stack:
    kept = sum(scan.kept_size for scan in scans)
    skipped = sum(scan.size for scan in scans) - kept
    count = f"{len(scans):,} scan{'' if len(scans) == 1 else 's'}"
    return Stack(kept, skipped, f"{name}: {count}, {bytes_text(kept)} read, {bytes_text(skipped)} skipped")


def _tables(scans: Iterable[Scan]) -> list[TableTotal]:
    """The tables, by the bytes that were read of them."""
    return sorted(
        (
            TableTotal(
                table=one_line(table),
                scans=len(of_table),
                size=sum(scan.size for scan in of_table),
                kept_size=sum(scan.kept_size for scan in of_table),
                files=of_table[-1].files,
                not_indexed=of_table[-1].not_indexed,
                commits_behind=of_table[-1].commits_behind,
            )
            for (table,), of_table in _grouped(scans, lambda scan: (scan.table,))
        ),
        key=lambda total: -total.kept_size,
    )


def _groups(scans: Iterable[Scan], beside: Path | None) -> list[ScanGroup]:
    """The groups of scans, by the bytes that they read."""
    alike = _grouped(scans, lambda scan: (scan.table, scan.expression, scan.reason))
    found = [_group(of_group, beside) for _, of_group in alike]
    return sorted(found, key=lambda group: -group.kept_size)


def _grouped(
    scans: Iterable[Scan], key: Callable[[Scan], tuple[str, ...]]
) -> Iterable[tuple[tuple[str, ...], list[Scan]]]:
    groups: dict[tuple[str, ...], list[Scan]] = {}
    for scan in scans:
        groups.setdefault(key(scan), []).append(scan)
    return groups.items()


def _listed(tags: Sequence[str]) -> str:
    more = len(tags) - _MOST_TAGS
    return ", ".join(tags[:_MOST_TAGS]) + (f" and {more:,} more" if more > 0 else "")


def _group(scans: Sequence[Scan], beside: Path | None) -> ScanGroup:
    last = scans[-1]
    condition = sql_condition(last.expression)
    command, page = "", ""
    if condition is not None:
        page = explanation_name(last.table, condition)
        command = f"hudi-skip explain {quoted(last.table)} --where {quoted(condition)} --html {page}"
    return ScanGroup(
        table=one_line(last.table),
        text=one_line(shorten(last.expression, _MOST_TEXT)),
        reason=one_line(shorten(last.reason, _MOST_REASON)),
        scans=len(scans),
        files=sum(scan.files for scan in scans),
        kept=sum(scan.kept for scan in scans),
        size=sum(scan.size for scan in scans),
        kept_size=sum(scan.kept_size for scan in scans),
        tags=_listed(sorted({one_line(scan.tag) for scan in scans if scan.tag})),
        last="" if last.time is None else _to_the_second(last.time),
        last_query=one_line(last.query),
        command=command if len(command) <= _MOST_TEXT else "",
        page=page,
        has_page=bool(page) and beside is not None and (beside / page).is_file(),
    )
