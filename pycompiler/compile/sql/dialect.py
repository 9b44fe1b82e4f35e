"""sqlglot dialects that read functions and types as written.

sqlglot is made for translation: it turns most functions into nodes of its own and swaps, adds or rewrites
their arguments (`nvl` becomes `coalesce`, `log10(x)` becomes `log(10, x)`, `yyyy` in a format becomes `%Y`),
and reads a cast to `varchar(3)` as one to string. These dialects keep each call's name and arguments.
"""

from collections.abc import Callable
from enum import Enum
from typing import Any, ClassVar, Final

from sqlglot import parser
from sqlglot.dialects.dialect import Dialect as SqlglotDialect
from sqlglot.dialects.hive import Hive
from sqlglot.dialects.spark import Spark
from sqlglot.parsers.hive import HiveParser
from sqlglot.parsers.spark import SparkParser


class Dialect(Enum):
    """The SQL dialect in which a condition is written. Its meaning is always Hive's."""

    HIVE = "hive"
    SPARK = "spark"


# Calls whose arguments are not a plain list: `cast(a as int)`, `extract(year from d)`, `floor(t to day)`,
# `trim(both ' ' from s)`, `substring(s from 2)`.
_SYNTAX: Final = ("CAST", "EXTRACT", "FLOOR", "CEIL", "TRIM", "SUBSTRING")


class _PlainParser(parser.Parser):
    FUNCTIONS: ClassVar[dict[str, Callable[..., Any]]] = {}
    FUNCTION_PARSERS: ClassVar[dict[str, Callable[..., Any]]] = {
        name: parser.Parser.FUNCTION_PARSERS[name] for name in _SYNTAX
    }
    _parse_types = parser.Parser._parse_types


class HudiSkipHive(Hive):
    """Hive's SQL. sqlglot registers dialects by class name."""

    class Parser(_PlainParser, HiveParser):
        """See the module."""


class HudiSkipSpark(Spark):
    """Spark's SQL."""

    class Parser(_PlainParser, SparkParser):
        """See the module."""


PLAIN: Final[dict[Dialect, type[SqlglotDialect]]] = {
    Dialect.HIVE: HudiSkipHive,
    Dialect.SPARK: HudiSkipSpark,
}
"""Dialects that leave functions as written."""
