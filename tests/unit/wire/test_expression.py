import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pycompiler.expression.model import (
    ColumnPair,
    Group,
    HiveTerm,
    HudiExpression,
    Leaf,
    Node,
    Operator,
    Ranges,
    Unknown,
)
from pycompiler.values.encoding import encode_value
from pycompiler.values.range_set import RangeSet
from pycompiler.values.types import HiveType
from pycompiler.wire.expression import ExpressionFormatError, from_bytes, to_bytes

PROPERTY = settings(max_examples=500)
INT = HiveType.parse("int")


def leaf(value: int) -> Leaf:
    return Leaf(Operator.EQ, "a", INT, (encode_value(INT, value),))


SAMPLE = HudiExpression(
    (
        leaf(1),
        Leaf(Operator.IN, "s.f", HiveType.parse("string"), (b"", b"ab", "\U0001f600".encode())),
        Unknown("why"),
        Group(Operator.OR, 2),
        Leaf(Operator.IS_NULL, "b", HiveType.parse("array<int>")),
        Ranges(
            "s",
            HiveType.parse("string"),
            RangeSet.below(b"b", included=False) | RangeSet.points([b"c", b"d"]),
        ),
        ColumnPair(Operator.LT_COLUMN, "a", INT, "b", HiveType.parse("bigint")),
        HiveTerm(300, 5, (("a", INT), ("l", HiveType.parse("array<int>")))),
        Group(Operator.AND, 6),
    ),
    b"\x00\xff",
)


@PROPERTY
@given(st.data())
def test_flipped_cut_and_inserted_bytes_are_refused_or_read_and_nothing_else(data: st.DataObject) -> None:
    damaged = bytearray(to_bytes(SAMPLE))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        match data.draw(st.sampled_from(["flip", "cut", "insert"])):
            case "flip":
                damaged[at] ^= 1 << data.draw(st.integers(0, 7))
            case "cut":
                del damaged[at : at + data.draw(st.integers(1, 5))]
            case _:
                damaged[at:at] = data.draw(st.binary(min_size=1, max_size=5))
        damaged = damaged or bytearray(b"\x00")
    read_or_refused(bytes(damaged))


@PROPERTY
@given(st.binary(max_size=60))
def test_any_bytes_are_refused_or_read_and_nothing_else(data: bytes) -> None:
    read_or_refused(data)
    # Past the versions, so that the nodes are reached.
    read_or_refused(bytes.fromhex("1502150229") + data)


def read_or_refused(data: bytes) -> None:
    try:
        expression = from_bytes(data)
    except ExpressionFormatError:
        return
    assert from_bytes(to_bytes(expression)) == expression


def test_structs_nested_in_unknown_fields_are_refused_and_no_crash() -> None:
    deep = bytes.fromhex("15021502") + b"\xac" + b"\x1c" * 50_000 + b"\x00" * 50_001
    with pytest.raises(ExpressionFormatError):
        from_bytes(deep)


def test_depth_costs_no_stack_and_no_square() -> None:
    nodes: list[Node] = [leaf(0)]
    for level in range(20_000):
        nodes += [leaf(level), Group(Operator.AND if level % 2 else Operator.OR, 2)]
    expression = HudiExpression(tuple(nodes))
    assert from_bytes(to_bytes(expression)) == expression


def test_every_set_of_ranges_is_read_as_it_was_written() -> None:
    ends = [encode_value(INT, value) for value in (1, 2, 3)]
    atoms = [RangeSet.point(end) for end in ends]
    atoms += [RangeSet.below(end, included=included) for end in ends for included in (False, True)]
    atoms += [RangeSet.above(end, included=included) for end in ends for included in (False, True)]
    sets = {one | other for one in atoms for other in atoms} | {
        one & other for one in atoms for other in atoms
    }
    written = [HudiExpression((Ranges("a", INT, values),)) for values in sets if not values.is_empty]
    assert len(written) > 50
    assert [from_bytes(to_bytes(expression)) for expression in written] == written
