"""`LENGTH`, `CHARACTER_LENGTH` and `OCTET_LENGTH`: whether a string is empty.

Source: Hive 4.0.1, `GenericUDFLength`, `StringLength`: the number of bytes that do not continue a character.
"""

from typing import Final

from pycompiler.compile.functions.condition import Condition, Member
from pycompiler.compile.functions.rule import FunctionRule
from pycompiler.compile.predicate.constants import is_text
from pycompiler.compile.predicate.model import Call, type_of
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.range_set import EMPTY, End, Range, RangeSet
from pycompiler.compile.values.spans import spans_of
from pycompiler.compile.values.types import ValueKind

_EMPTY_TEXT: Final = RangeSet.point(b"")
_CONTINUING: Final = RangeSet.of([Range(End(b"\x80", True), End(b"\xc0", False))])


class Length(FunctionRule):
    """`length(x) = 0`: x is empty; `length(x) > 0`: it is not.

    Proof: a string has length 0 if it is empty, or if all of its bytes continue a character: then so does the
    first. Otherwise the length is positive.
    """

    names = ("length", "character_length", "octet_length")

    def invert(self, call: Call, wanted: Outcomes) -> Condition | None:
        source = type_of(call.arguments[0]) if len(call.arguments) == 1 else None
        if not is_text(source) or call.type.kind is not ValueKind.INTEGER:
            return None
        lengths = spans_of(call.type, wanted.values)
        has_zero = any(first <= 0 <= last for first, last in lengths)
        has_positive = any(last > 0 for _, last in lengths)
        values = (_EMPTY_TEXT | _CONTINUING if has_zero else EMPTY) | (
            _EMPTY_TEXT.complement() if has_positive else EMPTY
        )
        return Member(call.arguments[0], Outcomes(values, wanted.null))


RULES: Final[tuple[FunctionRule, ...]] = (Length(),)
