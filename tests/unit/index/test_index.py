"""What an index knows of a column, from all of its records."""

from dataclasses import replace
from pathlib import Path

from pycompiler.compile.expression.bloom import BloomFilter
from pycompiler.index.file_systems.local import LocalStorage
from pycompiler.index.index import StatisticsIndex
from pycompiler.index.value_set import serialize_values
from tests.contents import contents_of

from .samples import add, record


def test_records_of_different_kinds_combine_if_the_file_has_not_changed(
    storage: LocalStorage, tmp_path: Path
) -> None:
    original = record("a", "f")
    bloom = replace(original, kind="bloom", content=BloomFilter.of([b"x"], 0.01).data)
    values = replace(original, kind="values", content=serialize_values([b"x"]))
    add(storage, original, bloom)
    add(storage, values)
    (statistics,) = StatisticsIndex.open(tmp_path).statistics(["a"])["a"].values()
    assert statistics.statistics == replace(
        original.statistics(), contents=contents_of([b"x"], BloomFilter.of([b"x"], 0.01))
    ), "a later data file adds to an earlier one"
    add(storage, record("a", "f", size=101))
    (statistics,) = StatisticsIndex.open(tmp_path).statistics(["a"])["a"].values()
    assert (statistics.file_size, statistics.statistics) == (101, original.statistics()), (
        "of the file as it was nothing may be left"
    )


def test_a_later_record_of_the_same_kind_replaces_every_statistic(
    storage: LocalStorage, tmp_path: Path
) -> None:
    add(storage, record("a", "f"))
    add(storage, replace(record("a", "f"), lower=None, null_count=None))
    (found,) = StatisticsIndex.open(tmp_path).statistics(["a"])["a"].values()
    assert (found.statistics.lower, found.statistics.null_count) == (None, None)


def test_unreadable_content_is_ignored(storage: LocalStorage, tmp_path: Path) -> None:
    original = record("a", "f")
    add(
        storage,
        original,
        *(replace(original, kind=kind, content=b"\x05no") for kind in ("bloom", "values", "of the future")),
    )
    (found,) = StatisticsIndex.open(tmp_path).statistics(["a"])["a"].values()
    assert found.statistics == original.statistics()
