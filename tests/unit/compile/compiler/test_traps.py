"""Files that a plausible rule would skip although Hive finds a row in them."""

import math
from dataclasses import replace
from typing import Any

import pytest

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.compile.predicate.model import Column
from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.types import HiveType
from tests.drawing.collected import statistics

from .hive_rows import Mode, truth

HOUR = 3600 * 1_000_000
PLAIN = Mode(nan_is_greatest=False, in_compares_bits=False, utf16=False, cuts_literals=False, offset_micros=0)
ROW_MODE = replace(PLAIN, nan_is_greatest=True)
BITS = replace(PLAIN, in_compares_bits=True)
UTF16 = replace(PLAIN, utf16=True)
CUT = replace(PLAIN, cuts_literals=True)
PADDED = replace(PLAIN, pads=True)
EAST = replace(PLAIN, offset_micros=26 * HOUR)
WEST = replace(PLAIN, offset_micros=-26 * HOUR)

TRAPS: list[tuple[str, str, list[Any], Mode]] = [
    ("timestamp", "a > '1970-01-02 00:00:00'", [0], EAST),
    ("timestamp", "a = '1970-01-02 02:00:00'", [0], EAST),
    ("timestamp", "a < '1969-12-31 00:00:00'", [0], WEST),
    ("timestamp", "a != '1970-01-01 00:00:00'", [0], EAST),
    ("timestamp", "a NOT IN ('1970-01-01 00:00:00')", [0], WEST),
    ("string", "a > '\U0001f600'", ["\uffff"], UTF16),
    ("string", "a <= '\ue000'", ["\U0001f600"], UTF16),
    ("string", "a > '\ud7ff'", ["\ue000", "\U0001f600"], UTF16),
    ("string", f"a = '{'a' * 70}'", ["a" * 70], PLAIN),
    ("string", f"a > '{'a' * 64}'", ["a" * 65], PLAIN),
    ("double", "NOT (a <= 5)", [1.0, math.nan], PLAIN),
    ("double", "a > 5", [1.0, math.nan], ROW_MODE),
    ("double", "a != 1", [1.0, math.nan], PLAIN),
    ("double", "a NOT BETWEEN 0 AND 2", [1.0, math.nan], ROW_MODE),
    ("double", "a NOT IN (0)", [-0.0], BITS),
    ("double", "NOT (a <= 5) AND NOT (a >= 1)", [math.nan], PLAIN),
    ("double", "a = 0", [-0.0], PLAIN),
    ("varchar(2)", "a = 'ab'", ["abz"], PLAIN),
    ("varchar(2)", "a IN ('x', 'ab')", ["abz"], PLAIN),
    ("varchar(2)", "a <= 'ab'", ["abz"], PLAIN),
    ("varchar(2)", "a < 'abc'", ["abz"], PLAIN),
    ("varchar(2)", "a <= 'abc'", ["abz"], PLAIN),
    ("varchar(2)", "a != 'abc'", ["abc"], PLAIN),
    ("varchar(2)", "a NOT IN ('abc')", ["abc"], PLAIN),
    ("varchar(2)", "a != 'abc'", ["ab"], PLAIN),
    ("varchar(2)", "a NOT IN ('abc', 'x')", ["ab"], PLAIN),
    ("varchar(2)", "a = 'abc'", ["ab"], CUT),
    ("varchar(2)", "a >= 'abc'", ["ab"], CUT),
    ("char(2)", "a = 'a'", ["a z"], PLAIN),
    ("char(2)", "a = 'a '", ["a"], PLAIN),
    ("char(2)", "a <= 'a'", ["a z"], PLAIN),
    ("char(2)", "a < 'b'", ["a\t"], PLAIN),
    ("char(2)", "a != 'a z'", ["a z"], PLAIN),
    ("char(2)", "a < 'a '", ["a\t"], PADDED),
    ("char(2)", "a > 'a'", ["a"], PADDED),
    ("char(2)", "a >= 'a z'", ["a "], CUT),
    ("char(2)", "a <= 'ab'", ["abz"], PLAIN),
    ("char(2)", "a >= 'a  '", ["a"], PLAIN),
    ("char(2)", "a BETWEEN 'a ' AND 'a'", ["a z"], PLAIN),
    ("int", "NOT (a <=> 1)", [None], PLAIN),
    ("int", "NOT (a BETWEEN NULL AND 5)", [6], PLAIN),
    ("int", "a IS NULL OR a > 5", [None], PLAIN),
]


@pytest.mark.parametrize(("type_name", "where", "stored", "mode"), TRAPS)
def test_the_file_is_kept(type_name: str, where: str, stored: list[Any], mode: Mode) -> None:
    column = Column("a", HiveType.parse(type_name))
    predicate = from_sql(where, {"a": column.type})
    rows = [{"a": value} for value in stored]
    assert any(truth(predicate, row, mode) is True for row in rows), "no trap: no row matches"
    assert evaluate(compile_predicate(predicate).expression, [statistics([column], rows)]) == [True]
