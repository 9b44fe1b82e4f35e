"""The rules about numbers, moments and casts against Hive's own answers in both modes."""

import json
import struct
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pytest

from pycompiler.compile.functions import registry
from pycompiler.compile.predicate.model import Call, IsNull
from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.range_set import RangeSet
from pycompiler.compile.values.types import HiveType, ValueKind

from .preimages import holds

FILE: Final = Path(__file__).parents[3] / "conformance" / "number_function_values.json"
VECTORS: Final = json.loads(FILE.read_text())
TYPES: Final = {
    "ti": "tinyint",
    "si": "smallint",
    "i": "int",
    "bi": "bigint",
    "f": "float",
    "d": "double",
    "m": "decimal(10,2)",
    "dt": "date",
    "ts": "timestamp",
    "b": "boolean",
    "s": "string",
}
SCHEMA: Final = {name: HiveType.parse(text) for name, text in TYPES.items()}
EPOCH: Final = datetime(1970, 1, 1)
NAN: Final = RangeSet.point(encode_value(HiveType("double"), float("nan")))
MOST_RESULTS: Final = 5


def encoded(hive_type: HiveType, text: str | None) -> bytes | None:
    """The encoded value of a recorded text."""
    if text is None:
        return None
    match hive_type.kind:
        case ValueKind.BOOLEAN:
            return encode_value(hive_type, text == "true")
        case ValueKind.INTEGER:
            return encode_value(hive_type, int(text))
        case ValueKind.FLOAT:
            if "0x" in text:
                # In vectors, a float may have the digits of a double.
                return encode_value(hive_type, float.fromhex(text))
            return encode_value(hive_type, nearest_float(text) if hive_type.name == "float" else float(text))
        case ValueKind.DECIMAL:
            return encode_value(hive_type, Decimal(text))
        case ValueKind.DATE:
            return encode_value(hive_type, date.fromisoformat(text))
        case ValueKind.TIMESTAMP:
            whole, _, fraction = text.partition(".")
            micros = (datetime.fromisoformat(whole) - EPOCH) // timedelta(microseconds=1)
            return encode_value(hive_type, micros + int(fraction.ljust(9, "0")[:6] or 0))
    return text.encode()


def nearest_float(text: str) -> float:
    """The value of a float that Java writes so."""
    (single,) = struct.unpack(">f", struct.pack(">f", float(text)))
    return float(single)


def wanted_sets(results: list[bytes], *, is_float: bool) -> Iterator[Outcomes]:
    for result in results[:: len(results) // MOST_RESULTS + 1]:
        point = RangeSet.point(result)
        for values in (
            point,
            point.complement(),
            RangeSet.below(result, included=True),
            RangeSet.above(result, included=False),
        ):
            # NaN is wanted whatever numbers are: Hive compares it in two ways.
            yield Outcomes(values | NAN if is_float else values, False)
    yield Outcomes(RangeSet.of([]), True)


def call_of(sql: str) -> Call | None:
    predicate = from_sql(f"({sql}) IS NULL", SCHEMA)
    assert isinstance(predicate, IsNull)
    return predicate.value if isinstance(predicate.value, Call) else None


@pytest.mark.parametrize("vector", VECTORS["functions"], ids=lambda vector: vector["sql"])
def test_a_value_is_kept_where_hive_gives_a_wanted_result_in_either_mode(vector: dict[str, Any]) -> None:
    call, name = call_of(vector["sql"]), vector["column"]
    if call is None or call.type.kind is None:
        return
    texts = VECTORS["columns"][name]
    rows = [encoded(call.type, text) for text in vector["rows"]]
    vectorized = [encoded(call.type, text) for text in vector.get("vectorized", vector["rows"])]
    stored = [encoded(SCHEMA[name], text) for text in texts]
    present = sorted({result for result in (*rows, *vectorized) if result is not None})
    for wanted in wanted_sets(present, is_float=call.type.kind is ValueKind.FLOAT):
        found = registry.invert(call, wanted)
        if found is None:
            continue
        for text, value, *results in zip(texts, stored, rows, vectorized, strict=True):
            if any(map(wanted.has, results)):
                assert holds(found[1], {name: value}), f"{text} is lost: {vector['sql']} in {wanted}"


def test_most_of_the_recorded_functions_have_rules() -> None:
    without = [
        vector["sql"]
        for vector in VECTORS["functions"]
        if (call := call_of(vector["sql"])) is not None
        and registry.invert(call, Outcomes(RangeSet.of([]), True)) is None
    ]
    assert len(without) < len(VECTORS["functions"]) / 5, without
