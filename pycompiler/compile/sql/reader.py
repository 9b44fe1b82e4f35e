"""Turns sqlglot's nodes into operands and conditions, as Hive's type checker does.

Only the node classes named here, with only the arguments examined here, are supported; all others become
`Opaque`.
"""

from collections.abc import Sequence
from typing import Final

from sqlglot import exp

from pycompiler.compile.predicate import build
from pycompiler.compile.predicate.errors import FilterTooLargeError
from pycompiler.compile.predicate.limits import MAX_IN_VALUES
from pycompiler.compile.predicate.model import (
    And,
    Between,
    Call,
    Column,
    Comparison,
    Literal,
    Not,
    Opaque,
    Operand,
    Or,
    Predicate,
    type_of,
)
from pycompiler.compile.predicate.schema import Schema
from pycompiler.compile.predicate.text import shorten
from pycompiler.compile.sql.dialect import PLAIN, Dialect
from pycompiler.compile.sql.fields import column_type
from pycompiler.compile.sql.functions import cast, function, operator
from pycompiler.compile.sql.intervals import plus_days, plus_interval
from pycompiler.compile.sql.literals import literal_of, target_type
from pycompiler.compile.sql.narrowing import constant_beside, membership
from pycompiler.compile.sql.query_constants import QueryConstants
from pycompiler.compile.values.types import HiveType

_COMPARISONS: Final[dict[type[exp.Expr], Comparison]] = {
    exp.EQ: Comparison.EQ,
    exp.NullSafeEQ: Comparison.NULL_SAFE_EQ,
    exp.NEQ: Comparison.NE,
    exp.LT: Comparison.LT,
    exp.LTE: Comparison.LTEQ,
    exp.GT: Comparison.GT,
    exp.GTE: Comparison.GTEQ,
}
_ARITHMETIC: Final[dict[type[exp.Expr], str]] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.Mod: "%",
    exp.IntDiv: "div",
}
_EXTRACTED: Final = {
    **{name: name for name in ("year", "quarter", "month", "day", "hour", "minute", "second", "dayofweek")},
    "week": "weekofyear",
}
_TRIMS: Final = {"": "trim", "BOTH": "trim", "LEADING": "ltrim", "TRAILING": "rtrim"}
_OF_THE_QUERY: Final = {
    exp.CurrentDate: "current_date",
    exp.CurrentTimestamp: "current_timestamp",
    exp.CurrentTime: "current_time",
    exp.CurrentUser: "current_user",
}


