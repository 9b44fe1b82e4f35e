"""Python's reading of partition paths against partition_values.json."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index.collect.partition_values import PartitionColumns

from .vectors import load, vector_id

_PARSED: dict[str, Callable[[str], Any]] = {"string": str, "int": int, "date": date.fromisoformat}


@pytest.mark.parametrize("vector", load("partition_values.json"), ids=vector_id)
def test_a_path_has_the_values_of_the_vector(vector: dict[str, Any]) -> None:
    columns = PartitionColumns(tuple(vector["columns"]), vector["hive_style"], vector["url_encoded"])
    if vector.get("error"):
        with pytest.raises(ValueError, match="does not determine"):
            columns.values(vector["path"])
    else:
        assert columns.values(vector["path"]) == vector["values"]


@pytest.mark.parametrize("vector", load("partition_values.json", "read_from_paths"), ids=vector_id)
def test_readers_take_the_values_of_the_vector_from_a_path(vector: dict[str, Any]) -> None:
    types = {name: HiveType.parse(text) for name, text in vector["columns"].items()}
    columns = PartitionColumns(tuple(types), vector["hive_style"], vector["url_encoded"])
    assert columns.constants(vector["path"], types) == {
        name: None if text is None else encode_value(types[name], _PARSED[types[name].name](text))
        for name, text in vector["read"].items()
    }
