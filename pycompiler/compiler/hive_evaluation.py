"""Tests that Hive itself can decide for files in which each of their columns has one value."""

from __future__ import annotations

from pycompiler.compiler.truth_values import Truths
from pycompiler.expression.model import HiveTerm
from pycompiler.predicate.model import Call, Column, In, Literal, LiteralList, Opaque, Operand, Test
from pycompiler.predicate.walk import operands_of, walk
from pycompiler.values.types import HiveType, ValueKind


def hive_term(test: Test, wanted: Truths) -> HiveTerm | None:
    """The leaf that has Hive evaluate a test; None where it would add nothing, or cannot be.

    Proof: the test reads nothing but its columns, and where these have one value each all rows of a file give
    the test the truth value that Hive's evaluator gives it for that one row.
    """
    operands = _operands_but_lists(test)
    if test.node_index is None or _is_exact(operands):
        return None
    columns: dict[str, HiveType] = {}
    for operand in (part for whole in operands for part in walk(whole)):
        match operand:
            case Opaque():
                return None
            case Column(name, hive_type):
                if hive_type.kind in (None, ValueKind.TIMESTAMP):
                    # The value of a stored timestamp depends on the zone of the JVM that reads it.
                    return None
                columns[name] = hive_type
    return HiveTerm(test.node_index, int(wanted), tuple(sorted(columns.items()))) if columns else None


def _operands_but_lists(test: Test) -> tuple[Operand, ...]:
    """The operands, without constants by the thousands, which read no column and are as they are."""
    if isinstance(test, In) and isinstance(test.members, LiteralList):
        return (test.value,)
    return operands_of(test)


def _is_exact(operands: tuple[Operand, ...]) -> bool:
    """Whether bounds that are one value decide a test already: a column against constants, as they are."""
    return all(map(_is_plain, operands)) and sum(isinstance(operand, Column) for operand in operands) == 1


def _is_plain(operand: Operand) -> bool:
    match operand:
        case Column(_, hive_type):
            return hive_type.name not in ("varchar", "char")
        case Literal():
            return True
        case Call():
            return False
    return False
