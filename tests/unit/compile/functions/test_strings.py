"""Rules about strings against Python's functions; `test_string_values` has Hive's own answers."""

import re
from collections.abc import Callable, Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pycompiler.compile.functions import registry
from pycompiler.compile.predicate.model import Call, Column, Literal
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.prefixes import beginning_with
from pycompiler.compile.values.range_set import End, Range, RangeSet
from pycompiler.compile.values.types import HiveType

from .preimages import member_of

STRING, BOOLEAN, INT = (HiveType.parse(name) for name in ("string", "boolean", "int"))
S = Column("s", STRING)
TRUE, FALSE = (RangeSet.point(value) for value in (b"\x01", b"\x00"))
ALPHABET = "aab%_\\? !\n\x00\x01cB\ud7ff\ue000\uffff\U0001f600\U0010ffff"
TEXTS = st.text(ALPHABET, max_size=6)
RANDOM = settings(max_examples=1500)


def text(value: str) -> Literal:
    return Literal(STRING, value)


def inverted(call: Call, wanted: RangeSet) -> RangeSet | None:
    condition = member_of(call, Outcomes(wanted, False))
    if condition is None:
        return None
    assert condition.operand == S
    assert not condition.outcomes.null, "NULL gives NULL"
    return condition.outcomes.values


def of(name: str, *constants: str | int) -> Call:
    return Call(name, STRING, (S, *(text(c) if isinstance(c, str) else Literal(INT, c) for c in constants)))


def test_of(name: str, *patterns: str) -> Call:
    return Call(name, BOOLEAN, (S, *map(text, patterns)))


test_of.__test__ = False  # type: ignore[attr-defined]


