"""Python's encoder against encoding.json, and the type rules against types.json."""

from itertools import pairwise
from typing import Any

import pytest

from pycompiler.compile.values.encoding import (
    decode_value,
    encode_value,
    is_encoded,
    truncate_lower,
    truncate_upper,
)
from pycompiler.compile.values.types import HiveType, reads_without_loss

from .vectors import load, value_of, vector_id


@pytest.mark.parametrize("vector", load("encoding.json"), ids=vector_id)
def test_a_value_has_the_bytes_of_the_vector(vector: dict[str, Any]) -> None:
    hive_type = HiveType.parse(vector["type"])
    encoded = encode_value(hive_type, value_of(hive_type, vector["value"]))
    assert encoded.hex() == vector["bytes"]
    assert is_encoded(hive_type, encoded)
    assert encode_value(hive_type, decode_value(hive_type, encoded)) == encoded, "decoding loses something"


@pytest.mark.parametrize("vector", load("encoding.json", "orders"), ids=vector_id)
def test_the_order_of_bytes_is_the_order_of_values(vector: dict[str, Any]) -> None:
    hive_type = HiveType.parse(vector["type"])
    assert len(vector["values"]) > 1
    for low, high in pairwise(vector["values"]):
        low_bytes, high_bytes = (encode_value(hive_type, value_of(hive_type, value)) for value in (low, high))
        assert low_bytes < high_bytes, f"{low} is not below {high}"


@pytest.mark.parametrize("vector", load("encoding.json", "truncation"), ids=vector_id)
def test_bounds_are_cut_as_the_vector_says(vector: dict[str, Any]) -> None:
    bound = bytes.fromhex(vector["bytes"])
    upper = truncate_upper(bound)
    assert truncate_lower(bound).hex() == vector["lower"]
    assert (upper.hex() if upper is not None else None) == vector["upper"]


@pytest.mark.parametrize("vector", load("types.json"), ids=vector_id)
def test_types_are_read_without_loss_as_the_vector_says(vector: dict[str, Any]) -> None:
    stored, declared = HiveType.parse(vector["stored"]), HiveType.parse(vector["declared"])
    assert reads_without_loss(stored, declared) is vector["reads_without_loss"]
