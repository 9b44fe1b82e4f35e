import shlex

import pytest

from pycompiler.compiler.compile import Unused, compile_predicate
from pycompiler.explain.advice import advice
from pycompiler.expression.bloom import BloomFilter
from pycompiler.expression.statistics import ColumnStatistics
from pycompiler.index.kinds import Bloom
from pycompiler.index.options import IndexOptions, parse_assignments
from pycompiler.sql.from_sql import from_sql
from pycompiler.values.encoding import encode_value
from pycompiler.values.types import HiveType
from tests.contents import contents_of

INT, DOUBLE = HiveType("int"), HiveType("double")
SCHEMA = {"n": INT, "m": INT, "x": DOUBLE, "a": HiveType("array<int>")}


def numbers(lower: int, upper: int, nulls: int = 0, bloom: BloomFilter | None = None) -> ColumnStatistics:
    return ColumnStatistics(
        INT, encode_value(INT, lower), encode_value(INT, upper), nulls, 100, None, contents_of(bloom=bloom)
    )


def reasons_and_action(where: str, *files: dict[str, ColumnStatistics]) -> tuple[str, str]:
    leaves = compile_predicate(from_sql(where, SCHEMA)).expression.leaves()
    (found,) = advice(leaves, (), list(files), "/lake/t", {})
    return found.reasons[0], found.action


@pytest.mark.parametrize(
    ("where", "statistics", "reason", "action"),
    [
        ("n = 5", numbers(0, 9), "between its minimum and maximum", "add a Bloom filter for it: hudi-skip"),
        ("n in (5, 6)", numbers(0, 9), "between its minimum and maximum", "sort or cluster the table by n"),
        ("n < 5", numbers(0, 9), "minimum and maximum overlap", "sort or cluster the table by n"),
        ("n between 5 and 20", numbers(0, 9), "minimum and maximum overlap", "cluster the table by n"),
        ("n < 10", numbers(0, 9), "all of its values match", ""),
        ("n <> 10", numbers(0, 9), "all of its values match", ""),
        ("n between 0 and 9", numbers(0, 9), "all of its values match", ""),
        ("n is null", numbers(0, 9, nulls=1), "it is or may be NULL", ""),
        ("n is not null", numbers(0, 9, nulls=1), "it is not NULL in some row", ""),
        ("n > 5", ColumnStatistics(INT, value_count=9), "and maximum are unknown", "by clustering"),
        ("n > 5", ColumnStatistics(HiveType("string")), "stored as a type", "by clustering"),
    ],
)
def test_each_reason_has_its_advice(
    where: str, statistics: ColumnStatistics, reason: str, action: str
) -> None:
    found, to_do = reasons_and_action(where, {"n": statistics}, {"n": statistics})
    assert reason in found and found.endswith("2 of 2 files"), found
    assert action in to_do if action else to_do == "", to_do


def test_a_column_that_the_index_leaves_out_is_told_from_one_that_it_cannot_have() -> None:
    assert "--index n=range" in reasons_and_action("n = 5", {})[1]
    assert reasons_and_action("a is null", {}) == (
        "values of its type are not indexed in the file, 1 of 1",
        "",
    )


def test_nan_and_pairs_of_columns() -> None:
    nan = ColumnStatistics(DOUBLE, encode_value(DOUBLE, 0.0), encode_value(DOUBLE, 1.0), 0, 9, nan_count=None)
    assert "NaN" in reasons_and_action("x > 5", {"x": nan})[0]
    reason, action = reasons_and_action("n < m", {"n": numbers(0, 9), "m": numbers(0, 9)})
    assert "overlap" in reason
    assert "by n and m" in action


def test_a_bloom_filter_is_not_advised_twice() -> None:
    bloom = BloomFilter(Bloom().content(Values()) or b"")
    reason, action = reasons_and_action("n = 5", {"n": numbers(0, 9, bloom=bloom)})
    assert "Bloom filter does not rule it out" in reason
    assert "index build" not in action


class Values:
    min_count = 10

    def encoded(self) -> list[bytes]:
        return [encode_value(INT, number) for number in range(10)]

    def rows(self) -> list[tuple[int]]:
        return [(number,) for number in range(10)]


def test_the_commands_options_keep_what_the_index_keeps_of_other_columns() -> None:
    kinds = {"*": ["none"], "N": ["range,values(max=9)", "bloom(fpp=0.5)"], "m": ["bloom(fpp=0.01)"]}
    leaves = compile_predicate(from_sql("n = 5", SCHEMA)).expression.leaves()
    (found,) = advice(leaves, (), [{"n": numbers(0, 9)}], "/lake/my table", kinds)
    words = shlex.split(found.action.partition(": ")[2])
    assert words[:4] == ["hudi-skip", "index", "build", "/lake/my table"]
    kept = parse_assignments(words[5::2])
    assert kept == {"*": "none", "m": "bloom(fpp=0.01)", "n": "range,bloom,values(max=9)"}
    IndexOptions(kept)


def test_leaves_that_skip_most_files_need_no_advice() -> None:
    files = [{"n": numbers(10 * number, 10 * number + 9)} for number in range(10)]
    leaves = list(compile_predicate(from_sql("n = 5", SCHEMA)).expression.leaves())
    assert advice(leaves, (), files, "/lake/t", {}) == ()
    (unused,) = advice(leaves, [Unused("f(n) = 3", "f is not known")], files, "/lake/t", {})
    assert (unused.leaf, unused.reasons) == ("f(n) = 3", ("f is not known",))
