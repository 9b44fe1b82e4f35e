"""Functions of strings."""

from collections.abc import Sequence
from typing import Final

from pycompiler.compile.values.types import HiveType, ValueKind

from ..literals import day_text, quoted
from ..tables import DAY_MICROS, Value
from ..values import (
    DATE_TEXT,
    INT,
    INTEGERS,
    STRING,
    Function,
    Operand,
    Values,
    is_of,
    is_text,
    made,
    operand_of,
)


@operand_of(lambda hive_type: is_text(hive_type) or hive_type is DATE_TEXT)
def _substr(g: Values, x: Operand, depth: int) -> Operand:
    texts = [day_text(value) if isinstance(value, int) else value for value in x.samples]
    length = g.rng.choice((1, 2, 3, 7, 63, None))
    name, start = g.rng.choice(("substr", "substring")), g.rng.choice((1, 1, 1, 0))
    samples = [text[:length] for text in texts if isinstance(text, str)]
    if length is None:
        return made(STRING, samples, f"{name}(", x.sql, f", {start})")
    return made(STRING, samples, f"{name}(", x.sql, f", {start}, {length})")


@operand_of(is_text)
def _letter_case(g: Values, x: Operand, depth: int) -> Operand:
    name = g.rng.choice(("lower", "upper", "lcase", "ucase"))
    texts = [value for value in x.samples if isinstance(value, str)]
    samples = [text.lower() if name[0] == "l" else text.upper() for text in texts]
    return made(STRING, samples, f"{name}(", x.sql, ")")


@operand_of(is_text)
def _concat(g: Values, x: Operand, depth: int) -> Operand:
    affix = g.rng.choice(("a", "x-", " ", "", "\ud7ff", "\U0001f600", "z"))
    texts = [value for value in x.samples if isinstance(value, str)]
    match g.rng.randrange(3):
        case 0:
            return made(STRING, [affix + text for text in texts], f"concat({quoted(affix)}, ", x.sql, ")")
        case 1:
            return made(STRING, [text + affix for text in texts], "concat(", x.sql, f", {quoted(affix)})")
    return made(STRING, [text + affix for text in texts], "(", x.sql, f" || {quoted(affix)})")


@operand_of(is_text)
def _trim(g: Values, x: Operand, depth: int) -> Operand:
    name = g.rng.choice(("trim", "ltrim", "rtrim"))
    texts = [value for value in x.samples if isinstance(value, str)]
    return made(STRING, [getattr(text, name[:-4] + "strip")(" ") for text in texts], f"{name}(", x.sql, ")")


@operand_of(is_text)
def _length(g: Values, x: Operand, depth: int) -> Operand:
    samples = [len(value) for value in x.samples if isinstance(value, str)]
    name = g.rng.choice(("length", "length", "char_length", "octet_length"))
    return made(INT, [0, *samples], f"{name}(", x.sql, ")")


@operand_of(is_text)
def _replace(g: Values, x: Operand, depth: int) -> Operand:
    # Of an empty text, the dialects make different things.
    searched, by = g.rng.choice(("a", "b", "ab", " ", "-", "x")), g.rng.choice(("", "a", "b", "xyz"))
    texts = [value.replace(searched, by) for value in x.samples if isinstance(value, str)]
    return made(STRING, texts, "replace(", x.sql, f", {quoted(searched)}, {quoted(by)})")


def text_of(hive_type: HiveType, value: Value) -> str:
    """An integer, date or midnight as both dialects write it."""
    match hive_type.kind, value:
        case ValueKind.DATE, int():
            return day_text(value)
        case ValueKind.TIMESTAMP, int():
            return f"{day_text(value // DAY_MICROS)} 00:00:00"
    return str(value)


WRITTEN: Final = is_of("tinyint", "int", "bigint", "date", "timestamp")
"""Types that both dialects convert to text without a cast."""


@operand_of(WRITTEN, nested=False)
def _beginning(g: Values, x: Operand, depth: int) -> Operand:
    length = g.rng.choice((1, 2, 4, 7, 10))
    texts = [text_of(x.type, value)[:length] for value in x.samples]
    return made(STRING, texts, "substr(", x.sql, f", 1, {length})")


def _as_text(g: Values, depth: int) -> Operand | None:
    """Dates, timestamps and integers are written alike in both dialects; negative numbers have a `-`."""
    # A date plus days may be after year 9999, which the dialects write differently.
    x = g.of(is_of(*INTEGERS), depth) if g.rng.random() < 0.5 else g.column(is_of("date", "timestamp"))
    if x is None:
        return None
    samples = [text_of(x.type, value) for value in x.samples]
    return made(STRING, samples, "CAST(", x.sql, " AS STRING)")


FUNCTIONS: Final[Sequence[Function]] = (
    *(_substr, _letter_case, _concat, _trim, _length, _replace, _beginning, _as_text, _as_text),
)
"""The functions to draw from; those with more forms appear more than once."""
