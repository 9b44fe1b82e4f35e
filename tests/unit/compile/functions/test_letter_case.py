import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pycompiler.compile.functions import registry
from pycompiler.compile.functions.texts.letter_case import SOURCES
from pycompiler.compile.predicate.model import Call, Column
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.prefixes import beginning_with
from pycompiler.compile.values.range_set import RangeSet
from pycompiler.compile.values.types import HiveType

from . import preimages

VECTORS = Path(__file__).parents[3] / "conformance" / "letter_case.json"
STRING = HiveType.parse("string")
ALPHABET = (
    "aAiIjJkKsSfFlLtT1 _ßſıİ\u0307\u0300K\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06ǰẖẗẘẙẚŉσΣςéÉ😀\ue000"
)
FUNCTIONS = {"lower": str.lower, "upper": str.upper}


def preimage(name: str, values: RangeSet) -> RangeSet:
    found = preimages.preimage(Call(name, STRING, (Column("s", STRING),)), Outcomes(values, False))
    assert not found.null, "NULL gives NULL"
    return found.values


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_sources_are_those_that_java_has(name: str) -> None:
    vectors = json.loads(VECTORS.read_text())[name]
    known = {(source, result) for sources in SOURCES[name].values() for source, result in sources}
    assert known == {(source, result) for result, sources in vectors.items() for source in sources}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_character_of_unicode_is_in_the_preimage_of_its_case(name: str) -> None:
    kept: dict[str, RangeSet] = {}
    for code in range(0x110000):
        if 0xD800 <= code < 0xE000:
            continue
        for text in (chr(code), chr(code) + "\u0307"):
            result = FUNCTIONS[name](text)
            if result[0].isascii():
                values = kept.setdefault(result, preimage(name, RangeSet.point(result.encode())))
                assert text.encode() in values, f"{name}({text!r})"
    assert len(kept) > 128


@settings(max_examples=500)
@given(st.text(ALPHABET, max_size=9), st.integers(0, 9), st.sampled_from(sorted(FUNCTIONS)))
def test_strings_are_in_the_preimages_of_their_result_and_of_its_beginnings(
    text: str, length: int, name: str
) -> None:
    result = FUNCTIONS[name](text)
    assert text.encode() in preimage(name, RangeSet.point(result.encode())), "the result itself"
    prefix = result[:length].encode()
    assert text.encode() in preimage(name, RangeSet.of([beginning_with(prefix)])), "what begins like it"
    assert text.encode() in preimage(name, RangeSet.below(result.encode(), included=True)), "up to it"
    assert text.encode() in preimage(name, RangeSet.above(result.encode(), included=True)), "from it on"


def test_short_words_are_their_variants_and_long_ones_are_bounded() -> None:
    assert preimage("lower", RangeSet.point(b"jfk")) == RangeSet.points(
        (j + f + k).encode() for j in "jJ" for f in "fF" for k in "kK\u212a"
    )
    assert preimage("lower", RangeSet.point(b"Jfk")).is_empty, "no result has an upper-case letter"
    long = preimage("lower", RangeSet.point(b"a long word, " * 20_000))
    assert 100 < len(long.ranges) <= 256
    assert b"A LONG WORD, a" in long
    assert b"ANOTHER" not in long
    many = preimage("upper", RangeSet.points(b"%d-ABCDEF" % number for number in range(10_000)))
    assert len(many.ranges) <= 40_000


def test_sharp_s_and_ligatures_are_upper_case_letters_too() -> None:
    found = preimage("upper", RangeSet.point(b"STRASSE"))
    assert all(word.encode() in found for word in ("straße", "ſtraße", "\ufb06raſSe", "STRASSE"))
    assert b"strand" not in found


def test_a_prefix_of_the_result_is_a_prefix_of_each_variant() -> None:
    found = preimage("lower", RangeSet.of([beginning_with(b"jf")]))
    assert all(word.encode() in found for word in ("JFK", "jf", "jFİ"))
    assert not any(word.encode() in found for word in ("j", "Jg", "e", "jE"))


def test_a_result_that_is_not_ascii_is_found_by_its_beginning() -> None:
    found = preimage("upper", RangeSet.point("MÜNCHEN".encode()))
    assert "münchen".encode() in found
    assert b"bonn" not in found


def test_other_types_have_no_rule() -> None:
    varchar = HiveType.parse("varchar(3)")
    for call in (Call("upper", varchar, (Column("s", varchar),)), Call("lower", STRING, ())):
        assert registry.invert(call, Outcomes(RangeSet.point(b"A"), False)) is None
