"""`greatest` and `least` by brute force; `number_function_values.json` holds Hive to the same results."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pycompiler.compile.functions import registry
from pycompiler.compile.functions.condition import AnyOf, Member
from pycompiler.compile.predicate.model import Call, Column, Literal, Operand
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.range_set import End, Range, RangeSet
from pycompiler.compile.values.types import HiveType

from .preimages import holds

_POOLS: Mapping[str, Sequence[Any]] = {
    "int": [-5, 0, 1, 2, 3, 7],
    "double": [-math.inf, -1.5, -0.0, 0.0, 2.5, math.inf, math.nan],
    "string": ["", "a", "b", "\ud7ff", "\ue000", "\uffff", "\U0001f600"],
    "date": [-1, 0, 5],
}
_NAN = RangeSet.point(encode_value(HiveType("double"), math.nan))
_ORDERS: Sequence[Callable[[Any], Any]] = (
    lambda text: text.encode(),
    lambda text: text.encode("utf-16-be", "surrogatepass"),
)


def _result(name: str, values: Sequence[Any], order: Callable[[Any], Any]) -> Any:
    if None in values:
        return None
    chosen = max if name == "greatest" else min
    if isinstance(values[0], float):
        return chosen(values, key=lambda value: (math.isnan(value), 0.0 if math.isnan(value) else value))
    return chosen(values, key=order) if isinstance(values[0], str) else chosen(values)


@settings(max_examples=1500)
@given(st.data(), st.sampled_from(sorted(_POOLS)), st.sampled_from(["greatest", "least"]))
def test_a_row_whose_extreme_is_wanted_meets_the_condition(
    data: st.DataObject, type_name: str, name: str
) -> None:
    hive_type, pool = HiveType(type_name), st.sampled_from(_POOLS[type_name])
    row = {"p": data.draw(pool | st.none()), "q": data.draw(pool | st.none())}
    stored = {
        column: None if value is None else encode_value(hive_type, value) for column, value in row.items()
    }
    operands: list[Column | Literal] = [Column("p", hive_type), Column("q", hive_type)]
    if data.draw(st.booleans()):
        operands[1] = Literal(hive_type, data.draw(pool))
    low, high = sorted(encode_value(hive_type, data.draw(pool)) for _ in range(2))
    values = RangeSet.of([Range(*(End(end, data.draw(st.booleans())) for end in (low, high)))])
    values = data.draw(st.sampled_from([values, values.complement(), RangeSet.below(high, included=True)]))
    # NaN is wanted whatever numbers are: Hive compares it in two ways.
    wanted = Outcomes(values | _NAN if type_name == "double" else values, data.draw(st.booleans()))

    found = registry.invert(Call(name, hive_type, tuple(operands)), wanted)

    assert found is not None
    arguments = [row[operand.name] if isinstance(operand, Column) else operand.value for operand in operands]
    for order in _ORDERS:
        result = _result(name, arguments, order)
        if wanted.has(None if result is None else encode_value(hive_type, result)):
            assert holds(found[1], stored), f"{name}{arguments} is {result!r}, and is lost"


def test_an_argument_above_what_is_wanted_excludes_a_row() -> None:
    hive_type = HiveType("int")
    call = Call("greatest", hive_type, (Column("p", hive_type), Column("q", hive_type)))
    found = registry.invert(call, Outcomes(RangeSet.below(encode_value(hive_type, 3), included=False), False))
    assert found is not None
    one, two, three = (encode_value(hive_type, number) for number in (1, 2, 3))
    assert not holds(found[1], {"p": one, "q": three})
    assert not holds(found[1], {"p": None, "q": one})
    assert holds(found[1], {"p": one, "q": two})


@pytest.mark.parametrize(
    ("hive_type", "argument"),
    [
        ("int", Literal(HiveType("int"), None)),
        ("timestamp", Literal(HiveType("timestamp"), 5)),
        ("date", Literal(HiveType("string"), "2021-01-01")),
        ("float", Column("q", HiveType("int"))),
        ("char", Column("q", HiveType.parse("char(3)"))),
    ],
)
def test_arguments_that_may_change_have_no_rule(hive_type: str, argument: Operand) -> None:
    result = HiveType.parse("char(3)") if hive_type == "char" else HiveType(hive_type)
    call = Call("greatest", result, (Column("p", result), argument))
    assert registry.invert(call, Outcomes(RangeSet.point(b"\x00"), False)) is None


def test_a_value_beyond_its_type_is_not_compared_with_others() -> None:
    hive_type = HiveType("int")
    plus = Call("+", hive_type, (Column("p", hive_type), Literal(hive_type, 1)))
    call = Call("greatest", hive_type, (plus, Column("q", hive_type)))
    found = registry.invert(call, Outcomes(RangeSet.of([]), False))
    assert found is not None
    nothing = Outcomes(RangeSet.of([]), False)
    assert found[1] == AnyOf((AnyOf(tuple(Member(argument, nothing) for argument in call.arguments)),))
