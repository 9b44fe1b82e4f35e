"""Functions that return one of their arguments."""

import math
from collections.abc import Sequence
from typing import Final

from pycompiler.compile.values.types import HiveType

from ..literals import literal
from ..sql import Sql
from ..values import Function, Operand, Values, is_of, made, operand_of


def _plain(hive_type: HiveType) -> bool:
    """Types whose constants have that type in both dialects, so that branches need no conversion."""
    return hive_type.name in ("int", "bigint", "double", "string", "date", "timestamp", "boolean")


@operand_of(_plain)
def _coalesce(g: Values, x: Operand, depth: int) -> Operand:
    constant = _branch(g, x)
    name = g.rng.choice(("coalesce", "nvl"))
    if name == "coalesce" and g.rng.random() < 0.3:
        other = g.column(lambda hive_type: hive_type == x.type)
        if other is not None:
            return made(x.type, x.samples, "coalesce(", x.sql, ", ", other.sql, f", {constant})")
    return made(x.type, x.samples, f"{name}(", x.sql, f", {constant})")


@operand_of(_plain)
def _nullif(g: Values, x: Operand, depth: int) -> Operand:
    return made(x.type, x.samples, "nullif(", x.sql, f", {_branch(g, x)})")


@operand_of(_plain)
def _if(g: Values, x: Operand, depth: int) -> Operand:
    first, second = (x.sql, Sql((_branch(g, x),))) if g.rng.random() < 0.5 else (Sql((_branch(g, x),)), x.sql)
    if g.rng.random() < 0.3:
        first = Sql((_branch(g, x),))
    test = g.condition(depth)
    if g.rng.random() < 0.5:
        return made(x.type, x.samples, "if(", test, ", ", first, ", ", second, ")")
    return made(x.type, x.samples, "CASE WHEN ", test, " THEN ", first, " ELSE ", second, " END")


def _case(g: Values, depth: int) -> Operand | None:
    """Branches that are constants: `CASE x WHEN 1 THEN 'a' … END`."""
    x, result = g.of(_plain, depth), g.column(_plain)
    if x is None or result is None:
        return None
    branches = "".join(f" WHEN {_branch(g, x)} THEN {_branch(g, result)}" for _ in range(g.rng.randint(1, 3)))
    end = f" ELSE {_branch(g, result)}" if g.rng.random() < 0.6 else ""
    return made(result.type, result.samples, "CASE ", x.sql, f"{branches}{end} END")


def _branch(g: Values, operand: Operand) -> str:
    value = g.sample(operand)
    match operand.type.name, value:
        case "int", int() if abs(value) < 1 << 31:
            return str(value)
        case "bigint", int():
            return f"CAST({value} AS BIGINT)"
        case "double", float() if math.isfinite(value):
            return repr(value) if "e" in repr(value) else f"{value!r}e0"
        case (("string" | "date" | "timestamp" | "boolean"), _):
            return literal(g.rng, operand.type, value, alike=True)
    return "NULL"


@operand_of(is_of("int", "bigint", "double", "string", "date"))
def _extreme(g: Values, x: Operand, depth: int) -> Operand | None:
    """Without NULL, which Hive returns and Spark passes over."""
    name, default = g.rng.choice(("greatest", "least")), _branch(g, x)
    present = ("coalesce(", x.sql, f", {default})")
    other = g.column(lambda hive_type: hive_type == x.type) if g.rng.random() < 0.5 else None
    others: tuple[str | Sql, ...] = (_branch(g, x),)
    if other is not None:
        others = ("coalesce(", other.sql, f", {default})")
    if "NULL" in (default, *others):
        return None
    return made(x.type, x.samples, f"{name}(", *present, ", ", *others, ")")


def extreme(g: Values) -> tuple[Sql, Operand] | None:
    """Draws a condition that columns are not NULL, and the greatest or least of them and a constant."""
    x = g.column(is_of("int", "bigint", "double", "string", "date"))
    constant = "NULL" if x is None else _branch(g, x)
    if x is None or constant == "NULL":
        return None
    other = g.column(lambda hive_type: hive_type == x.type) or x
    known = Sql(("(", x.sql, " IS NOT NULL) AND (", other.sql, " IS NOT NULL)"))
    name = g.rng.choice(("greatest", "least"))
    last: tuple[str | Sql, ...] = (", ", other.sql) if g.rng.random() < 0.5 else (f", {constant}",)
    return known, made(x.type, x.samples, f"{name}(", x.sql, *last, ")")


FUNCTIONS: Final[Sequence[Function]] = (_coalesce, _nullif, _if, _case, _extreme)
"""The choices to draw from."""
