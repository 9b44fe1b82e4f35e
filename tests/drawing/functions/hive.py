"""Functions on which Spark is no oracle for Hive: what is left out of the others (`grammar.LEFT_OUT`)."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from pycompiler.compile.values.types import HiveType

from ..sql import Sql
from ..values import (
    DATE,
    DOUBLE,
    INT,
    INTEGERS,
    STRING,
    TIMESTAMP,
    Function,
    Operand,
    Values,
    is_moment,
    is_of,
    made,
)
from . import choices, moments, numbers, texts

Form: TypeAlias = tuple[Callable[[HiveType], bool], HiveType, str, tuple[str, ...]]
"""Type of the operand, type of the result, text with operands `x` and `y`, and the choices for its `c`."""

_NUMBER: Final = is_of(*INTEGERS, "float", "double", "decimal")
_TEXT: Final = is_of("string", "varchar", "char")
_DAY: Final = is_of("date")
_TIME: Final = is_of("timestamp")
_NUMBER_TYPES: Final = (
    *("tinyint", "smallint", "int", "bigint", "float", "double", "decimal(6,1)", "decimal(20,4)"),
)
_FORMS: Final[Sequence[Form]] = (
    (_NUMBER, DOUBLE, "({x} + {c})", ("1", "100", "-7", "2.5", "1.5D", "3000000000L")),
    (_NUMBER, DOUBLE, "({x} - {c})", ("1", "20", "0.25", "1e10")),
    (_NUMBER, DOUBLE, "({c} - {x})", ("0", "10", "100.5")),
    (_NUMBER, DOUBLE, "({x} * {c})", ("2", "-1", "-3", "0.5", "0", "10")),
    (_NUMBER, DOUBLE, "({x} / {c})", ("2", "-4", "0.5", "3")),
    (_NUMBER, DOUBLE, "({x} - {y})", ("",)),
    (_NUMBER, DOUBLE, "{c}({x})", ("-", "abs", "floor", "ceil", "round")),
    (_NUMBER, DOUBLE, "({x} % {c})", ("7", "10", "-7", "1000")),
    (_NUMBER, DOUBLE, "pmod({x}, {c})", ("7", "10", "-7", "1000")),
    (_NUMBER, DOUBLE, "greatest({x}, {c})", ("5", "-20", "2.5")),
    (_NUMBER, DOUBLE, "least({x}, {y})", ("",)),
    (_NUMBER, DOUBLE, "(cast({x} as bigint) div {c})", ("10", "-3", "1000")),
    (_NUMBER, DOUBLE, "round({x}, {c})", ("0", "1", "-1", "2")),
    (_NUMBER, DOUBLE, "cast({x} as {c})", _NUMBER_TYPES),
    (_TEXT, DOUBLE, "cast({x} as {c})", _NUMBER_TYPES),
    (_DAY, INT, "datediff({x}, '{c}')", ("2019-01-15", "2020-05-15", "2021-09-15")),
    (_TEXT, STRING, "{c}({x})", ("lower", "upper", "trim", "ltrim", "rtrim", "reverse")),
    (_TEXT, STRING, "substr({x}, {c})", ("2", "-3", "3", "2, 2", "-3, 2", "1, 4")),
    (_TEXT, STRING, "concat({x}, {y})", ("",)),
    (_TEXT, STRING, "concat({x}, '{c}')", ("-x", "", "%")),
    (_TEXT, STRING, "replace({x}, '{c}', '')", ("a", "an", "-")),
    (_TEXT, STRING, "lpad({x}, {c}, 'x')", ("4", "8")),
    (_TEXT, STRING, "regexp_replace({x}, '{c}', 'b')", ("a", "an")),
    (_TEXT, STRING, "greatest({x}, {c})", ("'B'", "'apple'")),
    (_TEXT, STRING, "cast({x} as {c})", ("varchar(3)", "varchar(20)", "char(4)", "char(12)")),
    (_NUMBER, STRING, "cast({x} as {c})", ("string", "varchar(3)", "char(4)", "char(12)")),
    (_DAY, STRING, "cast({x} as {c})", ("varchar(3)", "varchar(20)", "char(4)", "char(12)")),
    (is_of("int", "bigint"), STRING, "from_unixtime({x}{c})", ("", " * 86400")),
    (is_moment, STRING, "date_format({x}, '{c}')", ("yyyyMMdd", "yyyy/MM/dd HH")),
    (_TEXT, DATE, "{c}({x})", ("to_date", "date")),
    (_TEXT, DATE, "cast({x} as {c})", ("date", "timestamp")),
    (is_moment, DATE, "trunc({x}, '{c}')", ("MM", "YYYY", "Q", "MONTH", "YEAR")),
    (_DAY, DATE, "date_add({x}, {c})", ("1", "30", "-45", "400")),
    (_DAY, DATE, "({x} + interval {c} day)", ("1", "10")),
    (_DAY, DATE, "greatest({x}, date '{c}')", ("2020-06-15",)),
    (is_moment, DATE, "add_months({x}, {c})", ("1", "-1", "12")),
    (_DAY, TIMESTAMP, "cast({x} as {c})", ("timestamp",)),
    (_TIME, TIMESTAMP, "({x} + interval {c} hour)", ("1", "36")),
    (_TIME, TIMESTAMP, "floor({x} to {c})", ("day", "month", "year", "hour")),
)


def _form(g: Values, depth: int) -> Operand | None:
    suits, result, text, options = g.rng.choice(_FORMS)
    x, y = g.of(suits, depth), g.column(suits)
    if x is None or y is None:
        return None
    before, after = text.replace("{c}", g.rng.choice(options)).split("{x}")
    first, *last = after.split("{y}")
    second: tuple[str | Sql, ...] = (y.sql, *last) if last else ()
    return made(result, (), before, x.sql, first, *second)


_OTHERS: Final = (*moments.OF_HIVE, *numbers.FUNCTIONS, *texts.FUNCTIONS, *choices.FUNCTIONS)
HIVE_FUNCTIONS: Final[Sequence[Function]] = (*_OTHERS, *[_form] * len(_OTHERS))
"""All functions of Hive that have a rule, half of them in forms that Spark reads differently."""
