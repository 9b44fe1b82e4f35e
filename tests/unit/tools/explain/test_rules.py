"""The rule in words says what the evaluator does."""

import pytest

from pycompiler.compile.expression.evaluator import leaf_keeps
from pycompiler.compile.expression.model import (
    COMPARISONS,
    GROUPS,
    Group,
    HiveTerm,
    KindQuestion,
    Leaf,
    Never,
    Node,
    Operator,
    Unknown,
)
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.tools.explain.rules import rule_in_words

INT = HiveType("int")


def file(low: int, high: int, nulls: int = 0) -> ColumnStatistics:
    return ColumnStatistics(INT, encode_value(INT, low), encode_value(INT, high), nulls, 10)


def leaf(operator: Operator) -> Leaf:
    return Leaf(operator, "n", INT, (encode_value(INT, 5),))


@pytest.mark.parametrize(
    ("operator", "words", "kept", "skipped"),
    [
        (Operator.EQ, "the value lies between its minimum and maximum", file(5, 9), file(6, 9)),
        (Operator.NE, "unless all of its values are this one", file(5, 6), file(5, 5)),
        (Operator.LT, "its minimum is below the value", file(4, 9), file(5, 9)),
        (Operator.LTEQ, "its minimum is not above the value", file(5, 9), file(6, 9)),
        (Operator.GT, "its maximum is above the value", file(1, 6), file(1, 5)),
        (Operator.GTEQ, "its maximum is not below the value", file(1, 5), file(1, 4)),
        (Operator.IN, "one of the values lies between its minimum and maximum", file(5, 9), file(6, 9)),
        (Operator.NOT_IN, "unless all of its values are among these", file(5, 6), file(5, 5)),
    ],
)
def test_a_comparison_keeps_what_its_rule_says(
    operator: Operator, words: str, kept: ColumnStatistics, skipped: ColumnStatistics
) -> None:
    assert words in rule_in_words(leaf(operator))
    assert leaf_keeps(leaf(operator), {"n": kept})
    assert not leaf_keeps(leaf(operator), {"n": skipped})


@pytest.mark.parametrize(
    ("operator", "words", "kept", "skipped"),
    [
        (Operator.IS_NULL, "unless it is known to have no NULL", file(1, 2, 1), file(1, 2)),
        (Operator.IS_NOT_NULL, "unless it is known to have nothing but NULL", file(1, 2, 9), file(1, 2, 10)),
    ],
)
def test_a_null_test_keeps_what_its_rule_says(
    operator: Operator, words: str, kept: ColumnStatistics, skipped: ColumnStatistics
) -> None:
    of_null = Leaf(operator, "n", INT)
    assert words in rule_in_words(of_null)
    assert leaf_keeps(of_null, {"n": kept})
    assert not leaf_keeps(of_null, {"n": skipped})


@pytest.mark.parametrize(
    "node",
    [
        *(Group(operator, 2) for operator in sorted(GROUPS)),
        *(leaf(operator) for operator in sorted(COMPARISONS)),
        HiveTerm(0, 1, (("n", INT),)),
        KindQuestion("cells", b"", (("n", INT),)),
        Unknown(),
        Never(),
    ],
    ids=lambda node: rule_in_words(node),
)
def test_each_node_has_a_rule(node: Node) -> None:
    assert rule_in_words(node).split()[0] in ("keeps", "Hive")
