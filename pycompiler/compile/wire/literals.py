"""Reads the types and constants of a Thrift request."""

from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, NamedTuple

from pycompiler.compile.predicate.errors import FilterTooLargeError, MalformedFilterError
from pycompiler.compile.predicate.limits import MAX_IN_VALUES, MAX_LITERAL_BYTES, MAX_NODES
from pycompiler.compile.predicate.model import Literal, LiteralList, LiteralValue
from pycompiler.compile.values.calendar import SECOND_MICROS
from pycompiler.compile.values.ordinals import unscaled_decimal
from pycompiler.compile.values.types import HiveType, UnknownTypeError, ValueKind
from pycompiler.thrift_gen import ttypes

_MAX_UNSCALED_BYTES: Final = 32
_MAX_SCALE: Final = 1000
_NANOS: Final = 1_000_000_000
_PLAIN: Final = (bool, int, float)


def read_type(text: str | None) -> HiveType:
    """Reads a type name of a request.

    Raises:
        MalformedFilterError: The name is missing or names no Hive type.
    """
    if text is None:
        raise MalformedFilterError("a type is missing")
    try:
        return HiveType.parse(text)
    except UnknownTypeError as error:
        raise MalformedFilterError(str(error)) from error


class LiteralReader:
    """Reads the constants of one tree, and enforces the limits on all of them together.

    Raises:
        MalformedFilterError: Any method: a literal is missing, or its value does not match its type.
        FilterTooLargeError: Any method: there are too many members or bytes.
    """

    def __init__(self) -> None:
        self._bytes = 0
        self._in_lists = 0

    def read(self, thrift: ttypes.Literal | None) -> Literal:
        """Reads a typed constant; one without a value is NULL."""
        if thrift is None:
            raise MalformedFilterError("a literal is missing")
        hive_type, field = _type_and_field(thrift.type)
        # Lists have thousands of literals: read all fields of one at once.
        values = _VALUES(thrift)
        value = None if field is None else getattr(thrift, field.name)
        if field is None or value is None or values.count(None) != len(values) - 1:
            present = [name for name, value in zip(_NAMES, values, strict=True) if value is not None]
            if present:
                raise MalformedFilterError(
                    f"a literal of type {hive_type} needs one value of its own, not: {', '.join(present)}"
                )
            return Literal(hive_type, None)
        if hive_type.kind is ValueKind.STRING:
            self._count(len(value))
        is_cut = hive_type.kind is ValueKind.TIMESTAMP and bool((value.nanos or 0) % 1000)
        return Literal(hive_type, field.convert(value), is_cut)

    def read_list(self, thrift: list[ttypes.Literal] | None) -> tuple[Literal, ...]:
        """Reads the members of an IN or the ends of a BETWEEN; a missing list is empty."""
        members = thrift or []
        self.check_members(len(members))
        return tuple(self.read(member) for member in members)

    def read_packed(self, thrift: ttypes.LiteralList | None) -> LiteralList:
        """Reads several non-NULL constants of one type, at least one."""
        if thrift is None:
            raise MalformedFilterError("a list of literals is missing")
        hive_type, field = _type_and_field(thrift.type)
        present = [(kind, found) for kind, found in zip(_LIST_KINDS, _LISTS(thrift), strict=True) if found]
        if field is None or [kind for kind, _ in present] != [hive_type.kind]:
            raise MalformedFilterError(f"a list of type {hive_type} has no values, or values of another type")
        ((kind, values),) = present
        self.check_members(len(values))
        # Each value counts as a node of the tree.
        self._in_lists += len(values)
        if self._in_lists > MAX_NODES:
            raise FilterTooLargeError(f"IN lists of {self._in_lists} values exceed the limit of {MAX_NODES}")
        if kind is not ValueKind.STRING:
            return LiteralList(hive_type, tuple(values))
        self._count(sum(map(len, values)))
        return LiteralList(hive_type, tuple(map(field.convert, values)))

    def check_members(self, count: int) -> None:
        """Rejects an IN with too many members."""
        if count > MAX_IN_VALUES:
            raise FilterTooLargeError(f"an IN list of {count} values exceeds the limit of {MAX_IN_VALUES}")

    def _count(self, size: int) -> None:
        self._bytes += size
        if self._bytes > MAX_LITERAL_BYTES:
            raise FilterTooLargeError(f"more than {MAX_LITERAL_BYTES} bytes of string literals")


def _as_is(value: Any) -> LiteralValue:
    assert isinstance(value, _PLAIN)
    return value


def _text(value: Any) -> str:
    try:
        return str(value, "utf-8")
    except UnicodeDecodeError as error:
        raise MalformedFilterError("a string literal that is not UTF-8") from error


def _decimal(value: Any) -> Decimal:
    unscaled, scale = value.unscaled, value.scale or 0
    if not unscaled or len(unscaled) > _MAX_UNSCALED_BYTES or abs(scale) > _MAX_SCALE:
        raise MalformedFilterError("a decimal literal out of range")
    return unscaled_decimal(int.from_bytes(unscaled, "big", signed=True), scale)


def _micros(value: Any) -> int:
    seconds, nanos = value.seconds, value.nanos or 0
    if seconds is None or not 0 <= nanos < _NANOS:
        raise MalformedFilterError("a timestamp literal without seconds, or with nanoseconds out of range")
    return int(seconds) * SECOND_MICROS + int(nanos) // 1000


class _Field(NamedTuple):
    """The field of Thrift's struct that holds the values of a kind, and how to read them."""

    name: str
    convert: Callable[[Any], LiteralValue]


_FIELDS: Final[dict[ValueKind, _Field]] = {
    ValueKind.BOOLEAN: _Field("booleanValue", _as_is),
    ValueKind.INTEGER: _Field("integerValue", _as_is),
    ValueKind.FLOAT: _Field("doubleValue", _as_is),
    ValueKind.STRING: _Field("stringValue", _text),
    ValueKind.DECIMAL: _Field("decimalValue", _decimal),
    ValueKind.DATE: _Field("dateValue", _as_is),
    ValueKind.TIMESTAMP: _Field("timestampValue", _micros),
}
_NAMES: Final = tuple(field.name for field in _FIELDS.values())
_VALUES: Final[Callable[[ttypes.Literal], tuple[Any, ...]]] = attrgetter(*_NAMES)
_LIST_KINDS: Final = (ValueKind.INTEGER, ValueKind.FLOAT, ValueKind.STRING, ValueKind.DATE)
_LISTS: Final[Callable[[ttypes.LiteralList], tuple[list[Any] | None, ...]]] = attrgetter(
    "integerValues", "doubleValues", "stringValues", "dateValues"
)


@lru_cache(maxsize=1024)
def _type_and_field(text: str | None) -> tuple[HiveType, _Field | None]:
    hive_type = read_type(text)
    return hive_type, None if hive_type.kind is None else _FIELDS.get(hive_type.kind)
