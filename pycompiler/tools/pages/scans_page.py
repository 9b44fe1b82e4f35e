"""The page of `hudi-skip scans`: what queries read and skipped over time, and which read most."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

from pycompiler.compile.predicate.text import shorten
from pycompiler.figures import bytes_text
from pycompiler.one_line import one_line
from pycompiler.tools.pages.axis import Tick
from pycompiler.tools.pages.charts import Chart, Stack
from pycompiler.tools.pages.page import Page, quoted, rendered
from pycompiler.tools.scan_log.conditions import sql_condition
from pycompiler.tools.scan_log.scans import Scan

_MOST_SECTIONS: Final = 120
_MOST_GROUPS: Final = 50
_MOST_TEXT: Final = 2000
_MOST_REASON: Final = 300


class ScanGroup:
    """Scans that are counted together, latest last: sums of their attributes, and their query tags."""

    def __init__(self, scans: Sequence[Scan]) -> None:
        self.scans = scans
        self.last = scans[-1] if scans else None
        self.files = sum(scan.files for scan in scans)
        self.kept = sum(scan.kept for scan in scans)
        self.size = sum(scan.size for scan in scans)
        self.kept_size = sum(scan.kept_size for scan in scans)
        self.tags = sorted({scan.tag for scan in scans if scan.tag})


def page_of_scans(log: str, scans: Sequence[Scan], beside: Path | None = None) -> Page:
    """Draws the scans of a log.

    Args:
        log: Name of the log, for the heading.
        scans: Its scans, latest last.
        beside: The directory where pages of `hudi-skip explain` are linked if they are there.
    """
    total = ScanGroup(scans)
    groups = _groups(scans, lambda scan: (scan.table, scan.expression, scan.reason))
    return rendered(
        "scans",
        f"{bytes_text(total.size - total.kept_size)} of {bytes_text(total.size)} skipped: {log}",
        log=log,
        total=total,
        queries=len({scan.query for scan in scans}),
        shadowed=sum(scan.mode == "shadow" for scan in scans),
        chart=_time_chart(scans) if scans else None,
        tables=_groups(scans, lambda scan: scan.table),
        groups=[(group, *_explained(group.scans[-1], beside)) for group in groups[:_MOST_GROUPS]],
        all_groups=len(groups),
        reasons=Counter(
            one_line(shorten(scan.reason, _MOST_REASON)) for scan in scans if scan.reason
        ).most_common(20),
    )


def explanation_name(table: str, condition: str) -> str:
    """The file name under which a page of scans looks for the page that explains a condition."""
    named = "\n".join((table, condition))
    return f"explain-{sha256(named.encode(errors='replace')).hexdigest()[:8]}.html"


def _explained(scan: Scan, beside: Path | None) -> tuple[str, str]:
    """The command that explains a scan, and the name of the page that it has written if that is there.

    Both are empty if the log does not have the whole condition.
    """
    if (condition := sql_condition(scan.expression)) is None:
        return "", ""
    page = explanation_name(scan.table, condition)
    command = f"hudi-skip explain {quoted(scan.table)} --where {quoted(condition)} --html {page}"
    is_there = beside is not None and (beside / page).is_file()
    return command if len(command) <= _MOST_TEXT else "", page if is_there else ""


def _groups(scans: Iterable[Scan], key: Callable[[Scan], Hashable]) -> list[ScanGroup]:
    """The groups of scans, by the bytes that they read."""
    groups: dict[Hashable, list[Scan]] = {}
    for scan in scans:
        groups.setdefault(key(scan), []).append(scan)
    return sorted(map(ScanGroup, groups.values()), key=lambda group: -group.kept_size)


def _time_chart(scans: Sequence[Scan]) -> Chart:
    """Bytes that scans read and skipped, over time, or in the order of the log if it has no times."""
    times = [scan.time for scan in scans if scan.time is not None]
    is_timed = len(times) == len(scans) and min(times) < max(times)
    if is_timed:
        first, span, number = min(times), max(times) - min(times), _MOST_SECTIONS
        places = [min(int((time - first) / span * number), number - 1) for time in times]
        ticks = [Tick(at / 4, _to_the_second(first + span * at / 4)) for at in range(5)]
        names = [_to_the_second(first + span * at / number) for at in range(number)]
    else:
        number = min(len(scans), _MOST_SECTIONS)
        places = [place * number // len(scans) for place in range(len(scans))]
        ticks = [Tick(0, "first scan"), Tick(1, "last scan")]
        names = [f"from scan {-(-at * len(scans) // number) + 1:,} on" for at in range(number)]
    sections: list[list[Scan]] = [[] for _ in range(number)]
    for scan, place in zip(scans, places, strict=True):
        sections[place].append(scan)
    stacks = [_stack(name, ScanGroup(of_one)) for name, of_one in zip(names, sections, strict=True)]
    return Chart(ticks, stacks, "" if is_timed else "in the order of the log, which has no times")


def _to_the_second(time: datetime) -> str:
    return time.isoformat(" ", "seconds")


def _stack(name: str, group: ScanGroup) -> Stack:
    kept, skipped = group.kept_size, group.size - group.kept_size
    count = f"{len(group.scans):,} scan{'' if len(group.scans) == 1 else 's'}"
    return Stack(kept, skipped, f"{name}: {count}, {bytes_text(kept)} read, {bytes_text(skipped)} skipped")
