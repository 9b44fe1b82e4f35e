"""Draws conditions that a person might type after WHERE.

Without options, they mean the same in Hive and in Spark.
"""

import random
from collections.abc import Sequence
from typing import Final

from pycompiler.compile.predicate.model import Column
from pycompiler.compile.values.types import ValueKind

from .functions import choices, moments, numbers, texts
from .functions.choices import extreme
from .functions.moments import add_months
from .functions.texts import WRITTEN, text_of
from .literals import literal, quoted
from .sql import Sql, joined
from .tables import Row, Table
from .values import Constants, Function, Operand, Values, columns_of, is_text

LEFT_OUT: Final = (
    ("string beside a number", "Hive compares doubles, Spark what the other side is: '1.5' = 1"),
    ("text of a number beside a bigint above 2^31, or a fraction as text", "as above"),
    ("an integer beside a constant beyond bigint", "Spark says TRUE or FALSE for NULL, too"),
    ("constants of several types in one IN", "Hive takes them one by one, Spark converts all to one type"),
    ("IN without a member of the column's type", "Hive says FALSE for NULL, too"),
    ("a float beside a constant that is no float", "Hive rounds the constant, Spark compares doubles"),
    ("arithmetic on floats", "the type of the result: float or double"),
    ("sums of tinyint and smallint columns beyond their types", "Hive's two modes differ themselves"),
    ("abs of tinyint and smallint", "the type of the result"),
    ("quotients of decimals", "the scale of the result"),
    ("a timestamp cast to a number", "Hive has fractions of seconds, or refuses it"),
    ("values cast from and to strings", "what is accepted, and how numbers are written"),
    ("date functions of strings", "what each takes for a date"),
    ("add_months of the last days of a month", "Hive keeps the last day of a month the last"),
    ("trunc, last_day beside anything but the text of a date", "a date in Spark, a string in Hive"),
    ("trunc to WEEK or Q", "one of the two does not know the unit"),
    ("years before 1583 and after 9999", "calendars, and how years are written"),
    ("LIKE with a backslash before anything but % _ \\", "Spark refuses it"),
    ("texts with line ends beside patterns", "whether a dot or % matches them"),
    ("varchar and char values longer than their column, or with blanks at the end", "Hive cuts and pads"),
    ("IN of structs with NULL", "whether the result is NULL or FALSE"),
    ("greatest and least of NULL", "Hive returns NULL, Spark the others"),
    ("pmod by a negative number", "the sign of the result"),
    ("replace of an empty text", "Hive puts the other text around each character"),
    ("constants of another type as branches of COALESCE, IF and CASE", "the type of the result"),
    ("user functions", "Spark has none; those of examples/places are tested by tests/examples"),
)
"""Shapes that the generator avoids, and why: for these, Spark is no oracle for Hive."""

FUNCTIONS: Final = (*moments.FUNCTIONS, *numbers.FUNCTIONS, *texts.FUNCTIONS, *choices.FUNCTIONS)

_COMPARISONS: Final = ("=", "=", "<", "<=", ">", ">=", "!=", "<>", "<=>", "==")
_MAX_DEPTH: Final = 3
READ_ALIKE: Final = Constants()
"""Constants that Hive and Spark read alike."""


