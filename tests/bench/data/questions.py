"""The questions about the RFC's table, and expressions that ask the index for the same columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from pycompiler.compile.expression.model import Group, HudiExpression, Leaf, Operator
from pycompiler.compile.values.encoding import Value, encode_value
from pycompiler.compile.values.types import HiveType

from ..timing import FULL_SCAN, QUICK, Pace
from .table import BaseFiles, ColumnKind

# Below all generated values, so no file is kept, and no evaluator can stop before the last column.
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
    """The rows of some columns in the first files."""

    name: str
    columns: tuple[ColumnKind, ...]
    files: int
    is_full_scan: bool = False

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.columns) * self.files

    @property
    def pace(self) -> Pace:
        """The pace."""
        return FULL_SCAN if self.is_full_scan else QUICK

    def names(self) -> list[str]:
        """Names of the columns."""
        return [column.name for column in self.columns]

    def file_names(self, files: BaseFiles) -> list[str]:
        """Names of the files; empty for all."""
        return [] if self.files == len(files) else files.names[: self.files]

    def expression(self) -> HudiExpression:
        """`a = … OR b = … OR …`, FALSE everywhere, which needs all of the columns."""
        leaves = [_leaf(column) for column in self.columns]
        group = [Group(Operator.OR, len(leaves))] if len(leaves) > 1 else []
        return HudiExpression((*leaves, *group))


def rfc_questions(files: BaseFiles, columns: Sequence[ColumnKind]) -> list[Question]:
    """10 rows (one column in 10 files), 5,000 rows (four columns, as in the RFC's program), and all."""
    step = len(columns) // 5
    four = tuple(columns[step * number] for number in range(1, 5))
    return [
        Question("10 rows", four[:1], 10),
        Question("5,000 rows", four, len(files)),
        Question("full scan", tuple(columns), len(files), is_full_scan=True),
    ]


def _leaf(column: ColumnKind) -> Leaf:
    hive_type = HiveType.parse(column.hive_type)
    below = encode_value(hive_type, _BELOW[column.hive_type])
    return Leaf(Operator.EQ, column.name, hive_type, (below,))
