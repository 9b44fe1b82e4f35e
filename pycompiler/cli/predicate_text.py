"""A predicate as SQL-like text: the filter as it was understood."""

from __future__ import annotations

from pycompiler.predicate.model import And, Between, Compare, Constant, In, IsNull, Not, Opaque, Or, Predicate
from pycompiler.predicate.text import describe_test


def predicate_text(predicate: Predicate) -> str:
    """Writes a predicate in one line.

    It recurses as deeply as the predicate goes, which came from a parser that recurses as well.
    """
    match predicate:
        case And(terms):
            return " and ".join(_inner(term) for term in terms)
        case Or(terms):
            return " or ".join(_inner(term) for term in terms)
        case Not(term):
            return f"not {_inner(term)}"
        case Compare() | In() | Between() | IsNull():
            return describe_test(predicate)
        case Constant(truth):
            return truth.value
        case Opaque(term, _):
            return f"[{term}]"


def _inner(term: Predicate) -> str:
    text = predicate_text(term)
    return f"({text})" if isinstance(term, And | Or | Not | Between) else text
