"""The scan plan of a filter, and how many partitions of a table it leaves (docs/scan-plans.md)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pycompiler.expression.evaluator import FileStatistics
from pycompiler.expression.model import HudiExpression
from pycompiler.planner.catalogue import PartitionCatalogue, constant_values
from pycompiler.planner.generator import PartitionFilterGenerator
from pycompiler.planner.keys import KeyLayout
from pycompiler.table.files import FileSlice, TableFile


@dataclass(frozen=True, slots=True)
class PartitionVerdict:
    """Which partitions a filter can match.

    Attributes:
        plan: The plan, in the notation of docs/scan-plans.md.
        total: Partitions that have files.
        kept: Those that the plan leaves.
        without_key: Those among them whose values are not known, so that every plan leaves them.
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
    """Plans a filter and applies the plan to the partitions.

    Args:
        expression: The filter.
        layout: How the keys are made.
        slices: The file slices of the table.
        statistics: What the index has on the columns of the keys, by file.
        is_mixing: Whether a row of a slice with logs may be none of its files' rows.
    """
    partitions: defaultdict[str, list[FileStatistics]] = defaultdict(list)
    for each in slices:
        for file in each.files:
            known = {} if is_mixing and each.logs else statistics[file]
            partitions[file.path.rpartition("/")[0]].append(known)
    catalogue = PartitionCatalogue.of(
        layout, ((path, constant_values(layout, files)) for path, files in partitions.items())
    )
    plan = PartitionFilterGenerator(layout).plan(expression)
    return PartitionVerdict(plan.text(), len(catalogue), len(catalogue.select(plan)), len(catalogue.unkeyed))
