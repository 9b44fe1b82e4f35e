"""What makes a node of an expression keep a file, in words (docs/inside/formats.md, section 2)."""

from typing import Final

from pycompiler.compile.expression.model import (
    ColumnDifference,
    ColumnPair,
    Group,
    HiveTerm,
    KindQuestion,
    Leaf,
    Never,
    Node,
    Operator,
    Ranges,
    Unknown,
)

_OF_OPERATOR: Final = {
    Operator.AND: "keeps a file if each part keeps it",
    Operator.OR: "keeps a file if one of the parts keeps it",
    Operator.EQ: "keeps a file if the value lies between its minimum and maximum",
    Operator.NE: "keeps a file unless all of its values are this one",
    Operator.LT: "keeps a file if its minimum is below the value",
    Operator.LTEQ: "keeps a file if its minimum is not above the value",
    Operator.GT: "keeps a file if its maximum is above the value",
    Operator.GTEQ: "keeps a file if its maximum is not below the value",
    Operator.IN: "keeps a file if one of the values lies between its minimum and maximum",
    Operator.NOT_IN: "keeps a file unless all of its values are among these",
    Operator.IS_NULL: "keeps a file unless it is known to have no NULL",
    Operator.IS_NOT_NULL: "keeps a file unless it is known to have nothing but NULL",
}
_BY_VALUES: Final = ", and no set of values denies it"
_BY_RECORDS: Final = ", and no Bloom filter or set of values denies it"
_MORE: Final = {
    **dict.fromkeys((Operator.EQ, Operator.IN), _BY_RECORDS),
    **dict.fromkeys((Operator.LT, Operator.LTEQ, Operator.GT, Operator.GTEQ), _BY_VALUES),
}
"""What else a file must pass if its column has such index records."""


def rule_in_words(node: Node) -> str:
    """When a node keeps a file. A file about which nothing is known is always kept."""
    match node:
        case Group(operator=operator):
            return _OF_OPERATOR[operator]
        case Leaf(operator=operator):
            return _OF_OPERATOR[operator] + _MORE.get(operator, "")
        case Ranges():
            return f"keeps a file if its range overlaps these values{_BY_RECORDS}"
        case ColumnPair():
            return "keeps a file unless the ranges of the two columns leave no such pair of values"
        case ColumnDifference():
            return "keeps a file unless the ranges of the two columns leave no such difference"
        case HiveTerm():
            return "Hive evaluates it for files in which these columns are constant; the others are kept"
        case KindQuestion():
            return "keeps a file unless its index record of this kind denies a match"
        case Unknown():
            return "keeps every file, because no statistics decide it"
        case Never():
            return "keeps no file: it is true for no row"
