"""Random HiveQL: operands from columns and functions, and predicates over operands whose values are known.

Hive first computes the values of an operand; the constants of a predicate are then such values or their
neighbours, written in any type that Hive converts.
"""

import datetime as dt
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from ..harness.literals import literal, quoted

_LEAVES = {
    "number": ("ti", "si", "i", "i", "bi", "f", "d", "m", "w", "st.a.b"),
    "text": ("s", "s", "n", "c", "v", "st.x"),
    "day": ("dt", "dt", "dt2"),
    "moment": ("ts",),
    "truth": ("b",),
}
FAMILIES = ("number", "number", "number", "text", "text", "text", "day", "day", "moment", "truth")
_CONDITIONS = (
    *("b", "i > 20", "s < 'B'", "dt >= date '2020-06-01'"),
    *("m is null", "not b", "i in (0, 1, 2)", "d < d"),
)
_NUMBER_TYPES = ("tinyint", "smallint", "int", "bigint", "float", "double", "decimal(6,1)", "decimal(20,4)")
_TEXT_TYPES = ("string", "string", "varchar(3)", "varchar(20)", "char(4)", "char(12)")
_PATTERNS = (
    *("yyyy", "yyyy-MM", "yyyyMM", "yyyy-MM-dd", "yyyyMMdd"),
    *("yyyy/MM/dd HH", "MM", "MM-dd", "yyyy-MM-dd HH:mm:ss"),
)
_COMPARISONS = ("<", "<=", ">", ">=", "=", "=", "<>")


@dataclass(frozen=True, slots=True)
class Operand:
    """An expression and the family of its types."""

    text: str
    family: str


@dataclass(frozen=True, slots=True)
class Sampled:
    """An operand with the non-NULL values that Hive computes for it."""

    operand: Operand
    values: tuple[Any, ...]


