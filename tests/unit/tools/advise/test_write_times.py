"""How long Hudi's tasks took to write files."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pycompiler.index.file_systems.location import Location
from pycompiler.table.timeline import Timeline
from pycompiler.tools.advise.write_times import Timed, TimePerByte, write_time, write_time_per_byte
from tests.unit.tools.explain.tables import Table, at


def say_times(table: Table, second: int, times: Sequence[dict[str, Any] | None], size: int = 1_000) -> None:
    """Lets a commit say how long it took to write so many files."""
    (file,) = (table.root / ".hoodie" / "timeline").glob(f"{at(second)}_*")
    stats = [
        {"path": f"p/{number}.parquet", "fileId": str(number), "fileSizeInBytes": size, "runtimeStats": each}
        for number, each in enumerate(times)
    ]
    file.write_text(json.dumps({"partitionToWriteStats": {"p": stats}}))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "t")


def timeline(table: Table) -> Timeline:
    return Timeline.of(Location.parse(str(table.root)))


def created(milliseconds: int) -> dict[str, Any]:
    return {"totalScanTime": 0, "totalCreateTime": milliseconds, "totalUpsertTime": 0}


def test_the_newest_commits_say_how_long_files_took(table: Table) -> None:
    for second in (1, 3, 5):
        table.base("a", second, range(1))
    say_times(table, 1, [created(9_000)] * 60)
    say_times(table, 3, [created(100), created(200), None, created(400), {"totalUpsertTime": 300}])
    say_times(table, 5, [created(200)] * 98)
    found = write_time_per_byte(timeline(table))
    assert found is not None
    assert (found.files, found.seconds, found.error) == (102, 0.2 / 1_000, 0), (
        "the first commit is not needed"
    )
    written = write_time(timeline(table), {at(5), at(9)})
    assert written is not None and written.size == 98_000 and written.seconds == pytest.approx(98 * 0.2)
    assert write_time(timeline(table), set()) is None


def test_commits_that_say_nothing_leave_it_unknown(table: Table) -> None:
    table.base("a", 1, range(1))
    table.log("a", 3)
    assert write_time_per_byte(timeline(table)) is None


def test_commits_are_asked_before_delta_commits(table: Table) -> None:
    table.base("a", 1, range(1))
    say_times(table, 1, [created(300)])
    for second in range(3, 31, 2):
        table.log("a", second)
    found = write_time_per_byte(timeline(table))
    assert found is not None and found.files == 1


def test_half_of_the_bytes_took_less() -> None:
    assert TimePerByte.of([Timed(1, seconds) for seconds in (1, 2, 3, 4)]) == TimePerByte(2, 1, 4)
    assert TimePerByte.of([Timed(2, 4)]) == TimePerByte(2, 0, 1)
    assert TimePerByte.of([]) is None
    small, large = [Timed(1_000, 0.2)] * 90, [Timed(1_000_000, 1.0)] * 10
    assert TimePerByte.of(small + large) == TimePerByte(1e-6, 0, 100), "files count by their bytes"


def test_a_commit_that_is_damaged_or_archived_does_not_fail_the_advice(table: Table) -> None:
    for second in (1, 3):
        table.base("a", second, range(1))
    say_times(table, 1, [created(300)])
    (file,) = (table.root / ".hoodie" / "timeline").glob(f"{at(3)}_*")
    for content in ("{", '{"partitionToWriteStats": {"p": [7]}}', "Obj\x01"):
        file.write_text(content)
        found = write_time_per_byte(timeline(table))
        assert found is not None and found.files == 1, content
