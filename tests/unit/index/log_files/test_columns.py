"""Avro types as the Parquet types of a base file, and what a block and its table share."""

import json
from typing import Any

import pyarrow as pa
import pytest

from pycompiler.index.log_files.columns import OPAQUE, columns_of, shared_columns
from pycompiler.index.log_files.errors import LogUnreadableError

from .written import schema


def _type(kind: Any) -> pa.DataType:
    return columns_of(schema(c=kind))["c"].type


@pytest.mark.parametrize(
    "kind",
    [
        {"type": "map", "values": "int"},
        {"type": "string", "logicalType": "uuid"},
        {"type": "long", "logicalType": "time-micros"},
        {"type": "long", "logicalType": "timestamp-nanos"},
        {"type": "fixed", "name": "f", "size": 4},
        {"type": "bytes", "logicalType": "decimal", "precision": 39, "scale": 0},
        {"type": "bytes", "logicalType": "decimal", "precision": 3, "scale": 4},
        {"type": "record", "name": "nothing", "fields": []},
        "undefined",
    ],
    ids=str,
)
def test_unsupported_types_are_opaque(kind: Any) -> None:
    assert _type(kind) == OPAQUE


def test_a_union_of_two_types_is_opaque() -> None:
    document = {"type": "record", "name": "r", "fields": [{"name": "c", "type": ["null", "int", "string"]}]}
    assert columns_of(json.dumps(document))["c"].type == OPAQUE


def test_a_named_type_is_resolved_in_its_namespace() -> None:
    point = {"type": "record", "name": "point", "namespace": "geo", "fields": [{"name": "x", "type": "int"}]}
    found = columns_of(schema(a={"type": "array", "items": point}, b="geo.point", c="point"))
    assert found["b"].type == pa.struct([("x", pa.int32())])
    assert found["c"].type == OPAQUE, "of another namespace"


def test_a_recursive_record_ends() -> None:
    tree = {
        "type": "record",
        "name": "tree",
        "fields": [{"name": "n", "type": "int"}, {"name": "left", "type": ["null", "tree"]}],
    }
    assert _type(tree) == pa.struct([("n", pa.int32()), ("left", OPAQUE)])


def _shared(of_block: Any, of_table: Any) -> pa.StructType:
    return shared_columns(columns_of(schema(**of_block)), columns_of(schema(**of_table)))


def _struct(name: str, **fields: str) -> dict[str, Any]:
    return {"type": "record", "name": name, "fields": [{"name": n, "type": t} for n, t in fields.items()]}


def test_fields_of_structs_are_shared_one_by_one() -> None:
    shared = _shared({"s": _struct("s", a="int", b="int")}, {"s": _struct("t", b="long", c="int")})
    assert shared == pa.struct([("s", pa.struct([("b", pa.int32())]))])


def test_a_struct_without_shared_fields_keeps_its_place() -> None:
    assert _shared({"s": _struct("s", a="int")}, {"s": _struct("t", b="int")})["s"].type == OPAQUE


DECIMAL = {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}


@pytest.mark.parametrize(
    ("of_block", "of_table"),
    [
        ("long", "int"),
        ("float", "double"),
        ("int", {"type": "int", "logicalType": "date"}),
        ("long", {"type": "long", "logicalType": "timestamp-micros"}),
        (DECIMAL, {**DECIMAL, "scale": 3}),
        ("string", "bytes"),
        ("int", _struct("s", a="int")),
    ],
    ids=str,
)
def test_a_column_that_merging_may_convert_is_refused(of_block: Any, of_table: Any) -> None:
    with pytest.raises(LogUnreadableError, match=r"column c is .* in a block and .* in the table"):
        _shared({"c": of_block}, {"c": of_table})


def test_a_block_without_a_column_of_the_table_is_refused() -> None:
    with pytest.raises(LogUnreadableError, match="no column with the table"):
        _shared({"a": "int"}, {"b": "int"})


@pytest.mark.parametrize("text", ["{", '"int"', "[]", '{"type": "record", "name": "r"}'])
def test_an_invalid_schema_is_refused(text: str) -> None:
    with pytest.raises(LogUnreadableError, match="Avro schema"):
        columns_of(text)