class OperandGrammar:
    """Makes operands."""

    def __init__(self, choice: random.Random) -> None:
        self._choice = choice

    def operand(self, depth: int, family: str | None = None) -> Operand:
        """An operand with at most `depth` functions around one another."""
        family = family or self._choice.choice(FAMILIES)
        if depth == 0 or family == "truth":
            return Operand(self._choice.choice(_LEAVES[family]), family)
        return Operand(self._call(family, depth - 1), family)

    def _call(self, family: str, depth: int) -> str:
        pick = self._choice.choice
        same = self.operand(depth, family).text
        if self._choice.random() < 0.15:
            return pick(
                (
                    f"coalesce({same}, {self._constant(family)})",
                    f"nvl({same}, {self._constant(family)})",
                    f"if({pick(_CONDITIONS)}, {same}, {self._constant(family)})",
                    f"case when {pick(_CONDITIONS)} then {self._constant(family)} else {same} end",
                    f"case when {pick(_CONDITIONS)} then {same} end",
                )
            )
        return pick(self._calls(family, same, depth))()

    def _calls(self, family: str, same: str, depth: int) -> Sequence[Callable[[], str]]:
        pick, below = self._choice.choice, self._choice.randrange

        def text() -> str:
            return self.operand(depth, "text").text

        def day() -> str:
            return self.operand(depth, "day").text

        def dated() -> str:
            return self.operand(depth, pick(("day", "day", "moment"))).text

        def number() -> str:
            return self.operand(depth, "number").text

        match family:
            case "number":
                return (
                    lambda: f"{same} + {pick(('1', '100', '-7', '2.5', '1.5D', '3000000000L'))}",
                    lambda: f"{same} - {pick(('1', '20', '0.25', '1e10'))}",
                    lambda: f"{pick(('0', '10', '100.5'))} - {same}",
                    lambda: f"{same} * {pick(('2', '-1', '-3', '0.5', '0', '10'))}",
                    lambda: f"{same} / {pick(('2', '-4', '0.5', '3'))}",
                    lambda: f"-({same})",
                    lambda: f"abs({same})",
                    lambda: f"{same} % {pick(('7', '10', '-7', '1000'))}",
                    lambda: f"pmod({same}, {pick(('7', '10', '-7', '1000'))})",
                    lambda: f"{pick(('greatest', 'least'))}({same}, {pick(('5', '-20', '2.5', number()))})",
                    lambda: f"cast({same} as bigint) div {pick(('10', '-3', '1000'))}",
                    lambda: f"{pick(('floor', 'ceil', 'round'))}({same})",
                    lambda: f"round({same}, {pick(('0', '1', '-1', '2'))})",
                    lambda: f"cast({same} as {pick(_NUMBER_TYPES)})",
                    lambda: f"cast(n as {pick(_NUMBER_TYPES)})",
                    lambda: f"{pick(('year', 'year', 'month', 'quarter', 'day', 'dayofmonth'))}({dated()})",
                    lambda: f"{pick(('year', 'month', 'weekofyear', 'dayofweek'))}({dated()})",
                    lambda: f"datediff({day()}, '{2019 + below(3)}-0{1 + below(9)}-15')",
                    lambda: f"datediff(date '2021-01-01', {day()})",
                    lambda: f"datediff({day()}, {self.operand(0, 'day').text})",
                    lambda: f"{same} - {self.operand(0, 'number').text}",
                    lambda: f"length({text()})",
                    lambda: f"unix_timestamp({dated()})",
                    lambda: f"hour({self.operand(depth, 'moment').text})",
                )
            case "text":
                return (
                    lambda: f"{pick(('lower', 'upper'))}({same})",
                    lambda: f"substr({same}, 1, {1 + below(6)})",
                    lambda: f"substr({same}, {pick(('2', '-3', '3'))}{pick(('', ', 2'))})",
                    lambda: f"concat({same}, {pick((quoted('-x'), quoted(''), quoted('%')))})",
                    lambda: f"concat({pick((quoted('p-'), quoted('A')))}, {same})",
                    lambda: f"concat({same}, {text()})",
                    lambda: f"{pick(('trim', 'ltrim', 'rtrim', 'reverse'))}({same})",
                    lambda: f"date_format({dated()}, {quoted(pick(_PATTERNS))})",
                    lambda: f"cast({pick((number, day, text))()} as {pick(_TEXT_TYPES)})",
                    lambda: f"cast({self.operand(depth, 'moment').text} as string)",
                    lambda: f"lpad({same}, 4, 'x')",
                    lambda: f"replace({same}, {quoted(pick(('a', 'an', '-')))}, {quoted('')})",
                    lambda: f"{pick(('greatest', 'least'))}({same}, {pick((quoted('B'), text()))})",
                    lambda: f"substr({pick((number, day))()}, 1, {1 + below(8)})",
                    lambda: f"regexp_replace({same}, 'a', 'b')",
                    lambda: f"from_unixtime({pick(('i', 'bi', 'cast(i as bigint) * 86400'))})",
                )
            case "day":
                return (
                    lambda: f"to_date({pick((self.operand(depth, 'moment').text, same, 'n'))})",
                    lambda: f"cast({pick((self.operand(depth, 'moment').text, 'n'))} as date)",
                    lambda: f"trunc({dated()}, {quoted(pick(('MM', 'YYYY', 'Q', 'MONTH', 'YEAR')))})",
                    lambda: f"{pick(('date_add', 'date_sub'))}({same}, {pick(('1', '30', '-45', '400'))})",
                    lambda: f"{same} + interval {pick(('1', '10'))} day",
                    lambda: f"last_day({same})",
                    lambda: f"{pick(('greatest', 'least'))}({same}, date '2020-06-15')",
                    lambda: f"add_months({same}, {pick(('1', '-1', '12'))})",
                )
            case _:
                return (
                    lambda: f"cast({pick((day(), same, 'n'))} as timestamp)",
                    lambda: f"{same} + interval {pick(('1', '36'))} hour",
                    lambda: f"floor({same} to {pick(('day', 'month', 'year', 'hour'))})",
                )

    def _constant(self, family: str) -> str:
        constants: dict[str, tuple[str, ...]] = {
            "number": ("0", "-1", "50", "2.5"),
            "text": (quoted(""), quoted("none"), quoted("Apple-00")),
            "day": ("date '2020-03-03'", "date '1970-01-01'"),
            "moment": ("timestamp '2021-01-21 00:00:00'",),
        }
        return self._choice.choice((*constants[family], "NULL"))


