import shlex
from collections import Counter
from collections.abc import Mapping

import pytest

from pycompiler.compile.compiler.compile import Unused, compile_predicate
from pycompiler.compile.expression.bloom import BloomFilter
from pycompiler.compile.expression.statistics import ColumnStatistics
from pycompiler.compile.sql.from_sql import from_sql
from pycompiler.compile.values.encoding import encode_value
from pycompiler.compile.values.types import HiveType
from pycompiler.index.kinds import Bloom
from pycompiler.table.files import FileSlice, TableFile
from pycompiler.tools.explain.advice import Advice, Adviser, on_unused
from pycompiler.tools.explain.sample import ColumnSample
from pycompiler.tools.explain.verdicts import FileVerdict, SliceVerdict
from tests.contents import contents_of

INT, DOUBLE = HiveType("int"), HiveType("double")
SCHEMA = {"n": INT, "m": INT, "x": DOUBLE, "a": HiveType("array<int>")}
Files = list[dict[str, ColumnStatistics]]


def numbers(lower: int, upper: int, nulls: int = 0, bloom: BloomFilter | None = None) -> ColumnStatistics:
    return ColumnStatistics(
        INT, encode_value(INT, lower), encode_value(INT, upper), nulls, 100, None, contents_of(bloom=bloom)
    )


def sample_of(values: Mapping[int, int]) -> ColumnSample:
    encoded = {encode_value(INT, value): rows for value, rows in values.items()}
    return ColumnSample(INT, sum(values.values()), encoded)


def advice(
    where: str,
    files: Files,
    values: list[Mapping[int, int]] | None = None,
    table: str = "/lake/t",
    *,
    has_index: bool = True,
) -> list[Advice]:
    """Advice on a table, of each of whose files one column may be read: rows by value."""

    def read(path: str, column: str) -> ColumnSample | None:
        return sample_of(values[int(path)]) if values else None

    slices = []
    for number, statistics in enumerate(files):
        file = TableFile(str(number), 9, "1", True)
        slices.append(SliceVerdict(FileSlice(file), True, (FileVerdict(file, True, statistics),)))
    leaves = compile_predicate(from_sql(where, SCHEMA)).expression.leaves()
    return Adviser(slices, table, read, has_index=has_index).on_leaves(leaves)


def scattered(value: int, *holding: int, files: int = 10, distinct: int = 1000) -> list[Mapping[int, int]]:
    """Values 0, 2, 4, … in each file, and one other in some of them."""
    others = {2 * number: 1 for number in range(distinct)}
    return [others | ({value: 1} if number in holding else {}) for number in range(files)]


def test_without_an_index_the_advice_is_to_build_one() -> None:
    values: list[Mapping[int, int]] = [{number: 1} for number in range(10)]
    (found,) = advice("n = 5", [{}] * 10, values, has_index=False)
    assert found.reasons[0] == "without an index, nothing is known of it in 10 of 10 files"
    assert found.actions[0] == "statistics of n would keep 1 of 10 files: hudi-skip index build /lake/t"
    (found,) = advice("n = 5", [{}] * 10, scattered(5, 3), has_index=False)
    assert found.actions[0].endswith(": hudi-skip index build /lake/t --add-index n=bloom"), found
    (found,) = advice("n < m", [{}] * 10, has_index=False)
    assert found.actions == ("build the index with statistics of n and m: hudi-skip index build /lake/t",)


