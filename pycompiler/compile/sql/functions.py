"""Functions that SQL text may use, by Hive's names.

Source: Hive 4.0.1; tests/conformance/functions.json records its type checker's answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pycompiler.compile.predicate.model import Call, Literal, Opaque, Operand, type_of
from pycompiler.compile.predicate.text import describe
from pycompiler.compile.sql.dialect import Dialect
from pycompiler.compile.sql.result_types import (
    Rule,
    absolute,
    always,
    case_of_conditions,
    case_of_value,
    common_plain_value,
    common_value,
    first_type,
    joined_text,
    negated,
    positive_remainder_type,
    product_type,
    quotient_type,
    remainder_type,
    rounded,
    sum_type,
    text_of_same_length,
    truncated_date,
    truth_test,
    whole_number,
)
from pycompiler.compile.values.types import HiveType


@dataclass(frozen=True, slots=True)
class Signature:
    """A function's arity and result type."""

    least: int
    most: int | None
    result: Rule


def _each(names: str, least: int, most: int | None, result: Rule) -> dict[str, Signature]:
    return dict.fromkeys(names.split(), Signature(least, most, result))


_FUNCTIONS: Final[dict[str, Signature]] = {
    **_each("year quarter month day weekofyear dayofweek hour minute second", 1, 1, always("int")),
    **_each("length character_length octet_length ascii", 1, 1, always("int")),
    **_each("datediff instr", 2, 2, always("int")),
    **_each("locate", 2, 3, always("int")),
    **_each("to_date", 1, 1, always("date")),
    **_each("date_add date_sub", 2, 2, always("date")),
    **_each("last_day", 1, 1, always("string")),
    **_each("add_months next_day date_format", 2, 2, always("string")),
    **_each("from_unixtime", 1, 2, always("string")),
    **_each("trunc", 2, 2, truncated_date),
    # Without arguments, unix_timestamp is the time of the query.
    **_each("unix_timestamp to_unix_timestamp", 1, 2, always("bigint")),
    **_each("floor_year floor_quarter floor_month floor_week floor_day", 1, 1, always("timestamp")),
    **_each("floor_hour floor_minute floor_second", 1, 1, always("timestamp")),
    **_each("floor ceil", 1, 1, whole_number),
    **_each("round bround", 1, 2, rounded),
    **_each("abs", 1, 1, absolute),
    **_each("mod", 2, 2, remainder_type),
    **_each("pmod", 2, 2, positive_remainder_type),
    **_each("lower upper", 1, 1, text_of_same_length),
    **_each("trim ltrim rtrim", 1, 1, always("string")),
    **_each("reverse", 1, 1, always("string")),
    **_each("substr", 2, 3, always("string")),
    **_each("repeat", 2, 2, always("string")),
    **_each("replace translate lpad rpad", 3, 3, always("string")),
    **_each("concat", 2, None, joined_text),
    **_each("coalesce", 2, None, common_value),
    **_each("greatest least", 2, None, common_plain_value),
    **_each("nullif", 2, 2, first_type),
    **_each("if", 3, 3, case_of_conditions),
}
_OPERATORS: Final[dict[str, Signature]] = {
    **_each("+ -", 2, 2, sum_type),
    **_each("*", 2, 2, product_type),
    **_each("/", 2, 2, quotient_type),
    **_each("%", 2, 2, remainder_type),
    **_each("div", 2, 2, always("bigint")),
    **_each("negative", 1, 1, negated),
    **_each("istrue isfalse isnottrue isnotfalse", 1, 1, truth_test),
    **_each("like rlike", 2, 2, always("boolean")),
    "like any": Signature(2, None, always("boolean")),
    "like all": Signature(2, None, always("boolean")),
    **_each("when", 2, None, case_of_conditions),
    **_each("case", 3, None, case_of_value),
}
_ALIASES: Final = {
    "dayofmonth": "day",
    "ceiling": "ceil",
    "substring": "substr",
    "lcase": "lower",
    "ucase": "upper",
    "nvl": "coalesce",
    "char_length": "character_length",
}
_CASTS: Final = frozenset(
    {"boolean", "tinyint", "smallint", "int", "bigint", "float", "double", "string", "date", "timestamp"}
)
_OF_SPARK: Final = {"ifnull": "coalesce", "len": "length"}
_TESTS_OF_SPARK: Final = {"like": "like", "rlike": "rlike", "regexp": "rlike", "regexp_like": "rlike"}
_UNITS: Final = {
    **dict.fromkeys(("year", "yyyy", "yy"), "floor_year"),
    "quarter": "floor_quarter",
    **dict.fromkeys(("month", "mon", "mm"), "floor_month"),
    "week": "floor_week",
    **dict.fromkeys(("day", "dd"), "floor_day"),
    "hour": "floor_hour",
    "minute": "floor_minute",
    "second": "floor_second",
}
_TIMESTAMP: Final = HiveType("timestamp")


def function(name: str, arguments: Sequence[Operand], dialect: Dialect) -> Operand:
    """A call of a function by its name in the text; `Opaque` if the function is not supported."""
    name = _ALIASES.get(name.lower(), name.lower())
    if name in _CASTS and len(arguments) == 1:
        return cast(arguments[0], HiveType(name))
    if dialect is Dialect.SPARK:
        name = _OF_SPARK.get(name, name)
        if name in _TESTS_OF_SPARK:
            return operator(_TESTS_OF_SPARK[name], arguments)
        match name, arguments:
            case "date_trunc", [Literal(_, str() as unit), value]:
                return function(_UNITS.get(unit.lower(), name), [cast(value, _TIMESTAMP)], Dialect.HIVE)
            case "left", [value, Literal(_, int() as length) as literal] if length > 0:
                return function("substr", [value, Literal(literal.type, 1), literal], Dialect.HIVE)
    made = _call(name, arguments, _FUNCTIONS.get(name))
    return Call("%", made.type, made.arguments) if isinstance(made, Call) and name == "mod" else made


def operator(name: str, arguments: Sequence[Operand]) -> Operand:
    """A call of an operator, by Hive's name; `Opaque` if its result type is unknown."""
    return _call(name, arguments, _OPERATORS[name])


def cast(value: Operand, hive_type: HiveType) -> Operand:
    """`CAST`, omitted like in Hive if the value already has the type."""
    if isinstance(value, Opaque):
        return value
    return value if type_of(value) == hive_type else Call("cast", hive_type, (value,))


def _call(name: str, arguments: Sequence[Operand], signature: Signature | None) -> Operand:
    if signature is None:
        return _opaque(name, arguments, f"the function {name} is not known")
    if len(arguments) < signature.least or (signature.most or len(arguments)) < len(arguments):
        return _opaque(name, arguments, f"{name} does not take {len(arguments)} arguments")
    for argument in arguments:
        if isinstance(argument, Opaque):
            return _opaque(name, arguments, argument.reason)
    result = signature.result(arguments)
    if result is None:
        types = ", ".join(str(type_of(argument)) for argument in arguments)
        return _opaque(name, arguments, f"the type of {name}({types}) is not known")
    return Call(name, result, tuple(arguments))


def _opaque(name: str, arguments: Sequence[Operand], reason: str) -> Opaque:
    return Opaque(describe(Call(name, _TIMESTAMP, tuple(arguments))), reason)
