"""What expression.json does not hold both languages to."""

from pycompiler.compile.expression.model import Group, HudiExpression, Leaf, Node, Operator, Unknown, group
from pycompiler.compile.expression.render import to_text
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType

INT = HiveType.parse("int")


def equal_to(number: int) -> Leaf:
    return Leaf(Operator.EQ, "a", INT, (encode_value(INT, number),))


def test_the_reason_of_something_unknown_is_shown() -> None:
    assert to_text(HudiExpression((Unknown("a reason"),))) == "any [a reason]"


def test_long_text_is_cut() -> None:
    numbers = ((equal_to(number),) for number in range(1000))
    text = to_text(HudiExpression(group(Operator.OR, numbers)), max_length=50)
    assert len(text) == 50
    assert text.startswith("a = 0 or a = 1")
    assert text.endswith("…")


def test_a_deep_expression_is_shown_without_a_crash() -> None:
    nodes: list[Node] = [equal_to(0)]
    for _ in range(5_000):
        nodes += [equal_to(0), Group(Operator.OR, 2)]
    assert to_text(HudiExpression(tuple(nodes))).endswith("…")
