from __future__ import annotations

import pytest

from pycompiler.spark.incremental.slices import WrittenSlice, pattern_of


def written(file_id: str, *names: str) -> WrittenSlice:
    return WrittenSlice(file_id, names, {}, False)


def test_the_pattern_names_base_files_and_logs_of_the_slices_by_their_groups() -> None:
    slices = [written("b-0", ".b-0_1.log.1_0-1-0"), written("a-0", "a-0_0-1-0_1.parquet")]
    assert pattern_of(slices) == "{/,/.}{a-0,b-0}_*"


def test_without_slices_the_pattern_is_that_of_no_file() -> None:
    assert pattern_of([]) == "/-"


@pytest.mark.parametrize(
    "of_another_name",
    [written("a-0", "part-0001.parquet"), written("a,b", "a,b_1.parquet"), written("a*", "a*_1.parquet")],
)
def test_files_that_a_pattern_cannot_name_have_none(of_another_name: WrittenSlice) -> None:
    assert pattern_of([written("c-0", "c-0_1.parquet"), of_another_name]) is None


def test_too_many_slices_have_none() -> None:
    slices = [written(f"g{number}", f"g{number}_1.parquet") for number in range(10_001)]
    assert pattern_of(slices) is None
    assert pattern_of(slices[1:]) is not None
