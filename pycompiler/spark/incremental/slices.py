"""The file groups that a range of commits wrote to, and which of their slices a condition excludes."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeAlias

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import FileStatistics, evaluate
from pycompiler.compile.predicate.model import Predicate
from pycompiler.index.file_systems.factory import open_source
from pycompiler.index.file_systems.location import Location
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.records import FileGroup, WriteStatus
from pycompiler.spark.errors import IncrementalReadError
from pycompiler.spark.incremental.commits import Commits
from pycompiler.table.latest import completions, latest_slice
from pycompiler.table.timeline import Timeline, WrittenFile

_AT_ONCE: Final = 16
"""Concurrent requests for file sizes."""
_REPLACING: Final = "replacecommit"


Slices: TypeAlias = Mapping[FileGroup, Sequence[WriteStatus]]
"""The files that each file group's rows are read from."""


def touched_groups(table: Location, timeline: Timeline, commits: Commits) -> frozenset[FileGroup]:
    """The file groups that may have rows of some commits in the state at the end of their range.

    These are the groups that the commits wrote to. Clustering keeps the commit times of rows, so groups
    written by a replacement are included too if it was requested before the end and completed after the
    start, as far as that is recorded; one that completed earlier cannot contain the commits' rows.

    Raises:
        IncrementalReadError: A file was cleaned without which rows would be missing.
        TableUnreadableError: A commit cannot be read.
    """
    groups: defaultdict[FileGroup, dict[str, WrittenFile]] = defaultdict(dict)
    replaced: set[FileGroup] = set()
    for entry in timeline.commits:
        is_wanted = entry.instant in commits.instants
        if is_wanted or (entry.action == _REPLACING and entry.instant <= commits.as_of):
            commit = timeline.commit(entry)
            replaced |= commit.replaced
            # Not recorded before table version 8.
            if is_wanted or not entry.completion or entry.completion >= commits.start:
                for file in commit.files:
                    groups[file.partition, file.file_id][file.path] = file
    completion_of = completions(timeline)
    # Replaced groups are not read, and their files may be gone.
    live = {group: files for group, files in groups.items() if group not in replaced}
    slices = [latest_slice(files.values(), completion_of) for files in live.values()]
    # These are surely read.
    required = [file for found in slices for file in (found.base, *found.logs) if file is not None]
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        are_there = pool.map(lambda file: _exists(table.child(file.path)), required)
        gone = next((file for file, there in zip(required, are_there, strict=True) if not there), None)
    if gone is not None:
        raise IncrementalReadError(
            f"{gone.path} of {table}, which a commit of the range wrote, has been cleaned: end the range"
            " later, or configure the cleaner to retain more commits (hoodie.clean.commits.retained)"
        )
    return frozenset(live)


def slices_of(files: Iterable[WriteStatus], groups: Collection[FileGroup]) -> Slices:
    """Groups files into the slices of some file groups; a group without files gets an empty slice."""
    found: dict[FileGroup, list[WriteStatus]] = {group: [] for group in groups}
    for file in files:
        if (group := (file.partition, file.file_id)) in found:
            found[group].append(file)
    return found


def _exists(file: Location) -> bool:
    try:
        with open_source(str(file)):
            return True
    except FileNotFoundError:
        return False


def groups_that_may_match(
    slices: Slices, predicate: Predicate, index: StatisticsIndex, are_records_whole: bool
) -> frozenset[FileGroup]:
    """The file groups that may have a row for which a condition is TRUE.

    Each row of a slice is one whole row of its base file or one whole record of its logs: if all of these
    files exclude the condition, so does the slice (docs/inside/formats.md, section 2). A log of partial
    updates has no statistics, and excludes nothing.

    Unless each row is one whole record (`are_records_whole`), no slice with logs is dropped.

    Raises:
        IndexDamagedError: The index is unusable.
    """
    expression = compile_predicate(predicate).expression
    found = index.statistics(expression.columns())
    groups: list[FileGroup] = []
    statistics: list[FileStatistics] = []
    kept: set[FileGroup] = set()
    for group, files in slices.items():
        if not files or (not are_records_whole and any(file.is_log for file in files)):
            kept.add(group)
        for file in files:
            groups.append(group)
            statistics.append(
                {
                    column: known.statistics
                    for column, of_file in found.items()
                    if (known := of_file.get(file.relative_path)) is not None and known.file_size == file.size
                }
            )
    votes = evaluate(expression, statistics)
    return frozenset(kept.union(group for group, keep in zip(groups, votes, strict=True) if keep))
