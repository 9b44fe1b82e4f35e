"""The types that a cast may name."""

from __future__ import annotations

from typing import Final

from sqlglot import exp

from pycompiler.sql.dialect import Dialect
from pycompiler.values.types import HiveType, UnknownTypeError

_PLAIN: Final = {
    exp.DType.BOOLEAN: "boolean",
    exp.DType.TINYINT: "tinyint",
    exp.DType.SMALLINT: "smallint",
    exp.DType.INT: "int",
    exp.DType.BIGINT: "bigint",
    exp.DType.FLOAT: "float",
    exp.DType.DOUBLE: "double",
    exp.DType.TEXT: "string",
    exp.DType.DATE: "date",
    exp.DType.TIMESTAMP: "timestamp",
}
_WITH_PARAMETERS: Final = {
    exp.DType.DECIMAL: "decimal",
    exp.DType.VARCHAR: "varchar",
    exp.DType.CHAR: "char",
}


def target_type(node: exp.DataType, dialect: Dialect) -> HiveType | None:
    """The type that a value is cast to; None if it is not understood."""
    name = _PLAIN.get(node.this)
    if dialect is Dialect.SPARK and node.this is exp.DType.TIMESTAMPTZ:
        # What Spark calls TIMESTAMP.
        name = "timestamp"
    if name is not None:
        return None if node.expressions else HiveType(name)
    name = _WITH_PARAMETERS.get(node.this)
    if name is None:
        return None
    parameters = ",".join(parameter.name for parameter in node.expressions)
    try:
        return HiveType.parse(f"{name}({parameters})" if parameters else name)
    except UnknownTypeError:
        return None
