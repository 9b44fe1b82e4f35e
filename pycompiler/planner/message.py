"""Plans as they are sent: Thrift structs, in which keys stand without what names their table."""

from __future__ import annotations

from typing import Final

from pycompiler.expression.codec import to_bytes
from pycompiler.expression.model import HudiExpression
from pycompiler.planner.generator import PartitionFilterGenerator
from pycompiler.planner.keys import key_layout
from pycompiler.planner.plans import FilterPlan
from pycompiler.planner.scans import ScanMarker, Subtree
from pycompiler.predicate.schema import read_schema
from pycompiler.thrift_gen.constants import PLAN_FORMAT_VERSION
from pycompiler.thrift_gen.ttypes import ColumnSchema, CompileRequest, PartitionPlan, ScanRange

MAX_PLAN_BYTES: Final = 256 * 1024
"""Longer plans are not sent: Hive carries them with the query, and a listing is then quicker."""

_STRUCT_BYTES: Final = 16
"""What Thrift needs at most around the fields of a range, a filter or a column."""


def requested_plan(request: CompileRequest, expression: HudiExpression) -> PartitionPlan | None:
    """The plan of the expression that a request was compiled to.

    Returns:
        None if the request names no columns that make keys, and of which the types are known, or if the plan
        is longer than `MAX_PLAN_BYTES`.
    """
    columns = [name.lower() for name in request.partitionColumns or []]
    try:
        layout = key_layout(columns, read_schema(request.schema))
    except ValueError:
        return None
    if layout is None:
        return None
    message = plan_message(PartitionFilterGenerator(layout).plan(expression))
    return message if size_of(message) <= MAX_PLAN_BYTES else None


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
                start=layout.behind_prefix(scan.start.row),
                stop=None if _is_end(scan.end) else layout.behind_prefix(scan.end.row),
                filter=None if scan.filter is None else filters.setdefault(scan.filter, len(filters)),
            )
            for scan in scans
        ],
        filters=[to_bytes(HudiExpression(subtree)) for subtree in filters],
        text=plan.text(),
    )


def size_of(plan: PartitionPlan) -> int:
    """An upper bound of the bytes that a plan takes on the wire."""
    texts = [plan.text, *(text for column in plan.columns for text in (column.name, column.type))]
    parts = [
        *(text.encode() for text in texts),
        *(scan.start for scan in plan.scans),
        *(scan.stop or b"" for scan in plan.scans),
        *plan.filters,
    ]
    return sum(len(part) + _STRUCT_BYTES for part in parts)


def _is_end(marker: ScanMarker) -> bool:
    """Whether a place is behind all keys of the table, which no bytes behind its name express."""
    return marker.after and not marker.values
