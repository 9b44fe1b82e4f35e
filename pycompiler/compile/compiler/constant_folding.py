"""Constant folding: replaces calls of constants whose value in Hive is certain."""

from typing import Final

from pycompiler.compile.functions import registry
from pycompiler.compile.predicate.model import Call, Literal, Operand

_MAX_DEPTH: Final = 50


def folded(operand: Operand, depth: int = _MAX_DEPTH) -> Operand:
    """The operand, or the constant that it always equals."""
    if not isinstance(operand, Call) or depth == 0:
        return operand
    arguments = [folded(argument, depth - 1) for argument in operand.arguments]
    literals = [argument for argument in arguments if isinstance(argument, Literal)]
    if len(literals) < len(arguments):
        return operand
    result = registry.evaluate(Call(operand.name, operand.type, tuple(literals)), literals)
    return operand if result is None else result
