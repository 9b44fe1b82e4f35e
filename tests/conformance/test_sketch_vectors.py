"""Sketches of the kind `ndv`, against sketches.json: their bytes, and how many values they count."""

from decimal import Decimal
from typing import Any

import pytest

from pycompiler.index.value_sketch import serialize_sketch
from pycompiler.values.encoding import encode_value
from pycompiler.values.types import HiveType
from tests.sketches import distinct_values, lengths

from .vectors import load, vector_id


@pytest.mark.parametrize("vector", load("sketches.json"), ids=vector_id)
def test_sketches_have_these_bytes_and_count_these_values(vector: dict[str, Any]) -> None:
    contents = []
    for file in vector["files"]:
        content = serialize_sketch(_encoded(file))
        assert content.hex() == file["content"]
        mean, greatest = lengths(content)
        assert mean == pytest.approx(file["mean_length"]) and greatest == file["max_length"]
        contents.append(content)
    assert distinct_values(contents) == vector["distinct_values"]


def _encoded(file: dict[str, Any]) -> list[bytes]:
    hive_type = HiveType.parse(file["type"])
    values = range(*file["range"]) if "range" in file else file["values"]
    if file["type"].startswith("decimal"):
        values = map(Decimal, values)
    return sorted(encode_value(hive_type, value) for value in values)
