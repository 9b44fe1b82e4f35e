"""Plans on the wire, as Thrift structs."""

from collections.abc import Iterable
from typing import Final

from pycompiler.compile.expression.model import HudiExpression
from pycompiler.compile.planner.generator import PartitionFilterGenerator
from pycompiler.compile.planner.keys import AFTER_ALL, key_layout
from pycompiler.compile.planner.plans import FilterPlan
from pycompiler.compile.planner.scans import Subtree
from pycompiler.compile.predicate.schema import Schema
from pycompiler.compile.wire.expression import to_bytes
from pycompiler.thrift_gen.constants import PLAN_FORMAT_VERSION
from pycompiler.thrift_gen.ttypes import ColumnSchema, PartitionPlan, ScanRange

MAX_PLAN_BYTES: Final = 256 * 1024
"""Plans with more bytes of keys and filters are not sent: Hive would carry them with the query, and a listing
is faster."""


def requested_plan(
    columns: Iterable[str], schema: Schema | None, expression: HudiExpression
) -> PartitionPlan | None:
    """The plan of an expression.

    Returns:
        The plan; None if no typed column can form keys, or if it would exceed `MAX_PLAN_BYTES`.
    """
    try:
        layout = key_layout([name.lower() for name in columns], schema)
    except ValueError:
        return None
    if layout is None:
        return None
    message = plan_message(PartitionFilterGenerator(layout).plan(expression))
    return message if _size(message) <= MAX_PLAN_BYTES else None


def plan_message(plan: FilterPlan) -> PartitionPlan:
    """Writes a plan. Equal filters are sent once."""
    layout = plan.layout
    scans = plan.scans()
    filters: dict[Subtree, int] = {}
    return PartitionPlan(
        formatVersion=PLAN_FORMAT_VERSION,
        columns=[ColumnSchema(column.name, str(column.type)) for column in layout.columns],
        scans=[
            ScanRange(
                start=scan.start.row,
                stop=None if scan.end.row == AFTER_ALL else scan.end.row,
                filter=None if scan.filter is None else filters.setdefault(scan.filter, len(filters)),
            )
            for scan in scans
        ],
        filters=[to_bytes(HudiExpression(subtree)) for subtree in filters],
        text=plan.text(),
    )


def _size(plan: PartitionPlan) -> int:
    keys = [key for scan in plan.scans for key in (scan.start, scan.stop) if key is not None]
    return sum(map(len, keys)) + sum(map(len, plan.filters))
