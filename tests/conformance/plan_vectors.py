"""Regenerates vectors of partition plans: the plan of a filter, and the partitions that it leaves.

Columns, filters and partition values are written by hand. After a change of the planner,
`python -m tests.conformance.plan_vectors` regenerates the rest.
"""

import json
from collections.abc import Sequence
from typing import Any

from pycompiler.compile.planner.keys import AFTER_ALL, EncodedValue, KeyLayout, key_columns
from pycompiler.compile.planner.plans import FilterPlan
from pycompiler.compile.planner.sorted_partitions import SortedPartitions
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.compile.wire.expression import compact
from pycompiler.compile.wire.plan import plan_message
from tests.conformance.vectors import DIRECTORY, load, value_of
from tests.planning import plan_by_filter

FILE = "partition_plans.json"


def written(vector: dict[str, Any]) -> dict[str, Any]:
    """Completes a vector from its columns, filter and partitions."""
    types = {name: HiveType.parse(hive_type) for name, hive_type in vector["columns"]}
    layout = KeyLayout(key_columns(types.items()))
    values = {path: _encoded(layout, of) for path, of in vector["partitions"].items()}
    plan = plan_by_filter(vector["filter"], layout)
    keys = {path: layout.key(of) for path, of in values.items() if of is not None}
    return {
        **{key: vector[key] for key in ("name", "columns", "filter", "partitions")},
        "keys": {path: key.hex() for path, key in keys.items()},
        "plan": plan_bytes(plan).hex(),
        "text": plan.text(),
        "scans": [
            [scan.start.row.hex(), "" if scan.end.row == AFTER_ALL else scan.end.row.hex()]
            for scan in plan.scans()
        ],
        "left": SortedPartitions.of(layout, values.items()).select(plan),
    }


def plan_bytes(plan: FilterPlan) -> bytes:
    """Serializes a plan in Thrift's compact protocol."""
    return compact(plan_message(plan))


def _encoded(layout: KeyLayout, values: Sequence[Any] | None) -> tuple[EncodedValue, ...] | None:
    if values is None:
        return None
    return tuple(
        None if value is None else encode_value(column.type, value_of(column.type, value))
        for column, value in zip(layout.columns, values, strict=True)
    )


def main() -> None:
    """Writes the file."""
    lines = (json.dumps(written(vector), ensure_ascii=False) for vector in load(FILE))
    text = '{\n  "vectors": [\n    ' + ",\n    ".join(lines) + "\n  ]\n}\n"
    (DIRECTORY / FILE).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
