"""Three-valued logic: what AND, OR and NOT keep, for every kind of leaf and each pair of outcomes."""

from typing import Any

import pytest
from pyspark.sql import SparkSession

from pycompiler.compile.compiler.compile import compile_predicate
from pycompiler.compile.expression.evaluator import evaluate
from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.types import HiveType

from ..vectors import expression_of, load, statistics_of, vector_id, without_reasons
from .truth_tables import FILE, TESTS, Test, content

PAIRS = load("truth_tables.json", "pairs")
VECTORS = [pair | vector for pair in PAIRS for vector in pair["filters"]]


def test_the_vectors_are_those_of_their_source() -> None:
    assert FILE.read_text(encoding="utf-8") == content(), (
        "run: python -m tests.conformance.agreement.truth_tables"
    )


@pytest.mark.parametrize("vector", VECTORS, ids=vector_id)
def test_a_file_is_kept_if_and_only_if_its_row_passes(vector: dict[str, Any]) -> None:
    files = [{name: statistics_of(column) for name, column in file.items()} for file in vector["files"]]
    schema = {name: HiveType.parse(text) for name, text in vector["columns"].items()}
    compiled = compile_predicate(from_sql(vector["name"], schema)).expression
    assert without_reasons(compiled) == without_reasons(expression_of(vector["expression"]))
    assert evaluate(compiled, files) == vector["keep"]


@pytest.mark.spark
@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.sql)
def test_spark_agrees_on_the_outcome_of_each_row(spark: SparkSession, test: Test) -> None:
    sql, columns = test.named("c")
    for outcome, row in test.rows.items():
        values = ", ".join(
            f"cast({_sql(value)} as {hive_type}) as {name}"
            for name, hive_type, value in zip(columns, test.types, row, strict=True)
        )
        found = spark.sql(f"select {sql} from (select {values})").head()
        assert found is not None
        assert found[0] is outcome, row


def _sql(value: object) -> str:
    return "null" if value is None else f"'{value}'"
