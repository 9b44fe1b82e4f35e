import random
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta

import pytest

from pycompiler.compile.functions import registry
from pycompiler.compile.predicate.model import Call, Column, Literal
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.outcomes import Outcomes
from pycompiler.compile.values.range_set import RangeSet
from pycompiler.compile.values.types import HiveType

from . import function_values
from .moments import BIGINT, DATE, EPOCH, TIMESTAMP, Case, Moment, cases, moments_of, random_moments
from .preimages import preimage, random_sets

pytestmark = pytest.mark.slow

_CASES = list(cases())
_STRING = HiveType.parse("string")
_INT = HiveType.parse("int")


def _wanted(results: list[bytes], chosen: random.Random) -> Iterator[Outcomes]:
    """Sets of results, with NULL and without."""
    for _ in range(3):
        for values in random_sets(results, chosen):
            outcomes = Outcomes(values, chosen.random() < 0.3)
            if not outcomes.is_empty:
                yield outcomes


def _shifted(moment: Moment, margin: timedelta) -> Iterator[Moment]:
    """What Hive may make of a moment in some zone."""
    yield moment
    for shift in (-margin, margin, margin / 2, timedelta(hours=1), -timedelta(hours=1)) if margin else ():
        try:
            if isinstance(moment, int):
                shifted = EPOCH + timedelta(seconds=moment) + shift
            else:
                shifted = datetime(moment.year, moment.month, moment.day) + shift
                if isinstance(moment, datetime):
                    shifted = moment + shift
        except OverflowError:
            continue
        yield (shifted - EPOCH) // timedelta(seconds=1) if isinstance(moment, int) else shifted


def _encoded_results(case: Case, moment: Moment) -> set[bytes]:
    results = {case.in_hive(shifted) for shifted in _shifted(moment, case.margin)}
    if case.vectorized is not None:
        results.add(case.vectorized(moment))
    return {encode_value(case.call.type, result) for result in results if result is not None}


@pytest.mark.parametrize("case", _CASES, ids=str)
def test_every_moment_whose_result_is_wanted_is_in_the_preimage(case: Case) -> None:
    chosen = random.Random(str(case))
    moments = [*moments_of(case.source), *random_moments(case.source, 20, seed=7)]
    pairs = [
        (moment, encode_value(case.source, moment), results)
        for moment in moments
        if (results := _encoded_results(case, moment))
    ]
    possible = sorted({result for _, _, of_moment in pairs for result in of_moment})
    skipped = 0
    for wanted in _wanted(possible, chosen):
        kept = preimage(case.call, wanted)
        assert kept.null is wanted.null, "NULL makes NULL, and nothing else does"
        for moment, stored, of_moment in pairs:
            is_wanted = any(wanted.has(result) for result in of_moment)
            is_kept = kept.has(stored)
            assert is_kept or not is_wanted, f"{moment} is lost: {wanted}"
            skipped += not is_kept
    assert skipped > 100, "the rule leaves moments out"


@pytest.mark.parametrize("case", [case for case in _CASES if not case.margin], ids=str)
def test_results_of_constants_are_hives(case: Case) -> None:
    known = 0
    for moment in moments_of(case.source):
        arguments = tuple(
            Literal(case.source, _value(moment)) if isinstance(argument, Column) else argument
            for argument in case.call.arguments
        )
        literals = [argument for argument in arguments if isinstance(argument, Literal)]
        found = registry.evaluate(Call(case.call.name, case.call.type, arguments), literals)
        if found is not None and case.vectorized is None:
            assert found.value is not None
            expected = case.in_hive(moment)
            if expected is not None:
                assert encode_value(found.type, found.value) == encode_value(case.call.type, expected)
            known += 1
    by_another_argument = isinstance(case.call.arguments[0], Literal)
    assert known or case.vectorized is not None or by_another_argument


def _value(moment: Moment) -> int:
    match moment:
        case datetime():
            return (moment - EPOCH) // timedelta(microseconds=1)
        case date():
            return (moment - EPOCH.date()).days
    return moment


def _of_date(name: str, result: str, *constants: Literal) -> Call:
    return Call(name, HiveType.parse(result), (Column("d", DATE), *constants))


_TRUNC = _of_date("trunc", "string", Literal(_STRING, "MM"))
_DAYS = ("1969-06-01", "2021-05-31", "2021-06-01", "2021-06-30", "2021-07-01")