def sets_around(result: str, other: str) -> Iterator[RangeSet]:
    """Sets that have a result in them, with ends at it and at another string."""
    value, end = result.encode(), other.encode()
    yield RangeSet.point(value)
    yield RangeSet.points([value, end])
    yield RangeSet.of([beginning_with(value)])
    yield RangeSet.of([beginning_with(value[: len(value) // 2])])
    if end != value:
        yield RangeSet.point(end).complement()
    low, high = sorted([value, end])
    yield RangeSet.of([Range(End(low, True), End(high, True))])
    for included in (False, True):
        for values in (RangeSet.below(end, included=included), RangeSet.above(end, included=included)):
            if value in values:
                yield values


def check(call: Call, stored: str, results: set[str], other: str) -> None:
    for result in results:
        for wanted in sets_around(result, other):
            found = inverted(call, wanted)
            assert found is None or stored.encode() in found, f"{stored!r} gives {result!r} in {wanted}"


def first_units(value: str, length: int) -> str:
    """What row mode's `String.substring` and `Text.set` make of a string."""
    units = value.encode("utf-16-be")[: 2 * length]
    return units.decode("utf-16-be", "surrogatepass").encode("utf-8", "replace").decode()


@RANDOM
@given(TEXTS, TEXTS, st.integers(1, 4), st.integers(0, 1))
@example("\U0001f600b", "\U0001f600a", 2, 1)
@example("\U0001f600", "a", 1, 1)
def test_a_string_is_in_the_preimage_of_its_beginning(
    stored: str, other: str, length: int, start: int
) -> None:
    results = {stored[:length], first_units(stored, length)}
    check(of("substr", start, length), stored, results, other)
    check(of("substr", start, length), stored, results, other[:length])


@RANDOM
@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_a_string_is_in_the_preimage_of_what_it_becomes_between_others(
    stored: str, before: str, after: str, other: str
) -> None:
    call = Call("concat", STRING, (text(before), S, text(after)))
    whole = before + stored + after
    for bound in (other, before + other, before + other + after, before + stored[:2] + other):
        check(call, stored, {whole}, bound)


@RANDOM
@given(TEXTS, TEXTS)
def test_a_string_is_in_the_preimage_of_what_trimming_leaves(stored: str, other: str) -> None:
    trims: dict[str, Callable[[str], str]] = {
        "trim": lambda value: value.strip(" "),
        "ltrim": lambda value: value.lstrip(" "),
        "rtrim": lambda value: value.rstrip(" "),
    }
    for name, trim in trims.items():
        check(of(name), stored, {trim(stored)}, other)


@RANDOM
@given(st.text("abc-", max_size=6), st.text("ab-", max_size=2), st.text("abx", max_size=2), TEXTS)
@example("ab", "b", "", "a")
def test_a_string_is_in_the_preimage_of_what_replacing_makes_of_it(
    stored: str, searched: str, replacement: str, other: str
) -> None:
    check(of("replace", searched, replacement), stored, {stored.replace(searched, replacement)}, other)


def test_a_replacement_is_found_where_it_stands_in_the_result() -> None:
    found = inverted(of("replace", "-", "_"), RangeSet.point(b"a_b"))
    assert found is not None
    for stored, expected in (
        ("a_b", True),
        ("a-b", True),
        ("a-", True),
        ("-a", False),
        ("ab", False),
        ("b", False),
    ):
        assert (stored.encode() in found) is expected, stored
    assert inverted(of("replace", "", "_"), RangeSet.point(b"a")) is None, (
        "Java replaces around each character"
    )
    assert inverted(of("replace", "-", "_"), RangeSet.above(b"a", included=True)) is None


@pytest.mark.parametrize("name", ["length", "character_length", "octet_length"])
@pytest.mark.parametrize("stored", [b"", b"a", "\u00e9".encode(), b"\x80", b"\xbf\x80", b"\x80a"])
def test_only_the_empty_string_and_pieces_of_characters_may_have_no_length(name: str, stored: bytes) -> None:
    # Hive counts the bytes that do not continue a character.
    length = len(stored) if name == "octet_length" else sum(byte & 0xC0 != 0x80 for byte in stored)
    call = Call(name, INT, (S,))
    for number in (-1, 0, 1, 5):
        for wanted in (
            RangeSet.point(encode_value(INT, number)),
            RangeSet.point(encode_value(INT, number)).complement(),
            RangeSet.above(encode_value(INT, number), included=False),
        ):
            found = inverted(call, wanted)
            assert found is not None
            assert stored in found or encode_value(INT, length) not in wanted, (
                f"{stored!r} is lost of {wanted}"
            )
    assert inverted(call, RangeSet.point(encode_value(INT, -1))) == RangeSet.of([])
    nonempty = inverted(call, RangeSet.above(encode_value(INT, 0), included=False))
    assert nonempty is not None and b"" not in nonempty


def like(pattern: str, value: str) -> bool:
    """LIKE as the standard has it, with the backslash before a wildcard."""
    parts = re.findall(r"\\[%_]|.", pattern, re.DOTALL)
    wild = {"%": ".*", "_": "."}
    return bool(
        re.fullmatch("".join(wild.get(part, re.escape(part[-1])) for part in parts), value, re.DOTALL)
    )


@RANDOM
@given(TEXTS, TEXTS, st.data())
def test_a_string_is_in_the_preimage_of_whether_it_is_like_a_pattern(
    stored: str, pattern: str, data: st.DataObject
) -> None:
    # Patterns that have something in common with the string.
    at = data.draw(st.integers(0, len(stored)))
    for tried in (pattern, stored[:at] + pattern, re.sub(r"([%_])", r"\\\1", stored[:at]) + pattern):
        matches = like(tried, stored)
        for name in ("like", "like any", "like all"):
            found = inverted(test_of(name, tried), TRUE if matches else FALSE)
            assert found is not None
            assert stored.encode() in found, f"{stored!r} {name} {tried!r} is {matches}"
    several = [pattern, stored[:at] + "%", "a%"]
    truths = [like(one, stored) for one in several]
    for name, is_true in (("like any", any(truths)), ("like all", all(truths))):
        found = inverted(test_of(name, *several), TRUE if is_true else FALSE)
        assert found is not None
        assert stored.encode() in found, f"{stored!r} {name} {several}"


@RANDOM
@given(st.text("ab.c|\n😀", max_size=5), st.text("ab.c|()*+?$^\\😀", max_size=6), st.integers(0, 3))
def test_a_string_is_in_the_preimage_of_a_pattern_that_is_found_in_it(
    stored: str, rest: str, length: int
) -> None:
    pattern = "^" + "".join(map(re.escape, stored[:length])) + rest
    try:
        matches = re.search(pattern, stored) is not None
    except re.error:
        return
    found = inverted(test_of("rlike", pattern), TRUE if matches else FALSE)
    assert found is not None
    assert stored.encode() in found


PREFIX = RangeSet.of([beginning_with(b"ab")])


@pytest.mark.parametrize(
    ("call", "wanted", "expected"),
    [
        (test_of("like", "abc"), TRUE, RangeSet.point(b"abc")),
        (test_of("like", "abc"), FALSE, RangeSet.point(b"abc").complement()),
        (test_of("like", "ab%"), TRUE, PREFIX),
        (test_of("like", "ab%"), FALSE, PREFIX.complement()),
        (test_of("like", "ab_d%"), TRUE, PREFIX),
        (test_of("like", "ab_d%"), FALSE, RangeSet.of([Range()])),
        (test_of("like", "%"), FALSE, RangeSet.of([])),
        (test_of("like", r"ab\%"), TRUE, RangeSet.points([b"ab%", rb"ab\%"])),
        (test_of("like any", "ab%", "zz"), TRUE, PREFIX | RangeSet.point(b"zz")),
        (test_of("like all", "ab%", "abc"), TRUE, RangeSet.point(b"abc")),
        (test_of("rlike", "^ab.*"), TRUE, PREFIX),
        (test_of("rlike", "^abc*"), TRUE, PREFIX),
        (test_of("rlike", "^ab(c|d)"), TRUE, PREFIX),
        (test_of("rlike", r"^ab\.c+"), TRUE, RangeSet.of([beginning_with(b"ab.c")])),
        (test_of("rlike", "^ab|c"), TRUE, RangeSet.of([Range()])),
        (of("substr", 1, 2), RangeSet.point(b"ab"), PREFIX),
        (of("substr", 1, 3), RangeSet.point(b"ab"), RangeSet.point(b"ab")),
        (of("substr", 1, 2), RangeSet.above(b"ab", included=False), RangeSet.above(b"ac", included=True)),
        (of("substr", 1), PREFIX, PREFIX),
        (of("concat", "x"), RangeSet.points([b"abx", b"ab"]), RangeSet.point(b"ab")),
        (
            of("rtrim"),
            RangeSet.point(b"ab"),
            RangeSet.of([Range(End(b"ab ", True), End(b"ab!", False))]) | RangeSet.point(b"ab"),
        ),
    ],
)
def test_the_preimage_is_no_larger_than_it_has_to_be(
    call: Call, wanted: RangeSet, expected: RangeSet
) -> None:
    assert inverted(call, wanted) == expected


@pytest.mark.parametrize(
    "call",
    [
        of("substr", -1, 2),
        of("substr", 2, 2),
        of("substr", 1, 0),
        of("substr", 1, -1),
        of("substr", 1, 1 << 31),
        Call("substr", STRING, (S, Literal(INT, 1), Literal(INT, None))),
        Call("like", BOOLEAN, (S, Literal(STRING, None))),
        Call("like", BOOLEAN, (S, S)),
        Call("like", BOOLEAN, (Column("c", HiveType.parse("char(3)")), text("a%"))),
        Call("concat", STRING, (S, S)),
        Call("concat", STRING, (S, Literal(INT, 1))),
        Call("concat", HiveType.parse("varchar(9)"), (S, text("a"))),
        Call("rlike", BOOLEAN, (S, Literal(STRING, None))),
    ],
    ids=str,
)
def test_what_is_not_certain_has_no_rule(call: Call) -> None:
    wanted = TRUE if call.type == BOOLEAN else RangeSet.point(b"a")
    assert registry.invert(call, Outcomes(wanted, False)) is None


def test_constants_are_joined() -> None:
    assert registry.evaluate(of("concat", "b"), [text("a"), text("b")]) == text("ab")
