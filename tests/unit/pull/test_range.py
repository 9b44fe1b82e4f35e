from __future__ import annotations

from pathlib import Path

import pytest

from pycompiler.index.storage.location import Location
from pycompiler.pull.errors import PullError
from pycompiler.pull.range import CommitRange, next_range
from pycompiler.table.timeline import Timeline

FIRST, SECOND, THIRD = "20260101000000001", "20260102000000001", "20260103000000001"


def table(path: Path, *names: str, version: int = 8, archived: bool = False) -> Timeline:
    folder = path / ".hoodie" / ("timeline" if version >= 8 else "")
    folder.mkdir(parents=True, exist_ok=True)
    properties = f"hoodie.table.version={version}\nhoodie.table.type=COPY_ON_WRITE\n"
    properties += f"hoodie.table.timeline.layout.version={version // 6}\nhoodie.archivelog.folder=history\n"
    (path / ".hoodie" / "hoodie.properties").write_text(properties)
    for name in names:
        (folder / name).write_text("{}")
    if archived:
        for archive in (folder / "history", path / ".hoodie" / "history"):
            archive.mkdir(exist_ok=True)
            (archive / "manifest_1").write_text("{}")
    return Timeline.of(Location.parse(str(path)))


def late(tmp_path: Path) -> Timeline:
    """A table whose first commit completed last."""
    return table(
        tmp_path,
        f"{FIRST}_20260104000000001.commit",
        f"{SECOND}_20260102000000009.deltacommit",
        f"{THIRD}.deltacommit.inflight",
        f"{THIRD}_20260103000000009.clean",
    )


def test_commits_are_taken_in_the_order_in_which_they_completed(tmp_path: Path) -> None:
    timeline = late(tmp_path)
    first = next_range(timeline, "0", 1)
    assert first == CommitRange("0", "20260102000000009", True, 1)
    second = next_range(timeline, first.until, -1)
    assert second == CommitRange("20260102000000009", "20260104000000001", True, 1)
    assert next_range(timeline, second.until, -1) is None


def test_a_range_of_completions_starts_behind_the_last_one(tmp_path: Path) -> None:
    found = next_range(late(tmp_path), "20260102000000009", -1)
    assert found is not None
    assert found.settings("flights") == {
        "hoodie.flights.consume.mode": "INCREMENTAL",
        "hoodie.flights.consume.start.timestamp": "20260102000000010",
        "hoodie.flights.consume.end.timestamp": "20260104000000001",
        "hoodie.flights.consume.max.commits": "-1",
        "hoodie.flights.consume.range": "completion",
    }


def test_the_beginning_is_no_time_of_completion(tmp_path: Path) -> None:
    timeline = table(tmp_path, f"{FIRST}_{FIRST}.commit")
    found = next_range(timeline, "0", -1)
    assert found is not None
    assert found.settings("t")["hoodie.t.consume.start.timestamp"] == "0"


def test_before_version_8_requested_times_count(tmp_path: Path) -> None:
    timeline = table(tmp_path, f"{FIRST}.commit", f"{SECOND}.commit", version=6)
    found = next_range(timeline, FIRST, -1)
    assert found == CommitRange(FIRST, SECOND, False, 1)
    assert found.settings("t")["hoodie.t.consume.start.timestamp"] == FIRST


def test_archived_commits_and_odd_starts_are_refused(tmp_path: Path) -> None:
    timeline = table(tmp_path, f"{SECOND}_{SECOND}.commit", archived=True)
    with pytest.raises(PullError, match=f"have been archived.*--from {SECOND}"):
        next_range(timeline, "0", -1)
    with pytest.raises(PullError, match="is no instant"):
        next_range(timeline, "yesterday", -1)
    assert next_range(timeline, SECOND, -1) is None
