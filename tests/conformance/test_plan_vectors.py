"""The planner against partition_plans.json, which Java's reader of plans and keys uses too."""

from typing import Any

import pytest

from .plan_vectors import FILE, written
from .vectors import load, vector_id


@pytest.mark.parametrize("vector", load(FILE), ids=vector_id)
def test_keys_and_plan_are_those_of_the_vector(vector: dict[str, Any]) -> None:
    assert written(vector) == vector
