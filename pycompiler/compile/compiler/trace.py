"""The steps of a compilation, for display."""

from dataclasses import dataclass

from pycompiler.compile.compiler.column_leaf import Membership
from pycompiler.compile.expression.model import ColumnDifference, ColumnPair, HudiExpression
from pycompiler.compile.expression.render import node_text, to_text
from pycompiler.compile.functions.condition import AllOf, AnyOf, Anything, Asked, Condition, Member
from pycompiler.compile.predicate.model import Operand, type_of
from pycompiler.compile.predicate.text import describe
from pycompiler.compile.values.outcomes import Outcomes


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One step."""

    rule: str
    before: str
    after: str


def member_text(operand: Operand, outcomes: Outcomes) -> str:
    """Writes which outcomes of an operand are wanted, like the leaf of a column."""
    hive_type = type_of(operand)
    text = describe(operand)
    if outcomes.is_full:
        return f"any {text}"
    if outcomes.is_empty or hive_type is None or hive_type.kind is None:
        return f"no {text}" if outcomes.is_empty else f"some {text}"
    return to_text(HudiExpression(Membership(text, hive_type, outcomes, outcomes).nodes()))


def condition_text(condition: Condition) -> str:
    """Writes a rule's condition on the arguments."""
    match condition:
        case Member(operand, outcomes):
            return member_text(operand, outcomes)
        case ColumnPair() | ColumnDifference():
            return node_text(condition)
        case Asked(kind, columns):
            return f"{kind}({', '.join(column.name for column in columns)}) may match"
        case AllOf(parts):
            return " and ".join(f"({condition_text(part)})" for part in parts) or "every row"
        case AnyOf(parts):
            return " or ".join(f"({condition_text(part)})" for part in parts) or "no row"
        case Anything(reason):
            return f"any [{reason}]"
