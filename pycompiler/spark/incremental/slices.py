"""The file slices that a range of commits wrote, and which of them a condition excludes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from pycompiler.compiler.compile import compile_predicate
from pycompiler.expression.evaluator import FileStatistics, evaluate
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.manifest import SeenTimeline
from pycompiler.index.records import FileGroup
from pycompiler.index.storage.factory import open_source
from pycompiler.index.storage.location import Location
from pycompiler.log_files.names import LogName
from pycompiler.predicate.model import Predicate
from pycompiler.spark.errors import IncrementalReadError
from pycompiler.table.changes import CompletionOf, completions, is_read_with
from pycompiler.table.errors import UnknownChangesError
from pycompiler.table.timeline import Timeline, WrittenFile

_AT_ONCE: Final = 16
"""Files whose sizes are asked for at the same time."""
_PLAIN: Final = re.compile(r"[\w\-]+", re.ASCII)
_NO_FILE: Final = "/-"
_MOST_IN_PATTERN: Final = 10_000
"""Hadoop takes seconds for a pattern of more."""


@dataclass(frozen=True, slots=True)
class WrittenSlice:
    """What a range of commits wrote into a file group, as far as it is there.

    Attributes:
        file_id: Hudi's id of the file group.
        names: Names of all the files that they wrote into it, without their folders.
        sizes: Bytes of the files that rows may be read from, by path relative to the table.
        has_logs: Whether log files are among these.
    """

    file_id: str
    names: tuple[str, ...]
    sizes: dict[str, int]
    has_logs: bool


def written_slices(table: Location, timeline: Timeline, instants: Collection[str]) -> list[WrittenSlice]:
    """Puts the files of some commits together to slices.

    Args:
        table: Root of the table.
        timeline: A look at its active timeline, at which the commits were completed.
        instants: The commits.

    Raises:
        IncrementalReadError: A file was cleaned without which rows would be missing.
        TableUnreadableError: A commit can't be read.
        OSError: The file system failed.
    """
    groups: defaultdict[FileGroup, dict[str, WrittenFile]] = defaultdict(dict)
    replaced: set[FileGroup] = set()
    for entry in timeline.commits:
        if entry.instant in instants:
            commit = timeline.commit(entry)
            replaced |= commit.replaced
            for file in commit.files:
                groups[file.partition, file.file_id][file.path] = file
    completion_of = completions(timeline, SeenTimeline(frozenset(), frozenset()))
    # What was replaced is not read, and may be gone.
    parts = [
        _Group(tuple(files.values()), () if group in replaced else _required(files.values(), completion_of))
        for group, files in groups.items()
    ]
    read = sorted({file.path for part in parts for file in part.candidates})
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        sizes = dict(zip(read, pool.map(lambda path: _size(table.child(path)), read), strict=True))
    gone = next((file for part in parts for file in part.required if sizes[file.path] is None), None)
    if gone is not None:
        raise IncrementalReadError(
            f"{gone.path} of {table}, which a commit of the range has written, was cleaned: end the range"
            " later, or have the cleaner keep more commits (hoodie.clean.commits.retained)"
        )
    return [part.as_written(sizes) for part in parts]


@dataclass(frozen=True, slots=True)
class _Group:
    """A file group.

    Attributes:
        files: All that was written into it.
        required: Those without which rows would be missing.
    """

    files: tuple[WrittenFile, ...]
    required: tuple[WrittenFile, ...]

    @property
    def candidates(self) -> list[WrittenFile]:
        """The files that rows may be read from: the last base file, and any log file."""
        base = _last_base(self.files)
        return [file for file in self.files if file is base or (file.is_log and not _holds_changes(file))]

    def as_written(self, sizes: dict[str, int | None]) -> WrittenSlice:
        there = {file.path: size for file in self.candidates if (size := sizes[file.path]) is not None}
        has_logs = any(file.is_log and file.path in there for file in self.files)
        names = tuple(_name(file.path) for file in self.files)
        return WrittenSlice(self.files[0].file_id, names, there, has_logs)


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


def _size(file: Location) -> int | None:
    try:
        with open_source(str(file)) as source:
            size: int = source.size()
            return size
    except FileNotFoundError:
        return None


def slices_that_may_match(
    slices: Sequence[WrittenSlice], predicate: Predicate, index: StatisticsIndex, are_records_whole: bool
) -> list[WrittenSlice]:
    """Leaves out the slices that have no row for which a condition is TRUE.

    Each row of a slice is a row of its last base file or a record of one of its logs, as a whole: if all of
    these files exclude the condition, so does the slice (docs/format.md, section 2).

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
        place
        for place, each in enumerate(slices)
        if not each.sizes or (each.has_logs and not are_records_whole)
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


def pattern_of(slices: Sequence[WrittenSlice]) -> str | None:
    """A glob pattern, for Hudi's reader, of the ends of the paths of the slices' files.

    Returns:
        None if there are too many, or files whose names do not tell the file group.
    """
    if len(slices) > _MOST_IN_PATTERN or not all(map(_is_named_by_group, slices)):
        return None
    # Sorted, so that the expression that Hadoop makes of it branches like a tree.
    ids = sorted({each.file_id for each in slices})
    return f"{{/,/.}}{{{','.join(ids)}}}_*" if ids else _NO_FILE


def _is_named_by_group(each: WrittenSlice) -> bool:
    # `<file id>_….parquet`, and of a log `.<file id>_….log.…`
    begins = f"{each.file_id}_", f".{each.file_id}_"
    return _PLAIN.fullmatch(each.file_id) is not None and all(name.startswith(begins) for name in each.names)
