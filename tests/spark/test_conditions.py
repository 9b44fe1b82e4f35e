"""Conditions as Spark's optimizer leaves them, held against Spark's answers for random rows."""

import random
from pathlib import Path
from typing import Final

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.compile.expression.model import Unknown
from pycompiler.compile.expression.render import to_text
from pycompiler.compile.predicate.text import describe_filter
from pycompiler.spark.incremental.condition import filter_of

from ..drawing.collected import varied
from ..drawing.grammar import Grammar
from ..drawing.tables import Table, random_table
from ..properties.spark_oracle import SparkOracle, random_zone

pytestmark = pytest.mark.spark

TABLES: Final = 3
PREDICATES: Final = 50
SEED: Final = 20260102
CONSTANTS: Final = (
    *("5", "-1", "1.5", "2.5e0", "1e300", "99999999999", "true", "null", "0", "-0.0"),
    "cast('nan' as double)",
    *("'5'", "'1.5'", "' 7 '", "'abc'", "''", "'2020-01-01'", "'2020-01-01 00:00:00'", "date'2020-01-01'"),
    *("timestamp'2020-01-01 00:00:00'", "timestamp'1850-06-01 12:00:00'", "cast(1.1 as float)"),
)


def of_any_types(rng: random.Random, table: Table) -> str:
    """A column beside constants of any type, which Hive and Spark convert in their own ways."""
    column = rng.choice([column.name for column in table.columns])
    match rng.randrange(4):
        case 0:
            members = ", ".join(rng.choices(CONSTANTS, k=rng.randint(2, 14)))
            return f"{column} {rng.choice(('', 'not '))}in ({members})"
        case 1:
            pattern = rng.choice(("a%", "%", "a_%", "ab", "JFK%"))
            return f"{column} like '{pattern}'"
    comparison = f"{column} {rng.choice(('=', '<', '<=', '>', '>=', '<>', '<=>'))} {rng.choice(CONSTANTS)}"
    return f"not ({comparison})" if rng.random() < 0.3 else comparison


def relation(spark: SparkSession, table: Table, path: Path) -> DataFrame:
    """An empty relation of files with the columns of a table."""
    columns = [
        f"{column.name} {'string' if column.type.length is not None else column.type}"
        for column in table.columns
        if "." not in column.name
    ]
    if table.has_struct:
        columns.append("s struct<a: int, b: string, c: struct<d: date>>")
    empty = spark.createDataFrame([], ", ".join(columns))
    empty.write.parquet(str(path))
    return spark.read.parquet(str(path))


def reasons(rows: DataFrame, where: str) -> set[str]:
    """Why terms of a condition skip nothing."""
    found = filter_of(rows.where(where)._jdf.queryExecution().optimizedPlan(), {"part"})
    assert found is not None, where
    return {unused.reason for unused in compile_predicate(found).unused}


def test_no_file_with_a_row_that_spark_finds_is_skipped(spark: SparkSession, tmp_path: Path) -> None:
    oracle = SparkOracle(spark)
    session = spark.newSession()
    session.conf.set("spark.sql.ansi.enabled", "false")
    used = skipped = plans = 0
    for number in range(TABLES):
        rng = random.Random(SEED + number)
        table, zone = random_table(rng), random_zone(rng)
        statistics = varied(rng, table)
        grammar = Grammar(rng, table)
        drawn = [grammar.comparison().text for _ in range(PREDICATES // 2)]
        drawn += [of_any_types(rng, table) for _ in range(PREDICATES // 2)]
        session.conf.set("spark.sql.session.timeZone", zone)
        rows = relation(session, table, tmp_path / f"t{number}")
        for where, matching in zip(drawn, oracle.files_with_true(table, drawn, zone), strict=True):
            if matching is None:
                continue
            try:
                found = filter_of(rows.where(where)._jdf.queryExecution().optimizedPlan(), ())
            except PySparkException:
                continue
            if found is None:
                continue  # Spark has found it to be the same for every row.
            expression = compile_predicate(found).expression
            kept = evaluate(expression, statistics)
            lost = [file for file in matching if not kept[file]]
            assert not lost, (where, describe_filter(found), [table.files[file] for file in lost])
            plans += 1
            used += not isinstance(expression.root, Unknown)
            skipped += len(kept) - sum(kept)
    assert plans > TABLES * PREDICATES * 0.6, plans
    assert used > plans * 0.5, (used, plans)
    assert skipped > plans, (skipped, plans)


def test_what_a_condition_is_read_as(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "t"
    schema = "i int, f float, s string, d date, t timestamp, dec decimal(5,1), b boolean, part string"
    spark.createDataFrame([], f"{schema}, st struct<a: int, `x.y`: int>").write.parquet(str(path))
    rows = spark.read.parquet(str(path))
    for where, expected in {
        "i > 1.5": "i > 1",
        "f = cast(1.1 as float)": "f = 1.100000023841858",
        "s like 'ab%'": "s in {['ab', 'ac')}",
        "st.a < 3": "st.a < 3",
        "dec in (1, 2.5)": "dec in (1, 2.5)",
        "b": "b = true",
        "i <=> null": "i is null",
        "i in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)": "i in (1, 2, 3, 4, 5, … 6 more)",
        # Room for the time zones of Hive's sessions.
        "t >= timestamp'2020-01-01 00:00:00'": "t >= '2019-12-30 12:00:00'",
    }.items():
        found = filter_of(rows.where(where)._jdf.queryExecution().optimizedPlan(), {"part"})
        assert found is not None and to_text(compile_predicate(found).expression) == expected, where
    for where in (
        "s > 5",
        "part = 'x'",
        "st.`x.y` = 1",
        "year(d) = 2020",
        "t < timestamp'1880-01-01 00:00:00'",
    ):
        assert "no counterpart of this Spark expression is known" in reasons(rows, where), where


def test_a_plan_of_more_than_a_filter_is_not_read(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(3).write.parquet(str(tmp_path / "t"))
    rows = spark.read.parquet(str(tmp_path / "t"))
    for other in (
        rows.where("id in (select id from range(2))"),
        rows.selectExpr("id + 1 as id").where("id = 1"),
        rows.where("false"),
        rows.limit(1).where("id = 1"),
        rows,
    ):
        assert filter_of(other._jdf.queryExecution().optimizedPlan(), ()) is None
