"""Writes expressions as the trees of vector files, which `vectors.expression_of` reads."""

from typing import Any

from pycompiler.compile.expression.model import (
    ColumnDifference,
    ColumnPair,
    ColumnTest,
    Group,
    HiveTerm,
    HudiExpression,
    KindQuestion,
    Leaf,
    Operator,
    Ranges,
    Unknown,
)
from pycompiler.compile.values.range_set import RangeSet
from pycompiler.compile.wire.expression import to_lists


def tree_of(expression: HudiExpression) -> dict[str, Any]:
    """Returns nested dicts with the name of the operator as `op`, and its operands.

    AND and OR: `children`. Tests of a column: `column`, `type` and `values` (hex), RANGES also `bounds`, as
    in the IDL. Comparisons of columns: `column`, `type`, `other_column`, `other_type`; DIFFERENCE also
    `values` and `bounds`. TERM: `term`,
    `outcomes` and `term_columns`, each with `name` and `type`. QUESTION: `kind`, `question` (hex) and
    `term_columns`. UNKNOWN: `reason`.
    """
    done: list[dict[str, Any]] = []
    for node in expression.nodes:
        match node:
            case Group():
                children = done[len(done) - node.arity :]
                del done[len(done) - node.arity :]
                done.append({"op": node.operator.name, "children": children})
            case Leaf() | Ranges() | ColumnPair() | ColumnDifference() | HiveTerm() | KindQuestion():
                done.append(_test_data(node))
            case Unknown():
                done.append({"op": "UNKNOWN", "reason": node.reason})
            case _:
                done.append({"op": "NEVER"})
    return done.pop()


def _test_data(test: ColumnTest) -> dict[str, Any]:
    match test:
        case Leaf():
            of_column = {"column": test.column, "type": str(test.type)}
            return {"op": test.operator.name, **of_column, "values": [value.hex() for value in test.values]}
        case Ranges():
            of_column = {"column": test.column, "type": str(test.type)}
            return {"op": Operator.RANGES.name, **of_column, **_ranges_data(test.ranges)}
        case ColumnPair():
            return {"op": test.operator.name, **_columns_data(test)}
        case ColumnDifference():
            return {
                "op": Operator.DIFFERENCE.name,
                **_columns_data(test),
                **_ranges_data(test.differences),
            }
        case HiveTerm():
            columns = [{"name": name, "type": str(read_as)} for name, read_as in test.columns]
            outcomes = {"term": test.index, "outcomes": test.outcomes}
            return {"op": Operator.TERM.name, **outcomes, "term_columns": columns}
        case KindQuestion():
            columns = [{"name": name, "type": str(read_as)} for name, read_as in test.asked]
            asked = {"kind": test.kind, "question": test.question.hex()}
            return {"op": Operator.QUESTION.name, **asked, "term_columns": columns}


def _columns_data(test: ColumnPair | ColumnDifference) -> dict[str, Any]:
    return {
        "column": test.column,
        "type": str(test.type),
        "other_column": test.other_column,
        "other_type": str(test.other_type),
    }


def _ranges_data(ranges: RangeSet) -> dict[str, Any]:
    values, bounds = to_lists(ranges)
    return {"values": [value.hex() for value in values], "bounds": bounds.hex()}
