import datetime as dt
from decimal import Decimal

from examples.demo.answers import answer


def test_rows_are_compared_without_regard_to_their_order() -> None:
    assert answer([("b", 2), ("a", 1)]) == answer([("a", 1), ("b", 2)])


def test_repeated_rows_count() -> None:
    assert answer([("a",), ("a",)]) != answer([("a",)])


def test_texts_of_beeline_are_the_texts_of_values() -> None:
    values = (1, 2.5, None, True, Decimal("1.50"), dt.date(2013, 7, 4), dt.datetime(2013, 7, 4, 6), "x")
    texts = ("1", "2.5", "NULL", "true", "1.5", "2013-07-04", "2013-07-04 06:00:00", "x")
    assert answer([values]) == answer([texts])


def test_null_and_an_empty_string_differ() -> None:
    assert answer([(None,)]) != answer([("",)])
