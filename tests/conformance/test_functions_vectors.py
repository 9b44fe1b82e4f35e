"""SQL text against functions.json, which records what Hive's type checker makes of it."""

import json
from typing import Any

import pytest

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.model import Unknown
from pycompiler.compile.predicate.model import Call, Compare, Opaque, Operand, type_of
from pycompiler.compile.predicate.walk import walk
from pycompiler.compile.sql.from_sql import Dialect, from_sql
from pycompiler.compile.values.types import HiveType

from .prefix_form import prefix_form
from .vectors import DIRECTORY, load

VECTORS = load("functions.json", "functions")
COLUMNS = json.loads((DIRECTORY / "functions.json").read_text(encoding="utf-8"))["columns"]
SCHEMA = {name: HiveType.parse(text) for name, text in COLUMNS.items()}
UNKNOWN_FUNCTIONS = frozenset(
    [
        *(
            "&",
            "array_contains",
            "concat_ws",
            "crc32",
            "exp",
            "from_utc_timestamp",
            "hash",
            "hex",
        ),
        *("initcap", "ln", "log", "log10", "md5", "months_between", "named_struct", "power"),
        *("regexp_extract", "regexp_replace", "sha2", "sign", "size", "split", "sqrt", "to_utc_timestamp"),
    ]
)
"""Functions whose results no rule would use."""
LEFT_OUT = frozenset(
    {
        "cast(s as binary)",
        "trunc(d, 1)",
        "trunc(d)",
        "dt + interval '3' day",
        "dt - interval '3' month",
        "ts + interval '3' day",
        "dt - date '2021-01-01'",
    }
)
"""Other forms of functions that are supported."""
FOLDED = {
    "dt = cast('2021-01-01' as date)": "(= dt day 18628:date)",
    "dt > date '2021-01-01' + interval '1' month": "(> dt day 18659:date)",
}
"""Computed at once, where Hive's type checker leaves a cast or a sum to its optimizer."""


def sql_of(vector: dict[str, Any]) -> str:
    """The vector's name in test ids."""
    return str(vector["sql"])


def read(text: str, dialect: Dialect = Dialect.HIVE) -> Operand:
    """Parses an expression of any type, as one side of a comparison."""
    predicate = from_sql(f"({text}) <=> null", SCHEMA, dialect=dialect)
    assert isinstance(predicate, Compare)
    return predicate.left


@pytest.mark.parametrize("vector", VECTORS, ids=sql_of)
def test_sql_becomes_hives_tree(vector: dict[str, Any]) -> None:
    text = vector["sql"]
    operand = read(text)
    is_opaque = any(isinstance(part, Opaque) for part in walk(operand))
    assert is_opaque is (vector["name"] in UNKNOWN_FUNCTIONS or text in LEFT_OUT), prefix_form(operand)
    if not is_opaque:
        assert prefix_form(operand) == FOLDED.get(text, vector["tree"])
        assert str(type_of(operand)) == vector["type"]


@pytest.mark.parametrize("vector", VECTORS, ids=sql_of)
def test_spark_sql_means_the_same_to_hive(vector: dict[str, Any]) -> None:
    of_hive, of_spark = read(vector["sql"]), read(vector["sql"], Dialect.SPARK)
    if not any(isinstance(part, Opaque) for part in walk(of_hive)):
        assert of_spark == of_hive


@pytest.mark.parametrize("wanted", ["= {}", "<> {}", "is null", "is not null"])
@pytest.mark.parametrize("vector", [vector for vector in VECTORS if "since" in vector], ids=sql_of)
def test_the_trees_of_newer_releases_skip_no_less(vector: dict[str, Any], wanted: str) -> None:
    condition = wanted.format("1" if vector["type"] == "int" else "'a'")
    for newer in vector["since"].values():
        old, new = (
            compile_predicate(from_sql(f"({text}) {condition}", SCHEMA)).expression
            for text in (vector["sql"], newer)
        )
        assert new == old or isinstance(old.nodes[-1], Unknown), f"with Hive {newer}: {new}"
        assert wanted != "= {}" or not isinstance(new.nodes[-1], Unknown), f"{newer} skips nothing"


@pytest.mark.parametrize(
    ("spark", "hive"),
    [
        ("ifnull(i, 0)", "nvl(i, 0)"),
        ("left(s, 3)", "substr(s, 1, 3)"),
        ("date_trunc('MONTH', ts)", "floor_month(ts)"),
        ("date_trunc('yyyy', dt)", "floor_year(cast(dt as timestamp))"),
        ("rlike(s, '^a')", "s rlike '^a'"),
        ("regexp_like(s, '^a')", "s rlike '^a'"),
        ("like(s, 'a%')", "s like 'a%'"),
        ("len(s)", "length(s)"),
        ("substring(s from 2 for 3)", "substr(s, 2, 3)"),
        ("timestamp(dt)", "cast(dt as timestamp)"),
        ("3.5F", "cast(3.5 as float)"),
    ],
)
def test_functions_of_spark_alone_become_hives(spark: str, hive: str) -> None:
    assert prefix_form(read(spark, Dialect.SPARK)) == prefix_form(read(hive))


@pytest.mark.parametrize("text", ["left(s, 3)", "date_trunc('MONTH', ts)", "ifnull(i, 0)", "rlike(s, 'a')"])
def test_functions_that_hive_lacks_are_opaque(text: str) -> None:
    assert isinstance(read(text), Opaque)


@pytest.mark.parametrize(
    "text",
    [
        "current_date",
        "unix_timestamp()",
        "rand()",
        "my_db.my_udf(i)",
        "arr[0].x",
        "s like 'a!%' escape '!'",
        "s ilike 'a'",
        "trim(both 'x' from s)",
        "try_cast(s as int)",
        "cast(s as date format 'yyyy')",
        "i in (select 1)",
        "exists (select 1)",
        "date_format(ts)",
        "if(i, 1, 2)",
        "dt + interval '1' day",
        "cast(s as array<int>)",
        "i is true",
    ],
)
@pytest.mark.parametrize("dialect", Dialect)
def test_what_is_not_understood_is_opaque(text: str, dialect: Dialect) -> None:
    operand = read(text, dialect)
    assert isinstance(operand, Opaque), prefix_form(operand)
    assert operand.reason


def test_formats_and_arguments_stay_as_written() -> None:
    """sqlglot would translate the format and swap arguments."""
    for name, text in (
        ("date_format", "date_format(ts, 'yyyy-MM-dd''T''HH')"),
        ("from_unixtime", "from_unixtime(bi, 'yyyyMMdd')"),
        ("unix_timestamp", "unix_timestamp(s, 'dd/MM/yyyy')"),
    ):
        operand = read(text)
        assert isinstance(operand, Call)
        assert operand.name == name
    assert prefix_form(read("locate('a', s)")) == "(locate 'a':string s)"
    assert prefix_form(read("instr(s, 'a')")) == "(instr s 'a':string)"
    assert prefix_form(read("date_sub(dt, 3)")) == "(date_sub dt 3:int)"
    assert prefix_form(read("trunc(dt, 'mm')")) == "(trunc dt 'mm':string)"


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("date '2021-01-31' - interval '30' day", "1609459200s+0ns:timestamp"),
        ("date '2021-01-31' + interval 1 day", "1612137600s+0ns:timestamp"),
        ("timestamp '2021-01-01 00:00:00' - interval 90 minutes", "1609453800s+0ns:timestamp"),
    ],
)
def test_a_constant_moved_by_an_interval_is_a_constant(text: str, tree: str) -> None:
    assert prefix_form(read(text)) == tree
