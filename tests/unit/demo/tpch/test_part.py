from pathlib import Path

import pytest

from pycompiler.demo.tpch.part import lineitem_layout, tpch_part


@pytest.mark.parametrize(("scale", "files"), [(0.01, 20), (0.1, 20), (0.15, 30), (5, 1000)])
def test_lineitem_has_as_many_files_as_its_size_asks_for(scale: float, files: int) -> None:
    assert lineitem_layout(scale).files == files


def test_the_tables_are_those_of_the_scale_in_a_folder_of_its_own(tmp_path: Path) -> None:
    part = tpch_part(tmp_path, 0.01)
    rows = {source.name: source.rows for source, _ in part.tables}
    assert rows == {"lineitem": 60_175, "part": 2_000, "days": 2_557}
    assert part.lake.parent.name == "tpch-0.01"
