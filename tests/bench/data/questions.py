"""What the RFC's table asks of each layout, and the expressions that ask the index for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from pycompiler.expression.codec import to_bytes
from pycompiler.expression.model import Group, HudiExpression, Leaf, Operator
from pycompiler.values.encoding import Value, encode_value
from pycompiler.values.types import HiveType

from .table import BaseFiles, ColumnKind

# Below all that is generated: no file is kept, so that no evaluator can stop before the last column.
_BELOW: Final[dict[str, Value]] = {
    "int": -5,
    "bigint": -5,
    "double": -5.0,
    "string": "!",
    "date": date(1999, 1, 1),
    "timestamp": datetime(1999, 1, 1),
}


@dataclass(frozen=True)
class Question:
    """Rows to find.

    Attributes:
        name: As the RFC's table has it.
        columns: Whose rows.
        files: Of how many of the first files.
    """

    name: str
    columns: tuple[ColumnKind, ...]
    files: int

    @property
    def rows(self) -> int:
        """How many rows that is."""
        return len(self.columns) * self.files

    def names(self) -> list[str]:
        """Names of the columns."""
        return [column.name for column in self.columns]

    def expression(self) -> str:
        """Hex of an expression that needs all of these columns: `a = … OR b = … OR …`, FALSE everywhere."""
        leaves = [_leaf(column) for column in self.columns]
        group = [Group(Operator.OR, len(leaves))] if len(leaves) > 1 else []
        return to_bytes(HudiExpression((*leaves, *group))).hex()


def rfc_questions(files: BaseFiles, columns: Sequence[ColumnKind]) -> list[Question]:
    """10 rows (one column in 10 files), 5,000 rows (four columns, as the RFC's program has it), and all."""
    step = len(columns) // 5
    four = tuple(columns[step * number] for number in range(1, 5))
    return [
        Question("10 rows", four[:1], 10),
        Question("5,000 rows", four, len(files)),
        Question("full scan", tuple(columns), len(files)),
    ]


def _leaf(column: ColumnKind) -> Leaf:
    hive_type = HiveType.parse(column.hive_type)
    below = encode_value(hive_type, _BELOW[column.hive_type])
    return Leaf(Operator.EQ, column.name, hive_type, (below,))
