from pycompiler.compile.predicate.constants import moment_of
from pycompiler.compile.predicate.model import Literal
from pycompiler.compile.values.types import HiveType

DATE, TIMESTAMP = HiveType.parse("date"), HiveType.parse("timestamp")


def test_the_time_of_day_is_cut_off_a_date_and_a_time_finer_than_microseconds_is_not_known() -> None:
    assert moment_of("2021-01-01 23:59:59.9", DATE) == Literal(DATE, 18_628)
    assert moment_of("1969-12-31 23:59:59", DATE) == Literal(DATE, -1)
    assert moment_of("1970-01-01 00:00:00.123456000", TIMESTAMP) == Literal(TIMESTAMP, 123_456)
    assert moment_of("1970-01-01 00:00:00.123456789", TIMESTAMP) is None
    assert moment_of("1970-01-01", HiveType.parse("string")) is None
