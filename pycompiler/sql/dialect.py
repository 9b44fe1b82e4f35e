"""sqlglot's dialects, made to read functions and types as they are written.

sqlglot is there to translate: it makes nodes of its own of most functions, with arguments exchanged, added or
rewritten (`nvl` is `coalesce`, `log10(x)` is `log(10, x)`, `yyyy` in a format is `%Y`), and a `varchar(3)` to
cast to is a string. Here a call stays a call, by the name and with the arguments that the text has.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, ClassVar, Final

from sqlglot import exp, parser
from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.dialects.hive import Hive
from sqlglot.dialects.spark import Spark
from sqlglot.parsers.hive import HiveParser
from sqlglot.parsers.spark import SparkParser


class Dialect(Enum):
    """Whose SQL a condition is written in. What it means is what it means to Hive."""

    HIVE = "hive"
    SPARK = "spark"


# Calls whose arguments are no list of values: `cast(a as int)`, `extract(year from d)`, `floor(t to day)`,
# `trim(both ' ' from s)`, `substring(s from 2)`.
_SYNTAX: Final = ("CAST", "EXTRACT", "FLOOR", "CEIL", "TRIM", "SUBSTRING")


def _types_as_written(
    self: parser.Parser,
    check_func: bool = False,
    schema: bool = False,
    allow_identifiers: bool = True,
    with_collation: bool = False,
) -> exp.Expr | None:
    return parser.Parser._parse_types(self, check_func, schema, allow_identifiers, with_collation)


class _HiveParser(HiveParser):
    FUNCTIONS: ClassVar[dict[str, Callable[..., Any]]] = {}
    FUNCTION_PARSERS: ClassVar[dict[str, Callable[..., Any]]] = {
        name: HiveParser.FUNCTION_PARSERS[name] for name in _SYNTAX
    }
    _parse_types = _types_as_written


class _SparkParser(SparkParser):
    FUNCTIONS: ClassVar[dict[str, Callable[..., Any]]] = {}
    FUNCTION_PARSERS: ClassVar[dict[str, Callable[..., Any]]] = {
        name: SparkParser.FUNCTION_PARSERS[name] for name in _SYNTAX
    }
    _parse_types = _types_as_written


class HudiSkipHive(Hive):
    """Hive's SQL; sqlglot registers dialects by the names of their classes."""

    Parser = _HiveParser


class HudiSkipSpark(Spark):
    """Spark's SQL."""

    Parser = _SparkParser


PLAIN: Final[dict[Dialect, type[SqlglotDialect]]] = {
    Dialect.HIVE: HudiSkipHive,
    Dialect.SPARK: HudiSkipSpark,
}
"""The dialect that leaves functions as they are written."""
