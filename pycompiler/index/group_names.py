"""Locates the files of given file groups in an index, by file name."""

from bisect import bisect_right
from collections.abc import Collection
from itertools import accumulate

from pycompiler.index.manifest import RowGroup
from pycompiler.index.records import FileGroup


class GroupNames:
    """The names that files of some file groups may have.

    Hudi names base files `<file id>_…` and log files `.<file id>_…`, and rows are sorted by partition and
    name. So all base files of a group lie between two names, and so do its log files.
    """

    def __init__(self, groups: Collection[FileGroup]) -> None:
        # "`" follows "_" in ASCII.
        ranges = sorted(
            ((partition, f"{prefix}_"), (partition, f"{prefix}`"))
            for partition, file_id in groups
            for prefix in (file_id, f".{file_id}")
        )
        self._starts = [start for start, _ in ranges]
        self._last_end = list(accumulate((end for _, end in ranges), max))

    def overlaps(self, part: RowGroup) -> bool:
        """Whether a row group of kind `FILES` may contain files of one of the groups."""
        if part.first_name is None or part.last_name is None:
            return True
        begun = bisect_right(self._starts, part.last_name)
        return begun > 0 and self._last_end[begun - 1] > part.first_name