@pytest.mark.parametrize(
    ("call", "value", "kept", "skipped"),
    [
        (
            _of_date("year", "int"),
            2021,
            ["2021-01-01", "2021-12-31"],
            ["2020-12-31", "2022-01-01", "9999-12-31"],
        ),
        # Each year's February, and everything outside of the window of years.
        (
            _of_date("month", "int"),
            2,
            ["1899-07-01", "1900-02-28", "2020-02-29", "2101-01-01"],
            ["1900-03-01", "2020-03-01", "2100-12-31"],
        ),
        (_TRUNC, "2021-06-01", _DAYS[2:4], (*_DAYS[:2], *_DAYS[4:])),
        # What the vectorized mode makes of all days since 1970.
        (_TRUNC, "1970-01-01", _DAYS[1:], _DAYS[:1]),
        # The days beside it are kept as well, for zones.
        (
            _of_date("date_format", "string", Literal(_STRING, "dd.MM.yyyy")),
            "15.06.2021",
            ["2021-06-14", "2021-06-15", "2021-06-16", "1950-01-01"],
            ["2021-06-13", "2021-06-17"],
        ),
    ],
)
def test_the_preimage_of_a_value_is_no_larger_than_it_has_to_be(
    call: Call, value: int | str, kept: Sequence[str], skipped: Sequence[str]
) -> None:
    found = preimage(call, Outcomes(RangeSet.point(encode_value(call.type, value)), False))
    for day in (*kept, *skipped):
        assert found.has(encode_value(DATE, date.fromisoformat(day))) is (day in kept), day


@pytest.mark.parametrize(
    "pattern",
    ["", "-", "yy", "yyyyy", "uuuu", "YYYY", "M", "MMM", "hh", "EEE", "HH", "mm", "yyyy-MM-dd SSS"]
    + ["yyyy[-MM]", "yyyy''MM", "yyyy'o''clock'", "yyyy#MM", "yyyy{MM}", "'yyyy", "MM-dd HH", "dd-yyyy-HH"],
)
def test_a_pattern_whose_texts_are_not_known_to_be_in_order_says_nothing(pattern: str) -> None:
    call = _of_date("date_format", "string", Literal(_STRING, pattern))

    assert registry.invert(call, Outcomes(RangeSet.point(b"2021"), False)) is None


@pytest.mark.parametrize(
    "call",
    [
        Call("year", _INT, (Column("s", _STRING),)),
        Call("to_date", DATE, (Column("s", _STRING),)),
        Call("trunc", _STRING, (Column("d", DATE), Literal(_STRING, "WEEK"))),
        Call("trunc", _STRING, (Column("d", DATE), Literal(_STRING, "mm"))),
        Call("date_add", DATE, (Column("d", DATE), Column("n", _INT))),
        Call("date_add", DATE, (Column("d", DATE), Literal(_INT, 2**31 - 1))),
        Call("date_add", DATE, (Column("d", DATE), Literal(_INT, None))),
        Call("datediff", _INT, (Column("d", DATE), Column("s", _STRING))),
        Call("datediff", _INT, (Column("d", DATE), Literal(_STRING, "2021-02-30"))),
        Call("datediff", _INT, (Column("d", DATE), Literal(_STRING, "2021-2-3"))),
        Call("add_months", _STRING, (Column("d", DATE), Literal(_INT, 1), Literal(_STRING, "yyyy"))),
        Call("add_months", _STRING, (Column("d", DATE), Literal(_INT, 10**6))),
        Call("floor_month", TIMESTAMP, (Column("d", DATE),)),
        Call("unix_timestamp", BIGINT, ()),
        Call("unix_timestamp", BIGINT, (Column("s", _STRING), Literal(_STRING, "yyyy"))),
        Call("from_unixtime", _STRING, (Column("n", BIGINT), Column("s", _STRING))),
    ],
    ids=lambda call: f"{call.name}({', '.join(map(str, call.arguments))})",
)
def test_other_arguments_have_no_rule(call: Call) -> None:
    value = "2021-01-01" if call.type == _STRING else 1

    assert registry.invert(call, Outcomes(RangeSet.point(encode_value(call.type, value)), False)) is None


def test_the_vectors_of_function_values_are_those_of_these_functions() -> None:
    written = function_values.FILE.read_text()
    assert written == function_values.content(), "run: python -m tests.unit.compile.functions.function_values"
