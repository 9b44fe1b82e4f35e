from pathlib import Path

import pytest

from examples.demo.lake import LakeTable
from examples.demo.tpch import lineitem_layout, linked_files, tpch_part


@pytest.mark.parametrize(("scale", "files"), [(0.01, 20), (0.1, 20), (0.15, 30), (5, 1000)])
def test_lineitem_has_as_many_files_as_its_size_asks_for(scale: float, files: int) -> None:
    assert lineitem_layout(scale).files == files


def test_the_tables_are_those_of_the_scale_in_a_folder_of_its_own(tmp_path: Path) -> None:
    part = tpch_part(tmp_path, 0.01)
    rows = {source.name: source.rows for source, _ in part.tables}
    assert rows == {"lineitem": 60_175, "part": 2_000, "days": 2_557}
    assert part.lake.parent.name == "tpch-0.01"


def test_the_folder_of_the_native_table_has_the_base_files_and_nothing_of_hudi(tmp_path: Path) -> None:
    table = tmp_path / "lineitem"
    (table / ".hoodie").mkdir(parents=True)
    (table / ".hoodie" / "hoodie.properties").touch()
    for name in ("a.parquet", "b.parquet"):
        (table / name).write_text(name)
    for time in ("first", "second"):
        folder = linked_files(LakeTable("lineitem", table))
        assert {file.name: file.read_text() for file in folder.iterdir()} == {
            "a.parquet": "a.parquet",
            "b.parquet": "b.parquet",
        }, f"the {time} time"
    assert folder.resolve() != table.resolve() and table not in folder.parents
    assert (folder / "a.parquet").samefile(table / "a.parquet"), "it should be linked, not copied"