class PredicateGrammar:
    """Makes predicates over sampled operands."""

    def __init__(self, choice: random.Random, pool: Sequence[Sampled]) -> None:
        self._choice = choice
        self._pool = [sampled for sampled in pool if sampled.values]

    def predicate(self, depth: int = 2) -> str:
        """A predicate with at most `depth` connectives around one another."""
        shape = self._choice.random()
        if depth == 0 or shape < 0.5:
            return self._leaf()
        inner = self.predicate(depth - 1)
        if shape < 0.62:
            return f"not ({inner})"
        if shape < 0.7:
            test = self._choice.choice(("is null", "is not null", "is true", "is not true", "is false"))
            return f"({inner}) {test}"
        joint = " and " if shape < 0.85 else " or "
        return f"({inner}{joint}{self.predicate(depth - 1)})"

    def _sampled(self) -> Sampled:
        return self._choice.choice(self._pool)

    def _leaf(self) -> str:
        sampled = self._sampled()
        operand, family = sampled.operand.text, sampled.operand.family
        constant = self._constants(sampled)
        pick = self._choice.choice
        match self._choice.randrange(16):
            case 0:
                return f"{operand} is {pick(('', 'not '))}null"
            case 1 | 2:
                members = [constant() for _ in range(self._choice.randrange(1, 5))]
                if self._choice.random() < 0.25:
                    members.append("NULL")
                return f"{operand} {pick(('in', 'in', 'not in'))} ({', '.join(members)})"
            case 3 if not self._is_wide(sampled) and family != "truth":
                return f"{operand} {pick(('', '', 'not '))}between {constant()} and {constant()}"
            case 4:
                return f"{operand} <=> {pick((constant(), constant(), 'NULL'))}"
            case 5:
                return self._pair()
            case 6:
                return self._struct_in()
            case 7 | 8 | 9 if family == "text":
                return self._pattern(sampled)
            case 10:
                return f"{constant()} {pick(_COMPARISONS)} {operand}"
            case _ if family == "truth":
                return pick((operand, f"{operand} = {constant()}", f"not {operand}"))
            case _:
                return f"{operand} {pick(_COMPARISONS)} {constant()}"

    def _pair(self) -> str:
        pairs = (
            ("dt", "dt2"), ("dt2", "dt"), ("i", "ti"), ("si", "bi"), ("i", "si"), ("f", "d"), ("m", "i"),
            ("ts", "dt"), ("dt", "ts"), ("c", "v"), ("s", "v"), ("w", "m"), ("i", "n"), ("bi", "d"),
            ("s", "n"), ("i", "st.a.b"), ("st.x", "s"), ("i + 1", "si"), ("cast(ts as date)", "dt2"),
            ("i", "i"), ("dt", "date_add(dt2, 3)"), ("c", "'ban  '"), ("c", "'ab'"), ("dt", "'2020-06'"),
        )  # fmt: skip
        left, right = self._choice.choice(pairs)
        return f"{left} {self._choice.choice((*_COMPARISONS, '<=>'))} {right}"

    def _struct_in(self) -> str:
        chosen: list[Sampled] = []
        for _ in range(2):
            sampled = self._sampled()
            while sampled.operand.family == "truth" or isinstance(sampled.values[0], bool | float | Decimal):
                sampled = self._sampled()
            chosen.append(sampled)
        rows = [
            "("
            + ", ".join(
                _exactly(self._choice.choice(sampled.values), sampled.operand.family) for sampled in chosen
            )
            + ")"
            for _ in range(self._choice.randrange(2, 4))
        ]
        columns = ", ".join(sampled.operand.text for sampled in chosen)
        return f"({columns}) {self._choice.choice(('in', 'in', 'not in'))} ({', '.join(rows)})"

    def _pattern(self, sampled: Sampled) -> str:
        operand = sampled.operand.text
        value = str(self._choice.choice(sampled.values))
        cut = self._choice.randrange(0, len(value) + 1)
        like = value.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        start = value[:cut].replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        regex = "".join("\\" + c if c in ".^$*+?()[]{}|\\" else c for c in value[:cut])
        negation = self._choice.choice(("", "", "not "))
        return self._choice.choice(
            (
                f"{operand} {negation}like {quoted(start + '%')}",
                f"{operand} {negation}like {quoted(start + '_%')}",
                f"{operand} {negation}like {quoted(like)}",
                f"{operand} {negation}like {quoted(value[:cut] + '%')}",
                f"{operand} like {quoted('%' + value[cut:])}",
                f"{operand} like {quoted(value[:cut] + '_' * (len(value) - cut))}",
                f"{operand} {negation}rlike {quoted('^' + regex)}",
                f"{operand} rlike {quoted('^' + regex + '.*$')}",
                f"{operand} rlike {quoted(regex + '|zz')}",
                f"{operand} rlike {quoted('^' + regex + '[0-9a-z]?$')}",
            )
        )

    def _constants(self, sampled: Sampled) -> Callable[[], str]:
        """Makes constants for a test of the operand: values it has or that are beside them, in many types."""

        def constant() -> str:
            value = self._choice.choice(sampled.values)
            return self._written(value, sampled.operand.family)

        return constant

    def _written(self, value: Any, family: str) -> str:
        exact = _exactly(value, family)
        if self._choice.random() < 0.55:
            return exact
        pick = self._choice.choice
        match value:
            case bool():
                return pick((literal(not value), exact))
            case int():
                return pick(
                    (
                        str(value + 1),
                        str(value - 1),
                        f"{value}.5",
                        f"{value}.0D",
                        quoted(str(value)),
                        f"{value}.00BD",
                    )
                )
            case float() if math.isfinite(value):
                beside = literal(value + pick((-1, 1)) / 64)
                return pick((beside, quoted(str(value)), f"{value:.2f}", f"{value:.0f}.0D"))
            case Decimal():
                return pick(
                    (f"{value + pick((-1, 1))}BD", f"{float(value)!r}D", f"{int(value)}L", quoted(str(value)))
                )
            case str() if family == "moment":
                return pick((quoted(value), quoted(value[:10]), f"date '{value[:10]}'", quoted(value[:13])))
            case str() if family == "day":
                return pick((quoted(value), quoted(value[:10]), f"timestamp '{value[:10]} 10:00:00'"))
            case str():
                number = value.strip() if value.strip().isdecimal() else "5"
                cut = self._choice.randrange(0, len(value) + 1)
                return pick(
                    (
                        quoted(value[:cut]),
                        quoted(value + " "),
                        quoted(value.swapcase()),
                        number,
                        f"{number}.0D",
                    )
                )
            case _:
                return exact

    def _is_wide(self, sampled: Sampled) -> bool:
        """Whether a BETWEEN could span so many integers that Hive, which lists them, runs out of heap."""
        return any(isinstance(value, int) and abs(value) > 2**20 for value in sampled.values)


def _exactly(value: Any, family: str) -> str:
    match value:
        case str() if family == "moment":
            return f"timestamp '{value}'"
        case str() if family == "day":
            return f"date '{value[:10]}'" if _is_day(value) else quoted(value)
        case int() if not isinstance(value, bool) and value == -(2**63):
            return str(value + 1) + "L"
        case _:
            return literal(value)


def _is_day(text: str) -> bool:
    try:
        dt.date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True