@pytest.mark.parametrize(
    ("where", "statistics", "reason"),
    [
        ("n = 5", numbers(0, 9), "between its minimum and maximum"),
        ("n in (5, 6)", numbers(0, 9), "between its minimum and maximum"),
        ("n < 5", numbers(0, 9), "minimum and maximum overlap"),
        ("n between 5 and 20", numbers(0, 9), "minimum and maximum overlap"),
        ("n < 10", numbers(0, 9), "all of its values match"),
        ("n <> 10", numbers(0, 9), "all of its values match"),
        ("n between 0 and 9", numbers(0, 9), "all of its values match"),
        ("n is null", numbers(0, 9, nulls=1), "it is or may be NULL"),
        ("n is not null", numbers(0, 9, nulls=1), "it is not NULL in some row"),
        ("n > 5", ColumnStatistics(INT, value_count=9), "and maximum are unknown"),
        ("n > 5", ColumnStatistics(HiveType("string")), "stored as a type"),
    ],
)
def test_each_reason_is_named(where: str, statistics: ColumnStatistics, reason: str) -> None:
    (found,) = advice(where, [{"n": statistics}, {"n": statistics}])
    assert reason in found.reasons[0] and found.reasons[0].endswith("2 of 2 files"), found


def test_a_bloom_filter_is_advised_where_it_saves_files() -> None:
    (found,) = advice("n = 5", [{"n": numbers(0, 1998)}] * 10, scattered(5, 3))
    assert found.reasons[-1] == "1 of 10 files really hold matching rows"
    assert found.actions == (
        "a Bloom filter of n would keep 1 of 10 files: hudi-skip index build /lake/t --add-index n=bloom",
    ), "clustering would not save more"


def test_a_set_of_values_is_advised_if_these_are_few_or_if_a_range_is_wanted() -> None:
    few = scattered(5, 3, distinct=100)
    for where in ("n = 5", "n between 5 and 5", "n > 4 and n < 6"):
        found = advice(where, [{"n": numbers(0, 198)}] * 10, few)
        assert "a set of the values of n would keep 1 of 10 files" in found[0].actions[0], where
    many = advice("n > 4 and n < 6", [{"n": numbers(0, 1998)}] * 10, scattered(5, 3))
    assert [action.partition(",")[0] for action in many[0].actions] == [
        "if the table were sorted or clustered by n"
    ], "a Bloom filter denies no range"


def test_no_index_is_advised_for_a_value_that_all_files_hold() -> None:
    """As for one of 5,000 articles, or one of four states, in files that have rows of all of them."""
    (found,) = advice("n = 5", [{"n": numbers(0, 1998)}] * 42, scattered(5, *range(42), files=42))
    assert found.reasons[-1] == "about 42 of 42 files really hold matching rows (20 were read)"
    assert found.actions == ("if the table were sorted or clustered by n, about 2 of 42 files would be kept",)
    (found,) = advice("n = 2", [{"n": numbers(1, 4)}] * 8, [dict.fromkeys(range(1, 5), 25)] * 8)
    assert found.actions == ("if the table were sorted or clustered by n, about 3 of 8 files would be kept",)


def test_it_is_told_if_nothing_helps() -> None:
    (found,) = advice("n = 2", [{"n": numbers(1, 4)}] * 8, [{1: 3, 2: 95, 4: 2}] * 8)
    assert found.reasons[-1] == "nothing helps: 8 of 8 files really hold matching rows"
    assert found.actions == ()


def test_estimates_count_all_files_and_read_a_few() -> None:
    read: Counter[int] = Counter()

    class Values(list[Mapping[int, int]]):
        def __getitem__(self, number: object) -> Mapping[int, int]:  # type: ignore[override]
            assert isinstance(number, int)
            read[number] += 1
            return {0: 1, 5: 1, 9: 1} if number % 2 else {0: 1, 9: 1}

    (found,) = advice("n = 5", [{"n": numbers(0, 9)}] * 1000, Values([{}]))
    assert len(read) == 20 and max(read.values()) == 1
    assert min(read) < 100 and max(read) > 900, "they are spread over the table"
    (holding,) = (int(word) for word in found.reasons[-1].split()[1:2])
    assert 300 <= holding <= 700, found


