"""What a copy proves about a forecast."""

from collections.abc import Mapping
from dataclasses import dataclass

from pycompiler.advise.chosen_kinds import ChosenKinds, KindKey
from pycompiler.advise.costs import Timed
from pycompiler.advise.reads import Read


@dataclass(frozen=True, slots=True)
class Proof:
    """What the conditions of a workload keep of a copy.

    Attributes:
        reads: What each condition keeps.
        reads_before: What it would keep without the kinds of records that were added to the index.
        reads_without: What it would keep without the records of one kind about one column.
        files: Number of file slices of the copy.
        size: Bytes of the copy.
        kind_sizes: Bytes of the records of each kind about each column.
        writing: The bytes that clustering wrote, and how long Hudi's tasks took for that. None without
            clustering, or if Hudi has not recorded it.
        seconds: How long it took to build the index.
        forecast: What was to be expected of as many files, as Hudi decides how many there are.
    """

    reads: tuple[Read, ...]
    reads_before: tuple[Read, ...]
    reads_without: Mapping[KindKey, tuple[Read, ...]]
    files: int
    size: int
    kind_sizes: Mapping[KindKey, int]
    writing: Timed | None
    seconds: float
    forecast: ChosenKinds
