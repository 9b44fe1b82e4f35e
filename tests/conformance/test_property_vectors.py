"""Known table properties, against properties.json."""

from typing import Any

import pytest

from pycompiler.table.known_properties import VERSION, objection_to_reading, objection_to_version

from .vectors import load, vector_id


@pytest.mark.parametrize("vector", load("properties.json"), ids=vector_id)
def test_a_table_is_read_or_refused_by_the_name_of_the_property(vector: dict[str, Any]) -> None:
    properties = {"hoodie.table.type": vector["type"], **vector["properties"]}
    objection = objection_to_version(properties.get(VERSION, "")) or objection_to_reading(
        properties, vector["type"] != "COPY_ON_WRITE"
    )
    if vector["refused"] is None:
        assert not objection
    else:
        assert vector["refused"] in objection
