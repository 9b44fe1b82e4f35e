"""The file groups that a range of commits wrote into, and which of their slices a condition excludes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from pycompiler.compiler.compile import compile_predicate
from pycompiler.expression.evaluator import FileStatistics, evaluate
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import SeenTimeline
from pycompiler.index.records import FileGroup, WriteStatus
from pycompiler.index.storage.factory import open_source
from pycompiler.index.storage.location import Location
from pycompiler.log_files.names import LogName
from pycompiler.predicate.model import Predicate
from pycompiler.spark.errors import IncrementalReadError
from pycompiler.spark.incremental.commits import Commits
from pycompiler.table.changes import CompletionOf, completions, is_read_with
from pycompiler.table.errors import UnknownChangesError
from pycompiler.table.timeline import Timeline, WrittenFile

_AT_ONCE: Final = 16
"""Files whose sizes are asked for at the same time."""
_REPLACING: Final = "replacecommit"


@dataclass(frozen=True, slots=True)
class FileSlice:
    """What the rows of a file group are read from.

    Attributes:
        group: Partition and id of the file group.
        sizes: Bytes of its files, by path relative to the table.
        logs: Paths of those that are log files.
    """

    group: FileGroup
    sizes: Mapping[str, int]
    logs: tuple[str, ...]


def touched_groups(table: Location, timeline: Timeline, commits: Commits) -> frozenset[FileGroup]:
    """The file groups that may have rows of some commits in the state as of the end of their range.

    These are the groups that the commits wrote into; and, as clustering keeps the commit times of rows, those
    that a replacement wrote which is of that state by the time of its request, and completed since the start
    as far as that is recorded: one that had completed before has not seen the commits.

    Args:
        table: Root of the table.
        timeline: A look at its active timeline, at which the commits were completed.
        commits: The commits.

    Raises:
        IncrementalReadError: A file was cleaned without which rows would be missing.
        TableUnreadableError: A commit can't be read.
        OSError: The file system failed.
    """
    groups: defaultdict[FileGroup, dict[str, WrittenFile]] = defaultdict(dict)
    replaced: set[FileGroup] = set()
    for entry in timeline.commits:
        is_replacing = entry.action == _REPLACING and entry.instant <= commits.as_of
        if entry.instant in commits.instants or is_replacing:
            commit = timeline.commit(entry)
            replaced |= commit.replaced
            # Before table version 8 it is not recorded.
            has_seen_range = not entry.completion or entry.completion >= commits.start
            if entry.instant in commits.instants or has_seen_range:
                for file in commit.files:
                    groups[file.partition, file.file_id][file.path] = file
    completion_of = completions(timeline, SeenTimeline(frozenset(), frozenset()))
    # What was replaced is not read, and may be gone.
    live = {group: files for group, files in groups.items() if group not in replaced}
    required = [file for files in live.values() for file in _required(files.values(), completion_of)]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        are_there = pool.map(lambda file: _is_there(table.child(file.path)), required)
        gone = next((file for file, there in zip(required, are_there, strict=True) if not there), None)
    if gone is not None:
        raise IncrementalReadError(
            f"{gone.path} of {table}, which a commit of the range has written, was cleaned: end the range"
            " later, or have the cleaner keep more commits (hoodie.clean.commits.retained)"
        )
    return frozenset(live)


def slices_of(files: Iterable[WriteStatus], groups: Collection[FileGroup]) -> list[FileSlice]:
    """Puts the files of some file groups together to slices.

    Args:
        files: Files of slices of these groups and of others.
        groups: The groups. Each has a slice; one of which there is no file has an empty one.
    """
    found: dict[FileGroup, list[WriteStatus]] = {group: [] for group in sorted(groups)}
    for file in files:
        if (group := (file.partition, file.file_id)) in found:
            found[group].append(file)
    return [
        FileSlice(
            group,
            {file.relative_path: file.size for file in of_group},
            tuple(file.relative_path for file in of_group if file.is_log),
        )
        for group, of_group in found.items()
    ]


def _required(files: Iterable[WrittenFile], completion_of: CompletionOf) -> tuple[WrittenFile, ...]:
    base = _last_base(files)
    return tuple(
        file
        for file in files
        if file is base
        or (file.is_log and not _holds_changes(file) and _is_surely_read(file, base, completion_of))
    )


def _is_surely_read(log: WrittenFile, base: WrittenFile | None, completion_of: CompletionOf) -> bool:
    try:
        return base is None or is_read_with(log, base.commit_time, completion_of)
    except UnknownChangesError:
        return False


def _last_base(files: Iterable[WrittenFile]) -> WrittenFile | None:
    return max((file for file in files if not file.is_log), key=lambda file: file.commit_time, default=None)


def _holds_changes(log: WrittenFile) -> bool:
    name = LogName.parse(_name(log.path))
    return name is not None and name.holds_changes


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _is_there(file: Location) -> bool:
    try:
        with open_source(str(file)):
            return True
    except FileNotFoundError:
        return False


def slices_that_may_match(
    slices: Sequence[FileSlice], predicate: Predicate, index: StatisticsIndex, are_records_whole: bool
) -> list[FileSlice]:
    """Leaves out the slices that have no row for which a condition is TRUE.

    Each row of a slice is a row of its base file or a record of one of its logs, as a whole: if all of these
    files exclude the condition, so does the slice (docs/format.md, section 2). A log of partial updates has
    no statistics, and excludes nothing.

    Args:
        slices: The slices.
        predicate: The condition.
        index: Statistics of the table's files.
        are_records_whole: Whether each row is one record as a whole; if not, no slice with logs is left out.

    Raises:
        IndexDamagedError: The index cannot be used.
    """
    expression = compile_predicate(predicate).expression
    found = index.statistics(expression.columns())
    places: list[int] = []
    statistics: list[FileStatistics] = []
    kept = {
        place for place, each in enumerate(slices) if not each.sizes or (each.logs and not are_records_whole)
    }
    for place, each in enumerate(slices):
        for path, size in each.sizes.items():
            places.append(place)
            statistics.append(
                {
                    column: known.statistics
                    for column, of_file in found.items()
                    if (known := of_file.get(path)) is not None and known.file_size == size
                }
            )
    votes = evaluate(expression, statistics)
    kept |= {place for place, keep in zip(places, votes, strict=True) if keep}
    return [slices[place] for place in sorted(kept)]
