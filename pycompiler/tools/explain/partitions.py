"""The scan plan of a filter, and how many partitions it leaves (docs/inside/formats.md)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pycompiler.compile.expression.evaluator import FileStatistics
from pycompiler.compile.expression.model import HudiExpression
from pycompiler.compile.planner.generator import PartitionFilterGenerator
from pycompiler.compile.planner.keys import KeyLayout
from pycompiler.compile.planner.sorted_partitions import SortedPartitions, constant_values
from pycompiler.table.files import FileSlice, TableFile


@dataclass(frozen=True, slots=True)
class PartitionVerdict:
    """Which partitions a filter can match.

    Attributes:
        plan: The plan, in the notation of docs/inside/formats.md.
        total: Number of partitions with files.
        kept: Number of partitions that the plan leaves.
        without_key: How many of these every plan leaves, because their values are unknown.
    """

    plan: str
    total: int
    kept: int
    without_key: int


def partition_verdict(
    expression: HudiExpression,
    layout: KeyLayout,
    slices: Iterable[FileSlice],
    statistics: Mapping[TableFile, FileStatistics],
    *,
    is_mixing: bool,
) -> PartitionVerdict:
    """Plans a filter and applies the plan to the partitions, given statistics of their key columns.

    If the table is mixing, a row of a slice with logs may combine rows of several files.
    """
    partitions: defaultdict[str, list[FileStatistics]] = defaultdict(list)
    for each in slices:
        for file in each.files:
            known = {} if is_mixing and each.logs else statistics[file]
            partitions[file.path.rpartition("/")[0]].append(known)
    catalogue = SortedPartitions.of(
        layout, ((path, constant_values(layout, files)) for path, files in partitions.items())
    )
    plan = PartitionFilterGenerator(layout).plan(expression)
    return PartitionVerdict(plan.text(), len(catalogue), len(catalogue.select(plan)), len(catalogue.unkeyed))
