"""The rules about strings against Hive's own answers in both modes."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from pycompiler.compile.functions import registry
from pycompiler.compile.predicate.model import Call, Column, Literal, Operand
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.prefixes import beginning_with
from pycompiler.compile.values.range_set import RangeSet
from pycompiler.compile.values.types import HiveType

from .preimages import holds

FILE: Final = Path(__file__).parents[3] / "conformance" / "string_function_values.json"
VECTORS: Final = json.loads(FILE.read_text())
INT: Final = HiveType("int")
STRINGS: Final[list[str]] = VECTORS["strings"]


def call_of(vector: dict[str, Any]) -> Call:
    return Call(vector["name"], HiveType.parse(vector["type"]), tuple(map(operand, vector["arguments"])))


def operand(argument: dict[str, Any]) -> Operand:
    ((kind, value),) = argument.items()
    return (
        Column(value, HiveType.parse("string")) if kind == "column" else Literal(HiveType.parse(kind), value)
    )


def encoded(value: bool | int | str) -> bytes:
    match value:
        case bool():
            return bytes([value])
        case int():
            return encode_value(INT, value)
    return value.encode()


def wanted_sets(results: set[bytes], *, are_texts: bool) -> Iterator[Outcomes]:
    for result in sorted(results):
        point = RangeSet.point(result)
        yield Outcomes(point, False)
        yield Outcomes(point.complement(), False)
        if are_texts:
            yield Outcomes(RangeSet.of([beginning_with(result)]), False)
        for included in (False, True):
            yield Outcomes(RangeSet.below(result, included=included), False)
            yield Outcomes(RangeSet.above(result, included=included), False)
    yield Outcomes(RangeSet.points(sorted(results)[::3]), False)


@pytest.mark.parametrize("vector", VECTORS["functions"], ids=lambda vector: vector["sql"])
def test_a_string_is_kept_where_hive_gives_a_wanted_result_in_either_mode(vector: dict[str, Any]) -> None:
    call = call_of(vector)
    rows = list(map(encoded, vector["rows"]))
    vectorized = list(map(encoded, vector.get("vectorized", vector["rows"])))
    assert len(STRINGS) == len(rows) == len(vectorized)
    asked = 0
    for wanted in wanted_sets({*rows, *vectorized}, are_texts=call.type != INT):
        found = registry.invert(call, wanted) if not wanted.is_empty else None
        if found is None:
            continue
        asked += 1
        for text, *results in zip(STRINGS, rows, vectorized, strict=True):
            is_wanted = any(map(wanted.has, results))
            is_kept = holds(found[1], {"s": text.encode()})
            assert is_kept or not is_wanted, f"{text!r} is lost: {vector['sql']} in {wanted.values}"
    assert asked > 1, "there is a rule"
