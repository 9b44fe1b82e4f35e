"""Results of vectorized Hive 4.0.1 that lie outside their declared type, and extreme arguments.

Vectorized Hive computes integers of all widths in 64 bits; casts to narrower types do not truncate them.
"""

from dataclasses import replace
from decimal import Decimal

import pytest

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.compile.expression.model import Unknown
from pycompiler.compile.predicate.model import Call, Column, Compare, Comparison, Literal, Operand
from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.types import HiveType
from tests.contents import one_row


def keeps(where: str, type_name: str, value: float | Decimal) -> bool:
    hive_type = HiveType.parse(type_name)
    expression = compile_predicate(from_sql(where, {"x": hive_type})).expression
    return evaluate(expression, [{"x": one_row(hive_type, value)}])[0]


@pytest.mark.parametrize(
    ("where", "type_name", "value"),
    [
        ("(x + 1) > 2147483647.5", "int", 2147483647),
        ("((x * 2) + 0) > 4000000000", "int", 2147483647),
        ("((x + 1) / 2) > 1073741823.9", "int", 2147483647),
        ("cast((x + 1) as double) > 2147483647.5D", "int", 2147483647),
        ("(-x) > 2147483647.5D", "int", -2147483648),
        ("abs(x) > 2147483647.5D", "int", -2147483648),
        ("cast(x as int) > 2147483648.5D", "bigint", 9007199254740992),
        ("(cast(x as int) / 2) > 2e9", "bigint", 4611686018427387904),
        ("cast(cast(x as int) as decimal(20,0)) > 3000000000", "bigint", 9007199254740992),
        ("cast(x as tinyint) > 300.5D", "int", 2021),
        ("((cast(x as tinyint) + 1) - 1) = 255", "int", 255),
        ("not ((16777217 - cast(x as smallint)) > 7)", "double", 1e308),
    ],
)
def test_what_vectorized_hive_finds_is_kept(where: str, type_name: str, value: float) -> None:
    assert keeps(where, type_name, value)


@pytest.mark.parametrize(
    ("where", "type_name", "value"),
    [
        ("cast(x as decimal(3,3)) is not null", "int", 5),
        ("cast(x as decimal(3,3)) <> 3", "int", 5),
        ("cast(x as decimal(18,4)) < 0", "bigint", 2**62),
        ("cast(x as decimal(18,8)) in (4611686018427387904)", "int", 0),
        ("cast(x as decimal(18,8)) in (7, 4611686018427387904)", "int", 0),
        ("cast(x as decimal(10,0)) in (null)", "int", 0),
        ("cast(x as decimal(10,0)) in (5, null)", "int", 0),
        ("cast(x as decimal(10,0)) not in (5, null)", "int", 7),
    ],
)
def test_what_vectorized_hive_finds_among_decimals_of_64_bits_is_kept(
    where: str, type_name: str, value: int
) -> None:
    """No digit is too many there, and NULL in an IN is 0."""
    assert keeps(where, type_name, value)


@pytest.mark.parametrize(
    ("where", "type_name", "value"),
    [
        ("cast(x as double) is null", "decimal(38,0)", Decimal(5 * 10**37)),
        ("cast(x as double) <=> null", "decimal(38,10)", Decimal(5 * 10**27)),
        ("coalesce(cast(x as double), 7.0D) = 7.0D", "decimal(38,0)", Decimal(10**20)),
        ("cast(x as int) = 1", "decimal(38,19)", Decimal("0.9999999999999999999")),
        ("cast(x as double) = 1.0D", "decimal(38,30)", Decimal("0.999999999999999999900")),
    ],
)
def test_a_decimal_that_is_no_decimal_of_20_and_18_digits_is_null_or_rounded_row_by_row(
    where: str, type_name: str, value: Decimal
) -> None:
    """Before `UDFToDouble` and `UDFToInteger` Hive's bridge to old functions makes decimal(38,18) of it."""
    assert keeps(where, type_name, value)


