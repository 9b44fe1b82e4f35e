from pathlib import Path

import pytest

from pycompiler.index.file_systems.location import Location
from pycompiler.table.timeline import Timeline
from pycompiler.tools.pull.errors import PullError
from pycompiler.tools.pull.range import CommitRange, next_range

FIRST, SECOND, THIRD = "20260101000000001", "20260102000000001", "20260103000000001"
FOURTH, LAST = "20260104000000001", "20260105000000001"


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
        f"{FIRST}_{FOURTH}.commit",
        f"{SECOND}_20260102000000009.deltacommit",
        f"{THIRD}_20260103000000009.clean",
        f"{LAST}.deltacommit.inflight",
    )


def found(timeline: Timeline, after: str, max_commits: int = -1) -> CommitRange:
    """The next commits, for which nothing had to be left out."""
    commits, pending = next_range(timeline, after, max_commits)
    assert commits is not None and not pending, (commits, pending)
    return commits


def test_commits_are_taken_in_the_order_in_which_they_completed(tmp_path: Path) -> None:
    timeline = late(tmp_path)
    first = found(timeline, "0", 1)
    assert first == CommitRange("0", "20260102000000009", True, 1)
    second = found(timeline, first.until)
    assert second == CommitRange("20260102000000009", FOURTH, True, 1)
    assert next_range(timeline, second.until, -1) == (None, ""), "what is pending has held nothing back"


def test_a_range_of_completions_starts_behind_the_last_one(tmp_path: Path) -> None:
    assert found(late(tmp_path), "20260102000000009").settings("flights") == {
        "hoodie.flights.consume.mode": "INCREMENTAL",
        "hoodie.flights.consume.start.timestamp": "20260102000000010",
        "hoodie.flights.consume.end.timestamp": FOURTH,
        "hoodie.flights.consume.max.commits": "-1",
        "hoodie.flights.consume.range": "completion",
    }


@pytest.mark.parametrize("version", [6, 8])
def test_a_range_ends_before_the_oldest_write_under_way(tmp_path: Path, version: int) -> None:
    def done(instant: str) -> str:
        return f"{instant}_{instant}.deltacommit" if version == 8 else f"{instant}.deltacommit"

    pending = f"{SECOND}.deltacommit.requested", f"{SECOND}.deltacommit.inflight"
    timeline = table(tmp_path, done(FIRST), *pending, done(THIRD), done(FOURTH), version=version)
    commits = CommitRange("0", FIRST, version == 8, 1)
    assert next_range(timeline, "0", -1) == (commits, SECOND)
    assert next_range(timeline, "0", 1) == (commits, ""), "one commit was asked for, and taken"
    assert next_range(timeline, FIRST, 1) == (None, SECOND)
    completed = table(tmp_path, done(SECOND), version=version)
    assert found(completed, FIRST) == CommitRange(FIRST, FOURTH, version == 8, 3), "it comes, too"


def test_a_commit_that_completed_after_a_write_began_waits_for_it(tmp_path: Path) -> None:
    # Completion times follow on one another only where all writers share a lock.
    timeline = table(tmp_path, f"{FIRST}_{THIRD}.commit", f"{SECOND}.commit.requested")
    assert next_range(timeline, "0", -1) == (None, SECOND)


def test_the_beginning_is_no_time_of_completion(tmp_path: Path) -> None:
    timeline = table(tmp_path, f"{FIRST}_{FIRST}.commit")
    assert found(timeline, "0").settings("t")["hoodie.t.consume.start.timestamp"] == "0"


def test_before_version_8_requested_times_count(tmp_path: Path) -> None:
    # The plan of a compaction brings no rows, so it holds nothing back.
    names = f"{FIRST}.commit", f"{FIRST}.compaction.requested", f"{SECOND}.commit"
    commits = found(table(tmp_path, *names, version=6), FIRST)
    assert commits == CommitRange(FIRST, SECOND, False, 1)
    assert commits.settings("t")["hoodie.t.consume.start.timestamp"] == FIRST


@pytest.mark.parametrize("version", [6, 8])
def test_a_start_to_the_second_excludes_all_of_its_second(tmp_path: Path, version: int) -> None:
    names = (f"{instant}_{instant}" if version == 8 else instant for instant in (FIRST, SECOND))
    commits = found(table(tmp_path, *(f"{name}.commit" for name in names), version=version), FIRST[:14])
    assert (commits.until, commits.commits) == (SECOND, 1)
    start = "20260101000001000" if version == 8 else "20260101000000999"
    assert commits.settings("t")["hoodie.t.consume.start.timestamp"] == start


def test_archived_commits_and_odd_starts_are_refused(tmp_path: Path) -> None:
    timeline = table(tmp_path, f"{SECOND}_{SECOND}.commit", archived=True)
    with pytest.raises(PullError, match=f"have been archived.*--from {SECOND}"):
        next_range(timeline, "0", -1)
    with pytest.raises(PullError, match="is not a Hudi instant"):
        next_range(timeline, "yesterday", -1)
    assert next_range(timeline, SECOND, -1) == (None, "")
