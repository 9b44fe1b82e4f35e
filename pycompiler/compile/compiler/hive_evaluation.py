"""Tests that Hive itself can evaluate for files in which their columns have few possible values."""

from pycompiler.compile.compiler.truth_values import Truths
from pycompiler.compile.expression.model import HiveTerm
from pycompiler.compile.predicate.model import Column, In, Literal, LiteralList, Opaque, Operand, Test
from pycompiler.compile.predicate.walk import operands_of, walk
from pycompiler.compile.values.types import HiveType, ValueKind


def hive_term(test: Test, wanted: Truths) -> HiveTerm | None:
    """The leaf that has Hive evaluate a test; None if it would add nothing, or is impossible.

    Proof: the test reads only its columns. If the values that they may have in a file are listed, each row of
        the file gives the test a truth value that Hive's evaluator returns for a combination of them.
    """
    match test:
        case In(value, LiteralList()):
            # A list of thousands of constants reads no column.
            operands: tuple[Operand, ...] = (value,)
        case _:
            operands = operands_of(test)
    if test.node_index is None or _is_exact(operands):
        return None
    columns: dict[str, HiveType] = {}
    for operand in (part for whole in operands for part in walk(whole)):
        match operand:
            case Opaque():
                return None
            case Column(name, hive_type):
                if hive_type.kind in (None, ValueKind.TIMESTAMP):
                    # The value of a stored timestamp depends on the zone of the reading JVM.
                    return None
                columns[name] = hive_type
    return HiveTerm(test.node_index, int(wanted), tuple(sorted(columns.items()))) if columns else None


def _is_exact(operands: tuple[Operand, ...]) -> bool:
    """Whether constant bounds decide the test anyway: it compares a plain column with constants."""
    return all(map(_is_plain, operands)) and sum(isinstance(operand, Column) for operand in operands) == 1


def _is_plain(operand: Operand) -> bool:
    if isinstance(operand, Column):
        return operand.type.name not in ("varchar", "char")
    return isinstance(operand, Literal)
