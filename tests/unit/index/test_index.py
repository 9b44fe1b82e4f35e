"""Views of an index: by column and, combined, by base file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pycompiler.expression.bloom import BloomFilter
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.value_set import serialize_values
from tests.contents import contents_of

from .samples import add, record, storage_of


def test_a_combined_record_has_all_columns_of_a_file(tmp_path: Path) -> None:
    storage = storage_of(tmp_path)
    add(storage, record("a", "f1"), record("b", "f1", 5), record("a", "f2"), record("b", "old", size=7))
    add(storage, record("a", "old", size=8))
    index = StatisticsIndex.open(tmp_path)
    found = {combined.file.path: combined for combined in index.combined()}
    assert {path: set(combined.columns) for path, combined in found.items()} == {
        "p/f1": {"a", "b"},
        "p/f2": {"a"},
        "p/old": {"a"},
    }, "what was said of a file of another size is left out"
    assert found["p/f1"].columns["b"] == record("b", "f1", 5).statistics()
    assert found["p/old"].file.size == 8
    assert [set(combined.columns) for combined in index.combined(["b"])] == [{"b"}, set(), set()]


def test_parts_of_different_kinds_go_together_if_they_are_of_the_same_bytes(tmp_path: Path) -> None:
    storage = storage_of(tmp_path)
    said = record("a", "f")
    bloom = replace(said, kind="bloom", content=BloomFilter.of([b"x"]).data)
    values = replace(said, kind="values", content=serialize_values([b"x"]))
    add(storage, said, bloom)
    add(storage, values)
    (statistics,) = StatisticsIndex.open(tmp_path).statistics(["a"])["a"].values()
    assert statistics.statistics == replace(
        said.statistics(), contents=contents_of([b"x"], BloomFilter.of([b"x"]))
    ), "a later data file adds to what an earlier one says"
    add(storage, record("a", "f", size=101))
    (statistics,) = StatisticsIndex.open(tmp_path).statistics(["a"])["a"].values()
    assert (statistics.file_size, statistics.statistics) == (101, said.statistics()), (
        "of the file as it was nothing may be left"
    )


def test_of_the_same_kind_the_later_record_stays_with_all_that_it_leaves_open(tmp_path: Path) -> None:
    storage = storage_of(tmp_path)
    add(storage, record("a", "f"))
    add(storage, replace(record("a", "f"), lower=None, null_count=None))
    (found,) = StatisticsIndex.open(tmp_path).statistics(["a"])["a"].values()
    assert (found.statistics.lower, found.statistics.null_count) == (None, None)


def test_a_content_that_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    storage = storage_of(tmp_path)
    said = record("a", "f")
    add(
        storage,
        said,
        *(replace(said, kind=kind, content=b"\x05no") for kind in ("bloom", "values", "of the future")),
    )
    (found,) = StatisticsIndex.open(tmp_path).statistics(["a"])["a"].values()
    assert found.statistics == said.statistics()