def test_no_number_is_told_if_none_of_the_files_that_were_read_has_a_matching_row() -> None:
    (found,) = advice("n = 5", [{}] * 1000, [{0: 1, 4: 1}] * 1000, has_index=False)
    assert found.reasons[-1] == "few, if any, of 1000 files really hold matching rows (20 were read)"
    assert found.actions[0].startswith("statistics of n would keep few, if any, of 1000 files: ")


def test_a_table_of_one_file_gets_no_advice() -> None:
    (found,) = advice("n = 5", [{"n": numbers(0, 9)}], [{0: 1, 9: 1}])
    assert found == Advice(
        "n = 5", ("the wanted value lies between its minimum and maximum in the file, 1 of 1",)
    )


def test_missing_statistics_are_advised_if_they_save_files() -> None:
    sorted_by_n: list[Mapping[int, int]] = [{10 * number: 1, 10 * number + 9: 1} for number in range(10)]
    (found,) = advice("n = 30", [{}] * 10, sorted_by_n)
    assert found.actions == (
        "statistics of n would keep 1 of 10 files: hudi-skip index build /lake/t --add-index n=range",
    )
    unknown = {"n": ColumnStatistics(INT, value_count=9)}
    (found,) = advice("n = 30", [unknown] * 10, sorted_by_n)
    assert found.actions == ("statistics of n, after its files are rewritten, would keep 1 of 10 files",)
    (found,) = advice("n = 30", [{}] * 10, [{0: 1, 30: 98, 99: 1}] * 10)
    assert found.actions == (), "every file holds 30"
    (found,) = advice("n is null", [{}] * 10, sorted_by_n)
    assert "--add-index n=range" in found.actions[0], "only the index tells where NULL is"


def test_a_column_that_no_index_can_have_is_told() -> None:
    (found,) = advice("a is null", [{}, {}])
    assert (found.reasons, found.actions) == (("values of its type are not indexed in 2 of 2 files",), ())


def test_nan_and_pairs_of_columns() -> None:
    nan = ColumnStatistics(DOUBLE, encode_value(DOUBLE, 0.0), encode_value(DOUBLE, 1.0), 0, 9, nan_count=None)
    (found,) = advice("x > 5", [{"x": nan}] * 2)
    assert "NaN" in found.reasons[0]
    (found,) = advice("n < m", [{"n": numbers(0, 9), "m": numbers(0, 9)}] * 2)
    assert "overlap" in found.reasons[0]
    assert found.actions == (), "it is not known what would help"


def test_a_bloom_filter_is_not_advised_twice() -> None:
    bloom = BloomFilter(Bloom().content(Values()) or b"")
    (found,) = advice("n = 5", [{"n": numbers(0, 9, bloom=bloom)}] * 8, [dict.fromkeys(range(10), 1)] * 8)
    assert "Bloom filter does not rule it out" in found.reasons[0]
    assert not any("index build" in action for action in found.actions), found


class Values:
    min_count = 10

    def encoded(self) -> list[bytes]:
        return [encode_value(INT, number) for number in range(10)]

    def rows(self) -> list[tuple[int]]:
        return [(number,) for number in range(10)]


def test_the_command_adds_to_what_the_index_keeps() -> None:
    (found,) = advice("n = 5", [{"n": numbers(0, 1998)}] * 10, scattered(5, 3), "/lake/my table")
    words = shlex.split(found.actions[0].partition(": ")[2])
    assert words == ["hudi-skip", "index", "build", "/lake/my table", "--add-index", "n=bloom"]


def test_leaves_that_skip_most_files_need_no_advice() -> None:
    assert advice("n = 5", [{"n": numbers(10 * number, 10 * number + 9)} for number in range(10)]) == []


def test_terms_that_are_not_used_say_why() -> None:
    (unknown,) = on_unused([Unused("f(n) = 3", "f is not known")])
    assert (unknown.leaf, unknown.reasons) == ("f(n) = 3", ("f is not known",))
    assert "types-and-functions.md" in unknown.actions[0]
