"""Python's reading of partition paths against partition_values.json."""

from typing import Any

import pytest

from pycompiler.collect.partition_values import PartitionColumns

from .vectors import load, vector_id


@pytest.mark.parametrize("vector", load("partition_values.json"), ids=vector_id)
def test_a_path_has_the_values_of_the_vector(vector: dict[str, Any]) -> None:
    columns = PartitionColumns(tuple(vector["columns"]), vector["hive_style"], vector["url_encoded"])
    if vector.get("error"):
        with pytest.raises(ValueError, match="does not determine"):
            columns.values(vector["path"])
    else:
        assert columns.values(vector["path"]) == vector["values"]
