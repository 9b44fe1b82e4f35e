"""Functions of strings."""

from collections.abc import Sequence
from typing import Final

from ..literals import day_text, quoted
from ..values import (
    DATE,
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
    return made(INT, samples, "length(", x.sql, ")")


def _as_text(g: Values, depth: int) -> Operand | None:
    """Dates and integers are written alike in both dialects; negative numbers have a `-`."""
    # A date plus days may be after year 9999, which the dialects write differently.
    x = g.of(is_of(*INTEGERS), depth) if g.rng.random() < 0.5 else g.column(is_of("date"))
    if x is None:
        return None
    is_day = x.type == DATE
    samples = [day_text(value) if is_day else str(value) for value in x.samples if isinstance(value, int)]
    return made(STRING, samples, "CAST(", x.sql, " AS STRING)")


FUNCTIONS: Final[Sequence[Function]] = (_substr, _letter_case, _concat, _trim, _length, _as_text, _as_text)
"""The functions to draw from; those with more forms appear more than once."""
