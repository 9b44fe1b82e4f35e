"""Types that a cast may name."""

from typing import Final

from sqlglot import exp

from pycompiler.compile.sql.dialect import Dialect
from pycompiler.compile.values.types import HiveType, UnknownTypeError

_NAMES: Final = {
    exp.DType[name.upper()]: name
    for name in (
        *("boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "decimal"),
        *("varchar", "char", "date", "timestamp"),
    )
} | {exp.DType.TEXT: "string"}


def target_type(node: exp.DataType, dialect: Dialect) -> HiveType | None:
    """The target type of a cast; None if it is not supported."""
    name = _NAMES.get(node.this)
    if dialect is Dialect.SPARK and node.this is exp.DType.TIMESTAMPTZ:
        # Spark's TIMESTAMP.
        name = "timestamp"
    if name is None:
        return None
    parameters = ",".join(parameter.name for parameter in node.expressions)
    try:
        return HiveType.parse(f"{name}({parameters})" if parameters else name)
    except UnknownTypeError:
        return None