class Reader:
    """Turns the nodes of one condition into a predicate. It recurses less deeply than the parser."""

    def __init__(self, schema: Schema | None, dialect: Dialect, query: QueryConstants | None) -> None:
        self._schema = schema
        self._dialect = dialect
        self._query = query

    def condition(self, node: exp.Expr) -> Predicate:
        """Reads a node in the place of a condition."""
        return build.condition(self._operand(node))

    def _operand(self, node: exp.Expr) -> Operand:
        node = node.unnest()
        literal = literal_of(node)
        if literal is not None:
            return literal
        return self._test(node) or self._value(node) or self._opaque(node)

    def _test(self, node: exp.Expr) -> Operand | None:
        comparison = _COMPARISONS.get(type(node))
        if comparison is not None:
            return self._comparison(comparison, node)
        match node:
            case exp.And():
                return And(tuple(self.condition(term) for term in _chain(node, exp.And)))
            case exp.Or():
                return Or(tuple(self.condition(term) for term in _chain(node, exp.Or)))
            case exp.Not(this=exp.Is(this=value, expression=exp.Boolean(this=wanted))):
                # Like `x IS TRUE`, `x IS NOT TRUE` is never NULL.
                return build.condition(self._operator("isnottrue" if wanted else "isnotfalse", value))
            case exp.Not():
                return Not(self.condition(node.this))
            case exp.NullSafeNEQ():
                return Not(self._comparison(Comparison.NULL_SAFE_EQ, node))
            case exp.Is(this=value, expression=exp.Null()):
                return build.null_test(self._operand(value))
            case exp.Is(this=value, expression=exp.Boolean(this=wanted)):
                return build.condition(self._operator("istrue" if wanted else "isfalse", value))
            case exp.In() if _has_only(node, "this", "expressions"):
                return self._in(node)
            case exp.Between() if _has_only(node, "this", "low", "high"):
                value, low, high = (self._operand(node.args[name]) for name in ("this", "low", "high"))
                return Between(value, low, high)
            case exp.Like() if _has_only(node, "this", "expression", "negate"):
                return self._like(node)
            case exp.RegexpLike() if _has_only(node, "this", "expression"):
                return self._operator("rlike", node.this, node.expression)
        return None

    def _comparison(self, comparison: Comparison, node: exp.Expr) -> Predicate:
        left, right = self._operand(node.this), self._operand(node.expression)
        if isinstance(right, Literal):
            right = constant_beside(left, right)
        elif isinstance(left, Literal):
            left = constant_beside(right, left)
        return build.comparison(comparison, left, right)

    def _in(self, node: exp.In) -> Predicate | None:
        members = node.expressions
        if len(members) > MAX_IN_VALUES:
            raise FilterTooLargeError(
                f"an IN list of {len(members)} values exceeds the limit of {MAX_IN_VALUES}"
            )
        if not members:
            return None
        value = self._operand(node.this)
        read = [self._operand(member) for member in members]
        if isinstance(value, Call) and value.name == "struct":
            return membership(value, [_struct_beside(value, member) for member in read])
        return membership(value, read)

    def _like(self, node: exp.Like) -> Operand:
        patterns, name = [node.expression], "like"
        if isinstance(node.expression, exp.Any | exp.All):
            name = "like any" if isinstance(node.expression, exp.Any) else "like all"
            listed = node.expression.this.unnest()
            patterns = listed.expressions if isinstance(listed, exp.Tuple) else [listed]
        found = self._operator(name, node.this, *patterns)
        return Not(build.condition(found)) if node.args.get("negate") else found

    def _value(self, node: exp.Expr) -> Operand | None:
        name = _ARITHMETIC.get(type(node))
        if name is not None:
            return self._arithmetic(name, node)
        match node:
            case exp.Column():
                return self._column(node)
            case exp.CurrentDate() | exp.CurrentTimestamp() if _has_only(node):
                return self._current(_OF_THE_QUERY[type(node)])
            case exp.Neg():
                return self._operator("negative", node.this)
            case exp.DPipe():
                return self._function("concat", node.this, node.expression)
            case exp.Cast() if _has_only(node, "this", "to"):
                target = target_type(node.to, self._dialect)
                return None if target is None else self._folded(cast(self._operand(node.this), target))
            case exp.Case() | exp.If():
                return self._case(node)
            case exp.Tuple():
                return self._struct(node.expressions)
            case exp.Anonymous():
                return self._call(node)
            case exp.Trim() if _has_only(node, "this", "position"):
                return self._function(_TRIMS[node.args.get("position") or ""], node.this)
            case exp.Substring():
                ends = (node.args.get("start"), node.args.get("length"))
                return self._function("substr", node.this, *(end for end in ends if end is not None))
            case exp.Floor() | exp.Ceil():
                return self._rounded(node)
            case exp.Extract() if node.this.name.lower() in _EXTRACTED:
                return self._function(_EXTRACTED[node.this.name.lower()], node.expression)
        return None

    def _column(self, node: exp.Column) -> Operand:
        names = [part.name.lower() for part in node.parts]
        name = ".".join(names)
        if self._schema is None:
            return Opaque(name, "no file of the table records the column's type")
        hive_type = column_type(names, self._schema)
        if hive_type is None or any("." in part for part in names):
            return Opaque(name, "the type of the struct field is unknown")
        return Column(name, hive_type)

    def _arithmetic(self, name: str, node: exp.Expr) -> Operand:
        left, sign = self._operand(node.this), {"+": 1, "-": -1}.get(name)
        if isinstance(left, Literal) and sign is not None:
            # A shifted constant date or timestamp; Hive's arithmetic types do not cover the sum.
            added = node.expression.unnest()
            if isinstance(added, exp.Interval):
                found = plus_interval(left, added, sign)
            else:
                found = plus_days(left, self._operand(added), sign)
            if found is not None:
                return found
        return self._folded(operator(name, [left, self._operand(node.expression)]))

    def _case(self, node: exp.Case | exp.If) -> Operand | None:
        if isinstance(node, exp.If):
            branches = [node.this, node.args.get("true"), node.args.get("false")]
            return None if None in branches else self._function("if", *branches)
        operands = [] if node.this is None else [self._operand(node.this)]
        for branch in node.args["ifs"]:
            operands += [self._operand(branch.this), self._operand(branch.args["true"])]
        if node.args.get("default") is not None:
            operands.append(self._operand(node.args["default"]))
        return operator("when" if node.this is None else "case", operands)

    def _call(self, node: exp.Anonymous) -> Operand:
        name = node.name.lower()
        match name, node.expressions:
            case "isnull", [value]:
                return build.null_test(self._operand(value))
            case "isnotnull", [value]:
                return Not(build.null_test(self._operand(value)))
            case "struct", [_, *_]:
                return self._struct(node.expressions)
            case "positive", [value]:
                return self._operand(value)
            case (("current_date" | "current_timestamp"), []):
                return self._current(name) or self._opaque(node)
        return self._function(name, *node.expressions)

    def _struct(self, nodes: Sequence[exp.Expr]) -> Operand:
        fields = [self._operand(node) for node in nodes]
        types = [type_of(field) for field in fields]
        if None in types:
            return next(field for field in fields if isinstance(field, Opaque))
        named = ",".join(f"col{number}:{hive_type}" for number, hive_type in enumerate(types, start=1))
        return Call("struct", HiveType(f"struct<{named}>"), tuple(fields))

    def _rounded(self, node: exp.Floor | exp.Ceil) -> Operand | None:
        name = "floor" if isinstance(node, exp.Floor) else "ceil"
        if _has_only(node, "this"):
            return self._function(name, node.this)
        unit = node.args.get("to")
        if isinstance(node, exp.Floor) and unit is not None and _has_only(node, "this", "to"):
            return self._function(f"floor_{unit.name.lower()}", node.this)
        return None

    def _function(self, name: str, *arguments: exp.Expr) -> Operand:
        return self._folded(
            function(name, [self._operand(argument) for argument in arguments], self._dialect)
        )

    def _operator(self, name: str, *arguments: exp.Expr) -> Operand:
        return self._folded(operator(name, [self._operand(argument) for argument in arguments]))

    def _current(self, name: str) -> Operand | None:
        return None if self._query is None else self._query.current(name)

    def _folded(self, operand: Operand) -> Operand:
        return operand if self._query is None else self._query.folded(operand)

    def _opaque(self, node: exp.Expr) -> Opaque:
        text = shorten(node.sql(dialect=PLAIN[self._dialect]))
        if type(node) in _OF_THE_QUERY or node.name.lower() in _OF_THE_QUERY.values():
            return Opaque(text, "its value changes between queries")
        return Opaque(text, "it is not supported")


def _struct_beside(value: Call, member: Operand) -> Operand:
    """Types a struct of constants field by field, as Hive does when comparing it with the tested struct."""
    if not isinstance(member, Call) or len(member.arguments) != len(value.arguments):
        return member
    pairs = zip(value.arguments, member.arguments, strict=True)
    fields = (
        constant_beside(field, given) if isinstance(given, Literal) else given for field, given in pairs
    )
    return Call(member.name, value.type, tuple(fields))


def _chain(node: exp.Expr, connective: type[exp.Connector]) -> Sequence[exp.Expr]:
    """The terms of `a AND b AND c …`, which sqlglot nests to the left; without recursion."""
    terms: list[exp.Expr] = []
    waiting = [node]
    while waiting:
        term = waiting.pop().unnest()
        if isinstance(term, connective):
            waiting += [term.this, term.expression]
        else:
            terms.append(term)
    # The stack yields right terms before left ones.
    return terms[::-1]


def _has_only(node: exp.Expr, *names: str) -> bool:
    return all(name in names for name, value in node.args.items() if value)
