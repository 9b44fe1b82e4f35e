"""Runs a query with skipping, in shadow mode, without skipping and in Spark, and compares the answers."""

from __future__ import annotations

import datetime as dt
import os
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from pyspark.sql import SparkSession

from pycompiler.tools.scan_log.scans import Scan

from ..tables import TableData
from .scans import ScanLog
from .session import Session
from .shadow import ShadowCheck

WITHOUT_SKIPPING = {"hudi.skipping.mode": "off", "hive.optimize.index.filter": "false"}
"""The reference also goes without Hive's own row-group filter, which loses rows where the CBO is bypassed."""

SHADOW = {"hudi.skipping.mode": "shadow"}
MODES_EVERY = int(os.environ.get("HUDI_SKIP_MODES_EVERY", "7"))
"""A test's first query and every n-th after it also run in shadow mode and without skipping; 1 runs all.

Not every second, third or fourth: of a loop over so many engines, it would always be the same one. Running
all in shadow mode took 7 of the suite's 27 minutes on two busy cores, and without skipping as many.
"""


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer, the scans that gave it, and in shadow mode the checks of files that would be skipped."""

    rows: tuple[tuple[Any, ...], ...]
    scans: tuple[Scan, ...]
    shadow_checks: tuple[ShadowCheck, ...] = ()

    @property
    def scan(self) -> Scan:
        """The one scan of a query that has only one."""
        assert len(self.scans) == 1, f"expected one scan, the log has {[scan.line for scan in self.scans]}"
        return self.scans[0]

    def column(self, index: int = 0) -> list[Any]:
        """One column of the answer."""
        return [row[index] for row in self.rows]

    def of(self, table: str) -> Scan:
        """The one scan of the table whose path ends with this name."""
        scans = tuple(scan for scan in self.scans if scan.table.rstrip("/").endswith("/" + table))
        return Checked((), scans).scan

    def kept(self, files: int) -> Checked:
        """Asserts that the one scan opened exactly this many files."""
        assert self.scan.kept == files, f"should have opened {files} files: {self.scan.line}"
        return self

    def skips(self) -> None:
        """Asserts that the one scan opened fewer files than there are."""
        assert self.scan.kept < self.scan.files, f"should have skipped files: {self.scan.line}"

    def kept_all(self, reason: str) -> Checked:
        """Asserts that every scan opened all files and that the reason in the log contains this text."""
        for scan in self.scans:
            assert scan.kept == scan.files, f"should have kept every file: {scan.line}"
            assert reason.lower() in scan.reason.lower(), f"should give a reason with {reason!r}: {scan.line}"
        return self


class Checker:
    """Compares answers of one session of one server; `spark` may be None where Spark means something else."""

    def __init__(self, session: Session, log: ScanLog, spark: SparkSession | None) -> None:
        self.session = session
        self.log = log
        self._spark = spark
        self._asked: Counter[str] = Counter()

    def run(self, query: str, settings: Mapping[str, str] | None = None, *, scans: int = 1) -> Checked:
        """Runs a query once, with the settings given, and finds the scans that it made."""
        tag = uuid.uuid4().hex
        position = self.log.position()
        with self.session.settings({**(settings or {}), "hive.query.tag": tag}):
            rows = tuple(self.session.rows(query))
        found = tuple(self.log.scans(tag, position, at_least=scans))
        would_skip = sum(scan.files - scan.kept for scan in found if scan.mode == "shadow")
        return Checked(rows, found, tuple(self.log.shadow_checks(tag, position, at_least=would_skip)))

    def __call__(
        self,
        query: str,
        settings: Mapping[str, str] | None = None,
        *,
        scans: int = 1,
        spark: bool | str = True,
    ) -> Checked:
        """Runs a query with skipping and in Spark, and asserts that the answers agree.

        Some of them, and all that Spark does not answer, run without skipping as well. Some run in shadow
        mode. It must check every skipped file and find no row for which the filter is TRUE: an outer join, a
        LIMIT or a count may hide such a row in the answer.

        Args:
            query: HiveQL; Spark runs the same text unless `spark` is another one, or False.
            settings: session settings for all runs in Hive.
            scans: how many scans must have logged a line at least.
            spark: whether Spark means the same by the query, or the text that does.

        Returns:
            The answer with skipping, and its scans.
        """
        with_skipping = self.run(query, settings, scans=scans)
        assert len(with_skipping.scans) >= scans, f"{query}: {scans} scans should have logged a line"
        is_taken = self._is_taken()
        oracle = None if spark is False else self._spark
        if is_taken or oracle is None:
            without = self.run(query, {**(settings or {}), **WITHOUT_SKIPPING}, scans=0)
            for scan in without.scans:
                assert scan.kept == scan.files, f"skipping was off, and yet: {scan.line}"
            assert_same_rows(
                with_skipping.rows, without.rows, f"with and without skipping: {query}", with_skipping.scans
            )
            if is_taken:
                shadow = self.run(query, {**(settings or {}), **SHADOW}, scans=scans)
                assert_no_violations(query, shadow, without)
        if oracle is not None:
            text = query if spark is True else str(spark)
            theirs = [tuple(row) for row in oracle.sql(text).collect()]
            assert_same_rows(with_skipping.rows, theirs, f"Hive and Spark: {query}", with_skipping.scans)
        return with_skipping

    def _is_taken(self) -> bool:
        """Whether the next query of the running test function, whatever its parameters, runs in all modes."""
        test = os.environ.get("PYTEST_CURRENT_TEST", "").partition("[")[0]
        self._asked[test] += 1
        return (self._asked[test] - 1) % MODES_EVERY == 0


def assert_same_rows(
    ours: Iterable[tuple[Any, ...]], theirs: Iterable[tuple[Any, ...]], what: str, scans: Iterable[Scan] = ()
) -> None:
    """Asserts that two answers are the same multiset of rows; the message shows the difference."""
    left, right = Counter(map(comparable, ours)), Counter(map(comparable, theirs))
    lines = "\n".join(scan.line for scan in scans)
    missing, extra = list((right - left).elements())[:10], list((left - right).elements())[:10]
    assert left == right, f"{what}\nmissing: {missing}\ntoo many: {extra}\n{lines}"


def assert_no_violations(query: str, shadow: Checked, without: Checked) -> None:
    """Asserts that a run in shadow mode answers as one without skipping, and found nothing wrong."""
    assert_same_rows(shadow.rows, without.rows, f"in shadow mode and without skipping: {query}", shadow.scans)
    wrong = [check.line for check in shadow.shadow_checks if check.violations or check.error]
    assert not wrong, f"{query}: skipping would have lost rows, or was not checked:\n" + "\n".join(wrong)
    # Where a join finds no value, Hive may stop before it opens a file of the other side.
    would_skip = sum(scan.files - scan.kept for scan in shadow.scans if ": 0 values" not in scan.joins)
    looked_at = sum(check.start == 0 for check in shadow.shadow_checks)
    # More when Tez runs a task again.
    assert looked_at >= would_skip, (
        f"{query}: {would_skip} files would be skipped and {looked_at} were checked: "
        f"{[scan.line for scan in shadow.scans]}"
    )


def assert_naive_loses(
    checked: Checked, table: TableData, naive: Iterable[int], *, why: str, key_column: int = 0
) -> None:
    """Control: a naive reader that keeps only the files `naive` would have lost rows of this answer.

    Without it the test that it belongs to could not fail.
    """
    needed = {table.file_of(key) for key in checked.column(key_column)}
    assert needed - set(naive), (
        f"the data of this test doesn't show the trap ({why}): files {sorted(needed)} are all kept"
    )


def comparable(row: tuple[Any, ...]) -> tuple[str, ...]:
    """A row as text, alike for Hive and for Spark."""
    return tuple(map(_text, row))


def _text(value: Any) -> str:
    match value:
        case None | bool():
            return str(value)
        case float():
            return repr(value)
        case Decimal():
            return str(value.normalize())
        case dt.datetime():
            return value.isoformat(sep=" ")
        case dt.date():
            return value.isoformat()
        case _:
            return str(value)
