"""The registry of function rules: built-in ones, and those of installed packages. The first answer wins."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from pycompiler.compile.functions import (
    arithmetic,
    casts,
    column_differences,
    conditional,
    dates,
    extremes,
    floors,
    recurring_date_parts,
    remainders,
    rounding,
    zoned,
)
from pycompiler.compile.functions.condition import Condition
from pycompiler.compile.functions.rule import FunctionRule, KindRules
from pycompiler.compile.functions.texts import (
    affixes,
    lengths,
    letter_case,
    like,
    regexp,
    replacements,
    substrings,
)
from pycompiler.compile.functions.texts import casts as text_casts
from pycompiler.compile.predicate.model import Call, Literal
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.plugins import FUNCTIONS, INDEX_KINDS, installed

BUILT_IN: Final[tuple[FunctionRule, ...]] = (
    *casts.RULES,
    *text_casts.RULES,
    *arithmetic.RULES,
    *remainders.RULES,
    *rounding.RULES,
    *dates.RULES,
    *column_differences.RULES,
    *recurring_date_parts.RULES,
    *floors.RULES,
    *zoned.RULES,
    *like.RULES,
    *regexp.RULES,
    *substrings.RULES,
    *letter_case.RULES,
    *affixes.RULES,
    *lengths.RULES,
    *replacements.RULES,
    *conditional.RULES,
    *extremes.RULES,
)
"""This package's rules, in the order in which they are tried."""


def invert(call: Call, wanted: Outcomes) -> tuple[str, Condition] | None:
    """The condition on the arguments for a wanted outcome, and its rule's name; None if no rule fits."""
    for rule in _rules().get(call.name, ()):
        condition = rule.invert(call, wanted)
        if condition is not None:
            return type(rule).__name__, condition
    return None


def evaluate(call: Call, arguments: Sequence[Literal]) -> Literal | None:
    """The result of a call with constant arguments, if a rule is certain of it."""
    for rule in _rules().get(call.name, ()):
        result = rule.evaluate(call, arguments)
        if result is not None:
            return result
    return None


@cache
def _rules() -> Mapping[str, Sequence[FunctionRule]]:
    """By function name: rules of installed packages and index kinds, and then the built-in ones."""
    own = [make() for _, make in installed(FUNCTIONS, FunctionRule)]
    of_kinds = [rule for _, kind in installed(INDEX_KINDS, KindRules) for rule in kind.rules]
    by_name: defaultdict[str, list[FunctionRule]] = defaultdict(list)
    for rule in [*own, *of_kinds, *BUILT_IN]:
        for name in rule.names:
            by_name[name].append(rule)
    return by_name
