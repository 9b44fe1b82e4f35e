"""Where in an index the files of file groups can be, by their names."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection
from itertools import accumulate

from pycompiler.index.manifest import RowGroup
from pycompiler.index.records import FileGroup


class GroupNames:
    """The names that files of some file groups can have.

    Hudi names base files `<file id>_…` and log files `.<file id>_…`, and rows are sorted by partition and
    name: all base files of a group are between two names, and all of its log files.

    Args:
        groups: Partition and file id of each.
    """

    def __init__(self, groups: Collection[FileGroup]) -> None:
        # "`" is the character after "_".
        ranges = sorted(
            ((partition, f"{prefix}_"), (partition, f"{prefix}`"))
            for partition, file_id in groups
            for prefix in (file_id, f".{file_id}")
        )
        self._starts = [start for start, _ in ranges]
        self._last_end = list(accumulate((end for _, end in ranges), max))

    def may_be_in(self, part: RowGroup) -> bool:
        """Whether files of one of the groups may be among those of a row group of kind `FILES`."""
        if part.first_name is None or part.last_name is None:
            return True
        begun = bisect_right(self._starts, part.last_name)
        return begun > 0 and self._last_end[begun - 1] > part.first_name
