"""What conditions keep of a table, by some records and without them."""

from pathlib import Path

import pyarrow as pa

from pycompiler.advise.reads import Read, kind_sizes, reads, without
from pycompiler.explain.open_table import open_table
from pycompiler.index.options import IndexOptions
from tests.bench.advice.written import write
from tests.unit.advise.rows import asked


def test_records_are_told_apart(tmp_path: Path) -> None:
    rows = pa.table({"a": [0, 9, 1, 8, 2, 7, 3, 6], "b": [0, 90, 10, 80, 20, 70, 30, 60]})
    options = IndexOptions({"a": ["bloom", "values"], "b": "bloom"})
    table = write(tmp_path / "t", rows, 4, "a", options)
    workload = asked("a = 8", "b = 80", "a = 8 OR b = 70")
    sizes = kind_sizes(table)
    assert set(sizes) == {("a", "bloom"), ("a", "values"), ("b", "bloom")} and min(sizes.values()) > 100
    with open_table(table) as opened:
        known = opened.statistics([each.expression for each in workload.conditions])

        def files(*left_out: tuple[str, str]) -> list[int]:
            return [each.files for each in reads(opened, workload, without(known, left_out))]

        assert files() == [1, 1, 2] == files(("a", "bloom")) == files(("a", "values"))
        assert files(("a", "bloom"), ("a", "values")) == [2, 1, 3]
        assert files(("b", "bloom")) == [1, 2, 3]
        (first, *_) = reads(opened, workload, known)
        assert first == Read(1, first.share) and 0.2 < first.share < 0.3
