"""Python's reference evaluator against evaluation.json."""

from __future__ import annotations

from typing import Any

import pytest

from pycompiler.expression.evaluator import evaluate
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.types import HiveType

from .vectors import expression_of, load, vector_id


@pytest.mark.parametrize("vector", load("evaluation.json"), ids=vector_id)
def test_files_are_kept_as_the_vector_says(vector: dict[str, Any]) -> None:
    files = [{name: statistics_of(column) for name, column in columns.items()} for columns in vector["files"]]
    assert evaluate(expression_of(vector["expression"]), files) == vector["keep"]


def statistics_of(column: dict[str, Any]) -> ColumnStatistics:
    lower, upper = (
        None if bound is None else bytes.fromhex(bound) for bound in (column["lower"], column["upper"])
    )
    return ColumnStatistics(
        type=HiveType.parse(column["type"]),
        lower=lower,
        upper=upper,
        null_count=column["null_count"],
        value_count=column["value_count"],
        nan_count=column["nan_count"],
    )