class Grammar:
    """Draws conditions over the columns of a table.

    Args:
        rng: Source of randomness.
        over: The table, or expressions to use instead of columns.
        functions: Functions to draw from. If empty, all operands are columns.
        constants: What constants are like.
        pairs: Whether comparisons may have a column instead of a constant.
        nesting: How often an operand of a function is a function itself.
    """

    def __init__(
        self,
        rng: random.Random,
        over: Table | Sequence[Operand],
        functions: Sequence[Function] = FUNCTIONS,
        *,
        constants: Constants = READ_ALIKE,
        pairs: bool = False,
        nesting: float = 0.25,
    ) -> None:
        self._rng = rng
        columns = columns_of(rng, over) if isinstance(over, Table) else over
        self._values = Values(rng, columns, self.condition, functions, constants, nesting)
        self._converts = constants.other is not None
        self._pairs = pairs

    def condition(self, depth: int = 0) -> Sql:
        """Draws a condition; one in ten combines many others."""
        rng = self._rng
        if depth < _MAX_DEPTH and rng.random() < (0.5 if depth == 0 else 0.25):
            match rng.randrange(8):
                case 0 | 1 | 2:
                    terms = (self.condition(depth + 1) for _ in range(rng.randint(2, 3)))
                    return _bool("(", joined(" AND ", *terms), ")")
                case 3 | 4:
                    terms = (self.condition(depth + 1) for _ in range(rng.randint(2, 3)))
                    return _bool("(", joined(" OR ", *terms), ")")
                case 5 | 6:
                    return _bool("(NOT ", self.condition(depth + 1), ")")
            return self._of_condition(depth + 1)
        return self._test(depth)

    def comparison(self, depth: int = 0) -> Sql:
        """Draws a condition from comparisons, IN, BETWEEN, NULL tests, AND, OR and NOT."""
        rng = self._rng
        if depth < 2 and rng.random() < 0.5:
            match rng.randrange(5):
                case 0:
                    return _bool("(NOT ", self.comparison(depth + 1), ")")
                case 1 | 2:
                    return _bool("(", self.comparison(depth + 1), " OR ", self.comparison(depth + 1), ")")
            return _bool("(", self.comparison(depth + 1), " AND ", self.comparison(depth + 1), ")")
        if self._pairs and rng.random() < 0.2:
            return self._constant() if rng.random() < 0.1 else self._column_test()
        match rng.randrange(8):
            case 0:
                return self._null_test(depth)
            case 1 | 2:
                return self._in(depth)
            case 3:
                return self._between(depth, alike=True)
        return self._compare(depth, alike=True)

    def value(self) -> Operand:
        """Draws a column or a function of columns."""
        return self._values.any_value()

    def holding(self, row: Row, columns: Sequence[Column]) -> Sql:
        """Draws a condition that holds for a row: the values of some of its columns."""
        rng = self._rng
        tests = []
        for column in rng.sample(columns, rng.randint(1, min(3, len(columns)))):
            value = row[column.name]
            test = "IS NULL"
            if value is not None:
                operator = rng.choice(("=", "=", "=", "<=", ">="))
                test = f"{operator} {literal(rng, column.type, value, alike=True)}"
            tests.append(_bool(f"({column.name} {test})"))
        return _bool("(", joined(" AND ", *tests), ")")

    def call(self) -> Sql:
        """Draws a comparison of one function with a constant."""
        return self._compare(0)

    def _of_condition(self, depth: int) -> Sql:
        inner = self.condition(depth)
        match self._rng.randrange(6):
            case 0:
                return _bool("(", inner, " IS NULL)")
            case 1:
                return _bool("(", inner, " IS NOT NULL)")
            case 2:
                return _bool(
                    "(", inner, f" IS {self._rng.choice(('TRUE', 'FALSE', 'NOT TRUE', 'NOT FALSE'))})"
                )
            case 3:
                return _bool("coalesce(", inner, f", {self._rng.choice(('true', 'false'))})")
            case 4:
                return _bool("if(", inner, ", ", self.condition(depth), ", ", self.condition(depth), ")")
        branches = (
            "CASE WHEN ",
            inner,
            " THEN ",
            self.condition(depth),
            " ELSE ",
            self.condition(depth),
            " END",
        )
        return _bool("(", *branches, ")")

    def _test(self, depth: int) -> Sql:
        rng = self._rng
        match rng.randrange(26):
            case 0:
                return self._constant()
            case 1 | 2:
                return self._null_test(depth)
            case 3 | 4:
                return self._in(depth)
            case 5 | 6:
                return self._between(depth)
            case 7 | 8:
                return self._pattern(depth) or self._compare(depth)
            case 9 | 10 | 11:
                return self._pair() or self._compare(depth)
            case 12:
                return self._struct_in() or self._compare(depth)
            case 13:
                return self._add_months() or self._compare(depth)
            case 14:
                return self._boolean() or self._compare(depth)
            case 15:
                return self._extreme() or self._compare(depth)
        return self._compare(depth)

    def _constant(self) -> Sql:
        return _bool(self._rng.choice(("true", "false", "CAST(NULL AS BOOLEAN)")))

    def _compare(self, depth: int, *, alike: bool = False) -> Sql:
        operand = self._values.any_value(depth)
        constant = self._values.constant(operand, alike=alike)
        operator = self._rng.choice(_COMPARISONS)
        if self._rng.random() < 0.25:
            return _bool(f"({constant} {operator} ", operand.sql, ")")
        return _bool("(", operand.sql, f" {operator} {constant})")

    def _null_test(self, depth: int) -> Sql:
        return _bool("(", self._values.any_value(depth).sql, self._rng.choice((" IS NULL)", " IS NOT NULL)")))

    def _in(self, depth: int) -> Sql:
        operand = self._values.any_value(depth)
        count = self._rng.choice((1, 2, 3, 5, 20))
        members = [self._member(operand) for _ in range(count)]
        negation = self._rng.choice(("", "", "NOT "))
        return _bool("(", operand.sql, f" {negation}IN (", joined(", ", *members), "))")

    def _member(self, operand: Operand) -> Sql:
        return Sql((self._values.constant(operand, alike=True),))

    def _between(self, depth: int, *, alike: bool = False) -> Sql:
        operand = self._values.any_value(depth)
        if self._converts and not operand.is_short:
            return self._compare(depth)
        ends = [self._values.constant(operand, alike=alike) for _ in range(2)]
        negation = self._rng.choice(("", "", "NOT "))
        return _bool("(", operand.sql, f" {negation}BETWEEN {ends[0]} AND {ends[1]})")

    def _pair(self) -> Sql | None:
        left = self._values.column(lambda hive_type: hive_type.length is None)
        converts = self._converts and self._rng.random() < 0.5
        right = left and self._values.column(lambda hive_type: converts or hive_type == left.type)
        if left is None or right is None or left.sql == right.sql:
            return None
        operator = self._rng.choice(_COMPARISONS)
        return _bool("(", self._moved(left), f" {operator} ", right.sql, ")")

    def _column_test(self) -> Sql:
        """Compares a column with one of its type, or with that and a constant."""
        left = self._values.any_value(_MAX_DEPTH)
        right = self._values.column(lambda hive_type: hive_type == left.type) or left
        constant = Sql((self._values.constant(left, alike=True),))
        match self._rng.randrange(4):
            case 0:
                return _bool("(", left.sql, " IN (", joined(", ", constant, right.sql), "))")
            case 1:
                return _bool("(", left.sql, " BETWEEN ", right.sql, " AND ", constant, ")")
        return _bool("(", left.sql, f" {self._rng.choice(_COMPARISONS)} ", right.sql, ")")

    def _moved(self, column: Operand) -> Sql:
        """A column, sometimes plus a constant."""
        if self._rng.random() < 0.5:
            match column.type.name:
                case "date":
                    name = self._rng.choice(("date_add", "date_sub"))
                    return Sql((f"{name}(", column.sql, f", {self._rng.choice((0, 1, -1, 30))})"))
                case "int" | "bigint":
                    name = self._rng.choice("+-")
                    return Sql(("(", column.sql, f" {name} {self._rng.choice((1, 2, 100, 2_147_483_647))})"))
        return column.sql

    def _pattern(self, depth: int) -> Sql | None:
        rng = self._rng
        is_written = rng.random() < 0.2
        operand = self._values.column(WRITTEN) if is_written else self._values.of(is_text, depth)
        if operand is None:
            return None
        if rng.random() < 0.3 and not is_written:
            part = self._beginning(operand)
            escaped = "".join("\\" + c if c in ".%+*?()[]{}|^$\\" else c for c in part)
            start, ends = "^", ["", ".*", "$", "[a-z]"]
            if self._converts:
                start, ends = rng.choice(("^", "^", "")), [*ends, "|zz", "[0-9a-z]?$"]
            return _bool("(", operand.sql, f" RLIKE {quoted(start + escaped + rng.choice(ends))})")
        negation = rng.choice(("", "", "NOT "))
        if rng.random() < 0.2:
            patterns = joined(", ", *(Sql((self._like_pattern(operand),)) for _ in range(rng.randint(2, 3))))
            return _bool("(", operand.sql, f" LIKE {rng.choice(('ANY', 'ALL'))} (", patterns, "))")
        return _bool("(", operand.sql, f" {negation}LIKE {self._like_pattern(operand)})")

    def _beginning(self, operand: Operand) -> str:
        sample = self._values.sample(operand)
        text = "" if sample is None else text_of(operand.type, sample)
        return text[: self._rng.randint(0, min(len(text), 6))]

    def _like_pattern(self, operand: Operand) -> str:
        rng = self._rng
        escaped = self._beginning(operand).replace("\\", "\\\\")
        if rng.random() < 0.7:
            escaped = escaped.replace("%", "\\%").replace("_", "\\_")
        start, ends = "", ["%", "%", "", "_", "%a", "%b%"]
        if self._converts:
            start, ends = rng.choice(("", "", "", "%")), [*ends, "__%", "___"]
        return quoted(start + escaped + rng.choice(ends))

    def _struct_in(self) -> Sql | None:
        columns = [
            self._values.column(lambda hive_type: hive_type.name in ("int", "string", "date")) for _ in "ab"
        ]
        left, right = columns
        if left is None or right is None:
            return None
        pairs = [
            Sql((f"({self._branch(left)}, {self._branch(right)})",)) for _ in range(self._rng.randint(1, 4))
        ]
        if self._converts and self._rng.random() < 0.5:
            negation = self._rng.choice(("", "NOT "))
            return _bool("((", left.sql, ", ", right.sql, f") {negation}IN (", joined(", ", *pairs), "))")
        is_in = ("((", left.sql, ", ", right.sql, ") IN (", joined(", ", *pairs), "))")
        # Without NULL: see LEFT_OUT.
        known = ("(", left.sql, " IS NOT NULL)", " AND (", right.sql, " IS NOT NULL)")
        return _bool("(", *known, " AND ", *is_in, ")")

    def _branch(self, operand: Operand) -> str:
        match operand.type.kind, self._values.sample(operand):
            case ValueKind.INTEGER, int(value):
                return str(value if abs(value) < 1 << 31 else 0)
            case ValueKind.STRING, str(text):
                return quoted(text)
            case ValueKind.DATE, int():
                return "DATE '2021-01-01'" if self._rng.random() < 0.3 else self._date(operand)
        return "NULL"

    def _date(self, operand: Operand) -> str:
        text = self._values.constant(operand, alike=True)
        return "DATE '2021-01-01'" if text == "NULL" else text

    def _add_months(self) -> Sql | None:
        found = add_months(self._values)
        if found is None:
            return None
        day, moved = found
        constant = self._values.constant(moved)
        # See LEFT_OUT.
        is_early = ("(", day.sql, " <= 27) AND ")
        return _bool("(", *is_early, "(", moved.sql, f" {self._rng.choice(_COMPARISONS)} {constant}))")

    def _extreme(self) -> Sql | None:
        found = extreme(self._values)
        if found is None:
            return None
        known, operand = found
        constant = self._values.constant(operand)
        test = (operand.sql, f" {self._rng.choice(_COMPARISONS)} {constant}")
        return _bool("(", known, " AND (", *test, "))")

    def _boolean(self) -> Sql | None:
        operand = self._values.of(lambda hive_type: hive_type.name == "boolean", _MAX_DEPTH)
        return None if operand is None else _bool("(", operand.sql, ")")


def _bool(*parts: str | Sql) -> Sql:
    return Sql(parts, "condition")