@pytest.mark.parametrize(
    ("where", "type_name", "value"),
    [
        ("x <=> 0.0000000000000000000001", "decimal(25,22)", Decimal(0)),
        ("not (x <=> 0.0000000000000000000001)", "decimal(25,22)", Decimal("1e-22")),
        ("not (x <=> 5000000000000000000000000000)", "decimal(38,10)", Decimal(5 * 10**27)),
        (
            "nullif(x, 50000000000000000000000000000000000000) is not null",
            "decimal(38,0)",
            Decimal(5 * 10**37),
        ),
        (
            "case x when 0.0000000000000000000001 then 1 else 2 end = 2",
            "decimal(25,22)",
            Decimal("0.0000000000000000000001"),
        ),
    ],
)
def test_a_constant_that_is_no_decimal_of_20_and_18_digits_is_another_in_vectors(
    where: str, type_name: str, value: Decimal
) -> None:
    """For `<=>`, NULLIF and CASE, which have no vectorized form."""
    assert keeps(where, type_name, value)


@pytest.mark.parametrize("function", [None, "abs"])
def test_a_decimal_constant_with_more_digits_than_its_type_is_not_cut(function: str | None) -> None:
    """Calcite makes such constants."""
    constant: Operand = Literal(HiveType.parse("decimal(3,1)"), Decimal("1.25"))
    if function is not None:
        constant = Call(function, HiveType.parse("decimal(3,1)"), (constant,))
    test = Compare(Comparison.EQ, Column("x", HiveType("double")), constant)
    assert isinstance(compile_predicate(test).expression.root, Unknown)


@pytest.mark.parametrize(
    ("where", "value"),
    [
        ("floor(x) = 9007199254740992", 9007199254740993),
        ("floor(x) < 9007199254740993", 9007199254740993),
        ("ceil(x) = 9223372036854775807", 9223372036854775806),
        ("ceil(x) in (9007199254740992, 1)", 9007199254740993),
    ],
)
def test_floor_and_ceil_make_doubles_of_bigints(where: str, value: int) -> None:
    assert keeps(where, "bigint", value)


@pytest.mark.parametrize(
    "where",
    [
        "from_unixtime(x, 'yyyy-MM-dd') <> '2021-01-01'",
        "from_unixtime(x, 'yyyy') is not null",
        "from_unixtime(x, 'yyyy-MM-dd') < '1'",
        "from_unixtime(x) <> '2021-01-01 00:00:00'",
    ],
)
@pytest.mark.parametrize("seconds", [1_600_000_000_000_000, -1_600_000_000_000_000])
def test_seconds_that_are_microseconds_by_mistake_are_a_time_far_from_now(where: str, seconds: int) -> None:
    """Hive writes years of eight digits, with a sign or without."""
    assert keeps(where, "bigint", seconds)


@pytest.mark.parametrize(
    ("where", "column_type", "file_type", "value"),
    [
        ("cast(x as double) = 3.555D", "decimal(10,2)", "decimal(10,4)", Decimal("3.5550")),
        ("x between 3.551D and 3.559D", "decimal(10,2)", "decimal(10,4)", Decimal("3.5550")),
        ("round(x, 1) = 3.55", "decimal(10,2)", "decimal(10,4)", Decimal("3.5500")),
        ("cast(x as double) > 3.552D and x < 3.56", "decimal(10,2)", "decimal(10,4)", Decimal("3.5550")),
        ("cast(x as double) > 3e9D", "int", "bigint", 5_000_000_000),
        ("x = 1.5D and x = 2", "int", "bigint", 2),
    ],
)
def test_a_file_of_a_wider_type_is_kept_where_no_value_of_the_columns_type_would_pass(
    where: str, column_type: str, file_type: str, value: int | Decimal
) -> None:
    """Hive's reader may show values as the file has them."""
    declared = HiveType.parse(column_type)
    file = {"x": one_row(HiveType.parse(file_type), value)}
    narrow = {"x": replace(file["x"], type=declared)}
    expression = compile_predicate(from_sql(where, {"x": declared})).expression
    assert evaluate(expression, [file, narrow]) == [True, False]


def test_what_is_far_from_any_such_result_is_skipped() -> None:
    assert not keeps("(x + 1) > 2147483647.5", "int", 5)
    assert not keeps("from_unixtime(x, 'yyyy-MM-dd') = '2021-01-01'", "bigint", 0)
